"""Tool calls: one function `act` whose JSON schema is the GUI action set, with batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from diag.agents.models.conversation import Call, Part, Result, Text
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import (
    ENCODED_TWICE,
    UNREADABLE,
    FormatError,
    OtherTool,
    Parsed,
    feedback,
    last_line_is_stop,
    on_screen,
    only,
    read_all,
    shown,
    unreadable,
)
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import Reply, Tool, decoded
from diag.session.actions import FIELDS, KEYS, MAX_TEXT_CHARACTERS, MAX_WAIT_S
from diag.session.contract import Turn
from diag.session.history import CODE_AGENTS, HistoryPolicy
from games.contract import JsonObject

NAME = "act"


@dataclass(frozen=True)
class ToolCall:
    """The `act` tool of hosted models and of servers with a tool parser."""

    name: str = "tool_call"
    prompt: str = "tool_call"
    continuation_prompts: int = 0
    episode_history: HistoryPolicy = CODE_AGENTS

    def tools(self, contract: CoordinateContract) -> tuple[Tool, ...]:
        """Return `act`."""
        return (Tool(NAME, "Perform GUI actions in order; a screenshot follows the last one.", schema(contract)),)

    def parse(self, reply: Reply, contract: CoordinateContract) -> Parsed:
        """Read the calls of an answer as one batch. Raises OtherTool."""
        for call in reply.calls:
            if call.name != NAME:
                raise OtherTool(f"the model called {call.name!r:.100}, which it was not given")
        text = spoken(reply.text).strip()
        if not reply.calls:
            if last_line_is_stop(text):
                return Parsed((), text, stop=True)
            missing = FormatError("no_action", f"the answer holds no call of {NAME}")
            return Parsed((unreadable(missing, reply.text),), text)
        calls = [_decoded(call) for call in reply.calls]
        items = [item for call in calls for item in _items(call)]
        faults = (ENCODED_TWICE,) * sum(call.encoded_twice for call in calls)
        return Parsed(read_all(items, lambda item: _action(item, contract)), text, read_all_the_same=faults)

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return a turn as a call of `act` and its result."""
        said: tuple[Part, ...] = (Text(turn.reason),) if turn.reason else ()
        actions = [shown(action, contract) for action in turn.actions if action.get("name") != UNREADABLE]
        if not actions:
            return said or (Text("(no action)"),), (Text(feedback(turn, contract)),)
        call_id = f"call_{place}"
        return (*said, Call(call_id, NAME, {"actions": actions})), (Result(call_id, feedback(turn, contract)),)


def schema(contract: CoordinateContract) -> JsonObject:
    """Return the JSON schema of a call's arguments, with the limits of the model's own space."""
    x_max, y_max = contract.limits
    across = {"type": "integer", "minimum": 0, "maximum": x_max}
    down = {"type": "integer", "minimum": 0, "maximum": y_max}
    uses = "; ".join(f"{name}: {', '.join(fields)}" for name, fields in FIELDS.items())
    action = {
        "type": "object",
        "description": f"Each action takes exactly these fields: {uses}.",
        "properties": {
            "name": {"type": "string", "enum": list(FIELDS)},
            "x": {**across, "description": "Where, or where a drag or swipe begins."},
            "y": down,
            "x2": {**across, "description": "Where a drag or swipe ends."},
            "y2": down,
            "dy": {"type": "integer", "description": "Scroll distance, positive downwards."},
            "key": {"type": "string", "enum": list(KEYS)},
            "text": {"type": "string", "maxLength": MAX_TEXT_CHARACTERS},
            "seconds": {"type": "number", "minimum": 0, "maximum": MAX_WAIT_S},
        },
        "required": ["name"],
    }
    return {
        "type": "object",
        "properties": {"actions": {"type": "array", "minItems": 1, "items": action}},
        "required": ["actions"],
    }


def _decoded(call: Call) -> Call:
    """Return a call with the actions that a server left as a JSON text, whole or one by one."""
    given = call.arguments.get("actions")
    actions = decoded(given)
    if isinstance(actions, list):
        actions = [decoded(one) for one in actions]
    if not isinstance(actions, list) or actions == given:
        return call
    return replace(call, arguments={**call.arguments, "actions": actions}, encoded_twice=True)


def _items(call: Call) -> list[Any]:
    """Return the raw actions of a call; what is no list of actions, or more than one, is one unreadable item."""
    items = call.arguments.get("actions")
    alone = all(value is None for name, value in call.arguments.items() if name != "actions")
    return items if isinstance(items, list) and items and alone else [call.arguments]


def _action(item: Any, contract: CoordinateContract) -> JsonObject:
    if isinstance(item, Mapping) and "unreadable" in item:
        raise FormatError("bad_syntax", f"the arguments of {NAME} are no JSON object")
    if isinstance(item, Mapping) and isinstance(item.get("actions"), list):
        only(item, ("actions",), NAME)
    if not isinstance(item, Mapping) or "name" not in item:
        raise FormatError("wrong_arguments", f"{NAME} takes actions: a non-empty list of objects with a name")
    if not isinstance(item["name"], str) or item["name"] not in FIELDS:
        raise FormatError("unknown_action", f"unknown action {item['name']!r:.100}; wanted one of {', '.join(FIELDS)}")
    return on_screen(item, contract)
