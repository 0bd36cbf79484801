"""Rush Hour layouts: a grid, vehicles on their axes, bushes that never move, and the exit on the right.

Cells are (row, column), zero-based from the top left. A layout never changes during play; a state adds one coordinate
per vehicle. The JSON form is the one of the published benchmark's level files, plus an optional reference path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.contract import JsonObject, LevelError
from games.grid import LONGEST_SIDE, side_of

Cell = tuple[int, int]
Axis = Literal["h", "v"]


class Slide(NamedTuple):
    """A move: vehicle number `vehicle` moves `offset` cells along its axis, right or down if positive. Never 0."""

    vehicle: int
    offset: int


@dataclass(frozen=True)
class Vehicle:
    """A vehicle at its start: (`row`, `column`) is its top left cell."""

    row: int
    column: int
    length: int
    axis: Axis

    @property
    def start(self) -> int:
        """The coordinate that changes: the column of a horizontal vehicle, the row of a vertical one."""
        return self.column if self.axis == "h" else self.row

    def cells(self, at: int) -> tuple[Cell, ...]:
        """Return the cells it covers with its first cell at coordinate `at` of its line."""
        if self.axis == "h":
            return tuple((self.row, at + k) for k in range(self.length))
        return tuple((at + k, self.column) for k in range(self.length))


@dataclass(frozen=True)
class Layout:
    """One level. `reference` is a winning path from the start, or empty if none is published with the level."""

    rows: int
    columns: int
    vehicles: tuple[Vehicle, ...]
    target: int
    """Number of the vehicle that must leave; its row is the row of the exit."""
    bushes: frozenset[Cell]
    reference: tuple[Slide, ...] = ()

    @property
    def goal(self) -> int:
        """The column at which the target touches the exit, which wins."""
        return self.columns - self.vehicles[self.target].length

    @property
    def exit_row(self) -> int:
        """Row of the opening in the right side."""
        return self.vehicles[self.target].row

    def line_cells(self, vehicle: int) -> int:
        """Return the number of cells of the line a vehicle moves on."""
        return self.columns if self.vehicles[vehicle].axis == "h" else self.rows


def parse_layout(data: JsonObject) -> Layout:
    """Read one layout. Whether its reference path wins is checked by `games.rush_hour.reference`.

    Args:
        data: `rows`, `columns` (1 to 40 each), `vehicles` (a list of `row`, `column`, `length` from 2, `axis`,
            `target`), `blockers` (a list of [row, column]); optionally `exit_row`, `exit_side` ("right"),
            `reference` (a list of [vehicle, offset]).

    Raises:
        LevelError: a field is missing, of the wrong kind, or describes an impossible board.
    """
    rows, columns = (side_of(data, side) for side in ("rows", "columns"))
    items = _list(data, "vehicles")
    vehicles = tuple(_vehicle(item, f"vehicles[{i}]", rows, columns) for i, item in enumerate(items))
    bushes = [_pair(item, f"blockers[{i}]") for i, item in enumerate(_list(data, "blockers"))]
    reference = tuple(
        Slide(*_pair(item, f"reference[{i}]"))
        for i, item in enumerate(_list(data, "reference") if "reference" in data else [])
    )
    layout = Layout(rows, columns, vehicles, _target(items), frozenset(bushes), reference)
    _check_cells(layout, bushes)
    _check_exit(layout, data)
    return layout


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """Invert `parse_layout`."""
    return {
        "rows": layout.rows,
        "columns": layout.columns,
        "exit_row": layout.exit_row,
        "exit_side": "right",
        "vehicles": [
            {"row": v.row, "column": v.column, "length": v.length, "axis": v.axis, "target": i == layout.target}
            for i, v in enumerate(layout.vehicles)
        ],
        "blockers": [list(cell) for cell in sorted(layout.bushes)],
        **({"reference": [list(slide) for slide in layout.reference]} if layout.reference else {}),
    }


def _check_cells(layout: Layout, bushes: list[Cell]) -> None:
    taken: dict[Cell, str] = {}
    things: list[tuple[str, tuple[Cell, ...]]] = [(f"blockers[{i}]", (cell,)) for i, cell in enumerate(bushes)]
    things += [(f"vehicles[{i}]", v.cells(v.start)) for i, v in enumerate(layout.vehicles)]
    for name, cells in things:
        for row, column in cells:
            if not (0 <= row < layout.rows and 0 <= column < layout.columns):
                raise LevelError(f"{name}: cell ({row}, {column}) is outside {layout.rows} x {layout.columns}")
            if (row, column) in taken:
                raise LevelError(f"{name}: cell ({row}, {column}) is taken by {taken[row, column]}")
            taken[row, column] = name


def _check_exit(layout: Layout, data: JsonObject) -> None:
    target = layout.vehicles[layout.target]
    if target.axis != "h":
        raise LevelError(f"vehicles[{layout.target}].axis: the target has 'v', wanted 'h'")
    if data.get("exit_side", "right") != "right":
        raise LevelError(f"exit_side: got {data['exit_side']!r}, wanted 'right'")
    if data.get("exit_row", target.row) != target.row:
        raise LevelError(f"exit_row: got {data['exit_row']!r}, wanted the target's row {target.row}")
    if target.column == layout.goal:
        raise LevelError(f"vehicles[{layout.target}].column: the target starts at the exit")


def _target(items: list[Any]) -> int:
    targets = [i for i, item in enumerate(items) if item.get("target")]
    if len(targets) != 1:
        raise LevelError(f"vehicles: {len(targets)} have target true, wanted exactly 1")
    return targets[0]


def _vehicle(item: Any, name: str, rows: int, columns: int) -> Vehicle:
    if not isinstance(item, Mapping):
        raise LevelError(f"{name}: got {item!r}, wanted an object")
    axis = item.get("axis")
    if axis not in ("h", "v"):
        raise LevelError(f"{name}.axis: got {axis!r}, wanted 'h' or 'v'")
    row = _whole(item, "row", range(rows), name)
    column = _whole(item, "column", range(columns), name)
    return Vehicle(row, column, _whole(item, "length", range(2, LONGEST_SIDE + 1), name), axis)


def _whole(data: JsonObject, key: str, allowed: range, within: str = "") -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        name = f"{within}.{key}" if within else key
        raise LevelError(f"{name}: got {value!r}, wanted a whole number from {min(allowed)} to {max(allowed)}")
    return value


def _pair(item: Any, name: str) -> tuple[int, int]:
    if not (isinstance(item, list | tuple) and len(item) == 2 and all(type(part) is int for part in item)):
        raise LevelError(f"{name}: got {item!r}, wanted two whole numbers")
    return item[0], item[1]


def _list(data: JsonObject, key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise LevelError(f"{key}: got {value!r}, wanted a list")
    return value
