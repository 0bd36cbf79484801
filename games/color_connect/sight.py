"""Reads a Color Connect scene the way somebody looking at the picture does; knows no rules state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.color_connect.stage import tap_on
from games.contract import JsonObject, Option
from games.grid import DIRECTION, Cell, GridFrame


@dataclass(frozen=True)
class _Seen:
    grid: GridFrame
    dots: dict[Cell, int]
    covered: dict[Cell, int]
    """Cell to the pair of the path on it."""
    drawn: dict[int, list[Cell]]
    blocked: frozenset[Cell]
    active: int | None


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return the cells worth a click, in reading order: dots, cells in line with the active head, earlier cells.

    Reaching the partner looks best, then coming nearer to it, then a fresh dot; taking something back looks worst.
    """
    drawn = {path["pair"]: [_cell(cell) for cell in path["cells"]] for path in scene["paths"]}
    seen = _Seen(
        GridFrame.from_json(scene["frame"]),
        {_cell(dot["cell"]): dot["pair"] for dot in scene["dots"]},
        {cell: pair for pair, cells in drawn.items() for cell in cells},
        drawn,
        frozenset(_cell(cell) for cell in scene["blocked"]),
        scene["active"],
    )
    if seen.active is None and len(drawn) == len(set(seen.dots.values())):
        return ()
    found = dict(_dots(seen))
    if seen.active is not None:
        found.update(_active(seen, seen.active))
    return tuple(Option(list(cell), (tap_on(seen.grid, cell),), found[cell]) for cell in sorted(found))


def _cell(data: list[int]) -> Cell:
    return data[0], data[1]


def _dots(seen: _Seen) -> Iterator[tuple[Cell, float]]:
    """Dots of other pairs: a finished one would go, a fresh one would begin (and the active one be dropped)."""
    for dot, pair in seen.dots.items():
        if pair != seen.active:
            yield dot, 0.02 if pair in seen.drawn else 0.6 if seen.active is None else 0.1


def _active(seen: _Seen, pair: int) -> Iterator[tuple[Cell, float]]:
    path = seen.drawn[pair]
    yield from ((cell, 0.05) for cell in path[:-1])
    if len(path) == 1:
        yield path[0], 0.02
    partner = next(dot for dot, owner in seen.dots.items() if owner == pair and dot != path[0])
    for step in DIRECTION.values():
        yield from _line(seen, path[-1], step, partner)


def _line(seen: _Seen, head: Cell, step: Cell, partner: Cell) -> Iterator[tuple[Cell, float]]:
    """Free cells from the head in one direction, up to and with the partner."""
    room = seen.grid.rows + seen.grid.columns
    cell = (head[0] + step[0], head[1] + step[1])
    while 0 <= cell[0] < seen.grid.rows and 0 <= cell[1] < seen.grid.columns:
        if cell == partner:
            yield cell, 1.0
        if cell in seen.blocked or cell in seen.covered or cell in seen.dots:
            return
        nearer = _distance(head, partner) - _distance(cell, partner)
        yield cell, 0.5 + 0.4 * nearer / room
        cell = (cell[0] + step[0], cell[1] + step[1])


def _distance(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
