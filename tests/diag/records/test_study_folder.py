"""The study's folder: attempts become visible whole, interrupted ones are kept aside, deciding reads statuses only."""

from dataclasses import replace

import pytest

from diag.errors import CorruptRecord
from diag.records import Outcome
from diag.records.event_log import EventLog
from diag.records.plan import Block, make_plan, schedule
from diag.records.study_folder import StudyFolder
from diag.running.attempt import failed_outcome

UNITS = schedule([Block("b1", "D", "b1", "0" * 64, "c1", ("A", "B"))], study="s", seed=0, repeats=1)
PLAN = make_plan("s", UNITS, {"a": 1})
VALID = Outcome("b1-A-r1", 1, PLAN.plan_hash, "valid", "stopped", None, 12.5, 3, 1, {"won": False, "after_s": None})


@pytest.fixture
def folder(tmp_path) -> StudyFolder:
    return StudyFolder(tmp_path / "study")


def begun(folder: StudyFolder, attempt: int = 1):
    return folder.begin_attempt("b1-A-r1", attempt, plan_hash=PLAN.plan_hash, browser=True)


def test_an_attempt_is_invisible_until_it_is_complete(folder):
    partial = begun(folder)
    assert folder.attempts("b1-A-r1") == ()
    folder.finish_attempt(partial, VALID)
    assert not partial.exists()
    assert folder.primary("b1-A-r1").attempt == 1


def test_the_first_valid_attempt_is_primary(folder):
    folder.finish_attempt(begun(folder), failed_outcome(UNITS[0], 1, PLAN.plan_hash, "api"), "it is down")
    folder.finish_attempt(begun(folder, 2), replace(VALID, attempt=2))
    first, second = folder.attempts("b1-A-r1")
    assert (first.failure_kind, first.message) == ("api", "it is down")
    assert folder.primary("b1-A-r1") == second


def test_an_outcome_reads_back_equal(folder):
    status = folder.finish_attempt(begun(folder), VALID)
    assert folder.read_outcome(status) == VALID


def test_interrupted_attempts_are_kept_and_not_counted(folder):
    for _ in range(2):
        begun(folder)
        assert folder.set_aside_partials(("b1-A-r1", "b1-B-r1")) == ("b1-A-r1",)
    names = sorted(path.name for path in folder.unit_folder("b1-A-r1").iterdir())
    assert names == ["attempt-1.interrupted-1", "attempt-1.interrupted-2"]
    assert folder.attempts("b1-A-r1") == ()


def test_a_log_of_a_finished_attempt_cannot_change(folder):
    partial = begun(folder)
    with EventLog(partial / "events.jsonl") as log:
        log.append("episode_start", 0.0, {"unit_id": "b1-A-r1"})
    status = folder.finish_attempt(partial, VALID)
    assert len(folder.read_events(status)) == 1
    path = folder.attempt_folder("b1-A-r1", 1) / "events.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(CorruptRecord, match="unit b1-A-r1"):
        folder.read_events(status)
    path.unlink()
    with pytest.raises(CorruptRecord, match="is not the log that was finished"):
        folder.check_log(status)


def test_the_heartbeat_moves_and_a_finished_attempt_has_none(folder, monkeypatch):
    partial = begun(folder)
    monkeypatch.setattr("diag.records.study_folder.utc_now", lambda: "2999-01-01T00:00:00.000+00:00")
    before = (partial / "status.json").read_bytes()
    folder.beat(partial)
    assert (partial / "status.json").read_bytes() != before
    folder.finish_attempt(partial, VALID)
    folder.beat(partial)
    assert not partial.exists()


def test_a_plan_reads_back_equal(folder):
    folder.write_plan(PLAN)
    assert folder.read_plan() == PLAN


def test_a_plan_counts_as_fixed_from_the_first_valid_outcome(folder):
    folder.finish_attempt(begun(folder), failed_outcome(UNITS[0], 1, PLAN.plan_hash, "api"))
    assert not folder.has_outcomes()
    folder.finish_attempt(begun(folder, 2), replace(VALID, attempt=2))
    assert folder.has_outcomes()
