"""A recorded study replays offline: equal tables and events at any number of workers and in any order."""

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from fake_server import Behaviour, serving, swiper
from shown import seen

from diag.agents.models.access import FORBIDDEN, scan
from diag.agents.models.recording import Recorder
from diag.errors import CorruptRecord
from diag.records import InfrastructureFailure
from games.digest import canonical_json

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def study(library_folder, tmp_path, diag, monkeypatch):
    """Run a 12-unit RQ2 of the fake model; return the exit code."""

    def run(out: str, url: str, *words: str) -> int:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        return diag(
            "+experiment=rq2", "agent=local", "agent.model=fake-1", "agent.simulated=true", "clock=virtual",
            f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path / out}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", "study.max_units=12", "study.limits.takeover_s=26",
            "agent.patience.request_timeout_s=2", *words,
        )  # fmt: skip

    return run


def folder(tmp_path: Path, out: str) -> Path:
    (found,) = (tmp_path / out).glob("rq2/*/")
    return found


def records(root: Path) -> dict[str, bytes]:
    """Everything of a study that must be equal: tables, outcomes, events."""
    paths = [*root.glob("tables/*"), *root.glob("units/*/*/events.jsonl"), *root.glob("units/*/*/outcome.json")]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


@pytest.fixture
def recorded(study, tmp_path, monkeypatch):
    """Record a 12-unit study; return its records."""
    with serving(swiper) as server:
        assert study("live", server.url, f"agent.record={tmp_path / 'recording'}", "mode=run") == 0
        assert len(server.requests) > 100
    assert study("live", NOWHERE, "mode=analyse") == 0
    live = records(folder(tmp_path, "live"))
    assert len([name for name in live if name.endswith("events.jsonl")]) == 12
    assert any('"kind":"summary"' in text.decode() for text in live.values()), "summaries are replayed too"
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return live


def replayed(study, tmp_path, out: str, *words: str) -> dict[str, bytes]:
    words = (f"agent.replay={tmp_path / 'recording'}", *words)
    assert study(out, NOWHERE, *words, "mode=run") == 0
    assert study(out, NOWHERE, *words, "mode=analyse") == 0
    return records(folder(tmp_path, out))


def test_a_recorded_study_replays_byte_for_byte_by_two_workers_and_in_any_order(study, tmp_path, recorded, monkeypatch):
    from diag.running import runner

    assert replayed(study, tmp_path, "two", "execution.n_jobs=2") == recorded
    in_order = runner.missing

    def shuffled(*arguments):
        units = list(in_order(*arguments))
        random.Random(3).shuffle(units)
        return tuple(units)

    monkeypatch.setattr(runner, "missing", shuffled)
    assert replayed(study, tmp_path, "shuffled") == recorded


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 4])
def test_a_recorded_study_replays_byte_for_byte_at_any_number_of_workers(study, tmp_path, recorded, n_jobs):
    assert replayed(study, tmp_path, "again", f"execution.n_jobs={n_jobs}") == recorded


def test_nothing_hidden_is_in_a_recording(study, tmp_path):
    with serving(swiper) as server:
        study("live", server.url, f"agent.record={tmp_path / 'recording'}", "study.max_units=3", "mode=run")
    hidden = [json.dumps(key)[1:-1] for key in FORBIDDEN]
    for unit in json.loads((folder(tmp_path, "live") / "plan.json").read_text())["units"]:
        hidden += [unit["unit_id"], unit["block_id"], unit["checkpoint_digest"], unit["cluster"]]
    digests = {
        event["data"]["state_digest"]
        for path in folder(tmp_path, "live").rglob("events.jsonl")
        for event in map(json.loads, path.read_text().splitlines())
        if event["kind"] == "snapshot"
    }
    assert digests
    assert scan(tmp_path / "recording", [*hidden, *digests, "painted"]) == ()
    assert scan(tmp_path / "recording", ["Complete this level"]), "the scan reads what was recorded"


@pytest.mark.parametrize(
    ("script", "code", "kind"),
    [
        ([Behaviour("status", status=429, retry_after="0.05")] * 3 + [Behaviour()], 0, None),
        ([Behaviour("status", status=500)], 5, "api"),
        ([Behaviour("cut_json")], 5, "response"),
    ],
)
def test_rq2_under_a_fault_completes_or_stops_typed_and_resume_repairs_it(study, tmp_path, script, code, kind):
    words = (
        "study.max_units=1",
        "study.limits.takeover_s=5",
        "agent.patience.tries=2",
        "+agent.patience.first_wait_s=0.02",
        "mode=run",
    )
    with serving(swiper, *script) as server:
        assert study("out", server.url, *words) == code
    statuses = [json.loads(path.read_text()) for path in sorted(folder(tmp_path, "out").rglob("status.json"))]
    failures = [one["failure_kind"] for one in statuses if one["validity"] != "valid"]
    assert set(failures) == ({kind} if kind else set())
    assert all(one["message"].startswith("after 2 tries: ") for one in statuses if one["validity"] != "valid")
    with serving(swiper) as server:
        assert study("out", server.url, *words) == 0


@pytest.mark.parametrize(("clock", "counted"), [("working", False), ("wall", True)])
def test_the_working_clock_leaves_the_waits_of_a_rate_limit_out(study, tmp_path, clock, counted):
    words = (f"clock.kind={clock}", "study.max_units=1", "study.limits.actions=1", "suite.settle_wait_s=0.05")
    with serving(swiper, Behaviour("status", status=429, retry_after="2"), Behaviour()) as server:
        assert study("out", server.url, *words, "agent.patience.request_timeout_s=20", "mode=run") == 0
    (log,) = folder(tmp_path, "out").rglob("events.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    (decision,) = [event for event in events if event["kind"] == "decision"]
    assert events[0]["data"]["clock"] == clock
    assert decision["data"]["usage"]["throttled_s"] >= 2
    assert (decision["clock_s"] >= 2) == counted
    assert decision["data"]["latency_s"] == pytest.approx(decision["clock_s"], abs=0.5)


def test_a_refused_key_stops_a_study_in_one_line_and_resume_goes_on(study, tmp_path, capsys):
    with serving(swiper, Behaviour("status", status=401)) as server:
        assert study("out", server.url, "study.max_units=1", "mode=run") == 2
        assert len(server.requests) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: the endpoint refuses: status 401")
    assert not list(folder(tmp_path, "out").rglob("attempt-1"))
    with serving(swiper) as server:
        assert study("out", server.url, "study.max_units=1", "mode=run") == 0


def test_a_failure_is_replayed_as_the_failure_it_was(factory, tmp_path):
    with serving(swiper, Behaviour(), Behaviour("status", status=500)) as server:
        agent = factory(server.url, record=str(tmp_path)).build(7)
        first = agent.decide(seen())
        with pytest.raises(InfrastructureFailure) as failed:
            agent.decide(seen(3))
    again = factory(None, replay=str(tmp_path)).build(7)
    assert again.decide(seen()) == first
    with pytest.raises(InfrastructureFailure) as replayed:
        again.decide(seen(3))
    assert (replayed.value.kind, replayed.value.message) == (failed.value.kind, failed.value.message)


def test_a_replay_takes_the_last_attempt_and_ends_late_where_the_record_ends(factory, tmp_path):
    with serving(swiper) as server:
        for shade in (1, 2):
            factory(server.url, record=str(tmp_path)).build(7).decide(seen(shade))
    agent = factory(None, replay=str(tmp_path)).build(7)
    agent.decide(seen(2))
    ended = agent.decide(replace(seen(2), elapsed_s=100.0))
    assert (ended.actions, ended.latency_s) == ((), 201.0)


@pytest.mark.parametrize("damage", ["another request", "another unit", "cut", "changed"])
def test_a_replay_that_does_not_fit_is_refused(factory, tmp_path, damage):
    with serving(swiper) as server:
        factory(server.url, record=str(tmp_path)).build(7).decide(seen())
    (path,) = tmp_path.glob("7/*.jsonl")
    if damage == "cut":
        path.write_text(path.read_text()[:-10])
    if damage == "changed":
        path.write_text(path.read_text().replace("Win.", "Lose"))
    agent = factory(None, replay=str(tmp_path)).build(8 if damage == "another unit" else 7)
    with pytest.raises(CorruptRecord):
        agent.decide(seen(1 if damage == "another request" else 200))


def test_pictures_are_recorded_once_and_by_name(factory, tmp_path):
    with serving(swiper) as server:
        agent = factory(server.url, record=str(tmp_path)).build(7)
        for _ in range(3):
            agent.decide(seen())
    assert len(list(tmp_path.rglob("*.png"))) == 1
    (path,) = tmp_path.glob("7/*.jsonl")
    assert "sha256," in path.read_text()
    assert "base64," not in path.read_text()
    assert [canonical_json(json.loads(line)) for line in path.read_text().splitlines()] == path.read_text().splitlines()


def test_two_attempts_of_a_unit_never_share_a_file(tmp_path):
    first, second = Recorder(tmp_path, 1), Recorder(tmp_path, 1)
    for recorder in (first, second):
        recorder.failed("decide", 0.0, {}, InfrastructureFailure("api", "no"))
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == ["1.jsonl", "2.jsonl"]
    shutil.rmtree(tmp_path / "1")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_storm_over_four_workers_slows_them_all_and_loses_no_unit(study, tmp_path):
    """429 while more than two requests are open: the workers give way together, and come back when it is over."""
    with serving(swiper, Behaviour("slow", seconds=0.8)) as server:
        server.storm_above, server.storm_until = 2, 50
        words = ("execution.n_jobs=4", "agent.places=8", "+agent.patience.first_wait_s=0.05", "mode=run")
        assert study("out", server.url, *words) == 0
        storm, calm = server.open_at[:50], server.open_at[50:]
    statuses = [json.loads(path.read_text()) for path in sorted(folder(tmp_path, "out").rglob("status.json"))]
    assert [(one["validity"], one["attempt"]) for one in statuses] == [("valid", 1)] * 12
    refused = [n > 2 for n in storm]
    assert sum(refused) == server.refused
    assert 0 < server.refused < len(storm) / 2, "there was a storm, and the workers gave way to it"
    assert len(calm) > 30
    begun = storm[refused.index(True) + 4 :]
    assert sum(calm[20:]) / len(calm[20:]) > sum(begun) / len(begun), "more are open at a time than in the storm"
    (gate,) = (tmp_path / "out").rglob("endpoint-*/state.json")
    assert json.loads(gate.read_text())["places"] > 4, "the gate is wide again"
    tries = [
        one
        for path in folder(tmp_path, "out").rglob("events.jsonl")
        for event in map(json.loads, path.read_text().splitlines())
        if event["kind"] == "decision"
        for call in (*event["data"]["usage"].get("summaries", ()), event["data"]["usage"])
        for one in call.get("tries", ())
    ]
    assert sum(one["trouble"] == "rate_limit" for one in tries) == server.refused, "every refusal is on record"
