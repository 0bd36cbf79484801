"""Validity by whole evaluation units: a failure discards all of one, once, and a kill in between is made good."""

from types import SimpleNamespace

import pytest

from diag.records import Outcome
from diag.records.study_folder import StudyFolder
from diag.running.attempt import failed_outcome
from diag.running.runner import _to_do
from diag.running.wholes import alone, discard_broken

UNITS = tuple(SimpleNamespace(unit_id=name) for name in ("a1", "a2", "a3", "b1", "b2"))
NONE = dict.fromkeys((unit.unit_id for unit in UNITS), 0)


def first_letter(unit):
    return unit.unit_id[0]


@pytest.fixture
def folder(tmp_path):
    return StudyFolder(tmp_path)


def made(folder, unit_id, attempt, *, fails=False):
    partial = folder.begin_attempt(unit_id, attempt, plan_hash="h", browser=False)
    (partial / "events.jsonl").write_text("")
    unit = SimpleNamespace(unit_id=unit_id)
    valid = Outcome(unit_id, attempt, "h", "valid", "won", None, 1.0, 1, 0, {})
    folder.finish_attempt(partial, failed_outcome(unit, attempt, "h", "api") if fails else valid, "no answer")


def to_do(folder, whole=first_letter, earlier=NONE):
    return [(unit.unit_id, attempt) for unit, attempt in _to_do(UNITS, folder, 2, earlier, whole)]


def test_a_failure_discards_what_had_finished_and_nothing_of_another_evaluation_unit(folder):
    for name in ("a1", "a3", "b1", "b2"):
        made(folder, name, 1)
    made(folder, "a2", 1, fails=True)
    assert to_do(folder) == [("a1", 2), ("a2", 2), ("a3", 2)]
    assert folder.primary("a1") is None
    assert folder.primary("b1").attempt == 1
    status = folder.status("a1", 1)
    assert (status.validity, status.failure_kind) == ("infrastructure_failure", "discarded")
    assert status.message == "a was discarded: a2 failed with api: no answer"
    assert folder.status("a2", 1).failure_kind == "api"


def test_by_attempt_only_what_failed_is_made_again(folder):
    for name in ("a1", "a3", "b1", "b2"):
        made(folder, name, 1)
    made(folder, "a2", 1, fails=True)
    assert to_do(folder, alone) == [("a2", 2)]
    assert folder.primary("a1").attempt == 1


def test_a_failure_counts_once_and_what_is_made_after_it_stays(folder):
    made(folder, "a1", 1)
    made(folder, "a2", 1, fails=True)
    discard_broken(UNITS, folder, first_letter)
    for name, attempt in (("a1", 2), ("a2", 2), ("a3", 1)):
        made(folder, name, attempt)
    assert discard_broken(UNITS, folder, first_letter) == ()
    assert [folder.primary(name).attempt for name in ("a1", "a2", "a3")] == [2, 2, 1]
    assert to_do(folder) == [("b1", 1), ("b2", 1)]


def test_killed_while_discarding_the_next_run_goes_on_with_it(folder, monkeypatch):
    for name in ("a1", "a3"):
        made(folder, name, 1)
    made(folder, "a2", 1, fails=True)
    discard, calls = folder.discard, []

    def dies(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        discard(*arguments)

    monkeypatch.setattr(folder, "discard", dies)
    with pytest.raises(KeyboardInterrupt):
        discard_broken(UNITS, folder, first_letter)
    monkeypatch.undo()
    assert discard_broken(UNITS, folder, first_letter) == ("a",)
    assert [folder.primary(name) for name in ("a1", "a2", "a3")] == [None, None, None]


def test_an_evaluation_unit_without_a_try_left_is_given_up_whole_until_the_next_run(folder):
    made(folder, "a1", 1)
    for attempt in (1, 2):
        made(folder, "a2", attempt, fails=True)
    assert to_do(folder) == [("b1", 1), ("b2", 1)]
    later = {unit.unit_id: len(folder.attempts(unit.unit_id)) for unit in UNITS}
    assert to_do(folder, earlier=later) == [("a1", 2), ("a2", 3), ("a3", 1), ("b1", 1), ("b2", 1)]
