"""The layout of a maze: cells with walls between them, what lies in the cells, a river, pits, and the steps allowed.

JSON, cells as [row, column]; "1" is a wall, to the right of a cell or below it, and the border has one all round:

    {"rows": 3, "columns": 4, "right_walls": ["010", "000", "100"], "down_walls": ["0100", "0010"],
     "start": [0, 0], "key": [2, 3], "treasure": [0, 3], "exit": [2, 0], "exit_key": null,
     "river": [[1, 1], [1, 2]], "pits": [[0, 1], [2, 2]], "boat": null, "grenades": [], "flashlight": null,
     "grenades_carried": 0, "map_shown": false, "soft_good_steps": 24}

A river is listed downstream, its last cell is the mouth. Pits are listed in the order of their cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.contract import JsonObject, LevelError
from games.grid import DIRECTION, Cell, side_of

LONGEST_SIDE = 9
"""Rows and columns that fit into a frame of 64 x 64 with tiles of three for cells and for the walls between them."""
MOST_GRENADES = 4
MOST_STEPS = 400
"""Twice this many must stay below the 12 binary digits in which a frame shows the steps taken."""
FIELDS = (
    "rows", "columns", "right_walls", "down_walls", "start", "key", "treasure", "exit", "exit_key", "river", "pits",
    "boat", "grenades", "flashlight", "grenades_carried", "map_shown", "soft_good_steps",
)  # fmt: skip
Edge = tuple[int, int, str]
"""The border between a cell and the one to its right or below it: (row, column, "right" or "down")."""


@dataclass(frozen=True)
class Layout:
    """A maze. Things lie in cells of their own; none lies in the river, in a pit or at the start."""

    rows: int
    columns: int
    walls: frozenset[Edge]
    start: Cell
    key: Cell
    treasure: Cell
    exit: Cell
    exit_key: Cell | None
    river: tuple[Cell, ...]
    pits: tuple[Cell, ...]
    boat: Cell | None
    grenades: tuple[Cell, ...]
    flashlight: Cell | None
    grenades_carried: int
    """Grenades that the player begins with."""
    map_shown: bool
    soft_good_steps: int
    """What counts as a good result, in steps."""

    @property
    def hard_max_steps(self) -> int:
        """Steps after which the attempt is over: twice the good ones, as in AGI Maze's public calibration."""
        return 2 * self.soft_good_steps

    @cached_property
    def things(self) -> Mapping[Cell, str]:
        """What lies where at the start, the treasure and the exit among it."""
        named = {"key": self.key, "treasure": self.treasure, "exit": self.exit, "exit_key": self.exit_key,
                 "boat": self.boat, "flashlight": self.flashlight}  # fmt: skip
        found = {cell: name for name, cell in named.items() if cell is not None}
        return {**found, **dict.fromkeys(self.grenades, "grenade")}

    @cached_property
    def ground(self) -> Mapping[Cell, str]:
        """River cells (`river_up` and so on; the last is `mouth`) and pits; other cells are plain floor."""
        flows = {
            here: f"river_{_towards(here, there)}" for here, there in zip(self.river, self.river[1:], strict=False)
        }
        mouth = {self.river[-1]: "mouth"} if self.river else {}
        return {**flows, **mouth, **dict.fromkeys(self.pits, "pit")}

    def holds(self, cell: Cell) -> bool:
        """Tell whether a cell lies inside the border."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns


def neighbour(cell: Cell, side: str) -> Cell:
    """Return the cell on that side, inside the maze or not."""
    return cell[0] + DIRECTION[side][0], cell[1] + DIRECTION[side][1]


def edge_of(cell: Cell, side: str) -> Edge:
    """Return the edge on a side of a cell; the two cells that share it give the same one."""
    if side in ("left", "up"):
        row, column = neighbour(cell, side)
        return row, column, "right" if side == "left" else "down"
    return cell[0], cell[1], side


def _towards(here: Cell, there: Cell) -> str:
    return next(side for side in DIRECTION if neighbour(here, side) == there)


def parse_layout(data: JsonObject) -> Layout:
    """Read a layout.

    Raises:
        LevelError: naming the field, what was found and what was wanted.
    """
    for name in data:
        if name not in FIELDS:
            raise LevelError(f"{name}: unknown field, wanted {', '.join(FIELDS)}")
    rows, columns = (side_of(data, name, longest=LONGEST_SIDE) for name in ("rows", "columns"))
    read = _Reader(data, rows, columns)
    layout = Layout(
        rows=rows,
        columns=columns,
        walls=read.walls("right_walls", "right", rows, columns - 1)
        | read.walls("down_walls", "down", rows - 1, columns),
        start=read.cell("start"),
        key=read.cell("key"),
        treasure=read.cell("treasure"),
        exit=read.cell("exit"),
        exit_key=read.maybe("exit_key"),
        river=read.cells("river"),
        pits=read.cells("pits"),
        boat=read.maybe("boat"),
        grenades=read.cells("grenades"),
        flashlight=read.maybe("flashlight"),
        grenades_carried=read.number("grenades_carried", 0, MOST_GRENADES),
        map_shown=read.yes_no("map_shown"),
        soft_good_steps=read.number("soft_good_steps", 1, MOST_STEPS),
    )
    _check(layout)
    return layout


def layout_to_json(layout: Layout) -> JsonObject:
    """Return a layout in the form that `parse_layout` reads."""

    def lines(side: str, rows: int, columns: int) -> list[str]:
        return ["".join("01"[(row, column, side) in layout.walls] for column in range(columns)) for row in range(rows)]

    def place(cell: Cell | None) -> list[int] | None:
        return None if cell is None else list(cell)

    return {
        "rows": layout.rows,
        "columns": layout.columns,
        "right_walls": lines("right", layout.rows, layout.columns - 1),
        "down_walls": lines("down", layout.rows - 1, layout.columns),
        **{name: place(getattr(layout, name)) for name in ("start", "key", "treasure", "exit", "exit_key")},
        "river": [list(cell) for cell in layout.river],
        "pits": [list(cell) for cell in layout.pits],
        "boat": place(layout.boat),
        "grenades": [list(cell) for cell in layout.grenades],
        "flashlight": place(layout.flashlight),
        "grenades_carried": layout.grenades_carried,
        "map_shown": layout.map_shown,
        "soft_good_steps": layout.soft_good_steps,
    }


@dataclass(frozen=True)
class _Reader:
    """Reads the fields of one layout; every fault is a LevelError."""

    data: JsonObject
    rows: int
    columns: int

    def cell(self, name: str) -> Cell:
        return self._cell(name, self.data.get(name))

    def maybe(self, name: str) -> Cell | None:
        return None if self.data.get(name) is None else self.cell(name)

    def cells(self, name: str) -> tuple[Cell, ...]:
        found = self.data.get(name, [])
        if not isinstance(found, list):
            raise LevelError(f"{name}: got {found!r:.80}, wanted a list of cells [row, column]")
        return tuple(self._cell(f"{name}[{place}]", one) for place, one in enumerate(found))

    def walls(self, name: str, side: str, rows: int, columns: int) -> frozenset[Edge]:
        found = self.data.get(name)
        lines = found if isinstance(found, list) else []
        fits = [isinstance(line, str) and len(line) == columns and set(line) <= {"0", "1"} for line in lines]
        if len(fits) != rows or not all(fits):
            raise LevelError(f"{name}: got {found!r:.80}, wanted {rows} lines of {columns} digits 0 or 1")
        return frozenset(
            (row, column, side) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark == "1"
        )

    def yes_no(self, name: str) -> bool:
        found = self.data.get(name, False)
        if not isinstance(found, bool):
            raise LevelError(f"{name}: got {found!r:.80}, wanted true or false")
        return found

    def number(self, name: str, least: int, most: int) -> int:
        found = self.data.get(name, 0)
        if type(found) is not int or not least <= found <= most:
            raise LevelError(f"{name}: got {found!r:.80}, wanted an integer from {least} to {most}")
        return found

    def _cell(self, where: str, value: Any) -> Cell:
        if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int for part in value):
            raise LevelError(f"{where}: got {value!r:.80}, wanted a cell [row, column]")
        if not (0 <= value[0] < self.rows and 0 <= value[1] < self.columns):
            raise LevelError(f"{where}: got {value}, wanted a cell inside {self.rows} x {self.columns}")
        return value[0], value[1]


def _check(layout: Layout) -> None:
    """What one field alone cannot show: cells used twice, a river that does not run, a single pit."""
    used = [layout.start, layout.key, layout.treasure, layout.exit, *layout.river, *layout.pits, *layout.grenades]
    used += [cell for cell in (layout.exit_key, layout.boat, layout.flashlight) if cell is not None]
    for cell in used:
        if used.count(cell) > 1:
            raise LevelError(f"cell {list(cell)}: got two things in it, wanted one")
    n_grenades = layout.grenades_carried + len(layout.grenades)
    if n_grenades > MOST_GRENADES:
        raise LevelError(f"grenades: got {n_grenades}, carried and lying, wanted at most {MOST_GRENADES}")
    if len(layout.pits) == 1:
        raise LevelError("pits: got one pit, wanted none or at least two: a pit leads to the next of its cycle")
    if len(layout.river) == 1:
        raise LevelError("river: got one cell, wanted none or at least two: it has to run")
    for here, there in zip(layout.river, layout.river[1:], strict=False):
        sides = [side for side in DIRECTION if neighbour(here, side) == there]
        if not sides or edge_of(here, sides[0]) in layout.walls:
            raise LevelError(f"river: got {list(here)} before {list(there)}, wanted neighbours without a wall between")
