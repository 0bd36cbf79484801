"""What the frontier search needs to know of a drawing, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.color_connect.layout import Layout
from games.color_connect.rules import Path, State, is_finished
from games.grid import Cell

REMOVE_COST = 1
"""The click that removes a finished path."""
NEW_PATH_COST = 2
"""The click on a dot and the one that ends the path; each corner costs one more."""


@dataclass(frozen=True)
class Kept:
    """A cell of a finished path, which may stay as it is."""

    ways: frozenset[str]
    """Directions in which the path leaves this cell."""
    is_first: bool
    """The path's first cell in reading order: here it is decided whether it stays."""
    crossing_slot: int | None
    """A frontier slot with an edge of this path while this cell is read: tells what was decided. None at the first."""


@dataclass(frozen=True)
class Prefix:
    """A cell of the active path, which may stay up to here, up to a later cell, or go back before it."""

    pair: int
    back: str | None
    """Direction of the cell before; None at the dot."""
    onward: str | None
    """Direction of the cell after; None at the head."""


@dataclass(frozen=True)
class BoardCell:
    """One cell as the frontier search reads it."""

    column: int
    can_go_down: bool
    can_go_right: bool
    is_blocked: bool
    dot: int | None
    """The pair whose dot lies here."""
    kept: Kept | None
    prefix: Prefix | None


def board_cells(state: State) -> tuple[BoardCell, ...]:
    """Return the cells of a drawing in reading order."""
    layout = state.layout
    kept = {
        cell: found
        for k, path in enumerate(state.paths)
        if is_finished(state, k)
        for cell, found in _kept(layout, path)
    }
    prefix = dict(_prefix(state))
    return tuple(
        BoardCell(
            column,
            _is_open(layout, (row + 1, column)),
            _is_open(layout, (row, column + 1)),
            (row, column) in layout.blocked,
            layout.dots.get((row, column)),
            kept.get((row, column)),
            prefix.get((row, column)),
        )
        for row, column in layout.cells
    )


def _is_open(layout: Layout, cell: Cell) -> bool:
    return layout.holds(cell) and cell not in layout.blocked


def _kept(layout: Layout, path: Path) -> list[tuple[Cell, Kept]]:
    first = min(path)
    ways = {cell: frozenset(_ways(path, k)) for k, cell in enumerate(path)}
    return [(cell, Kept(ways[cell], cell == first, _crossing_slot(layout, path, cell))) for cell in path]


def _ways(path: Path, k: int) -> list[str]:
    return [direction(path[k], path[j]) for j in (k - 1, k + 1) if 0 <= j < len(path)]


def _crossing_slot(layout: Layout, path: Path, cell: Cell) -> int | None:
    """Return the slot of an edge of `path` between a cell already read and one not yet read, when `cell` comes up."""
    for one, other in pairwise(path):
        before, after = min(one, other), max(one, other)
        if before < cell <= after:
            return before[1] if before[1] == after[1] else layout.columns
    return None


def _prefix(state: State) -> list[tuple[Cell, Prefix]]:
    if state.active is None:
        return []
    path = state.paths[state.active]
    found = []
    for k, cell in enumerate(path):
        back = direction(cell, path[k - 1]) if k else None
        onward = direction(cell, path[k + 1]) if k + 1 < len(path) else None
        found.append((cell, Prefix(state.active, back, onward)))
    return found


def direction(start: Cell, end: Cell) -> str:
    """Return in which direction a neighbouring cell lies."""
    step = (end[0] - start[0], end[1] - start[1])
    return {(-1, 0): "up", (0, 1): "right", (1, 0): "down", (0, -1): "left"}[step]
