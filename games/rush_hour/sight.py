"""Rush Hour as somebody who looks at the picture sees it: vehicles, gaps, and which slide looks like progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.contract import JsonObject, Option
from games.rush_hour.stage import drag_of

Cell = tuple[int, int]


class Seen(NamedTuple):
    """A vehicle read off the scene: its cells and whether it is the one that must leave."""

    cells: frozenset[Cell]
    is_horizontal: bool
    is_target: bool


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return every slide that the picture shows room for, none when the target is out on the road."""
    grid = scene["grid"]
    vehicles = [_seen(drawn, grid) for drawn in scene["vehicles"]]
    target = next(vehicle for vehicle in vehicles if vehicle.is_target)
    right_edge = grid["x"] + grid["columns"] * grid["cell"]
    if any(drawn["x"] + drawn["width"] > right_edge for drawn in scene["vehicles"]):
        return ()
    bushes = {
        (round((y - grid["y"]) / grid["cell"]), round((x - grid["x"]) / grid["cell"])) for x, y in scene["bushes"]
    }
    taken = bushes.union(*(vehicle.cells for vehicle in vehicles))
    lane = _lane(target, grid["columns"])
    return tuple(
        Option(
            [number, offset], (drag_of(drawn, offset * grid["cell"]),), _appeal(vehicle, offset, lane, grid["columns"])
        )
        for number, (drawn, vehicle) in enumerate(zip(scene["vehicles"], vehicles, strict=True))
        for offset in _offsets(vehicle, taken, grid["rows"], grid["columns"])
    )


def _seen(drawn: JsonObject, grid: JsonObject) -> Seen:
    side = grid["cell"]
    row, column = round((drawn["y"] - grid["y"]) / side), round((drawn["x"] - grid["x"]) / side)
    rows, columns = round(drawn["height"] / side), round(drawn["width"] / side)
    cells = frozenset((row + r, column + c) for r in range(rows) for c in range(columns))
    return Seen(cells, drawn["axis"] == "h", bool(drawn["target"]))


def _offsets(vehicle: Seen, taken: set[Cell], rows: int, columns: int) -> list[int]:
    return sorted([*_run(vehicle, taken, rows, columns, -1), *_run(vehicle, taken, rows, columns, 1)])


def _run(vehicle: Seen, taken: set[Cell], rows: int, columns: int, sign: int) -> Iterator[int]:
    offset = sign
    while all(
        0 <= row < rows and 0 <= column < columns and ((row, column) in vehicle.cells or (row, column) not in taken)
        for row, column in _moved(vehicle, offset)
    ):
        yield offset
        offset += sign


def _moved(vehicle: Seen, offset: int) -> frozenset[Cell]:
    dr, dc = (0, offset) if vehicle.is_horizontal else (offset, 0)
    return frozenset((row + dr, column + dc) for row, column in vehicle.cells)


def _lane(target: Seen, columns: int) -> frozenset[Cell]:
    """Return the cells between the target and the exit."""
    row = min(target.cells)[0]
    front = max(column for _, column in target.cells) + 1
    return frozenset((row, column) for column in range(front, columns))


def _appeal(vehicle: Seen, offset: int, lane: frozenset[Cell], columns: int) -> float:
    """Return how much a slide looks like progress: target to the right, then vehicles out of its lane."""
    if vehicle.is_target:
        return 0.7 + 0.3 * offset / columns if offset > 0 else 0.1
    blocks, would_block = not lane.isdisjoint(vehicle.cells), not lane.isdisjoint(_moved(vehicle, offset))
    if blocks and not would_block:
        return 0.8
    return 0.05 if would_block else 0.3
