"""A model plays a grid game with every tool of the world-model study, and the play repeats from its recording."""

import json

import pytest
from fake_server import Behaviour, serving

from diag.records.event_log import read_events

NOWHERE = "http://127.0.0.1:9/v1"
MODEL = """
import numpy as np
def init_state(grid, level): return grid
def transition(state, action): return state
def render(state): return np.where(state == 8, -1, state)
def outcome(state): return "ongoing"
"""
ACTOR = [
    ("list_files", {}),
    ("python", {"code": "print(len(wmlib.frames()), grid.shape); open('mine.txt', 'w').write('x')"}),
    ("write_file", {"path": "model/model.py", "text": "mine"}),
    ("call_builder", {"request": "Build it."}),
    ("verify", {}),
    ("plan", {"method": "bfs"}),
    ("take_action", {"action": "ACTION9"}),
    ("take_action", {"action": "ACTION1"}),
]
BUILDER = [
    ("write_file", {"path": "model/model.py", "text": MODEL}),
    ("read_file", {"path": "model/model.py"}),
    ("done", {"summary": "a model that stands still"}),
]


def player(request):
    """Take the tools in order, then swipe in turn; the builder has a list of its own."""
    said = sum(message["role"] == "assistant" for message in request["messages"])
    script = BUILDER if "You build and mend" in request["messages"][0]["content"] else ACTOR
    tool, arguments = script[said] if said < len(script) else ("take_action", {"action": f"ACTION{said % 4 + 1}"})
    return {"text": "", "tool": tool, "arguments": arguments}


@pytest.fixture
def study(tmp_path, diag, monkeypatch):
    """Run one play of the fake model under the orchestrator; return the exit code."""

    def run(out, url, *words):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        return diag(
            "+experiment=rq5", "agent=openai", "agent.model=fake-1", "agent.simulated=true",
            "clock=virtual", f"outputs={tmp_path / out}", "study.games=[maze_paint]", "study.levels_per_game=1",
            "study.only=[maze_paint-orchestrator]", "study.calls=14", "study.context_characters=12000",
            "execution.n_jobs=1", "execution.progress=false", "tracking=none", "agent.patience.tries=1",
            "execution.max_attempts=1", *words,
        )  # fmt: skip

    return run


def log_of(folder):
    (path,) = folder.rglob("events.jsonl")
    return path


def test_every_tool_is_called_and_the_play_repeats_byte_for_byte(study, tmp_path, monkeypatch):
    with serving(player) as server:
        assert study("live", server.url, f"agent.record={tmp_path / 'recording'}", "mode=run") == 0
        asked = list(server.requests)
    live = log_of(tmp_path / "live")
    events = read_events(live)
    steps = [event.data for event in events if event.kind == "world_model.step"]
    results = {}
    for tool in (tool for step in steps for tool in step["tools"]):
        results.setdefault(tool["name"], tool["result"])
    assert set(results) == {
        "list_files", "python", "write_file", "read_file", "call_builder", "verify", "plan", "take_action", "done",
    }  # fmt: skip
    assert results["python"] == "1 (64, 64)"
    assert results["write_file"] == "model/model.py: the files of the model are not yours to write"
    assert results["call_builder"] == "a model that stands still"
    assert results["verify"] == "no graded transition yet"
    assert results["plan"] == "no plan: no state of this model completes the level"
    assert "ACTION9" in results["take_action"]
    assert [step["role"] for step in steps] == ["actor"] * 3 + ["builder"] * 3 + ["actor"] * 8
    assert (events[-1].data["ending"], steps[-1]["calls"]) == ("call_limit", 14)
    assert steps[-1]["tokens"] == sum(step["usage"]["input_tokens"] + 7 for step in steps)
    # The builder is asked as the builder, and no request is longer than it may be by more than its newest turn.
    assert "You play" in asked[0]["messages"][0]["content"]
    assert any("left out" in json.dumps(request["messages"]) for request in asked)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert study("again", NOWHERE, f"agent.replay={tmp_path / 'recording'}", "mode=run") == 0
    again = log_of(tmp_path / "again")
    assert again.read_bytes() == live.read_bytes()
    assert (again.parent / "outcome.json").read_bytes() == (live.parent / "outcome.json").read_bytes()


def test_an_endpoint_that_fails_is_no_play(study, tmp_path):
    with serving(player, Behaviour("status", 500)) as server:
        assert study("out", server.url, "mode=run") == 5
    (status,) = (json.loads(path.read_text()) for path in (tmp_path / "out").rglob("status.json"))
    found = status.get("content", status)
    assert (found["validity"], found["failure_kind"]) == ("infrastructure_failure", "api")
