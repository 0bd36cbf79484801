from __future__ import annotations

from dataclasses import replace

import pytest
from logs import LIVE, OTHER, LogWriter, change

from diag.grading.log import AttemptLog
from diag.grading.walk import IncompleteLog, LevelMismatch, MalformedLog, NeverRan, PlanMismatch
from diag.records.event_log import LogError


def whole():
    return LogWriter().start().say(1).act(5, change("restart", LIVE)).end()


def test_no_events_is_its_own_error():
    with pytest.raises(NeverRan):
        AttemptLog.read([])


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 5])
def test_every_missing_tail_is_found(cut):
    with pytest.raises(IncompleteLog):
        AttemptLog.read(whole()[:-cut])


@pytest.mark.parametrize("place", range(1, 5))
def test_every_missing_event_is_found(place):
    events = whole()
    with pytest.raises(LogError):
        AttemptLog.read(events[:place] + events[place + 1 :])


@pytest.mark.parametrize(("gone", "error"), [(1, IncompleteLog), (3, MalformedLog), (4, IncompleteLog)])
def test_a_lost_snapshot_or_action_is_found_even_after_renumbering(gone, error):
    events = whole()
    del events[gone]
    renumbered = [replace(event, seq=number) for number, event in enumerate(events)]
    with pytest.raises(error):
        AttemptLog.read(renumbered)


def test_a_lost_transition_is_found():
    events = whole()
    snapshot = events[4]
    events[4] = replace(snapshot, data={**snapshot.data, "n_transitions": 3})
    with pytest.raises(IncompleteLog, match="do not continue 1"):
        AttemptLog.read(events)


@pytest.mark.parametrize(
    ("place", "field", "value"),
    [(0, "schema_version", 2), (2, "kind", "thought"), (3, "clock_s", 0.5), (3, "clock_s", float("nan"))],
)
def test_foreign_kinds_versions_and_clocks_that_go_back_are_refused(place, field, value):
    events = whole()
    events[place] = replace(events[place], **{field: value})
    with pytest.raises(MalformedLog):
        AttemptLog.read(events)


@pytest.mark.parametrize(
    ("place", "name"), [(0, "level"), (0, "plan_hash"), (3, "valid"), (4, "transitions"), (5, "ending")]
)
def test_a_missing_field_is_named(place, name):
    events = whole()
    events[place] = replace(events[place], data={k: v for k, v in events[place].data.items() if k != name})
    with pytest.raises(MalformedLog, match=name):
        AttemptLog.read(events)


def test_an_unknown_ending_is_refused():
    with pytest.raises(MalformedLog, match="Gave up!"):
        AttemptLog.read(LogWriter().start().say(1).end(ending="Gave up!"))


def test_another_plans_log_is_refused():
    with pytest.raises(PlanMismatch, match="'plan', wanted 'other'"):
        AttemptLog.read(whole(), plan_hash="other")
    assert AttemptLog.read(whole(), plan_hash="plan").plan_hash == "plan"


def test_a_start_on_another_level_is_an_error_not_a_score():
    events = LogWriter().snapshot(0.0, change("placed", LIVE, level=OTHER), level=OTHER).say(1).end()
    with pytest.raises(LevelMismatch, match="hard/4"):
        AttemptLog.read(events)


def test_a_level_may_be_written_as_its_fields():
    events = whole()
    spelled = {"game": "bolt_unscrew", "difficulty": "hard", "number": 3}
    events[0] = replace(events[0], data={**events[0].data, "level": spelled})
    assert AttemptLog.read(events).level.number == 3
