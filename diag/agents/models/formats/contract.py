"""What a format is: how a model is told to act, and how its answer becomes actions of the GUI action set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from diag.agents.models.conversation import Part
from diag.agents.models.coordinates import CoordinateContract, OutsideSpace
from diag.agents.models.reply import AnyTool, Reply
from diag.session.contract import Turn
from diag.session.history import HistoryPolicy
from games.contract import JsonObject

Fault = Literal["no_action", "bad_syntax", "unknown_action", "wrong_arguments", "outside_space"]
"""Why an answer, or one action of it, could not be read. Counted in `usage.malformed`; the agent goes on."""
ENCODED_TWICE = "encoded_twice"
"""A call whose arguments a server encoded twice: read all the same, and counted in `usage.malformed`."""
UNREADABLE = "unreadable"
"""Name of the action that stands for what could not be read. The dispatcher refuses and counts it."""
LONGEST_SCROLL = 1e6
"""Longer distances, infinity and NaN are left as they are: the dispatcher refuses them."""


class FormatError(ValueError):
    """One action cannot be read. The message is public."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


class OtherTool(ValueError):
    """The model called a tool that it was not given; this invalidates the attempt (protocol 1.1)."""


def given(arguments: Mapping[str, Any], name: str) -> Any:
    """Return an argument of a call. Raises FormatError: it is missing."""
    if name not in arguments:
        raise FormatError("wrong_arguments", f"argument {name} is missing")
    return arguments[name]


def only(arguments: Mapping[str, Any], wanted: Sequence[str], name: str) -> None:
    """Check that a call holds nothing that is not read; what is null is not there. Raises FormatError."""
    more = [key for key, value in arguments.items() if key not in wanted and value is not None]
    if more:
        found = ", ".join(f"{key}={arguments[key]!r:.60}" for key in more)
        raise FormatError("wrong_arguments", f"{name} takes {', '.join(wanted) or 'no arguments'}; got {found}")


def pair(value: Any, name: str) -> tuple[Any, Any]:
    """Return a point [x, y] of a call. Raises FormatError."""
    if not isinstance(value, list) or len(value) != 2:
        raise FormatError("wrong_arguments", f"{name} is [x, y], got {value!r:.100}")
    return value[0], value[1]


@dataclass(frozen=True)
class Parsed:
    """What an answer means."""

    actions: tuple[JsonObject, ...]
    """In screenshot pixels; unchecked beyond the coordinate contract."""
    reason: str
    stop: bool = False
    read_all_the_same: tuple[str, ...] = ()
    """Faults that did not keep a call from being read."""


class Format(Protocol):
    """One way for a model to act."""

    name: str
    prompt: str
    """Name of its system prompt."""
    continuation_prompts: int
    """Unverified completion claims that are answered by a prompt to continue: 1 for the formats of GUI-specialised
    models, 0 for all others, whose explicit final answer ends the attempt ("Budget and termination")."""

    episode_history: HistoryPolicy
    """What stays in context in whole episodes of agents that keep their own history ("Inference and history")."""

    def tools(self, contract: CoordinateContract) -> tuple[AnyTool, ...]:
        """Return the tools to declare; none for text formats."""

    def parse(self, reply: Reply, contract: CoordinateContract) -> Parsed:
        """Read an answer. Never fails on a model's words; raises OtherTool only."""

    def render(self, turn: Turn, place: int, contract: CoordinateContract) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return a past turn in the format's own words: what the agent said, and what it was told."""


def unreadable(error: FormatError, given: Any) -> JsonObject:
    """Return the action that stands for something unreadable: typed, with the raw words, and a public message."""
    return {"name": UNREADABLE, "fault": error.fault, "message": str(error), "given": repr(given)[:500]}


def on_screen(action: Mapping[str, Any], contract: CoordinateContract) -> JsonObject:
    """Return an action of the model's space in screenshot pixels; unused (null) fields are left out.

    Raises:
        FormatError: a coordinate is not a number (`wrong_arguments`) or outside the space (`outside_space`).
    """
    moved = {key: value for key, value in action.items() if value is not None}
    for x, y in (("x", "y"), ("x2", "y2")):
        if x in moved and y in moved:
            moved[x], moved[y] = _moved(contract, moved[x], moved[y], str(action.get("name")))
    if isinstance(moved.get("via"), list):
        corners = [pair(point, "a point of via") for point in moved["via"]]
        moved["via"] = [list(_moved(contract, x, y, str(action.get("name")))) for x, y in corners]
    dy = moved.get("dy")
    if isinstance(dy, int | float) and not isinstance(dy, bool) and abs(dy) < LONGEST_SCROLL:
        moved["dy"] = contract.distance_to_screen(dy)
    return moved


def _moved(contract: CoordinateContract, x: Any, y: Any, name: str) -> tuple[int, int]:
    for value in (x, y):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FormatError("wrong_arguments", f"{name}: coordinates are numbers, got {value!r:.100}")
    try:
        return contract.to_screen(x, y)
    except OutsideSpace as error:
        raise FormatError("outside_space", f"{name}: {error}") from error


def read_all(items: list[Any], read: Any) -> tuple[JsonObject, ...]:
    """Read actions one by one; the first unreadable one takes its place as `unreadable` and ends the batch."""
    actions: list[JsonObject] = []
    for item in items:
        try:
            actions.append(read(item))
        except FormatError as error:
            actions.append(unreadable(error, item))
            break
    return tuple(actions)


def shown(action: JsonObject, contract: CoordinateContract) -> JsonObject:
    """Return an action in screenshot pixels as the model's own space shows it; what is no such action stays."""
    moved = dict(action)
    for x, y in (("x", "y"), ("x2", "y2")):
        if isinstance(moved.get(x), int) and isinstance(moved.get(y), int):
            moved[x], moved[y] = contract.to_model(moved[x], moved[y])
    if all(_is_point(point) for point in moved.get("via") or [None]):
        moved["via"] = [list(contract.to_model(*point)) for point in moved["via"]]
    if isinstance(moved.get("dy"), int):
        moved["dy"] = contract.distance_to_model(moved["dy"])
    return moved


def _is_point(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value)


def feedback(turn: Turn, contract: CoordinateContract) -> str:
    """Return a turn's feedback in the model's own space, with the reason behind each unreadable action."""
    messages = [str(action.get("message")) for action in turn.actions if action.get("name") == UNREADABLE]
    lines = []
    for line in turn.feedback.split("\n"):
        if f"unknown action '{UNREADABLE}'" in line and messages:
            lines.append(f"Invalid action: {messages.pop(0)}")
        else:
            lines.append(_in_space(line, contract) if line.endswith(": done") else line)
    return "\n".join(lines) or "(nothing was reported)"


_POINT = re.compile(r"\bx(2?)=(\d+), y\1=(\d+)")
_CORNER = re.compile(r"\[(\d+), (\d+)\]")
_DISTANCE = re.compile(r"\bdy=(-?\d+)")


def _in_space(line: str, contract: CoordinateContract) -> str:
    def point(found: re.Match[str]) -> str:
        x, y = contract.to_model(int(found[2]), int(found[3]))
        return f"x{found[1]}={x}, y{found[1]}={y}"

    def corner(found: re.Match[str]) -> str:
        return str(list(contract.to_model(int(found[1]), int(found[2]))))

    line = _POINT.sub(point, line)
    if line.startswith(("drag(", "swipe(")):
        line = _CORNER.sub(corner, line)
    return _DISTANCE.sub(lambda found: f"dy={contract.distance_to_model(int(found[1]))}", line)


def last_line_is_stop(text: str) -> bool:
    """Tell whether the model ends without a claim: the single word STOP on the last line."""
    lines = text.strip().split("\n")
    return lines[-1].strip().strip(".*`") == "STOP"
