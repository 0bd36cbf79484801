"""Actions of a grid environment: RESET, ACTION1 to ACTION5 and ACTION7 without, ACTION6 with a cell.

ACTION1 to ACTION4 are up, down, left, right; ACTION6 is a click; ACTION7 is undo. Source: the public interface of
ARC-AGI-3.
"""

from __future__ import annotations

from typing import NamedTuple

from games.contract import JsonObject
from games.grid.frame import SIDE

RESET, UP, DOWN, LEFT, RIGHT, SPECIAL, CLICK, UNDO = range(8)
NAMES = ("RESET", *(f"ACTION{number}" for number in range(1, 8)))
DIRECTION_OF = {UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right"}
"""Direction's name by action number."""
TOWARDS = {name: number for number, name in DIRECTION_OF.items()}
"""Action number by direction's name."""


class ActionError(ValueError):
    """An action is malformed or not available; one line that names the value found and the value wanted."""


class GridAction(NamedTuple):
    """One action; `x` (column) and `y` (row) belong to ACTION6 alone and are 0 elsewhere."""

    number: int
    """0 is RESET, 1 to 7 are ACTION1 to ACTION7."""
    x: int = 0
    y: int = 0

    @property
    def name(self) -> str:
        """RESET or ACTION1 to ACTION7."""
        return NAMES[self.number]

    def __str__(self) -> str:
        return f"{self.name} {self.x} {self.y}" if self.number == CLICK else self.name

    def to_json(self) -> JsonObject:
        """Return `{"action": "ACTION1"}`, or `{"action": "ACTION6", "x": 3, "y": 5}`."""
        return {"action": self.name, "x": self.x, "y": self.y} if self.number == CLICK else {"action": self.name}


def action_from_json(data: object) -> GridAction:
    """Invert `GridAction.to_json`. Raises ActionError on anything else; a click outside the grid is never clamped."""
    if not isinstance(data, dict) or data.get("action") not in NAMES:
        found = data.get("action") if isinstance(data, dict) else data
        raise ActionError(f"action: got {found!r:.80}, wanted one of {', '.join(NAMES)}")
    number = NAMES.index(data["action"])
    wanted = {"action", "x", "y"} if number == CLICK else {"action"}
    if strange := sorted(map(str, data.keys() - wanted)):
        raise ActionError(f"{data['action']}: got the field {strange[0]!r}, wanted {', '.join(sorted(wanted))}")
    return click(data.get("x"), data.get("y")) if number == CLICK else GridAction(number)


def action_from_text(text: str) -> GridAction:
    """Read `str(action)`: a name, and for ACTION6 column and row. Raises ActionError."""
    name, *rest = text.split()[:4] or [""]
    if name == NAMES[CLICK] and len(rest) == 2 and all(part.isdecimal() for part in rest):
        return click(int(rest[0]), int(rest[1]))
    if name not in NAMES or name == NAMES[CLICK] or rest:
        raise ActionError(f"action {text!r:.80}: wanted RESET, ACTION1 to ACTION5, ACTION7, or ACTION6 with x and y")
    return GridAction(NAMES.index(name))


def click(x: object, y: object) -> GridAction:
    """Return ACTION6 at a cell. Raises ActionError unless both are integers from 0 to 63."""
    for name, value in (("x", x), ("y", y)):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < SIDE:
            raise ActionError(f"ACTION6: {name}: got {value!r:.40}, wanted an integer from 0 to 63")
    return GridAction(CLICK, x, y)  # type: ignore[arg-type]  # both are checked above
