"""Retry grading: which ending a log shows, that recurrence is exact in its mechanism, that capacities hold."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from logs import DEAD, DOOMED, LEVEL, LIVE, WON, LogWriter, certify, change, measure

from diag.grading.walk import MalformedLog
from diag.studies.retry.attempt import CertifiedFailure
from diag.studies.retry.grade import ENDINGS, grade_retry
from diag.studies.retry.memory import Memory, Written

MEMORY = Memory("m2", keeps_history=True, request="Write.", capacity_tokens=5)


def retry(memory=None):
    log = LogWriter(cohort="F").start(LIVE, 0.0)
    log.events[0].data.update(source={"mechanism": "no_available_hole"}, memory=memory)
    return log.say(5.0)


def ending(events):
    outcome = grade_retry(events, certify=certify, measure=measure)
    true = [name for name in ENDINGS if outcome.endpoints[name]]
    assert len(true) == 1
    return true[0]


def test_each_ending_is_told_apart():
    win = retry().act(9.0, change("move", WON, 1.0, won=True)).end(9.0, "won")
    dead = retry().act(9.0, change("move", DEAD, 0.3)).end(9.0, "certified_failure")
    again = retry().act(9.0, change("restart", LIVE)).end(9.0, "another_restart")
    entered = retry().act(9.0, change("leave", LIVE), level=None).act(12.0, change("enter", LIVE))
    assert ending(win) == "completion"
    assert ending(dead) == "recurrence"
    dead[0].data.update(source={"mechanism": "exhausted_search"})
    assert ending(dead) == "other_failure"
    assert ending(again) == "another_restart"
    assert ending(entered.end(12.0, "another_restart")) == "another_restart"
    assert ending(retry().end(20.0, "stopped")) == "stopped"
    assert ending(retry().end(20.0, "unverified_claim")) == "stopped"
    assert ending(retry().end(300.0, "time_limit")) == "out_of_time"
    assert ending(retry().end(200.0, "action_limit")) == "out_of_actions"


def test_a_board_that_only_a_search_gives_up_ends_no_retry_and_has_its_own_column():
    # "Dead-end certification": Bolt Unscrew boards are certified when no relocation remains, never by search
    log = retry().act(9.0, change("move", DOOMED, 0.2)).act(12.0, change("move", DEAD, 0.3))
    outcome = grade_retry(log.end(12.0, "certified_failure"), certify=certify, measure=measure)
    found = outcome.endpoints
    assert (found["recurrence"], found["other_failure"], found["end_s"]) == (True, False, 12.0)
    assert (found["search_dead_end"], found["best_progress"], found["n_moves"]) == (True, 0.3, 2)
    events = retry().act(9.0, change("move", DOOMED, 0.2)).end(300.0)
    assert ending(events) == "out_of_time"
    assert (
        grade_retry(retry().act(9.0, change("move", DEAD)).end(9.0), certify=certify, measure=measure).endpoints[
            "search_dead_end"
        ]
        is False
    )


def test_a_retry_is_stopped_by_the_certificate_of_its_game_alone():
    stop = CertifiedFailure(LEVEL, certify)
    lost, dead = (SimpleNamespace(level=LEVEL, kind="move", won=False, state=state) for state in (DOOMED, DEAD))
    assert stop.ending(None, [lost]) is None
    assert stop.ending(None, [lost, dead]) == "certified_failure"


def test_what_comes_after_the_first_ending_is_not_its_score():
    log = retry().act(9.0, change("move", LIVE, 0.2)).act(12.0, change("move", DEAD, 0.3))
    outcome = grade_retry(
        log.act(15.0, change("move", WON, 1.0, won=True)).end(15.0, "won"), certify=certify, measure=measure
    )
    assert (outcome.endpoints["completion"], outcome.endpoints["recurrence"]) == (False, True)
    assert (outcome.endpoints["best_progress"], outcome.endpoints["n_moves"], outcome.endpoints["end_s"]) == (
        0.3,
        2,
        12.0,
    )


def test_a_failure_after_the_limit_is_out_of_time():
    log = retry().act(301.0, change("move", DEAD, 0.3)).end(301.0, "time_limit")
    assert ending(log) == "out_of_time"


def test_an_infrastructure_failure_has_no_endpoints():
    outcome = grade_retry(retry().end(30.0, "infrastructure", "api"), certify=certify, measure=measure)
    assert (outcome.validity, outcome.failure_kind, outcome.endpoints) == ("infrastructure_failure", "api", {})


def test_a_text_is_graded_with_its_capacity():
    record = Written.of(MEMORY, "one two three four five six").record(MEMORY)
    outcome = grade_retry(retry(record).end(300.0), certify=certify, measure=measure)
    assert outcome.endpoints["memory_tokens"] == 5
    assert outcome.endpoints["memory_cut"] is True
    assert outcome.details["memory"]["whole"].endswith("six")


@pytest.mark.parametrize(
    ("change_", "message"), [({"text": "one two three four five six"}, "6 tokens"), ({"sha256": "0" * 64}, "digest")]
)
def test_a_text_that_is_not_the_recorded_one_is_refused(change_, message):
    record = {**Written.of(MEMORY, "one two three four five").record(MEMORY), **change_}
    events = retry(record).end(300.0)
    with pytest.raises(MalformedLog, match=message):
        grade_retry(events, certify=certify, measure=measure)


def test_an_ending_that_no_board_explains_is_refused():
    events = retry().end(20.0, "certified_failure")
    with pytest.raises(MalformedLog, match="no board"):
        grade_retry(events, certify=certify, measure=measure)


def test_the_level_of_the_log_is_the_one_that_counts():
    other = replace(LEVEL, number=4)
    log = retry().act(9.0, change("move", DEAD, 0.9, level=other), level=other).end(300.0)
    outcome = grade_retry(log, certify=certify, measure=measure)
    assert outcome.endpoints["best_progress"] == 0.0
