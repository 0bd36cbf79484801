"""A recorded study gives source failures, the command says what became of each, and RQ3 retries them."""

import json
from dataclasses import replace

import pytest

from checkpoints.store import load_library
from diag.errors import CorruptRecord
from diag.studies.retry.harvest import failures_below
from diag.studies.retry.harvest_command import why_not
from games.catalogue import load_catalogue
from games.digest import state_digest

QUICK_TO_SEE = ("patience=0", "recognise_dead_end=1.0", "recognise_early=1.0")
"""A player that restarts as soon as it sees no move, with nothing lifted."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    from diag.app.command_line import main

    folder = tmp_path_factory.mktemp("recorded")
    words = (
        "+experiment=rq1", "agent=simulated/sol", "suite=rules", f"outputs={folder}", "tracking=none",
        "execution.n_jobs=1", "execution.progress=false", "study.objectives=[bolt_unscrew/hard]",
        "study.limits.takeover_s=560", *(f"agent.policy.propensities.{one}" for one in QUICK_TO_SEE),
    )  # fmt: skip
    assert main([*words, "mode=run"]) == 0
    return folder


def test_the_failures_of_a_recorded_study_become_sources_that_rq3_retries(diag, recorded, tmp_path, capsys):
    assert diag("harvest", "--from", str(recorded), "--into", str(tmp_path / "mine"), "--rules-only") == 0
    said = capsys.readouterr().out
    library = load_library(str(tmp_path / "mine"))
    assert said.count(": a source\n") == len(library.checkpoints) >= 2
    assert f"{len(library.checkpoints)} sources (simulated/sol {len(library.checkpoints)})" in said
    for checkpoint in library.checkpoints:
        assert checkpoint.cohort == "F"
        assert checkpoint.certificate["mechanism"] == "no_available_hole"
        assert checkpoint.provenance["study"] == "rq1"
        assert checkpoint.provenance["restart"]["reason"]
    words = (
        "+experiment=rq3", f"study.failures={tmp_path / 'mine'}", "study.sources=[F01]", "agent=simulated/sol",
        "suite=rules", f"outputs={tmp_path}", "tracking=none", "execution.n_jobs=1", "study.limits.takeover_s=40",
    )  # fmt: skip
    assert diag(*words, "mode=run") == 0
    (log,) = tmp_path.rglob("F01-M2-r1/attempt-1/events.jsonl")
    start = json.loads(log.read_text().splitlines()[0])["data"]
    assert start["source"]["player"] == "simulated/sol"
    assert "Failure Experience" in start["memory"]["text"]


def test_the_same_board_twice_is_one_source(diag, recorded, tmp_path, capsys):
    (log,) = recorded.rglob("events.jsonl")
    folder = tmp_path / "logs"
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "events.jsonl").write_bytes(log.read_bytes())
    assert diag("harvest", "--from", str(folder), "--into", str(tmp_path / "mine"), "--rules-only") == 0
    said = capsys.readouterr().out
    assert said.count(": a source\n") == said.count("the same failed board as one before")


def test_what_is_no_source_says_why(recorded):
    """Each condition of docs/studies/retry.md, broken one at a time on a failure that is a source."""
    catalogue = load_catalogue()
    failure = next(one for one in failures_below(recorded) if why_not(one, catalogue, ()) is None)
    assert "the same failed board" in why_not(failure, catalogue, {state_digest(failure.level, failure.state)})
    broken = {
        "not the agent's own from the home screen on": {"by_agent": False},
        "did not give back the level's initial board": {"restarted_state": failure.state},
        "is Solvable, not a dead end": {"state": failure.restarted_state},
        "nothing lifted": {"turns": failure.turns[:-1]},
        "cannot be replayed as a gesture": {
            "turns": (replace(failure.turns[0], action={"name": "type", "text": "x"}), *failure.turns[1:])
        },
    }
    for reason, change in broken.items():
        assert reason in why_not(replace(failure, **change), catalogue, ())


def test_a_study_without_an_own_failure_gives_no_library(diag, recorded, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("diag.studies.retry.harvest_command.failures_below", lambda folder: iter(()))
    assert diag("harvest", "--from", str(recorded), "--into", str(tmp_path / "none"), "--rules-only") == 2
    assert "no source failure below" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_folder_that_is_none_and_a_damaged_log_are_told_in_one_line(diag, tmp_path, capsys):
    assert diag("harvest", "--from", str(tmp_path / "gone"), "--into", str(tmp_path / "x")) == 2
    assert "wanted a folder of recorded sessions" in capsys.readouterr().err
    (tmp_path / "events.jsonl").write_text("{}\n")
    code = diag("harvest", "--from", str(tmp_path), "--into", str(tmp_path / "x"), "--rules-only")
    assert code == CorruptRecord.exit_code
    assert capsys.readouterr().err.count("\n") == 1
