"""The layout of a Truck Escape level: a parking lot full of vehicles that can only drive straight ahead.

JSON: `{"rows": 6, "columns": 6, "trucks": [{"row": 2, "column": 2, "direction": "right"}]}`. Sides are 1 to 40. Row and
column name the cell of the tail; the vehicle faces `direction` and covers `length` cells (2 if not given). Other keys
are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.contract import JsonObject, LevelError
from games.grid import DIRECTION, LONGEST_SIDE, Cell, side_of

LENGTHS = (2, 3)
"""Of the vehicles of our own levels. A layout may have longer ones."""


@dataclass(frozen=True)
class Vehicle:
    """A vehicle at its place; no two have the same tail, so the tail cell is its name."""

    tail: Cell
    direction: str
    length: int = 2

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it covers, tail first."""
        return tuple(self.cell_ahead(k) for k in range(self.length))

    def cell_ahead(self, k: int) -> Cell:
        """Return the cell `k` cells in front of the tail, inside the lot or not."""
        down, right = DIRECTION[self.direction]
        return self.tail[0] + k * down, self.tail[1] + k * right


@dataclass(frozen=True)
class Layout:
    """A lot of `rows` x `columns` cells with its vehicles, all edges open."""

    rows: int
    columns: int
    vehicles: tuple[Vehicle, ...]

    @cached_property
    def by_tail(self) -> Mapping[Cell, Vehicle]:
        """Every vehicle under its tail cell."""
        return {vehicle.tail: vehicle for vehicle in self.vehicles}

    @cached_property
    def lanes(self) -> Mapping[Cell, tuple[Cell, ...]]:
        """Per tail cell, the names of the vehicles standing in that vehicle's way at the start, nearest first."""
        owner = {cell: vehicle.tail for vehicle in self.vehicles for cell in vehicle.cells}
        return {
            vehicle.tail: tuple(dict.fromkeys(owner[cell] for cell in self.way_out(vehicle) if cell in owner))
            for vehicle in self.vehicles
        }

    def way_out(self, vehicle: Vehicle) -> tuple[Cell, ...]:
        """Return the cells from the vehicle's head to the edge of the lot, its own not included."""
        way: list[Cell] = []
        while self.holds(cell := vehicle.cell_ahead(vehicle.length + len(way))):
            way.append(cell)
        return tuple(way)

    def holds(self, cell: Cell) -> bool:
        """Tell whether a cell lies in the lot."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout.

    Raises:
        LevelError: naming the field, what was found and what was wanted.
    """
    rows, columns = (side_of(data, name) for name in ("rows", "columns"))
    trucks = data.get("trucks")
    if not isinstance(trucks, list) or not trucks:
        raise LevelError(f"trucks: got {trucks!r:.80}, wanted a non-empty list")
    layout = Layout(rows, columns, tuple(_vehicle(f"trucks[{k}]", item) for k, item in enumerate(trucks)))
    taken: dict[Cell, int] = {}
    for k, vehicle in enumerate(layout.vehicles):
        for cell in vehicle.cells:
            if not layout.holds(cell):
                raise LevelError(f"trucks[{k}]: covers {cell}, wanted cells inside {rows} x {columns}")
            if cell in taken:
                raise LevelError(f"trucks[{k}]: covers {cell}, where trucks[{taken[cell]}] stands")
            taken[cell] = k
    return layout


def layout_to_json(layout: Layout) -> JsonObject:
    """Return a layout in the form `parse_layout` reads."""
    trucks = [
        {"row": v.tail[0], "column": v.tail[1], "direction": v.direction, "length": v.length} for v in layout.vehicles
    ]
    return {"rows": layout.rows, "columns": layout.columns, "trucks": trucks}


def _vehicle(where: str, item: Any) -> Vehicle:
    if not isinstance(item, dict):
        raise LevelError(f"{where}: got {item!r:.80}, wanted an object with row, column, direction")
    for name in ("row", "column"):
        if type(item.get(name)) is not int:
            raise LevelError(f"{where}.{name}: got {item.get(name)!r}, wanted an integer")
    if not isinstance(item.get("direction"), str) or item["direction"] not in DIRECTION:
        raise LevelError(f"{where}.direction: got {item.get('direction')!r}, wanted one of {', '.join(DIRECTION)}")
    length = item.get("length", 2)
    if type(length) is not int or not 2 <= length <= LONGEST_SIDE:
        raise LevelError(f"{where}.length: got {length!r}, wanted an integer from 2 to {LONGEST_SIDE}")
    return Vehicle((item["row"], item["column"]), item["direction"], length)
