"""One takeover against a real inference server, when one is named; the fake server covers everything else.

    DIAG_REAL_BASE_URL=http://127.0.0.1:8080/v1 DIAG_REAL_MODEL=NAME pytest tests/diag/agents/models -k real_server

Any OpenAI-compatible server will do, a text model too: the board is played on the rules alone, without pictures, so
only the plumbing is judged, never the play.
"""

import json
import os

import pytest

URL = os.environ.get("DIAG_REAL_BASE_URL")


@pytest.mark.skipif(URL is None, reason="no real server is named by DIAG_REAL_BASE_URL")
def test_a_real_server_plays_a_takeover_end_to_end(diag, library_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", str(URL))
    code = diag(
        "+experiment=rq2", "agent=vllm_qwen3vl", f"agent.model={os.environ.get('DIAG_REAL_MODEL', 'any')}",
        "agent.simulated=true", "clock=virtual", f"catalog.library={library_folder}", "suite=rules",
        f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false", "tracking=none", "study.max_units=1",
        "study.limits.takeover_s=60", "study.limits.actions=5", "study.limits.invalid_decisions_in_a_row=3",
        "agent.max_output_tokens=400", "mode=run",
    )  # fmt: skip
    assert code == 0
    (log,) = tmp_path.rglob("events.jsonl")
    decisions = [one for one in map(json.loads, log.read_text().splitlines()) if one["kind"] == "decision"]
    assert decisions
    for event in decisions:
        assert event["data"]["usage"]["output_tokens"] > 0
        assert event["data"]["actions"] or event["data"]["stop"]
