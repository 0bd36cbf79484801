"""A model plays a continuation study through the client's tools: it acts, reads, returns, and is resumed."""

import json
from types import SimpleNamespace

import pytest
from fake_server import serving

from diag.agents.models.conversation import Call
from diag.studies.continuation import prompts
from diag.studies.continuation.model import done


def brain(request):
    """Take two steps down, return, then walk out of the first tutorial in one call."""
    told = json.dumps(request["messages"])
    n_answers = sum(one["role"] == "assistant" for one in request["messages"])
    if n_answers == 0:
        return {"text": "I begin.", "actions": [{"id": "ACTION2"}, {"id": "ACTION9"}, {"id": "ACTION2"}]}
    if n_answers == 1:
        return {"text": "I am not sure what ACTION9 is.", "actions": None}
    assert "refused: action: got" in told
    return {"text": "", "actions": [{"id": "ACTION2"}] * 60}


def test_a_model_acts_returns_and_is_resumed_in_one_conversation(diag, tmp_path, monkeypatch):
    with serving(brain) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        code = diag(
            "+experiment=rq6", "agent=openai", "agent.model=fake-1", "agent.simulated=true", "tracking=none",
            "mode=run", f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false",
            "study.cohorts=[single]",
            "study.targets=[agi_maze/tutorial/1]", "study.only=[*-stop_and_report-r1]", "study.budget_multiplier=1",
        )  # fmt: skip
    assert code == 0
    (log,) = tmp_path.rglob("events.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines()]
    backs = [one["data"] for one in events if one["kind"] == "continuation.return"]
    assert [one["report"] for one in backs] == ["I am not sure what ACTION9 is.", ""]
    assert (backs[0]["step"], backs[0]["progress"], backs[1]["terminal"]) == (1, True, True)
    assert backs[0]["usage"]["model_calls"] == 2
    assert events[-1]["data"]["ending"] == "level_budget"
    last = json.dumps(server.requests[-1]["messages"])
    assert last.count(prompts.STOP_AND_REPORT) == 2
    assert str(tmp_path) not in last


@pytest.fixture
def hands(tmp_path):
    (tmp_path / ".client").mkdir()
    (tmp_path / ".client/state.json").write_text("secret")
    (tmp_path / "notes.md").write_text("mine")
    (tmp_path / "link").symlink_to("/etc")
    return SimpleNamespace(client=SimpleNamespace(workspace=tmp_path))


@pytest.mark.parametrize(
    "path", ["../x", "/etc/passwd", ".client/state.json", "./.client", "link/passwd", "a\0b", None, 5]
)
def test_a_path_outside_the_folder_or_in_the_clients_own_is_refused(hands, path):
    for name in ("read", "list", "write"):
        assert done(Call("c", name, {"path": path, "text": "x"}), hands).startswith("error: path: got")


def test_files_are_read_listed_and_written_and_what_was_shown_stays(hands):
    assert done(Call("c", "read", {"path": "notes.md"}), hands) == "mine"
    assert done(Call("c", "write", {"path": "deep/plan.md", "text": "go"}), hands) == "written"
    assert done(Call("c", "list", {"path": "."}), hands).split() == ["deep", "link", "notes.md"]
    assert "stays as it is" in done(
        Call("c", "write", {"path": "observations/step_000000/final.txt", "text": ""}), hands
    )
    missing = done(Call("c", "read", {"path": "none.md"}), hands)
    assert missing.startswith("error: FileNotFoundError")
    assert str(hands.client.workspace) not in missing
    assert done(Call("c", "act", {"actions": "up"}), hands).startswith("error: actions")
