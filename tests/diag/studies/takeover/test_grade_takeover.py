from __future__ import annotations

import pytest
from logs import DEAD, DOOMED, LEVEL, LIVE, OPEN, OTHER, WON, LogWriter, certify, change

from diag.studies.takeover.kind import ENDPOINTS, KIND, TakeoverLimits, grade_takeover
from diag.studies.takeover.tables import after_recovery_lines
from games.contract import LevelId


def grade(events, **more):
    return grade_takeover(events, certify=certify, **more)


def restart(potential: float = 0.0):
    return change("restart", LIVE, potential)


def test_a_restart_in_time_is_timely_and_verified():
    outcome = grade(LogWriter().start().say(5).act(7).say(20).act(22.5, restart()).end())
    got = outcome.endpoints
    assert (got["timely_restart"], got["verified_recovery"], got["recurrence"]) == (True, True, False)
    assert got["recovery_kept"] is True
    assert (got["restart_s"], got["restart_actions"], got["recovery_s"], got["recovery_actions"]) == (22.5, 2, 22.5, 2)
    assert (got["n_restarts"], got["n_moves"], got["same_level_win"]) == (1, 0, False)
    assert (outcome.validity, outcome.ending, outcome.n_actions, outcome.elapsed_s) == ("valid", "time_limit", 2, 300.0)


@pytest.mark.parametrize(
    ("waits", "clock_s", "timely"),
    [(9, 120.0, True), (10, 60.0, False), (9, 120.01, False), (0, 300.0, False)],
)
def test_both_limits_of_the_timely_window_are_inclusive(waits, clock_s, timely):
    log = LogWriter().start().say(1)
    for place in range(waits):
        log.act(2 + place)
    got = grade(log.act(clock_s, restart()).end()).endpoints
    assert got["timely_restart"] is timely
    assert got["verified_recovery"] is True


def test_the_limits_are_parameters():
    events = LogWriter().start().say(1).act(30, restart()).end()
    assert grade(events, limits=TakeoverLimits(timely_s=20)).endpoints["timely_restart"] is False
    assert grade(events, limits=TakeoverLimits(limit_s=29)).endpoints["restarted"] is False


def test_a_recovery_needs_a_live_board_not_only_a_button():
    got = grade(LogWriter().start().say(1).act(5, change("undo", DEAD, 0.3)).act(9, change("undo", LIVE, 0.2)).end())
    assert (got.endpoints["restart_s"], got.endpoints["recovery_s"]) == (5, 9)
    got = grade(LogWriter().start().say(1).act(5, change("restart", OPEN)).end())
    assert (got.endpoints["restarted"], got.endpoints["verified_recovery"]) == (True, False)
    assert got.endpoints["n_undecided"] == 1


def test_leaving_and_entering_again_recovers_but_leaving_or_another_level_does_not():
    away = LogWriter().start().say(1).act(5, change("leave", DEAD, 0.4), level=None)
    assert grade(away.end()).endpoints["restarted"] is False
    back = LogWriter().start().say(1).act(5, change("leave", DEAD, 0.4), level=None)
    got = grade(back.act(9, change("enter", LIVE)).end()).endpoints
    assert (got["timely_restart"], got["restart_actions"], got["n_restarts"]) == (True, 2, 0)
    other = LogWriter().start().say(1).act(5, change("leave", DEAD, 0.4), level=None)
    got = grade(other.act(9, change("enter", LIVE, level=OTHER), level=OTHER).end()).endpoints
    assert (got["restarted"], got["verified_recovery"], got["progress"]) == (False, False, 0.4)


def test_recurrence_is_a_new_dead_end_after_the_first_recovery():
    log = LogWriter().start().say(1).act(10, restart())
    log.act(20, change("move", LIVE, 0.2)).act(30).act(40, change("move", DEAD, 0.3)).act(50, restart())
    got = grade(log.end()).endpoints
    assert (got["recurrence"], got["recurrence_s"], got["recurrence_actions"]) == (True, 40, 4)
    assert got["recovery_kept"] is False
    assert (got["recurrence_after_s"], got["recurrence_after_moves"]) == (30, 2)
    assert got["recurrence_after_actions"] == 3  # two moves and a click without effect
    assert got["search_dead_end"] is False
    assert (got["recovery_late"], got["recovery_left_s"]) == (False, 290)
    assert (got["recurrence_after_progress"], got["recurrence_left_s"]) == (True, 260)
    assert got["progress_after_recovery"] == pytest.approx(0.3)
    assert (got["n_restarts"], got["n_moves"], got["progress"]) == (2, 2, 0.4)


def test_in_bolt_unscrew_only_a_board_without_a_move_is_a_recurrence():
    # "Dead-end certification": no admissible relocation remains; that no win is left is a column of its own
    log = LogWriter().start().say(1).act(10, restart()).act(20, change("move", DOOMED, 0.2))
    got = grade(log.end()).endpoints
    assert (got["recurrence"], got["recurrence_s"], got["search_dead_end"]) == (False, None, True)
    log = LogWriter().start().say(1).act(10, restart()).act(20, change("move", DOOMED, 0.2)).act(30)
    got = grade(log.act(40, change("move", DEAD, 0.3)).end()).endpoints
    assert (got["recurrence"], got["recurrence_s"], got["search_dead_end"]) == (True, 40, True)
    assert (got["recurrence_after_actions"], got["recurrence_after_moves"]) == (3, 2)


def test_in_nut_and_bolt_an_exhausted_search_is_the_certificate():
    level = LevelId("nut_and_bolt", LEVEL.difficulty, LEVEL.number)
    log = LogWriter(level=level)
    log.snapshot(0.0, change("placed", DEAD, level=level), level=level).say(1)
    log.act(10, change("undo", LIVE, level=level), level=level).act(
        20, change("move", DOOMED, level=level), level=level
    )
    got = grade(log.end()).endpoints
    assert (got["recurrence"], got["recurrence_after_actions"], got["search_dead_end"]) == (True, 1, False)


def test_what_a_search_gives_up_before_any_recovery_is_in_no_column():
    got = grade(LogWriter().start().say(1).act(10, change("move", DOOMED, 0.5)).end()).endpoints
    assert (got["recurrence"], got["search_dead_end"]) == (None, None)


def test_on_solvable_checkpoints_both_columns_count_from_the_takeover():
    log = LogWriter(cohort="N").start(LIVE, 0.6).say(1).act(5, change("move", DOOMED, 0.7))
    got = grade(log.end()).endpoints
    assert (got["dead_end_reached"], got["search_dead_end"]) == (False, True)


def test_a_dead_end_before_any_recovery_is_no_recurrence():
    got = grade(LogWriter().start().say(1).act(10, change("move", DEAD, 0.5)).end()).endpoints
    assert got["recurrence"] is None
    assert got["recovery_kept"] is False
    assert got["recurrence_s"] is None
    assert got["progress"] == 0.5


def test_the_first_win_is_latched():
    log = LogWriter().start().say(1).act(10, restart()).act(20, change("move", WON, 1.0, won=True))
    log.act(30, change("enter", {"n": 1}, level=OTHER), level=OTHER).act(40, restart()).act(50, change("move", DEAD))
    got = grade(log.end(ending="won")).endpoints
    assert (got["same_level_win"], got["win_s"], got["win_actions"]) == (True, 20, 2)
    assert (got["recurrence"], got["progress"], got["n_restarts"]) == (False, 1.0, 1)


def test_a_win_after_the_limit_is_none():
    got = grade(LogWriter().start().say(1).act(301, change("move", WON, 1.0, won=True)).end(301)).endpoints
    assert (got["same_level_win"], got["win_s"], got["progress"]) == (False, None, 0.4)


def test_on_solvable_checkpoints_recovery_does_not_apply():
    log = LogWriter(cohort="N").start(LIVE, 0.6).say(1).act(5, change("move", DEAD, 0.7))
    got = grade(log.act(9, restart()).end()).endpoints
    assert (got["verified_recovery"], got["recurrence"], got["recovery_s"]) == (None, None, None)
    assert got["recovery_kept"] is None
    assert (got["restarted"], got["dead_end_reached"], got["same_level_win"]) == (True, True, False)


@pytest.mark.parametrize(
    ("first", "recovers", "moves"),
    [((), False, False), ((restart(),), True, False), ((change("move", DEAD),), False, True)],
)
def test_the_first_action_is_told_by_its_effect(first, recovers, moves):
    got = grade(LogWriter().start().say(1).act(5, *first).act(9, restart()).end()).endpoints
    assert (got["first_recovers"], got["first_moves"]) == (recovers, moves)


def test_an_infrastructure_failure_has_no_endpoints():
    outcome = grade(LogWriter().start().say(1).end(3.0, "infrastructure", "browser"))
    assert (outcome.validity, outcome.failure_kind, outcome.endpoints, outcome.codes) == (
        "infrastructure_failure", "browser", {}, {},
    )  # fmt: skip


def test_an_attempt_the_apparatus_broke_may_lack_its_last_snapshot():
    log = LogWriter().start().say(1)
    log.add("action", 5.0, index=0, action={}, valid=True, feedback="")
    assert grade(log.end(5.0, "infrastructure", "suite")).n_actions == 1


def test_never_asked_is_not_a_weak_agent():
    outcome = grade(LogWriter().start().end())
    assert (outcome.validity, outcome.failure_kind, outcome.endpoints) == ("infrastructure_failure", "never_ran", {})


def test_a_controllers_restart_is_not_the_agents():
    log = LogWriter().start().say(1).act(3)
    log.add("controller", 6.0, what="restart", action={}).snapshot(6.0, restart())
    got = grade(log.end()).endpoints
    assert (got["restarted"], got["verified_recovery"], got["n_restarts"]) == (False, False, 1)


def test_invalid_actions_are_counted_and_do_nothing():
    log = LogWriter().start().say(1)
    log.add("action", 2.0, index=None, action={"name": "click"}, valid=False, feedback="no x")
    outcome = grade(log.act(5, restart()).end())
    assert (outcome.n_actions, outcome.n_invalid_actions, outcome.endpoints["restart_actions"]) == (1, 1, 1)


def test_start_digests_and_names_are_carried_over():
    outcome = grade(LogWriter().start().say(1).end())
    assert outcome.start_digests["pixels"] == "p"
    assert (outcome.unit_id, outcome.attempt, outcome.plan_hash) == ("u1", 1, "plan")
    assert LEVEL != OTHER


def test_the_names_of_the_endpoints_are_known_before_any_outcome():
    assert tuple(grade(LogWriter().start().say(5).act(7).end()).endpoints) == tuple(one.name for one in ENDPOINTS)


def test_what_follows_a_recovery_is_broken_down_by_hand():
    """Four continuations of one arm: late and lost, in time and lost without progress, in time and kept, none."""
    late = (
        LogWriter()
        .start()
        .say(1)
        .act(150, restart())
        .act(180, change("move", LIVE, 0.5))
        .act(200, change("move", DEAD))
    )
    soon = LogWriter().start().say(1).act(10, restart()).act(20).act(40, change("move", DEAD))
    kept = LogWriter().start().say(1).act(20, restart()).act(40, change("move", LIVE, 0.1))
    never = LogWriter().start().say(1).act(20)
    rows = [{"cohort": "D", "arm": "B", **grade(log.end()).endpoints} for log in (late, soon, kept, never)] + [
        {"cohort": "N", "arm": "B", **grade(LogWriter(cohort="N").start(LIVE).say(1).end()).endpoints}
    ]
    (line,) = after_recovery_lines(rows)
    assert line == {
        "cohort": "D", "arm": "B", "continuations": 4, "recovered": 3, "recovered_late": 1, "recurred": 2,
        "recurred_after_progress": 1, "search_dead_end": 0, "median_recurrence_after_s": 40,
        "median_recurrence_after_actions": 2, "median_recurrence_after_moves": 1.5, "median_recurrence_left_s": 180,
        "not_recurred": 1, "not_recurred_won": 0, "median_recovery_left_s": 280,
    }  # fmt: skip
    assert KIND.summary(None, rows) == (
        "after recovery, D B: 3 of 4 recover (1 outside the window), 2 recur (1 after progress), median 40.0 s and 2 "
        "actions after recovery with 180.0 s left; 1 do not (0 won), median 280.0 s available",
    )
