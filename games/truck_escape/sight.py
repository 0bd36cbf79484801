"""Reads a Truck Escape scene the way somebody looking at the picture does; knows no rules state."""

from __future__ import annotations

from games.contract import JsonObject, Option
from games.grid import DIRECTION, Cell, GridFrame
from games.truck_escape.stage import tap_on


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return the vehicles with a free way out; one that stands nearer to its edge looks more inviting."""
    grid = GridFrame.from_json(scene["frame"])
    bodies = [_body(vehicle) for vehicle in scene["vehicles"]]
    taken = {cell for body in bodies for cell in body}
    found: list[Option] = []
    for vehicle, body in zip(scene["vehicles"], bodies, strict=True):
        way = _way(grid, body[-1], DIRECTION[vehicle["direction"]])
        if not taken & set(way):
            appeal = 1 - len(way) / max(grid.rows, grid.columns)
            found.append(Option(vehicle["tail"], (tap_on(grid, body),), appeal))
    return tuple(found)


def _body(vehicle: JsonObject) -> tuple[Cell, ...]:
    (row, column), (down, right) = vehicle["tail"], DIRECTION[vehicle["direction"]]
    return tuple((row + k * down, column + k * right) for k in range(vehicle["length"]))


def _way(grid: GridFrame, head: Cell, step: Cell) -> list[Cell]:
    way: list[Cell] = []
    row, column = head[0] + step[0], head[1] + step[1]
    while 0 <= row < grid.rows and 0 <= column < grid.columns:
        way.append((row, column))
        row, column = row + step[0], column + step[1]
    return way
