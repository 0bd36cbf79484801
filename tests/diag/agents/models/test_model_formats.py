"""Formats: what each reads, what it writes, and that no words of a model can break one."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown import UNHURRIED

from diag.agents.models import (
    Computer,
    CoordinateContract,
    ModelFactory,
    Multiples,
    OpenAIChat,
    Qwen3VL,
    ToolCall,
    UiTars,
)
from diag.agents.models.conversation import Call, Result, Text
from diag.agents.models.formats import UNREADABLE, OtherTool
from diag.agents.models.reply import Reply
from diag.session.actions import FIELDS, KEYS, ActionError, parse_action
from diag.session.contract import Turn, continuation_prompts

PIXELS, GRID = CoordinateContract(), CoordinateContract("grid")
RESIZED = CoordinateContract(seen=Multiples(28))
OPENAI, ANTHROPIC = Computer("openai_computer"), Computer("anthropic_computer")

column, row = st.integers(0, 1279), st.integers(0, 899)
place = {"x": column, "y": row}
line = {**place, "x2": column, "y2": row}
actions = st.one_of(
    *(st.fixed_dictionaries({"name": st.just(name), **place}) for name in ("click", "double_click", "long_press")),
    *(st.fixed_dictionaries({"name": st.just(name), **line}) for name in ("drag", "swipe")),
    st.fixed_dictionaries({"name": st.just("scroll"), **place, "dy": st.sampled_from((-300, 300))}),
    st.fixed_dictionaries({"name": st.just("key"), "key": st.sampled_from(KEYS)}),
    st.fixed_dictionaries({"name": st.just("type"), "text": st.text(max_size=30)}),
    st.fixed_dictionaries({"name": st.just("wait"), "seconds": st.just(5.0)}),
    st.fixed_dictionaries({"name": st.just("answer"), "text": st.text(max_size=30)}),
)


def said(parts):
    """The reply whose words and calls are a rendered turn."""
    words = "\n".join(part.text for part in parts if isinstance(part, Text))
    return Reply(words, tuple(part for part in parts if isinstance(part, Call)))


def calling(*items, name="act"):
    return Reply("", (Call("1", name, {"actions": list(items)}),))


def acting(kind, contract, reply):
    return [dict(action) for action in kind.parse(reply, contract).actions]


@UNHURRIED
@given(st.lists(actions, min_size=1, max_size=4))
def test_a_tool_call_reads_back_what_it_writes(batch):
    assistant, _ = ToolCall().render(Turn(tuple(batch), "x: done", "why", None), 0, PIXELS)
    assert acting(ToolCall(), PIXELS, said(assistant)) == batch


@UNHURRIED
@given(st.lists(actions, min_size=1, max_size=4), st.sampled_from([(Qwen3VL(), GRID), (UiTars(), RESIZED)]))
def test_a_text_format_reads_back_what_it_writes_within_a_pixel(batch, pair):
    kind, contract = pair
    assistant, _ = kind.render(Turn(tuple(batch), "x: done", "why", None), 0, contract)
    read = acting(kind, contract, said(assistant))
    if kind.name == "ui_tars" and any("\r" in str(one) or one.get("text", "").splitlines()[1:] for one in batch):
        return  # a line of text is a line of the format; only \n is escaped
    assert [one["name"] for one in read] == [one["name"] for one in batch]
    for found, wanted in zip(read, batch, strict=True):
        assert {k: v for k, v in found.items() if not isinstance(v, int)} == {
            k: v for k, v in wanted.items() if not isinstance(v, int)
        }
        for field in ("x", "y", "x2", "y2"):
            assert abs(found.get(field, 0) - wanted.get(field, 0)) <= 1


@UNHURRIED
@given(st.text(max_size=300), st.sampled_from([ToolCall(), Qwen3VL(), UiTars(), OPENAI, ANTHROPIC]))
def test_any_words_are_read_or_reported(words, kind):
    parsed = kind.parse(Reply(words), PIXELS)
    assert parsed.actions or parsed.stop
    for action in parsed.actions:
        if action["name"] == UNREADABLE:
            assert action["message"]
            with pytest.raises(ActionError):
                parse_action(action)


WORDS = [*FIELDS, "name", "x", "y", "dy", "action", "type", "path", "keys", "coordinate", "scroll_y", "scroll_amount"]
WORDS += ["scroll_direction", "actions"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)


@UNHURRIED
@given(st.dictionaries(st.sampled_from(["actions", "action", "unreadable", "type", "x"]), json_values, max_size=3))
def test_any_arguments_are_read_or_reported(arguments):
    for kind, name in ((ToolCall(), "act"), (OPENAI, "computer"), (ANTHROPIC, "computer")):
        assert kind.parse(Reply("", (Call("1", name, arguments),)), PIXELS).actions
    call = json.dumps({"name": "computer_use", "arguments": arguments})
    assert Qwen3VL().parse(Reply(f"<tool_call>{call}</tool_call>"), GRID).actions


@UNHURRIED
@given(
    st.sampled_from(["left_click", "drag", "key", "type", "wait", "scroll", "answer"]),
    st.dictionaries(
        st.sampled_from(["coordinate", "coordinate2", "pixels", "keys", "text", "time"]), json_values, max_size=4
    ),
)
def test_any_qwen_arguments_are_read_or_reported(name, arguments):
    call = json.dumps({"name": "computer_use", "arguments": {"action": name, **arguments}})
    assert Qwen3VL().parse(Reply(f"<tool_call>{call}</tool_call>"), GRID).actions


@pytest.mark.parametrize(
    ("kind", "contract", "reply", "wanted"),
    [
        (
            ToolCall(),
            PIXELS,
            calling({"name": "click", "x": 0, "y": 899, "text": None}),
            {"name": "click", "x": 0, "y": 899},
        ),
        (ToolCall(), GRID, calling({"name": "click", "x": 1000, "y": 0}), {"name": "click", "x": 1279, "y": 0}),
        (
            Qwen3VL(),
            GRID,
            Reply(
                'Go.<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", '
                '"coordinate": [1000, 1000]}}</tool_call>'
            ),
            {"name": "click", "x": 1279, "y": 899},
        ),
        (
            UiTars(),
            RESIZED,
            Reply("Thought: up\nAction: click(start_box='<|box_start|>(1287,895)<|box_end|>')"),
            {"name": "click", "x": 1279, "y": 899},
        ),
        (
            UiTars(),
            PIXELS,
            Reply("Thought: a\nAction: drag(start_box='(1,2)', end_box='(30,40)')"),
            {"name": "drag", "x": 1, "y": 2, "x2": 30, "y2": 40},
        ),
        (
            UiTars(),
            PIXELS,
            Reply("Thought: a\nAction: click(start_box='[10, 20, 30, 40]')"),
            {"name": "click", "x": 20, "y": 30},
        ),
        (UiTars(), PIXELS, Reply("Action: hotkey(key='down')"), {"name": "key", "key": "ArrowDown"}),
        (UiTars(), PIXELS, Reply("Action: finished(content='it\\'s done')"), {"name": "answer", "text": "it's done"}),
        (
            OPENAI,
            PIXELS,
            Reply(
                "",
                (
                    Call(
                        "1",
                        "computer",
                        {"action": {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}]}},
                    ),
                ),
            ),
            {"name": "drag", "x": 1, "y": 2, "x2": 5, "y2": 6},
        ),
        (
            OPENAI,
            PIXELS,
            Reply("", (Call("1", "computer", {"action": {"type": "keypress", "keys": ["ENTER"]}}),)),
            {"name": "key", "key": "Enter"},
        ),
        (
            ANTHROPIC,
            PIXELS,
            Reply("", (Call("1", "computer", {"action": "left_click", "coordinate": [5, 6]}),)),
            {"name": "click", "x": 5, "y": 6},
        ),
        (
            ANTHROPIC,
            PIXELS,
            Reply(
                "",
                (
                    Call(
                        "1",
                        "computer",
                        {"action": "scroll", "coordinate": [5, 6], "scroll_direction": "up", "scroll_amount": 3},
                    ),
                ),
            ),
            {"name": "scroll", "x": 5, "y": 6, "dy": -300},
        ),
        (ANTHROPIC, PIXELS, Reply("All done."), {"name": "answer", "text": "All done."}),
    ],
)
def test_known_answers(kind, contract, reply, wanted):
    assert acting(kind, contract, reply) == [wanted]
    assert parse_action(wanted)


@pytest.mark.parametrize(
    ("kind", "contract", "reply", "fault"),
    [
        (ToolCall(), PIXELS, Reply("Let me think."), "no_action"),
        (ToolCall(), PIXELS, Reply("", (Call("1", "act", {"unreadable": "{"}),)), "bad_syntax"),
        (ToolCall(), PIXELS, calling(), "wrong_arguments"),
        (ToolCall(), PIXELS, calling({"name": "teleport"}), "unknown_action"),
        (ToolCall(), PIXELS, calling({"name": "click", "x": 1280, "y": 0}), "outside_space"),
        (ToolCall(), PIXELS, calling({"name": "click", "x": "12", "y": 0}), "wrong_arguments"),
        (Qwen3VL(), GRID, Reply("nothing"), "no_action"),
        (Qwen3VL(), GRID, Reply('<tool_call>{"name": "computer_use", "argu'), "bad_syntax"),
        (
            Qwen3VL(),
            GRID,
            Reply('<tool_call>{"name": "shell", "arguments": {"action": "key"}}</tool_call>'),
            "unknown_action",
        ),
        (
            Qwen3VL(),
            GRID,
            Reply(
                '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", '
                '"coordinate": [1001, 5]}}</tool_call>'
            ),
            "outside_space",
        ),
        (UiTars(), RESIZED, Reply("Thought: hm"), "no_action"),
        (UiTars(), RESIZED, Reply("Action: click(start_box='(1288,5)')"), "outside_space"),
        (UiTars(), RESIZED, Reply("Action: click the button"), "bad_syntax"),
        (
            OPENAI,
            PIXELS,
            Reply("", (Call("1", "computer", {"action": {"type": "move", "x": 1, "y": 1}}),)),
            "unknown_action",
        ),
        (ANTHROPIC, PIXELS, Reply("", (Call("1", "computer", {"action": "left_click"}),)), "wrong_arguments"),
    ],
)
def test_what_cannot_be_read_is_typed(kind, contract, reply, fault):
    (action,) = kind.parse(reply, contract).actions
    assert (action["name"], action["fault"]) == (UNREADABLE, fault)


def test_what_follows_an_unreadable_action_is_left_out():
    click = {"name": "click", "x": 1, "y": 1}
    read = acting(ToolCall(), PIXELS, calling(click, {"name": "click", "x": -1, "y": 1}, click))
    assert [one["name"] for one in read] == ["click", UNREADABLE]


@pytest.mark.parametrize("kind", [ToolCall(), OPENAI, ANTHROPIC])
def test_another_tool_invalidates_the_attempt(kind):
    with pytest.raises(OtherTool, match="shell"):
        kind.parse(calling(name="shell"), PIXELS)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (ToolCall(), "I give up.\nSTOP"),
        (OPENAI, "STOP"),
        (Qwen3VL(), '<tool_call>{"name": "computer_use", "arguments": {"action": "terminate"}}</tool_call>'),
        (UiTars(), "Thought: no\nAction: stop()"),
    ],
)
def test_ending_without_a_claim_is_a_stop(kind, words):
    parsed = kind.parse(Reply(words), PIXELS)
    assert (parsed.stop, parsed.actions) == (True, ())


def test_feedback_speaks_in_the_models_own_numbers():
    turn = Turn(({"name": "click", "x": 1279, "y": 899},), "click(x=1279, y=899): done", "", None)
    assert Qwen3VL().render(turn, 0, GRID)[1] == (Text("click(x=1000, y=1000): done"),)
    assert ToolCall().render(turn, 3, PIXELS)[1] == (Result("call_3", "click(x=1279, y=899): done"),)


def test_a_model_is_told_why_its_answer_could_not_be_read():
    (action,) = ToolCall().parse(Reply("hm"), PIXELS).actions
    with pytest.raises(ActionError) as refused:
        parse_action(action)
    turn = Turn((action,), f"Invalid action: {refused.value}", "hm", None)
    assistant, told = ToolCall().render(turn, 0, PIXELS)
    assert assistant == (Text("hm"),)
    assert told == (Text("Invalid action: the answer holds no call of act"),)


def test_the_schema_has_every_action_and_the_limits_of_the_space():
    (tool,) = ToolCall().tools(GRID)
    item = tool.schema["properties"]["actions"]["items"]
    assert item["properties"]["name"]["enum"] == list(FIELDS)
    assert {field for fields in FIELDS.values() for field in fields} == set(item["properties"]) - {"name"}
    assert (
        item["properties"]["x"]["maximum"],
        ToolCall().tools(PIXELS)[0].schema["properties"]["actions"]["items"]["properties"]["y2"]["maximum"],
    ) == (1000, 899)


def test_a_computer_tool_counts_in_pixels_only():
    with pytest.raises(ValueError, match="space=pixels"):
        OPENAI.tools(GRID)
    (tool,) = ANTHROPIC.tools(replace(PIXELS, send=Multiples(28)))
    assert (tool.width, tool.height) == (1288, 896)


@pytest.mark.parametrize(
    ("kind", "prompts"), [(Qwen3VL(), 1), (UiTars(), 1), (ToolCall(), 0), (OPENAI, 0), (ANTHROPIC, 0)]
)
def test_only_formats_of_gui_models_are_told_to_continue_and_the_identity_says_so(kind, prompts):
    factory = ModelFactory("one", "model", OpenAIChat("http://127.0.0.1:9/v1"), kind)
    assert continuation_prompts(factory.build(1)) == prompts
    assert factory.identity()["continuation_prompts"] == prompts
    assert factory.identity()["episode_history.pictures"] == (1 if prompts else 4)
