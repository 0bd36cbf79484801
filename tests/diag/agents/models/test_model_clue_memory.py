"""A vision model plays a clue level through real pages: what it is asked in each phase, and what becomes of answers."""

import json
import re

import pytest
from fake_server import pictures_of, serving, words_of

CLUE = {
    "name": "wave card", "description": "diamond triangle diamond diamond", "type": "code", "interactable": False,
    "location": {"spot": "back wall", "surroundings": "second room"}, "usage_hint": "a wave panel",
}  # fmt: skip
MAPPING = {"clue": "wave card", "related_memory": "wave panel", "expected_action": "press the four shapes"}
CLICK = '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [5, 999]}}</tool_call>'


def brain(request):
    """Answer by the words of the request, as the phases' forms want it."""
    last = json.dumps(request["messages"])
    if "<verdict>" in last:
        return {"text": "<verdict>true</verdict>" if "is carried" not in last else "<verdict>false</verdict>"}
    if "<mappings>" in last:
        return {"text": f"<mappings>{json.dumps([MAPPING])}</mappings>"}
    if "Phase: solve" in last:
        gone = re.search(r"Actions left for it: (\d+)", last)
        if gone is not None and gone.group(1) == "1":
            return {"text": '<result>{"success": true}</result>'}
        return {"text": f"I try.\n{CLICK}"}
    if "Phase: seek" in last:
        return {"text": f"<clues>{json.dumps([CLUE])}</clues><episodes>[]</episodes>\n{CLICK}"}
    if "Write this account: your notes" in last:
        return {"text": "The wave card says diamond, triangle, diamond, diamond. " * 20}
    return {"text": f"I go on.\n{CLICK}"}


@pytest.mark.slow
@pytest.mark.browser
def test_a_model_is_asked_in_the_forms_of_its_phase_and_no_milestone_reaches_it(diag, tmp_path, monkeypatch):
    with serving(brain) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        code = diag(
            "+experiment=rq7", "agent=vllm_qwen3vl", "agent.model=fake-1", "agent.simulated=true", "tracking=none",
            f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false", "study.analysis.draws=100",
            "study.levels=[clue_house/d20/1]", "study.budget=20", "study.seek=4", "study.solve=2",
            "study.memory_tokens=60", "suite.settle_wait_s=0", "mode=run",
        )  # fmt: skip
    assert code == 0
    logs = {}
    for path in tmp_path.rglob("events.jsonl"):
        events = [json.loads(line) for line in path.read_text().splitlines()]
        logs[events[0]["data"]["arm"]] = events
    own = {arm: [one for one in events if one["kind"].startswith("clue_memory.")] for arm, events in logs.items()}
    words = [one["kind"].removeprefix("clue_memory.") for one in own["coast"]]
    assert words[:2] == ["memory", "map"]
    assert {"malformed", "result", "judge"} <= set(words), "a success without a visible change is malformed"
    assert [one["data"]["success"] for one in own["coast"] if one["kind"] == "clue_memory.result"].count(True) == 0
    notes = [one["data"] for one in own["notes_matched"] if one["kind"] == "clue_memory.notes"]
    assert [(one["tokens"], one["tokens_written"] > 60) for one in notes] == [(60, True)] * 2
    for events in logs.values():
        assert sum(one["kind"] == "action" for one in events) == 20
        judged = next(one["data"] for one in events if one["kind"] == "clue_memory.judge")
        assert judged["verdicts"] == [True, True, True, False]
    player = [words_of(one) for one in server.requests if "<verdict>" not in words_of(one)]
    assert [text for text in player if re.search(r"is carried|is marked as won|menu of the suite", text)] == []
    assert all(pictures_of(one) for one in server.requests if "<verdict>" in words_of(one))
