"""Errors a user meets: exit code, and one line that names what was found and what was wanted."""

import os
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("word", "found", "wanted"),
    [
        ("executon.n_jobs=2", "'executon'", "did you mean 'execution'"),
        ("execution.n_job=2", "'execution.n_job'", "'execution.n_jobs'"),
        ("execution.n_jobs=abc", "execution.n_jobs: found 'abc'", "an integer"),
        ("suite.browser=maybe", "suite.browser: found 'maybe'", "true or false"),
        ("mode=plann", "mode: found 'plann'", "one of plan, run"),
        ("agent=nope", "no agent 'nope'", "standin"),
        ("agent.foo=1", "'agent.foo'", "python -m diag --help"),
        ("+agent.foo=1", "'agent.foo'", "wanted one of name, restart_when_told"),
        ("+study.foo=1", "'study.foo'", "wanted one of name, title"),
        ("agent.latency_s=abc", "agent.latency_s: found 'abc'", "a number"),
        ("study.limits.takeover_s=long", "study.limits.takeover_s: found 'long'", "a number"),
        ("study.cluster=foo", "study.cluster: found 'foo'", "source_level"),
        ("study.arms.B.privilege=godlike", "privilege 'godlike'", "evaluator_state"),
        ("study.contrasts=[{treatment: Z, control: A}]", "arm 'Z'", "A, B, C"),
        ("study.objective='{foo}'", "placeholder 'foo'", "game, difficulty"),
        ("suite.restore=teleport", "suite.restore: found 'teleport'", "fast, replay"),
        ("execution.n_jobs=0", "execution.n_jobs: found 0", "at least 1"),
        ("+intervention@study.arms.A=placebo", "has a value already", "drop the +: intervention@study.arms.A=placebo"),
        ("intervention@study.arms.Z=placebo", "no value to replace", "+intervention@study.arms.Z=placebo"),
        ("--max-units=4", "'--max-units=4'", "wanted study.max_units=4"),
        ("study.cohorts=[D", "'study.cohorts=[D'", "every bracket and quote closed"),
        ("+experiment=rq1", "given twice", "wanted once"),
        ("catalog.library=nowhere", "no checkpoint library 'nowhere'", "wanted a folder"),
    ],
)
def test_a_wrong_word_is_one_line(diag, arguments, capsys, word, found, wanted):
    code = diag(*arguments, "mode=plan", word)
    lines = [line for line in capsys.readouterr().err.splitlines() if line]
    assert code in (2, 3)
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert found in lines[0]
    assert wanted in lines[0]


def test_invalid_yaml_names_file_and_line(diag, tmp_path, capsys):
    folder = tmp_path / "mein Ordnär" / "intervention"
    folder.mkdir(parents=True)
    (folder / "bad.yaml").write_text("name: bad\nsentences: {any: hello: you}\n")
    words = ("mode=plan", "--config-dir", str(folder.parent), "+intervention@study.arms.Z=bad")
    code = diag("+experiment=rq2", *words)
    lines = capsys.readouterr().err.splitlines()
    assert code == 2
    assert len(lines) == 1
    assert "bad.yaml, line 2: found " in lines[0]
    assert "wanted valid YAML" in lines[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "+experiment=rq2", "study.title=a b"), "python -m diag +experiment=rq2 'study.title=a b'"),
        (("plan", "+experiment=rq2"), "python -m diag +experiment=rq2 mode=plan"),
        (("lits",), "did you mean list?"),
        (("show", "checkpoint=x"), "no checkpoint 'x' in rq2; there are D01"),
    ],
)
def test_advice_can_be_pasted(diag, capsys, words, told):
    assert diag(*words) == 2
    text = capsys.readouterr().err
    assert told in text
    assert "damaged" not in text


def test_outputs_may_be_named_as_a_shell_gives_them(diag, arguments, tmp_path):
    folder = tmp_path / "Mein Ordnär, (2)"
    assert diag(*arguments, "mode=plan", f"outputs={folder}") == 0
    assert list(folder.glob("*/*/plan.json"))


def test_an_unknown_experiment_names_those_there_are(diag, capsys):
    assert diag("+experiment=rq9") == 2
    assert capsys.readouterr().err.startswith("error: no experiment 'rq9'; wanted one of action_branch, arc, rq1, rq2")


def test_a_forgotten_plus_is_explained(diag, capsys):
    assert diag("experiment=rq2") == 2
    assert "+experiment=rq2" in capsys.readouterr().err


def test_without_an_experiment_it_says_what_there_is(diag, capsys):
    assert diag() == 2
    text = capsys.readouterr().err
    for word in ("rq2", "dead_end_fact", "Does an agent leave a dead end"):
        assert word in text


def test_list_shows_descriptions(diag, capsys):
    assert diag("list") == 0
    assert "One true sentence about the restored state" in capsys.readouterr().out


def test_outputs_that_cannot_be_made(diag, arguments, tmp_path, capsys):
    (tmp_path / "file").write_text("not a folder")
    code = diag(*arguments, "mode=run", f"outputs={tmp_path / 'file' / 'x'}")
    assert code == 4
    assert capsys.readouterr().err.count("cannot write") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_outputs_without_permission(diag, arguments, tmp_path, capsys):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert diag(*arguments, "mode=run", f"outputs={closed}") == 4
    assert "no permission" in capsys.readouterr().err


def test_a_full_disk_ends_the_run_in_one_line(diag, arguments, monkeypatch, capsys):
    from diag.records import sealed

    def full(_handle: int, _mode: str) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sealed.os, "fdopen", full)
    assert diag(*arguments, "mode=plan") == 4
    assert "the disk is full" in capsys.readouterr().err


def test_a_missing_browser_is_named_before_any_worker_starts(diag, arguments, monkeypatch, capsys, tmp_path: Path):
    monkeypatch.setenv("DIAG_BROWSER", str(tmp_path / "no-browser"))
    assert diag(*arguments, "mode=run", "suite=browser") == 2
    assert "no-browser" in capsys.readouterr().err


def test_offline_modes_without_a_study_say_so(diag, arguments, capsys):
    assert diag(*arguments, "mode=analyse") == 2
    assert "holds no study yet" in capsys.readouterr().err
