"""Whole units over the providers' own computer tools, on the wire shapes of Responses and Messages.

The fake server refuses what the real endpoints refuse: results without their calls, calls without their signed
thinking, roles that do not alternate (`misshapen` in `fake_server.py`).
"""

import base64
import json

import pytest
from fake_server import Behaviour, misshapen, serving
from hypothesis import given
from hypothesis import strategies as st
from shown import UNHURRIED, png, seen

from diag.agents.models import AnthropicMessages, Computer, CoordinateContract, OpenAIResponses
from diag.agents.models.conversation import Call, Result, Text, picture_name
from diag.agents.models.reply import Reply
from diag.session.contract import Turn

CHECK = {"id": "sc_1", "code": "malicious_instructions", "message": "Look twice."}
OPENAI_CALLS = [
    {"action": {"type": "click", "button": "left", "x": 0, "y": 899}},
    {"actions": [{"type": "keypress", "keys": ["LEFT"]}, {"type": "wait"}]},
]
ANTHROPIC_CALLS = [
    {"action": "left_click", "coordinate": [0, 899]},
    {"action": "key", "text": "Left"},
    {"action": "wait", "duration": 2},
]
PERFORMED = [{"name": "click", "x": 0, "y": 899}, {"name": "key", "key": "ArrowLeft"}, {"name": "wait", "seconds": 2.0}]
THINKING = "+agent.client.extra_body.thinking={type: enabled, budget_tokens: 1024}"
KINDS = {
    "openai_computer": ("OPENAI_BASE_URL", {"text": "go", "computer": OPENAI_CALLS, "safety_checks": [CHECK]}, ()),
    "anthropic_computer": ("ANTHROPIC_BASE_URL", {"text": "go", "computer": ANTHROPIC_CALLS}, ()),
    "anthropic_computer thinking": (
        "ANTHROPIC_BASE_URL",
        {"text": "go", "thinking": "hm", "computer": ANTHROPIC_CALLS},
        (THINKING,),
    ),
}


@pytest.fixture
def play(diag, tmp_path, monkeypatch):
    """Play one RQ2 unit; return its decisions, its executed actions and the server."""

    def run(kind: str, *words: str):
        pytest.importorskip("anthropic")
        variable, said, more = KINDS[kind]

        def brain(request):
            if request.get("tool_choice") in ("none", {"type": "none"}):
                return {"text": "What happened so far."}
            return said

        with serving(brain) as server:
            url = server.url.removesuffix("/v1") if "anthropic" in kind else server.url
            monkeypatch.setenv(variable, url)
            code = diag(
                "+experiment=rq2", f"agent={kind.partition(' ')[0]}", "agent.model=fake-1", "agent.simulated=true",
                f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false", "tracking=none",
                "study.max_units=1", "agent.patience.request_timeout_s=20", "mode=run", *more, *words,
            )  # fmt: skip
        assert code == 0
        (log,) = tmp_path.rglob("events.jsonl")
        events = [json.loads(line) for line in log.read_text().splitlines()]
        assert events[-1]["data"]["failure_kind"] is None
        decisions = [event["data"] for event in events if event["kind"] == "decision"]
        actions = [event["data"]["action"] for event in events if event["kind"] == "action"]
        return decisions, actions, server

    return run


def blocks(request, role):
    """All blocks of a role's messages."""
    return [block for message in request["messages"] if message["role"] == role for block in message["content"]]


def check(kind, decisions, actions, server):
    assert len(decisions) >= 3
    assert actions[:6] == PERFORMED * 2
    for one in decisions:
        assert one["usage"]["malformed"] == []
        assert one["usage"]["input_tokens"] > 0
        assert one["usage"]["coordinates"]["seen"] == [1280, 900]
        assert one["usage"].get("safety_checks") == ([CHECK, CHECK] if kind == "openai_computer" else None)
    last = server.requests[-1]
    if kind == "openai_computer":
        assert last["tools"] == [
            {"type": "computer_use_preview", "display_width": 1280, "display_height": 900, "environment": "browser"}
        ]
        assert (last["store"], last["truncation"]) == (False, "auto")
        return
    assert last["tools"] == [
        {"type": "computer_20250124", "name": "computer", "display_width_px": 1280, "display_height_px": 900}
    ]
    assert server.headers[-1]["anthropic-beta"] == "computer-use-2025-01-24"
    inputs = [block["input"] for block in blocks(last, "assistant") if block["type"] == "tool_use"]
    wanted = [ANTHROPIC_CALLS[0], {"action": "key", "text": "ArrowLeft"}, {"action": "wait", "duration": 2.0}]
    assert inputs[-3:] == wanted, "its own turns come back as its own calls"
    kept = [block for block in blocks(last, "assistant") if block["type"] == "thinking"]
    n_own = min(len(decisions) - 1, 12)
    assert len(kept) == (n_own if "thinking" in kind else 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_unit_on_rules_with_batches_and_several_calls(play, library_folder, kind):
    found = play(
        kind, "suite=rules", "clock=virtual", f"catalog.library={library_folder}", "study.limits.takeover_s=60"
    )
    check(kind, *found)
    assert len(found[0]) > 8, "a summary was asked on the way"


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["openai_computer", "anthropic_computer thinking"])
def test_a_unit_in_a_browser_with_its_screenshots_in_results(play, kind):
    found = play(kind, "study.limits.takeover_s=22")
    check(kind, *found)
    if kind == "openai_computer":
        return
    for request in found[2].requests[1:]:
        results = [block for block in blocks(request, "user") if block["type"] == "tool_result"]
        assert results[-1]["content"][-1]["type"] == "image"
        assert not [one for one in results[:-1] if one["content"] == ""]


@UNHURRIED
@given(st.data())
def test_anthropics_own_blocks_read_back_as_what_they_were(data):
    x, y = st.integers(0, 1279), st.integers(0, 899)
    one = st.one_of(
        *(st.fixed_dictionaries({"name": st.just(name), "x": x, "y": y}) for name in ("click", "double_click")),
        st.fixed_dictionaries({"name": st.just("drag"), "x": x, "y": y, "x2": x, "y2": y}),
        st.fixed_dictionaries({"name": st.just("scroll"), "x": x, "y": y, "dy": st.sampled_from((-300, 100))}),
        st.fixed_dictionaries({"name": st.just("key"), "key": st.sampled_from(("a", "Enter", "ArrowUp"))}),
        st.fixed_dictionaries({"name": st.just("type"), "text": st.text(max_size=9)}),
        st.fixed_dictionaries({"name": st.just("wait"), "seconds": st.sampled_from((0.0, 5.0))}),
    )
    batch = data.draw(st.lists(one, min_size=1, max_size=4))
    kind, contract = Computer("anthropic_computer"), CoordinateContract()
    said, answered = kind.render(Turn(tuple(batch), "all: done", "why", None), 3, contract)
    calls = tuple(part for part in said if isinstance(part, Call))
    assert [dict(action) for action in kind.parse(Reply("", calls), contract).actions] == batch
    assert [part.call_id for part in answered if isinstance(part, Result)] == [call.call_id for call in calls]
    assert answered[-1] == Result(calls[-1].call_id, "all: done")


@pytest.mark.parametrize(
    "action",
    [
        {"name": "long_press", "x": 1, "y": 2}, {"name": "swipe", "x": 1, "y": 2, "x2": 3, "y2": 4},
        {"name": "scroll", "x": 1, "y": 2, "dy": 30}, {"name": "answer", "text": "done"},
        {"name": "click"}, {"name": "scroll", "x": 1, "y": 1, "dy": "far"}, {"name": ["odd"]},
    ],
)  # fmt: skip
def test_what_the_tool_does_not_have_is_told_in_words(action):
    said, answered = Computer("anthropic_computer").render(
        Turn((action,), "done", "why", None), 0, CoordinateContract()
    )
    assert all(isinstance(part, Text) for part in (*said, *answered))
    assert json.dumps(action) in said[0].text


def test_a_prefix_without_thinking_is_told_in_words_when_thinking_is_on(factory):
    pytest.importorskip("anthropic")
    turn = Turn(({"name": "key", "key": "a"},), "key(key=a): done", "", picture_name(png(1)))
    said = {"text": "go", "thinking": "hm", "computer": ANTHROPIC_CALLS[1]}
    for thinking, n_calls in ((None, 1), ({"type": "enabled", "budget_tokens": 1024}, 0)):
        with serving(lambda _: said) as server:
            url = server.url.removesuffix("/v1")
            client = AnthropicMessages(url, extra_body={"thinking": thinking} if thinking else None)
            agent = factory(url, client=client, format=Computer("anthropic_computer")).build(1)
            agent.screens.add(png(1))
            agent.decide(seen(2, prefix=(turn,)))
            (request,) = server.requests
        calls = [block for block in blocks(request, "assistant") if block["type"] == "tool_use"]
        assert len(calls) == n_calls
        shown = base64.b64encode(png(2)).decode()
        assert shown in json.dumps(request)


def test_thinking_goes_with_tool_calls_too(factory):
    """The tool `act` over Messages with thinking on: the turns of this attempt come back signed."""
    pytest.importorskip("anthropic")
    said = {"text": "go", "thinking": "hm", "actions": [{"name": "key", "key": "a"}]}
    with serving(lambda _: said) as server:
        url = server.url.removesuffix("/v1")
        client = AnthropicMessages(url, extra_body={"thinking": {"type": "adaptive"}})
        agent = factory(url, client=client).build(1)
        first = agent.decide(seen(1))
        turn = Turn(first.actions, "key(key=a): done", first.reason, picture_name(png(1)))
        agent.decide(seen(2, recent=(turn,)))
        (thought, *_) = blocks(server.requests[-1], "assistant")
    assert (thought["type"], thought["thinking"]) == ("thinking", "hm")


def test_the_fake_endpoint_refuses_what_the_real_one_refuses():
    user = {"role": "user", "content": [{"type": "text", "text": "a"}]}
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "computer", "input": {}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "done"}]}
    good = {"messages": [user, call, result]}
    assert misshapen("/v1/messages", good) is None
    assert "tool_result" in misshapen("/v1/messages", {"messages": [user, call, user]})
    assert "Expected thinking" in misshapen("/v1/messages", {**good, "thinking": {"type": "enabled"}})
    assert "role" in misshapen("/v1/messages", {"messages": [user, user]})
    output = {"type": "function_call_output", "call_id": "1", "output": ""}
    assert "No tool call found" in misshapen("/v1/responses", {"input": [output]})


@pytest.mark.parametrize("kind", ["length", "cut_json"])
def test_a_computer_answer_that_is_not_whole_is_tried_again(factory, kind):
    said = {"text": "go", "computer": OPENAI_CALLS}
    with serving(lambda _: said, Behaviour(kind), Behaviour()) as server:
        agent = factory(server.url, client=OpenAIResponses(server.url), format=Computer("openai_computer")).build(1)
        decision = agent.decide(seen())
    assert [one["name"] for one in decision.actions] == ["click", "key", "wait"]
    troubles = [one["trouble"] for one in decision.usage["tries"]]
    assert [one for one in troubles if one != "timeout"] == ["incomplete", None]  # a loaded machine may time out
