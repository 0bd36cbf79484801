"""Qwen3-VL text calls: `<tool_call>{"name": "computer_use", ...}</tool_call>` with points on a 0-1000 grid."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from diag.agents.models.conversation import Part, Text
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import (
    UNREADABLE,
    FormatError,
    Parsed,
    feedback,
    given,
    on_screen,
    read_all,
    shown,
    unreadable,
)
from diag.agents.models.reply import AnyTool, Reply
from diag.session.contract import Turn
from diag.session.history import GUI_MODELS, HistoryPolicy
from games.contract import JsonObject

_BLOCK = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_CALLS: Mapping[str, str] = {
    "left_click": "click",
    "click": "click",
    "double_click": "double_click",
    "long_press": "long_press",
    "drag": "drag",
    "left_click_drag": "drag",
    "swipe": "swipe",
    "scroll": "scroll",
    "key": "key",
    "type": "type",
    "wait": "wait",
    "answer": "answer",
}
_WORDS = {"click": "left_click"}


@dataclass(frozen=True)
class Qwen3VL:
    """Text calls between tags; the words before the first are the reason."""

    name: str = "qwen3vl"
    prompt: str = "qwen3vl"
    continuation_prompts: int = 1
    episode_history: HistoryPolicy = GUI_MODELS

    def tools(self, contract: CoordinateContract) -> tuple[AnyTool, ...]:
        """Return none: the calls are text."""
        return ()

    def parse(self, reply: Reply, contract: CoordinateContract) -> Parsed:
        """Read all blocks as one batch; `terminate` ends the attempt when nothing stands before it."""
        blocks = _BLOCK.findall(reply.text)
        reason = reply.text.split("<tool_call>", 1)[0].strip()
        if not blocks:
            missing = FormatError("no_action", "the answer holds no <tool_call> block")
            return Parsed((unreadable(missing, reply.text),), reply.text.strip())
        actions = read_all(blocks, lambda block: _action(block, contract))
        if actions[0].get("name") == "terminate":
            return Parsed((), reason, stop=True)
        return Parsed(actions, reason)

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return a turn as its reason and its text calls."""
        calls = [_block(shown(one, contract)) for one in turn.actions if one.get("name") != UNREADABLE]
        text = "\n".join([turn.reason, *calls] if turn.reason else calls)
        return (Text(text or "(no action)"),), (Text(feedback(turn, contract)),)


def _action(block: str, contract: CoordinateContract) -> JsonObject:
    try:
        call = json.loads(block)
        arguments = call["arguments"]
        name = arguments["action"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FormatError("bad_syntax", 'a call is {"name": "computer_use", "arguments": {"action": ...}}') from error
    if call.get("name") != "computer_use":
        raise FormatError("unknown_action", f"unknown function {call.get('name')!r:.100}; wanted computer_use")
    if name == "terminate":
        return {"name": "terminate"}
    if not isinstance(name, str) or name not in _CALLS:
        wanted = ", ".join([*_CALLS, "terminate"])
        raise FormatError("unknown_action", f"unknown action {name!r:.100}; wanted one of {wanted}")
    return on_screen({"name": _CALLS[name], **_fields(_CALLS[name], arguments)}, contract)


def _fields(name: str, arguments: Mapping[str, Any]) -> JsonObject:
    """Return the arguments under the names of the GUI action set."""
    return _READERS.get(name, _at)(arguments)


def _at(arguments: Mapping[str, Any]) -> JsonObject:
    return _point(arguments, "coordinate", "x", "y")


def _line(arguments: Mapping[str, Any]) -> JsonObject:
    return {**_at(arguments), **_point(arguments, "coordinate2", "x2", "y2")}


def _scroll(arguments: Mapping[str, Any]) -> JsonObject:
    return {**_at(arguments), "dy": given(arguments, "pixels")}


def _key(arguments: Mapping[str, Any]) -> JsonObject:
    keys = arguments.get("keys", arguments.get("key"))
    if isinstance(keys, list):
        if len(keys) != 1:
            raise FormatError("wrong_arguments", f"key: wanted one key, got {keys!r:.100}")
        keys = keys[0]
    return {"key": keys}


_READERS: Mapping[str, Callable[[Mapping[str, Any]], JsonObject]] = {
    "drag": _line,
    "swipe": _line,
    "scroll": _scroll,
    "key": _key,
    "type": lambda arguments: {"text": given(arguments, "text")},
    "answer": lambda arguments: {"text": given(arguments, "text")},
    "wait": lambda arguments: {"seconds": given(arguments, "time")},
}


def _point(arguments: Mapping[str, Any], name: str, x: str, y: str) -> JsonObject:
    point = given(arguments, name)
    if not isinstance(point, list) or len(point) != 2:
        raise FormatError("wrong_arguments", f"{name} is [x, y], got {point!r:.100}")
    return {x: point[0], y: point[1]}


def _block(action: JsonObject) -> str:
    """Return an action, already in the model's space, as a text call."""
    name = str(action.get("name"))
    arguments: dict[str, Any] = {"action": _WORDS.get(name, name)}
    for target, x, y in (("coordinate", "x", "y"), ("coordinate2", "x2", "y2")):
        if x in action and y in action:
            arguments[target] = [action[x], action[y]]
    for target, source in (("pixels", "dy"), ("text", "text"), ("time", "seconds")):
        if source in action:
            arguments[target] = action[source]
    if "key" in action:
        arguments["keys"] = [action["key"]]
    call = json.dumps({"name": "computer_use", "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{call}\n</tool_call>"
