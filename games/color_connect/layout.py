"""The layout of a Color Connect level: a grid with pairs of equal dots.

JSON: `{"rows": 5, "columns": 5, "blocked": [[2, 2]], "pairs": [{"color": "green", "a": [0, 3], "b": [2, 2]}],
"full_coverage": false}`. Sides are 1 to 40; there are 1 to 90 pairs, of any colours. Cells are [row, column]; `blocked`
may be left out; covering the board is never required, so `full_coverage` must be false if given. Other keys are
ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.colours import MOST_COLOURS, looks, read_colour
from games.contract import JsonObject, LevelError
from games.grid import Cell, side_of


@dataclass(frozen=True)
class Pair:
    """Two equal dots."""

    color: str
    a: Cell
    b: Cell

    def partner(self, dot: Cell) -> Cell:
        """Return the other dot."""
        return self.b if dot == self.a else self.a


@dataclass(frozen=True)
class Layout:
    """A grid with its pairs; a pair is known by its index."""

    rows: int
    columns: int
    pairs: tuple[Pair, ...]
    blocked: frozenset[Cell] = frozenset()

    @cached_property
    def dots(self) -> Mapping[Cell, int]:
        """Every dot's pair."""
        return {dot: k for k, pair in enumerate(self.pairs) for dot in (pair.a, pair.b)}

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in reading order."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """What each pair is drawn as (`games.colours`)."""
        found = looks(pair.color for pair in self.pairs)
        return tuple(found[pair.color] for pair in self.pairs)

    def holds(self, cell: Cell) -> bool:
        """Tell whether a cell lies in the grid."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout.

    Raises:
        LevelError: naming the field, what was found and what was wanted.
    """
    rows, columns = (side_of(data, name) for name in ("rows", "columns"))
    if data.get("full_coverage", False) is not False:
        raise LevelError(f"full_coverage: got {data['full_coverage']!r}, wanted false: it is no rule here")
    blocked, pairs = data.get("blocked", []), data.get("pairs")
    if not isinstance(blocked, list):
        raise LevelError(f"blocked: got {blocked!r:.80}, wanted a list of cells")
    if not isinstance(pairs, list) or not 1 <= len(pairs) <= MOST_COLOURS:
        raise LevelError(f"pairs: got {pairs!r:.80}, wanted a list of 1 to {MOST_COLOURS} pairs")
    layout = Layout(
        rows,
        columns,
        tuple(_pair(f"pairs[{k}]", item) for k, item in enumerate(pairs)),
        frozenset(_cell(f"blocked[{k}]", item) for k, item in enumerate(blocked)),
    )
    _check(layout)
    return layout


def layout_to_json(layout: Layout) -> JsonObject:
    """Return a layout in the form `parse_layout` reads."""
    return {
        "rows": layout.rows,
        "columns": layout.columns,
        "blocked": [list(cell) for cell in sorted(layout.blocked)],
        "pairs": [{"color": pair.color, "a": list(pair.a), "b": list(pair.b)} for pair in layout.pairs],
        "full_coverage": False,
    }


def _check(layout: Layout) -> None:
    taken: dict[Cell, str] = dict.fromkeys(layout.blocked, "blocked")
    for cell in layout.blocked:
        if not layout.holds(cell):
            raise LevelError(f"blocked: got {cell}, wanted cells inside {layout.rows} x {layout.columns}")
    for k, pair in enumerate(layout.pairs):
        for name, dot in (("a", pair.a), ("b", pair.b)):
            if not layout.holds(dot):
                raise LevelError(f"pairs[{k}].{name}: got {dot}, wanted a cell inside {layout.rows} x {layout.columns}")
            if dot in taken:
                raise LevelError(f"pairs[{k}].{name}: got {dot}, which is taken by {taken[dot]}")
            taken[dot] = f"pairs[{k}].{name}"
    colors = [pair.color for pair in layout.pairs]
    if twice := sorted({color for color in colors if colors.count(color) > 1}):
        raise LevelError(f"pairs: got {twice[0]} more than once, wanted different colours")


def _pair(where: str, item: Any) -> Pair:
    if not isinstance(item, dict):
        raise LevelError(f"{where}: got {item!r:.80}, wanted an object with color, a, b")
    return Pair(
        read_colour(f"{where}.color", item.get("color")),
        _cell(f"{where}.a", item.get("a")),
        _cell(f"{where}.b", item.get("b")),
    )


def _cell(where: str, item: Any) -> Cell:
    if not isinstance(item, list) or len(item) != 2 or not all(type(part) is int for part in item):
        raise LevelError(f"{where}: got {item!r:.80}, wanted [row, column]")
    return item[0], item[1]
