"""The providers' own computer-use tools: OpenAI `computer_call` actions and Anthropic `computer` inputs.

Anthropic's past turns are its own blocks: `tool_use`, and `tool_result` with the screenshot that followed. OpenAI's are
told in words: its `computer_call` items go with ids and reasoning of answers that the endpoint remembers, and a
takeover's prefix was never one of its answers. So no `computer_call_output` is sent in which safety checks could be
acknowledged; pending ones are recorded in the decision's `usage.safety_checks`, and the agent goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from diag.agents.models.conversation import Call, Part, Rendered, Result, Text
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import (
    ENCODED_TWICE,
    UNREADABLE,
    FormatError,
    OtherTool,
    Parsed,
    feedback,
    given,
    last_line_is_stop,
    on_screen,
    only,
    pair,
    read_all,
    shown,
    unreadable,
)
from diag.agents.models.formats.thoughts import spoken
from diag.agents.models.reply import ComputerTool, Reply
from diag.session.actions import MAX_TEXT_CHARACTERS
from diag.session.contract import Turn
from diag.session.history import CODE_AGENTS, HistoryPolicy
from games.contract import JsonObject

COMPUTER = "computer"
WAIT_S = 2.0
SCROLL_NOTCH_PX = 100
MOST_NOTCHES = 100
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
        text = spoken(reply.text).strip()
        if not reply.calls:
            if last_line_is_stop(text):
                return Parsed((), text, stop=True)
            if not text:
                missing = FormatError("no_action", "the answer holds neither an action nor a word")
                return Parsed((unreadable(missing, reply.text),), text)
            return Parsed(({"name": "answer", "text": text[:MAX_TEXT_CHARACTERS]},), text)
        items = [item for call in reply.calls for item in _items(call)]
        faults = (ENCODED_TWICE,) * sum(call.encoded_twice for call in reply.calls)
        return Parsed(read_all(items, lambda item: self._action(item, contract)), text, read_all_the_same=faults)

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
        fields, read = readers[name]
        arguments = {field: value for field, value in item.items() if field != key}
        _without_modifiers(arguments, fields, name)
        only(arguments, fields, name)
        return on_screen(read(arguments), contract)


def _blocks(turn: Turn, place: int, inputs: list[JsonObject], contract: CoordinateContract) -> Rendered:
    """Return one call for each action; the whole feedback stands in the result of the last, where the screenshot is."""
    ids = [f"call_{place}_{n}" for n in range(len(inputs))]
    said: tuple[Part, ...] = (Text(turn.reason),) if turn.reason else ()
    calls = [Call(call_id, COMPUTER, one) for call_id, one in zip(ids, inputs, strict=True)]
    results = [Result(call_id, "see the last result") for call_id in ids[:-1]]
    return (*said, *calls), (*results, Result(ids[-1], feedback(turn, contract)))


def _items(call: Call) -> list[Any]:
    """Return the actions of a call: OpenAI sends one `action` or several `actions`, Anthropic the action itself."""
    one, several = call.arguments.get("action"), call.arguments.get("actions")
    if isinstance(several, list) and several and one in (None, several[0]):
        return list(several)
    return [one] if isinstance(one, Mapping) and not several else [call.arguments]


def _without_modifiers(arguments: dict[str, Any], fields: Sequence[str], name: str) -> None:
    """Take an empty list of keys held down out of a call. Raises FormatError: some are held, no hand here can do that.

    OpenAI names them `keys`, Anthropic `text`; `keypress` and `type` have these fields of their own.
    """
    for field in ("keys", "text"):
        if field in arguments and field not in fields:
            held = arguments.pop(field)
            if held not in (None, [], ""):
                raise FormatError(
                    "wrong_arguments", f"{name}: no keys can be held down here, got {field}={held!r:.100}"
                )


def _key(name: Any) -> JsonObject:
    if not isinstance(name, str):
        raise FormatError("wrong_arguments", f"wanted one key, got {name!r:.100}")
    return {"name": "key", "key": _KEYS.get(name.lower(), name.lower() if len(name) == 1 else name)}


def _one_key(keys: Any) -> JsonObject:
    if not isinstance(keys, list) or len(keys) != 1:
        raise FormatError("wrong_arguments", f"wanted one key at a time, got {keys!r:.100}")
    return _key(keys[0])


def _place(item: Mapping[str, Any]) -> JsonObject:
    return {"x": given(item, "x"), "y": given(item, "y")}


def _click(item: Mapping[str, Any]) -> JsonObject:
    button = item.get("button")
    if button not in (None, "left"):
        raise FormatError("wrong_arguments", f"only the left button exists here, got {button!r:.100}")
    return {"name": "click", **_place(item)}


def _path(item: Mapping[str, Any]) -> JsonObject:
    """Return a drag along a path: its first and last points are the ends, the others its corners."""
    points = given(item, "path")
    if not isinstance(points, list) or len(points) < 2:
        raise FormatError("wrong_arguments", f"drag: a path has two points or more, got {points!r:.100}")
    path = [_corner(point) for point in points]
    (x, y), *corners, (x2, y2) = path
    ends = {"name": "drag", "x": x, "y": y, "x2": x2, "y2": y2}
    return ends if _is_straight(path) else {**ends, "via": [list(corner) for corner in corners]}


def _corner(point: Any) -> tuple[int | float, int | float]:
    if not isinstance(point, Mapping):
        x, y = pair(point, "a point of the path")
        point = {"x": x, "y": y}
    only(point, ("x", "y"), "a point of the path")
    return _number(point, "x"), _number(point, "y")


def _is_straight(path: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a path runs from its first point to its last without a corner or a step back."""
    dx, dy = path[-1][0] - path[0][0], path[-1][1] - path[0][1]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]
    return len(path) == 2 or ((dx, dy) != (0, 0) and all(x * dy == y * dx and x * dx + y * dy >= 0 for x, y in steps))


def _wheel(item: Mapping[str, Any]) -> JsonObject:
    sideways = item.get("scroll_x")
    if isinstance(sideways, bool) or sideways not in (None, 0):
        raise FormatError("wrong_arguments", f"scroll: only up and down exist here, got scroll_x={sideways!r:.100}")
    return {"name": "scroll", **_place(item), "dy": _number(item, "scroll_y")}


def _number(item: Mapping[str, Any], name: str) -> int | float:
    value = given(item, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError("wrong_arguments", f"{name} is a number, got {value!r:.100}")
    return value


def _pair(item: Mapping[str, Any], name: str) -> JsonObject:
    x, y = pair(given(item, "coordinate"), "coordinate")
    return {"name": name, "x": x, "y": y}


def _drag(item: Mapping[str, Any]) -> JsonObject:
    x, y = pair(given(item, "start_coordinate"), "start_coordinate")
    x2, y2 = pair(given(item, "coordinate"), "coordinate")
    return {"name": "drag", "x": x, "y": y, "x2": x2, "y2": y2}


def _notches(item: Mapping[str, Any]) -> JsonObject:
    direction, amount = given(item, "scroll_direction"), given(item, "scroll_amount")
    if direction not in ("up", "down"):
        raise FormatError("wrong_arguments", f"scroll: only up and down exist here, got {direction!r:.100}")
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 <= amount <= MOST_NOTCHES:
        wanted = f"scroll_amount is a whole number from 0 to {MOST_NOTCHES}"
        raise FormatError("wrong_arguments", f"scroll: {wanted}, got {amount!r:.100}")
    return {**_pair(item, "scroll"), "dy": (amount if direction == "down" else -amount) * SCROLL_NOTCH_PX}


def _look(_: Mapping[str, Any]) -> JsonObject:
    """A screenshot follows every decision anyway; asking for one is a wait of no length."""
    return {"name": "wait", "seconds": 0.0}


def _typed(item: Mapping[str, Any]) -> JsonObject:
    return {"name": "type", "text": given(item, "text")}


_OPENAI: Mapping[str, tuple[tuple[str, ...], Reader]] = {
    "click": (("x", "y", "button"), _click),
    "double_click": (("x", "y"), lambda item: {"name": "double_click", **_place(item)}),
    "drag": (("path",), _path),
    "scroll": (("x", "y", "scroll_x", "scroll_y"), _wheel),
    "keypress": (("keys",), lambda item: _one_key(given(item, "keys"))),
    "type": (("text",), _typed),
    "wait": ((), lambda _: {"name": "wait", "seconds": WAIT_S}),
    "screenshot": ((), _look),
}
_ANTHROPIC: Mapping[str, tuple[tuple[str, ...], Reader]] = {
    "left_click": (("coordinate",), lambda item: _pair(item, "click")),
    "double_click": (("coordinate",), lambda item: _pair(item, "double_click")),
    "left_click_drag": (("start_coordinate", "coordinate"), _drag),
    "scroll": (("coordinate", "scroll_direction", "scroll_amount"), _notches),
    "key": (("text",), lambda item: _key(given(item, "text"))),
    "type": (("text",), _typed),
    "wait": (("duration",), lambda item: {"name": "wait", "seconds": given(item, "duration")}),
    "screenshot": ((), _look),
}
"""The fields of each action beside its name, and how they read; whatever else a call holds is refused."""


def _scrolled(one: JsonObject) -> JsonObject | None:
    notches, rest = divmod(abs(one["dy"]), SCROLL_NOTCH_PX)
    if rest or not notches:
        return None
    where = {"action": "scroll", "coordinate": [one["x"], one["y"]]}
    return {**where, "scroll_direction": "down" if one["dy"] > 0 else "up", "scroll_amount": notches}


def _dragged(one: JsonObject) -> JsonObject | None:
    """Return a straight drag; the provider has none with corners."""
    ends = {"start_coordinate": [one["x"], one["y"]], "coordinate": [one["x2"], one["y2"]]}
    return None if "via" in one else {"action": "left_click_drag", **ends}


def _waited(one: JsonObject) -> JsonObject:
    return {"action": "wait", "duration": one["seconds"]} if one["seconds"] else {"action": "screenshot"}


_ANTHROPIC_INPUT: Mapping[str, Callable[[JsonObject], JsonObject | None]] = {
    "click": lambda one: {"action": "left_click", "coordinate": [one["x"], one["y"]]},
    "double_click": lambda one: {"action": "double_click", "coordinate": [one["x"], one["y"]]},
    "drag": _dragged,
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


_ACTIONS: Mapping[str, tuple[Mapping[str, tuple[tuple[str, ...], Reader]], str]] = {
    "openai_computer": (_OPENAI, "type"),
    "anthropic_computer": (_ANTHROPIC, "action"),
}
