"""Whole units against a real inference server, when one is named; the fake server covers everything else.

`make real-server` installs llama.cpp's server and a small text model into a venv of their own, starts it twice (with an
untrained eye, which takes pictures, and without, which refuses them) and runs this file. Servers of your own:

    DIAG_REAL_BASE_URL=http://127.0.0.1:8080/v1 DIAG_REAL_MODEL=NAME pytest tests/diag/agents/models -k real_server

Only the plumbing is judged, never the play. The grammar makes answers of the text format certain (llama.cpp and
compatible servers); a server that does not know the field ignores it.
"""

import json
import os
from pathlib import Path

import pytest

from diag.agents.models.accounting import usage_of_attempt

URL, BLIND_URL = os.environ.get("DIAG_REAL_BASE_URL"), os.environ.get("DIAG_REAL_BLIND_URL")
MODEL = os.environ.get("DIAG_REAL_MODEL", "any")
NOWHERE = "http://127.0.0.1:9/v1"
GRAMMAR = (
    'root ::= "<tool_call>{\\"name\\": \\"computer_use\\", \\"arguments\\": {\\"action\\": \\"left_click\\", '
    '\\"coordinate\\": [" number ", " number "]}}</tool_call>"\n'
    'number ::= "0" | [1-9] [0-9]? [0-9]?'
)
GRAMMATICAL = "+agent.client.extra_body.grammar=${oc.env:DIAG_REAL_GRAMMAR}"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(URL is None, reason="DIAG_REAL_BASE_URL names no real server"),
]


@pytest.fixture(autouse=True)
def grammar(monkeypatch):
    monkeypatch.setenv("DIAG_REAL_GRAMMAR", GRAMMAR)


@pytest.fixture
def study(library_folder, tmp_path, diag, monkeypatch):
    """Run an RQ2 on the real server; return the exit code."""

    def run(out: str, *words: str, url: str | None = URL) -> int:
        monkeypatch.setenv("OPENAI_BASE_URL", str(url))
        return diag(
            "+experiment=rq2", f"agent.model={MODEL}", f"outputs={tmp_path / out}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", "study.limits.invalid_decisions_in_a_row=3",
            "agent.max_output_tokens=80", "agent.patience.request_timeout_s=120", *words,
        )  # fmt: skip

    def on_rules(out: str, *words: str, url: str | None = URL) -> int:
        # simulated: a text model without a board before its eyes is no model of anything, and every number says so
        words = ("agent.simulated=true", "clock=virtual", "suite=rules", f"catalog.library={library_folder}", *words)
        return run(out, "agent=vllm_qwen3vl", "study.limits.actions=9", *words, url=url)

    run.on_rules = on_rules
    return run


def decisions(folder: Path) -> list[dict]:
    """The decisions of all units, in the order of the files."""
    lines = [line for path in sorted(folder.rglob("events.jsonl")) for line in path.read_text().splitlines()]
    return [event["data"] for event in map(json.loads, lines) if event["kind"] == "decision"]


def statuses(folder: Path) -> list[dict]:
    return [json.loads(path.read_text()) for path in sorted(folder.rglob("status.json"))]


def records(folder: Path) -> dict[str, bytes]:
    """Everything of a study that a replay must repeat."""
    paths = [*folder.rglob("tables/*"), *folder.rglob("events.jsonl"), *folder.rglob("outcome.json")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_small_study_is_played_recorded_and_replayed_byte_for_byte(study, tmp_path):
    words = (GRAMMATICAL, "study.max_units=3", "study.limits.takeover_s=120")
    assert study.on_rules("live", *words, f"agent.record={tmp_path / 'recording'}", "mode=run") == 0
    assert study.on_rules("live", *words, "mode=analyse") == 0
    live = records(tmp_path / "live")
    assert [one["validity"] for one in statuses(tmp_path / "live")] == ["valid"] * 3
    made = decisions(tmp_path / "live")
    assert len(made) >= 3 * 9
    for one in made:
        assert [action["name"] for action in one["actions"]] == ["click"], one["usage"]["raw"]
        assert one["usage"]["malformed"] == []
        assert one["usage"]["input_tokens"] > 100
        assert 10 < one["usage"]["output_tokens"] <= 80
        assert one["latency_s"] > 0
        assert one["usage"]["cost"] is None
    assert any(one["usage"].get("summaries") for one in made), "a summary was asked after eight turns"
    for n_jobs in (1, 2):
        replay = (f"agent.replay={tmp_path / 'recording'}", f"execution.n_jobs={n_jobs}", *words)
        assert study.on_rules(f"again{n_jobs}", *replay, "mode=run", url=NOWHERE) == 0
        assert study.on_rules(f"again{n_jobs}", *replay, "mode=analyse", url=NOWHERE) == 0
        assert records(tmp_path / f"again{n_jobs}") == live


def test_words_that_never_end_are_an_incomplete_answer(study, tmp_path):
    words = ("study.max_units=1", "study.limits.takeover_s=120", "mode=run")
    assert study.on_rules("out", *words, "execution.max_attempts=1") == 5
    (failed,) = statuses(tmp_path / "out")
    assert (failed["validity"], failed["failure_kind"]) == ("infrastructure_failure", "response")
    assert "finish_reason is length" in failed["message"]
    assert study.on_rules("out", *words, "execution.max_attempts=2") == 5, "resume tries again"
    assert len(statuses(tmp_path / "out")) >= 2


@pytest.mark.browser
def test_a_takeover_is_played_on_real_pictures_in_a_browser(study, tmp_path):
    assert study("out", "agent=vllm_qwen3vl", GRAMMATICAL, "study.max_units=1", "study.limits.takeover_s=40",
                 "mode=run") == 0  # fmt: skip
    (status,) = statuses(tmp_path / "out")
    assert status["validity"] == "valid"
    (log,) = (tmp_path / "out").rglob("events.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert events[0]["data"]["clock"] == "wall"
    assert events[0]["data"]["agent"]["simulated"] is False
    assert events[-1]["data"]["ending"] == "time_limit"
    used = usage_of_attempt(log)
    assert used.calls >= 1
    assert used.images >= 5, "the screenshot and four pictures of the prefix"
    assert used.input_tokens > 1000


def test_agent_check_tells_that_this_model_cannot_point(diag, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", str(URL))
    words = ("agent=vllm_qwen3vl", f"agent.model={MODEL}", GRAMMATICAL, f"outputs={tmp_path}")
    assert diag("agent-check", *words) == 1
    out = capsys.readouterr().out
    assert "WRONG: the coordinate space of x looks wrong" in out or "WRONG: only" in out
    assert "cost         unknown" in out


@pytest.mark.skipif(BLIND_URL is None, reason="DIAG_REAL_BLIND_URL names no server of a text model")
def test_agent_check_of_a_text_model_is_one_line(diag, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", str(BLIND_URL))
    assert diag("agent-check", "agent=local", f"agent.model={MODEL}", f"outputs={tmp_path}") == 2
    assert "the endpoint takes no pictures" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.skipif(BLIND_URL is None, reason="DIAG_REAL_BLIND_URL names no server of a text model")
def test_a_study_of_a_text_model_stops_in_one_line_before_any_unit(study, tmp_path, capsys):
    words = ("agent=local", "study.max_units=1", "study.limits.takeover_s=40", "mode=run")
    assert study("out", *words, url=BLIND_URL) == 2
    assert "error: the endpoint takes no pictures" in capsys.readouterr().err.splitlines()[-1]
    assert not [one for one in statuses(tmp_path / "out") if one.get("validity")]
