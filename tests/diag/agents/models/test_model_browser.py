"""A model agent over a fake server through real pages: what it is sent are the screenshots of the record."""

import io
import json

import pytest
from fake_server import pictures_of, serving, words_of
from PIL import Image

from diag.agents.models.conversation import picture_name

ARGUMENTS = '{"action": "left_click", "coordinate": [1000, 1000]}'
CALL = f'<tool_call>{{"name": "computer_use", "arguments": {ARGUMENTS}}}</tool_call>'


@pytest.mark.browser
def test_a_takeover_is_played_on_screenshots_through_a_browser(diag, tmp_path, monkeypatch):
    with serving(lambda request: {"text": f"The corner.\n{CALL}"}) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code = diag(
            "+experiment=rq2", "agent=vllm_qwen3vl", "agent.model=fake-1", "agent.simulated=true",
            f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false", "tracking=none",
            "study.max_units=1", "study.limits.takeover_s=7", "mode=run",
        )  # fmt: skip
    assert code == 0
    (log,) = tmp_path.rglob("events.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    observed = [event["data"]["picture"] for event in events if event["kind"] == "observation"]
    sent = [pictures_of(request) for request in server.requests]
    assert [picture_name(pictures[-1]) for pictures in sent] == observed
    assert len(sent[0]) == 5, "the current screenshot and four of the prefix"
    assert {Image.open(io.BytesIO(one)).size for pictures in sent for one in pictures} == {(1280, 900)}
    clicks = [event["data"]["action"] for event in events if event["kind"] == "action"]
    assert clicks[0] == {"name": "click", "x": 1279, "y": 899}
    assert "left_click(x=1000" not in words_of(server.requests[1])
    assert "click(x=1000, y=1000): done" in words_of(server.requests[1]), "feedback is in the model's own numbers"
