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
    ENCODED_TWICE,
    UNREADABLE,
    FormatError,
    Parsed,
    feedback,
    given,
    on_screen,
    only,
    pair,
    read_all,
    shown,
    unreadable,
)
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import AnyTool, Reply, decoded
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
        text = spoken(reply.text)
        blocks = _BLOCK.findall(text)
        reason = text.split("<tool_call>", 1)[0].strip()
        if not blocks:
            missing = FormatError("no_action", "the answer holds no <tool_call> block")
            return Parsed((unreadable(missing, reply.text),), text.strip())
        faults: list[str] = []
        actions = read_all(blocks, lambda block: _action(block, contract, faults))
        if actions[0].get("name") == "terminate":
            return Parsed((), reason, stop=True)
        return Parsed(actions, reason, read_all_the_same=tuple(faults))

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return a turn as its reason and its text calls."""
        calls = [_block(shown(one, contract)) for one in turn.actions if one.get("name") != UNREADABLE]
        text = "\n".join([turn.reason, *calls] if turn.reason else calls)
        return (Text(text or "(no action)"),), (Text(feedback(turn, contract)),)


def _action(block: str, contract: CoordinateContract, faults: list[str]) -> JsonObject:
    call, arguments = _call(block, faults)
    only(call, ("name", "arguments"), "a call")
    if call.get("name") != "computer_use":
        raise FormatError("unknown_action", f"unknown function {call.get('name')!r:.100}; wanted computer_use")
    name = arguments["action"]
    if name == "terminate":
        return _terminated(arguments)
    if not isinstance(name, str) or name not in _CALLS:
        wanted = ", ".join([*_CALLS, "terminate"])
        raise FormatError("unknown_action", f"unknown action {name!r:.100}; wanted one of {wanted}")
    fields, read = _READERS.get(_CALLS[name], (("coordinate",), _at))
    only({key: value for key, value in arguments.items() if key != "action"}, fields, name)
    return on_screen({"name": _CALLS[name], **read(arguments)}, contract)


def _call(block: str, faults: list[str]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return a call and its arguments, either of which may have been encoded twice. Raises FormatError."""
    call = decoded(block)
    twice = decoded(call)
    arguments = twice.get("arguments") if isinstance(twice, Mapping) else None
    read = decoded(arguments)
    if not isinstance(twice, Mapping) or not isinstance(read, Mapping) or "action" not in read:
        raise FormatError("bad_syntax", 'a call is {"name": "computer_use", "arguments": {"action": ...}}')
    if twice is not call or read is not arguments:
        faults.append(ENCODED_TWICE)
    return twice, read


def _terminated(arguments: Mapping[str, Any]) -> JsonObject:
    """Return the end that `terminate` reports: `success`, as the model's own training has it, is a claim."""
    only({key: value for key, value in arguments.items() if key != "action"}, ("status",), "terminate")
    status = arguments.get("status")
    if status not in (None, "success", "failure"):
        raise FormatError("wrong_arguments", f"terminate: status is success or failure, got {status!r:.100}")
    return {"name": "answer", "text": "status: success"} if status == "success" else {"name": "terminate"}


def _at(arguments: Mapping[str, Any]) -> JsonObject:
    return _point(arguments, "coordinate", "x", "y")


def _line(arguments: Mapping[str, Any]) -> JsonObject:
    ends = {**_at(arguments), **_point(arguments, "coordinate2", "x2", "y2")}
    return ends if arguments.get("via") is None else {**ends, "via": arguments["via"]}


def _scroll(arguments: Mapping[str, Any]) -> JsonObject:
    return {**_at(arguments), "dy": given(arguments, "pixels")}


def _key(arguments: Mapping[str, Any]) -> JsonObject:
    found = [arguments[name] for name in ("keys", "key") if arguments.get(name) is not None]
    keys = found[0] if len(found) == 1 else found
    if isinstance(keys, list):
        if len(keys) != 1:
            raise FormatError("wrong_arguments", f"key: wanted one key, got {keys!r:.100}")
        keys = keys[0]
    return {"key": keys}


_READERS: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], JsonObject]]] = {
    "drag": (("coordinate", "coordinate2", "via"), _line),
    "swipe": (("coordinate", "coordinate2", "via"), _line),
    "scroll": (("coordinate", "pixels"), _scroll),
    "key": (("keys", "key"), _key),
    "type": (("text",), lambda arguments: {"text": given(arguments, "text")}),
    "answer": (("text",), lambda arguments: {"text": given(arguments, "text")}),
    "wait": (("time",), lambda arguments: {"seconds": given(arguments, "time")}),
}
"""The arguments of each action, and how they read under the names of the GUI action set."""


def _point(arguments: Mapping[str, Any], name: str, x: str, y: str) -> JsonObject:
    first, second = pair(given(arguments, name), name)
    return {x: first, y: second}


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
    if "via" in action:
        arguments["via"] = action["via"]
    if "key" in action:
        arguments["keys"] = [action["key"]]
    call = json.dumps({"name": "computer_use", "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{call}\n</tool_call>"
