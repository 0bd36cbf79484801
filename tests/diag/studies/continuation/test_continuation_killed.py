"""A game's process that is killed during a run costs a typed attempt, and the study ends in the same outcomes."""

import json
import os
import signal

import pytest

from diag.studies.continuation.attempt import _Running
from diag.studies.continuation.place import SERVER

WORDS = (
    "+experiment=rq6", "study.name=killed", "study.cohorts=[single]", "mode=run", "tracking=none", "execution.n_jobs=1",
    "execution.progress=false", "agent.knobs.resets=0", "agent.knobs.returns=0",
)  # fmt: skip


def read(path):
    found = json.loads(path.read_text())
    return found.get("content", found)


def outcomes(folder):
    """Unit -> its last valid outcome without the number of the attempt."""
    found = [read(path) for path in sorted(folder.rglob("outcome.json"))]
    return {
        one["unit_id"]: {key: one[key] for key in ("endpoints", "ending", "details", "elapsed_s")}
        for one in found
        if one["validity"] == "valid"
    }


@pytest.fixture
def killing(monkeypatch):
    """Kill the game's process before some action of a unit's first attempt; returns unit -> which action."""
    act, counts, phases = _Running.act, {}, {}

    def acting(self, action, latency_s=None):
        log = self.work.log_path
        counts[log] = counts.get(log, 0) + 1
        if self.work.attempt == 1 and counts[log] == phases.get(self.work.unit.unit_id):
            os.kill(SERVER.pid, signal.SIGKILL)
        return act(self, action, latency_s)

    monkeypatch.setattr(_Running, "act", acting)
    return phases


def test_a_killed_server_costs_an_attempt_and_no_number(diag, killing, tmp_path):
    words = (*WORDS, "study.targets=[agi_maze/tutorial/1]", "study.max_units=3")
    assert diag(*words, f"outputs={tmp_path / 'calm'}") == 0
    calm = outcomes(tmp_path / "calm")
    killing.update(zip(sorted(calm)[:2], (1, 8), strict=True))
    assert diag(*words, f"outputs={tmp_path / 'struck'}") == 0
    assert outcomes(tmp_path / "struck") == calm
    kinds = [read(path)["failure_kind"] for path in (tmp_path / "struck").rglob("attempt-1/status.json")]
    assert sorted(map(str, kinds)) == ["None", "suite", "suite"]


def test_by_whole_collections_a_finished_run_is_made_again_too(diag, killing, tmp_path):
    killing["agi_maze-tutorial-2-single-baseline-r1"] = 6
    words = (*WORDS, "study.targets=[agi_maze/tutorial/1,agi_maze/tutorial/2]", "study.only=[*-baseline-r1]")
    assert diag(*words, f"outputs={tmp_path}", "study.validity=collection") == 0
    (units,) = tmp_path.glob("*/*/units")
    made = {path.parent.name: read(path / "status.json")["validity"] for path in units.glob("*/attempt-2")}
    assert made == {f"agi_maze-tutorial-{number}-single-baseline-r1": "valid" for number in (1, 2)}
    reasons = {read(path)["why"].split(":")[0] for path in units.rglob("discarded.json")}
    assert reasons == {"single-baseline-r1 was discarded"}
