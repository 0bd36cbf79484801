"""The providers' own computer-use tools: OpenAI `computer_call` actions and Anthropic `computer` inputs.

Anthropic's past turns are its own blocks: `tool_use`, and `tool_result` with the screenshot that followed. OpenAI's are
told in words: its `computer_call` items go with ids and reasoning of answers that the endpoint remembers, and a
takeover's prefix was never one of its answers. So no `computer_call_output` is sent in which safety checks could be
acknowledged; pending ones are recorded in the decision's `usage.safety_checks`, and the agent goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from diag.agents.models.conversation import Call, Part, Rendered, Result, Text
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import (
    UNREADABLE,
    FormatError,
    OtherTool,
    Parsed,
    feedback,
    last_line_is_stop,
    on_screen,
    read_all,
    shown,
)
from diag.agents.models.reply import ComputerTool, Reply
from diag.session.actions import MAX_TEXT_CHARACTERS
from diag.session.contract import Turn
from diag.session.history import CODE_AGENTS, HistoryPolicy
from games.contract import JsonObject

COMPUTER = "computer"
WAIT_S = 2.0
SCROLL_NOTCH_PX = 100
_KEYS = {
    "enter": "Enter", "return": "Enter", "kp_enter": "Enter", "tab": "Tab", "esc": "Escape", "escape": "Escape",
    "space": "Space", "backspace": "Backspace", "left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp",
    "down": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight", "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown",
}  # fmt: skip
Reader = Callable[[Mapping[str, Any]], JsonObject]


@dataclass(frozen=True)
class Computer:
    """One provider's computer tool. An answer without an action is its final word: a claim, or STOP."""

    name: str
    """openai_computer or anthropic_computer."""
    prompt: str = "computer"
    continuation_prompts: int = 0
    episode_history: HistoryPolicy = CODE_AGENTS

    def __post_init__(self) -> None:
        if self.name not in _ACTIONS:
            raise ValueError(f"computer tool {self.name!r}: wanted one of {', '.join(_ACTIONS)}")

    def tools(self, contract: CoordinateContract) -> tuple[ComputerTool, ...]:
        """Return the computer tool for the image that is sent. Raises ValueError unless pixels are its space."""
        if contract.space != "pixels":
            raise ValueError("computer tools count in pixels of the image; set contract.space=pixels")
        return (ComputerTool(*contract.size_sent),)

    def parse(self, reply: Reply, contract: CoordinateContract) -> Parsed:
        """Read the computer calls of an answer as one batch. Raises OtherTool."""
        for call in reply.calls:
            if call.name != COMPUTER:
                raise OtherTool(f"the model called {call.name!r:.100}, which it was not given")
        text = reply.text.strip()
        if not reply.calls:
            if last_line_is_stop(text):
                return Parsed((), text, stop=True)
            return Parsed(({"name": "answer", "text": text[:MAX_TEXT_CHARACTERS]},), text)
        items = [item for call in reply.calls for item in _items(call)]
        return Parsed(read_all(items, lambda item: self._action(item, contract)), text)

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> Rendered:
        """Return a turn as the provider's own blocks where it has such, else in words."""
        actions = [shown(one, contract) for one in turn.actions if one.get("name") != UNREADABLE]
        if self.name == "anthropic_computer":
            inputs = [_anthropic_input(one) for one in actions]
            if inputs and None not in inputs:
                return _blocks(turn, place, [one for one in inputs if one is not None], contract)
        said = "\n".join([turn.reason, *(json.dumps(one, ensure_ascii=False) for one in actions)]).strip()
        return (Text(said or "(no action)"),), (Text(feedback(turn, contract)),)

    def _action(self, item: Any, contract: CoordinateContract) -> JsonObject:
        readers, key = _ACTIONS[self.name]
        name = item.get(key) if isinstance(item, Mapping) else None
        if not isinstance(name, str) or name not in readers:
            raise FormatError("unknown_action", f"unknown action {name!r:.100}; wanted one of {', '.join(readers)}")
        try:
            return on_screen(readers[name](item), contract)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError("wrong_arguments", f"{name}: an argument is missing or of the wrong shape") from error


def _blocks(turn: Turn, place: int, inputs: list[JsonObject], contract: CoordinateContract) -> Rendered:
    """Return one call for each action; the whole feedback stands in the result of the last, where the screenshot is."""
    ids = [f"call_{place}_{n}" for n in range(len(inputs))]
    said: tuple[Part, ...] = (Text(turn.reason),) if turn.reason else ()
    calls = [Call(call_id, COMPUTER, one) for call_id, one in zip(ids, inputs, strict=True)]
    results = [Result(call_id, "see the last result") for call_id in ids[:-1]]
    return (*said, *calls), (*results, Result(ids[-1], feedback(turn, contract)))


def _items(call: Call) -> list[Any]:
    """Return the actions of a call: OpenAI sends one `action` or several `actions`, Anthropic the action itself."""
    several = call.arguments.get("actions")
    if isinstance(several, list) and several:
        return list(several)
    one = call.arguments.get("action")
    return [one] if isinstance(one, Mapping) else [call.arguments]


def _key(name: Any) -> JsonObject:
    if not isinstance(name, str):
        raise FormatError("wrong_arguments", f"wanted one key, got {name!r:.100}")
    return {"name": "key", "key": _KEYS.get(name.lower(), name.lower() if len(name) == 1 else name)}


def _one_key(keys: Any) -> JsonObject:
    if not isinstance(keys, list) or len(keys) != 1:
        raise FormatError("wrong_arguments", f"wanted one key at a time, got {keys!r:.100}")
    return _key(keys[0])


def _click(item: Mapping[str, Any]) -> JsonObject:
    if item.get("button", "left") != "left":
        raise FormatError("wrong_arguments", f"only the left button exists here, got {item['button']!r:.100}")
    return {"name": "click", "x": item["x"], "y": item["y"]}


def _path(item: Mapping[str, Any]) -> JsonObject:
    first, last = item["path"][0], item["path"][-1]
    return {"name": "drag", "x": first["x"], "y": first["y"], "x2": last["x"], "y2": last["y"]}


def _pair(item: Mapping[str, Any], name: str, field: str = "coordinate") -> JsonObject:
    x, y = item[field]
    return {"name": name, "x": x, "y": y}


def _drag(item: Mapping[str, Any]) -> JsonObject:
    x2, y2 = item["coordinate"]
    return {**_pair(item, "drag", "start_coordinate"), "x2": x2, "y2": y2}


def _notches(item: Mapping[str, Any]) -> JsonObject:
    if item["scroll_direction"] not in ("up", "down"):
        raise FormatError("wrong_arguments", "scroll: only up and down exist here")
    sign = 1 if item["scroll_direction"] == "down" else -1
    return {**_pair(item, "scroll"), "dy": sign * SCROLL_NOTCH_PX * item["scroll_amount"]}


def _look(_: Mapping[str, Any]) -> JsonObject:
    """A screenshot follows every decision anyway; asking for one is a wait of no length."""
    return {"name": "wait", "seconds": 0.0}


_OPENAI: Mapping[str, Reader] = {
    "click": _click,
    "double_click": lambda item: {"name": "double_click", "x": item["x"], "y": item["y"]},
    "drag": _path,
    "scroll": lambda item: {"name": "scroll", "x": item["x"], "y": item["y"], "dy": item["scroll_y"]},
    "keypress": lambda item: _one_key(item["keys"]),
    "type": lambda item: {"name": "type", "text": item["text"]},
    "wait": lambda _: {"name": "wait", "seconds": WAIT_S},
    "screenshot": _look,
}
_ANTHROPIC: Mapping[str, Reader] = {
    "left_click": lambda item: _pair(item, "click"),
    "double_click": lambda item: _pair(item, "double_click"),
    "left_click_drag": _drag,
    "scroll": _notches,
    "key": lambda item: _key(item["text"]),
    "type": lambda item: {"name": "type", "text": item["text"]},
    "wait": lambda item: {"name": "wait", "seconds": item["duration"]},
    "screenshot": _look,
}


def _scrolled(one: JsonObject) -> JsonObject | None:
    notches, rest = divmod(abs(one["dy"]), SCROLL_NOTCH_PX)
    if rest or not notches:
        return None
    where = {"action": "scroll", "coordinate": [one["x"], one["y"]]}
    return {**where, "scroll_direction": "down" if one["dy"] > 0 else "up", "scroll_amount": notches}


def _waited(one: JsonObject) -> JsonObject:
    return {"action": "wait", "duration": one["seconds"]} if one["seconds"] else {"action": "screenshot"}


_ANTHROPIC_INPUT: Mapping[str, Callable[[JsonObject], JsonObject | None]] = {
    "click": lambda one: {"action": "left_click", "coordinate": [one["x"], one["y"]]},
    "double_click": lambda one: {"action": "double_click", "coordinate": [one["x"], one["y"]]},
    "drag": lambda one: {
        "action": "left_click_drag",
        "start_coordinate": [one["x"], one["y"]],
        "coordinate": [one["x2"], one["y2"]],
    },
    "scroll": _scrolled,
    "key": lambda one: {"action": "key", "text": one["key"]},
    "type": lambda one: {"action": "type", "text": one["text"]},
    "wait": _waited,
}


def _anthropic_input(one: JsonObject) -> JsonObject | None:
    """Return an action of the GUI action set as the provider's input, the inverse of `_ANTHROPIC`.

    None where it has none, or for a raw action that the dispatcher refused.
    """
    try:
        return _ANTHROPIC_INPUT[str(one["name"])](one)
    except (KeyError, TypeError):
        return None


_ACTIONS: Mapping[str, tuple[Mapping[str, Reader], str]] = {
    "openai_computer": (_OPENAI, "type"),
    "anthropic_computer": (_ANTHROPIC, "action"),
}
