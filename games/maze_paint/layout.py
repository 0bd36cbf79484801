"""The layout of a Maze Paint level: walls, cells to paint, and where the ball starts.

JSON: `{"rows": ["##..", "S..."]}`, top row first; `#` wall, `.` cell to paint, `S` the ball's start, painted from the
beginning. Sides are 1 to 40. Other keys are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.contract import JsonObject, LevelError
from games.grid import LONGEST_SIDE, Cell

WALL, PLAIN, START = "#", ".", "S"


@dataclass(frozen=True)
class Layout:
    """A rectangular board as text rows of `#`, `.` and one `S`."""

    rows: tuple[str, ...]

    @cached_property
    def floor(self) -> frozenset[Cell]:
        """Every cell that is not a wall, the start included: what must be painted."""
        return frozenset((r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark != WALL)

    @cached_property
    def start(self) -> Cell:
        """The cell the ball starts in."""
        return next((r, row.index(START)) for r, row in enumerate(self.rows) if START in row)


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout.

    Raises:
        LevelError: naming the field, what was found and what was wanted.
    """
    rows = data.get("rows")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        raise LevelError(f"rows: got {rows!r:.80}, wanted a list of non-empty strings")
    if len({len(row) for row in rows}) != 1:
        raise LevelError(f"rows: got lengths {[len(row) for row in rows]}, wanted equal ones")
    if max(len(rows), len(rows[0])) > LONGEST_SIDE:
        raise LevelError(f"rows: got a board of {len(rows)} x {len(rows[0])}, wanted sides of at most {LONGEST_SIDE}")
    text = "".join(rows)
    if strange := sorted(set(text) - {WALL, PLAIN, START}):
        raise LevelError(f"rows: got {''.join(strange)!r}, wanted only '#', '.' and 'S'")
    if text.count(START) != 1:
        raise LevelError(f"rows: got {text.count(START)} start cells 'S', wanted exactly one")
    if PLAIN not in text:
        raise LevelError("rows: got no cell to paint, wanted at least one '.'")
    return Layout(tuple(rows))
