"""The GUI action set (protocol 1.1): what an agent may do to the screen, and its schema check.

Coordinates are integer screenshot pixels inside the viewport. Nothing is clamped: a point outside is a schema
violation, fed back to the agent and counted. `parse_action` is the only way from an agent's JSON to an `Action`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

VIEWPORT_WIDTH_PX = 1280
VIEWPORT_HEIGHT_PX = 900
KEYS = (
    *"abcdefghijklmnopqrstuvwxyz",
    *("Enter", "Tab", "Escape", "Space", "Backspace", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
)
MAX_WAIT_S = 60.0
MAX_TEXT_CHARACTERS = 2_000
MAX_VIA_POINTS = 100

ActionName = Literal["click", "double_click", "long_press", "drag", "swipe", "scroll", "key", "type", "wait", "answer"]


class ActionError(ValueError):
    """An action violates the schema. The message is public: it is what the agent is told."""


@dataclass(frozen=True)
class Action:
    """One GUI action. Fields an action does not use are None; `parse_action` guarantees the ones it uses."""

    name: ActionName
    x: int | None = None
    y: int | None = None
    x2: int | None = None
    y2: int | None = None
    via: tuple[tuple[int, int], ...] | None = None
    """Corners between the ends of a drag, in order; None: a straight line."""
    dy: int | None = None
    """Scroll distance in pixels, positive downwards."""
    key: str | None = None
    text: str | None = None
    seconds: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the action with its unused fields left out."""
        used = {name: value for name, value in asdict(self).items() if value is not None}
        return {**used, "via": [list(point) for point in self.via]} if self.via is not None else used


FIELDS: Mapping[ActionName, tuple[str, ...]] = {
    "click": ("x", "y"),
    "double_click": ("x", "y"),
    "long_press": ("x", "y"),
    "drag": ("x", "y", "x2", "y2"),
    "swipe": ("x", "y", "x2", "y2"),
    "scroll": ("x", "y", "dy"),
    "key": ("key",),
    "type": ("text",),
    "wait": ("seconds",),
    "answer": ("text",),
}
"""The fields of each action, all required."""
OPTIONAL: Mapping[ActionName, tuple[str, ...]] = {"drag": ("via",), "swipe": ("via",)}
"""Fields an action may have beside them; no others are allowed. They are read, and offered to no one."""


def parse_action(data: object) -> Action:
    """Check one action against the schema. Raises ActionError naming the value found and the value wanted."""
    if not isinstance(data, Mapping):
        raise ActionError(f"an action is an object with a name, got {data!r:.200}")
    name = next((known for known in FIELDS if known == data.get("name")), None)
    if name is None:
        raise ActionError(f"unknown action {data.get('name')!r:.200}; wanted one of {', '.join(FIELDS)}")
    wanted = FIELDS[name]
    found = set(data) - {"name"}
    if found - set(OPTIONAL.get(name, ())) != set(wanted):
        raise ActionError(f"{name} takes {', '.join(wanted)}; got {', '.join(sorted(map(str, found))) or 'nothing'}")
    return Action(
        name, **{field: _CHECKS[field](name, field, value) for field, value in data.items() if field in found}
    )


def parse_batch(data: object) -> tuple[Action, ...]:
    """Check a batch: a non-empty list of actions, `answer` only as the last. Raises ActionError for the first fault."""
    if not isinstance(data, Sequence) or isinstance(data, str | bytes) or not data:
        raise ActionError(f"a batch is a non-empty list of actions, got {data!r:.200}")
    actions = tuple(parse_action(item) for item in data)
    if any(action.name == "answer" for action in actions[:-1]):
        raise ActionError("answer ends the attempt, so it can only be the last action of a batch")
    return actions


def _pixel(limit: int) -> Any:
    def check(name: str, field: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < limit:
            raise ActionError(f"{name}: {field} must be an integer pixel from 0 to {limit - 1}, got {value!r:.200}")
        return value

    return check


def _via(name: str, field: str, value: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_VIA_POINTS:
        raise ActionError(f"{name}: {field} must be a list of 1 to {MAX_VIA_POINTS} points [x, y], got {value!r:.200}")
    return tuple(_corner(name, field, point) for point in value)


def _corner(name: str, field: str, point: object) -> tuple[int, int]:
    if not isinstance(point, list | tuple) or len(point) != 2:
        raise ActionError(f"{name}: a point of {field} must be [x, y], got {point!r:.200}")
    return _CHECKS["x"](name, f"x of {field}", point[0]), _CHECKS["y"](name, f"y of {field}", point[1])


def _distance(name: str, field: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not -10_000 <= value <= 10_000:
        raise ActionError(f"{name}: {field} must be an integer from -10000 to 10000, got {value!r:.200}")
    return value


def _key(name: str, field: str, value: object) -> str:
    if value not in KEYS:
        raise ActionError(f"{name}: {field} must be a letter a-z or one of {', '.join(KEYS[26:])}, got {value!r:.200}")
    return str(value)


def _text(name: str, field: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_CHARACTERS:
        raise ActionError(
            f"{name}: {field} must be text of at most {MAX_TEXT_CHARACTERS} characters, got {value!r:.200}"
        )
    return value


def _seconds(name: str, field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_WAIT_S:
        raise ActionError(f"{name}: {field} must be a number from 0 to {MAX_WAIT_S:g}, got {value!r:.200}")
    return float(value)


_CHECKS: Mapping[str, Any] = {
    "x": _pixel(VIEWPORT_WIDTH_PX),
    "y": _pixel(VIEWPORT_HEIGHT_PX),
    "x2": _pixel(VIEWPORT_WIDTH_PX),
    "y2": _pixel(VIEWPORT_HEIGHT_PX),
    "via": _via,
    "dy": _distance,
    "key": _key,
    "text": _text,
    "seconds": _seconds,
}
