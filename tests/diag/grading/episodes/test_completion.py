"""LC, OSR, FGP, reach, the split of the deficit, premature exit and setting mismatch, each worked out by hand."""

import pytest
from episode_logs import CLICK, MAZE, EpisodeWriter, to, tools

from diag.grading.episodes.completion import completion, level_records
from diag.grading.episodes.grade import grade_episode
from games.contract import LevelId

ONE, TWO, THREE, _ = MAZE


def played() -> EpisodeWriter:
    """Level 1 won (and failed again afterwards), level 2 at best 0.6 and left at 0.2, 3 entered, 4 never reached."""
    return (
        EpisodeWriter()
        .do(10, to(ONE, "enter", 0, 0.0))
        .do(20, to(ONE, "move", 1, 1.0, won=True))
        .do(30, to(ONE, "restart", 0, 0.0))
        .do(40, to(ONE, "leave", 0, 0.0), to(TWO, "enter", 2, 0.0))
        .do(50, to(TWO, "move", 3, 0.6))
        .do(60, to(TWO, "restart", 2, 0.0))
        .do(70, to(TWO, "move", 4, 0.2))
        .do(80, to(TWO, "leave", 4, 0.2), to(THREE, "enter", 5, 0.0))
    )


def test_completion_by_hand():
    outcome = grade_episode(played().end(3_600), tools=tools())
    found = outcome.endpoints
    assert found["lc"] == 1 / 4  # level 1 counts once and keeps its credit
    assert found["objective_success"] is False
    assert found["fgp"] == pytest.approx((1 + 0.6 + 0 + 0) / 4)  # best potential, not the last
    assert found["reach"] == 3 / 4
    assert found["completion_if_reached"] == pytest.approx(1 / 3)
    assert (found["n_won"], found["n_reached"], found["n_levels"]) == (1, 3, 4)
    assert (found["n_restarts"], found["n_moves"], found["n_attempts_at_levels"]) == (2, 3, 5)


def test_the_deficit_splits_exactly():
    found = grade_episode(played().end(3_600), tools=tools()).endpoints
    assert 1 - found["lc"] == found["deficit_unreached"] + found["deficit_reached"]
    assert (found["deficit_unreached"], found["deficit_reached"]) == (1 / 4, 2 / 4)


def test_level_records_keep_times_and_winning_moves():
    levels = grade_episode(played().end(3_600), tools=tools()).details["levels"]
    assert levels[0] == {
        "level": str(ONE), "reached_s": 10, "won_s": 20, "best": 1.0, "n_attempts": 2, "n_moves": 1, "win_moves": 1,
    }  # fmt: skip
    assert (levels[3]["reached_s"], levels[3]["best"], levels[3]["n_attempts"]) == (None, 0.0, 0)


def test_a_won_level_shown_for_one_moment_counts():
    log = EpisodeWriter((ONE,)).do(
        5, to(ONE, "enter", 0, 0.0), to(ONE, "move", 1, 1.0, won=True), to(ONE, "restart", 0, 0.0)
    )
    outcome = grade_episode(log.end(6, "won"), tools=tools())
    assert outcome.endpoints["objective_success"] is True
    assert outcome.endpoints["premature_exit"] is False


@pytest.mark.parametrize(
    ("ending", "clock_s", "premature"),
    [("stopped", 600, True), ("unverified_claim", 600, True), ("time_limit", 3_600, False),
     ("invalid_action_limit", 600, False), ("stopped", 3_600, False)],
)  # fmt: skip
def test_premature_exit_is_the_agents_own_end_while_budget_remains(ending, clock_s, premature):
    found = grade_episode(played().end(clock_s, ending), tools=tools()).endpoints
    assert found["premature_exit"] is premature
    assert found["stopped_s"] == (clock_s if premature else None)
    assert found["forfeited_levels"] == (3 if premature else None)


def test_a_stop_after_success_is_not_premature():
    log = EpisodeWriter((ONE,)).do(5, to(ONE, "enter", 0, 0.0)).do(9, to(ONE, "move", 1, 1.0, won=True))
    assert grade_episode(log.end(12, "stopped"), tools=tools()).endpoints["premature_exit"] is False


@pytest.mark.parametrize(
    ("level", "mismatch"),
    [(LevelId("maze_paint", "hard", 1), True), (LevelId("rush_hour", "easy", 1), True), (TWO, False)],
)
def test_play_of_another_game_or_difficulty_is_a_mismatch_and_earns_nothing(level, mismatch):
    log = (
        played()
        .do(90, to(THREE, "leave", 5, 0.0), to(level, "enter", 9, 0.0))
        .do(99, to(level, "move", 9, 1.0, won=True))
    )
    found = grade_episode(log.end(3_600), tools=tools()).endpoints
    assert found["setting_mismatch"] is mismatch
    assert found["lc"] == (1 / 4 if mismatch else 2 / 4)


def test_an_infrastructure_failure_has_no_endpoints():
    outcome = grade_episode(played().end(100, "infrastructure", "browser"), tools=tools())
    assert (outcome.validity, outcome.failure_kind) == ("infrastructure_failure", "browser")
    assert outcome.endpoints == {}
    assert outcome.details == {}


def test_an_agent_that_was_never_asked_is_no_weak_agent():
    outcome = grade_episode(EpisodeWriter().end(1, "stopped"), tools=tools())
    assert (outcome.validity, outcome.failure_kind) == ("infrastructure_failure", "never_ran")


def test_completion_wants_levels():
    with pytest.raises(ValueError, match="at least one level"):
        completion(level_records((), (), ()))


def test_usage_of_a_code_execution_agent_gives_ngar():
    log = EpisodeWriter((ONE,)).do(
        5, to(ONE, "enter", 0, 0.0), action=CLICK, usage={"steps": [{"does": ["gui_input"]}, {"does": ["file_tool"]}]}
    )
    outcome = grade_episode(log.end(3_600), tools=tools())
    assert outcome.endpoints["ngar"] == 50.0
    assert grade_episode(played().end(3_600), tools=tools()).endpoints["ngar"] is None
