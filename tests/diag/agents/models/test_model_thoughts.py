"""What a model only thinks is no action, no claim and no reason, in every format that is text."""

import pytest

from diag.agents.models import Computer, Qwen3VL, ToolCall, UiTars
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import Reply

PIXELS = CoordinateContract()


def tagged(x: int) -> str:
    call = f'{{"name": "computer_use", "arguments": {{"action": "left_click", "coordinate": [{x}, 5]}}}}'
    return f"<tool_call>{call}</tool_call>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("a</think>b", "b"),
        ("a<think>b", "a"),
        ("<think>a <think> b </think> c </think> d", "d"),
        ("<THINK>a</Think >b", "b"),
        ("<thinking>a</thinking>b", "b"),
        ("<seed:think>a</seed:think>b", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("◁think▷a◁/think▷b", "b"),
        ("<|begin_of_thought|>a<|end_of_thought|>b", "b"),
        ("1 < 2, I think of <b>it</b>", "1 < 2, I think of <b>it</b>"),
    ],
)
def test_what_is_said_outside_thoughts(text, said):
    assert spoken(text) == said


@pytest.mark.parametrize("before", ["<think>{} better not</think>", "{} better not</think>", "<think>x</think>"])
def test_a_call_inside_a_thought_is_not_performed(before):
    text = before.format(tagged(1)) + "Go. " + tagged(2)
    parsed = Qwen3VL().parse(Reply(text), PIXELS)
    assert ([one["x"] for one in parsed.actions], parsed.reason) == ([2], "Go.")
    lines = before.format("Action: click(start_box='(1,5)')") + "Thought: go\nAction: click(start_box='(2,5)')"
    parsed = UiTars().parse(Reply(lines), PIXELS)
    assert ([one["x"] for one in parsed.actions], parsed.reason) == ([2], "go")


def test_a_ui_tars_call_after_which_the_model_only_thinks_is_the_last_said():
    text = "Thought: a\nAction: click(start_box='(2,5)')\n<think>or Action: click(start_box='(1,5)')</think>"
    assert [one["x"] for one in UiTars().parse(Reply(text), PIXELS).actions] == [2]


@pytest.mark.parametrize("kind", [Qwen3VL(), UiTars(), ToolCall()])
def test_a_thought_that_never_ends_holds_no_action(kind):
    text = "<think>" + tagged(1) + "\nAction: click(start_box='(1,5)')"
    (action,) = kind.parse(Reply(text), PIXELS).actions
    assert action["fault"] == "no_action"


@pytest.mark.parametrize("kind", [ToolCall(), Computer("openai_computer"), Computer("anthropic_computer")])
def test_a_stop_that_is_only_thought_is_none(kind):
    assert not kind.parse(Reply("<think>I could\nSTOP"), PIXELS).stop
    assert kind.parse(Reply("<think>hm</think>Enough.\nSTOP"), PIXELS).stop
