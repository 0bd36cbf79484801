"""A grid of square cells laid into the board area, for the games that are played on one.

Cells are (row, column), zero-based from the top left; lengths are viewport pixels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.contract import BOARD, JsonObject, LevelError

Cell = tuple[int, int]

DIRECTION: dict[str, Cell] = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
"""Direction to its step (rows, columns), in the fixed order used everywhere."""


LONGEST_SIDE = 40
"""Rows or columns of a board: with more, the tiles of Truck Escape, which has a street around, would be under 16 px."""


@dataclass(frozen=True)
class GridFrame:
    """Where a grid lies on the screen. All lengths are whole pixels, so edges stay sharp."""

    x: int
    y: int
    tile_px: int
    rows: int
    columns: int

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the middle of a cell as (x, y); cells outside the grid have one too."""
        return self.x + (cell[1] + 0.5) * self.tile_px, self.y + (cell[0] + 0.5) * self.tile_px

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell that (x, y) lies in (left and top edge included), None outside the grid."""
        row, column = int((y - self.y) // self.tile_px), int((x - self.x) // self.tile_px)
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def to_json(self) -> JsonObject:
        """Return the frame as it stands in a scene."""
        return {"x": self.x, "y": self.y, "tile": self.tile_px, "rows": self.rows, "columns": self.columns}

    @classmethod
    def from_json(cls, data: JsonObject) -> GridFrame:
        """Read a frame out of a scene."""
        return cls(data["x"], data["y"], data["tile"], data["rows"], data["columns"])


def fit(rows: int, columns: int, *, margin_px: int = 24, largest_tile_px: int = 104) -> GridFrame:
    """Return the frame of the largest tiles that leave `margin_px` free inside the board area, centred."""
    room_x, room_y = int(BOARD.width) - 2 * margin_px, int(BOARD.height) - 2 * margin_px
    tile = min(room_x // columns, room_y // rows, largest_tile_px)
    x = int(BOARD.x) + (int(BOARD.width) - tile * columns) // 2
    y = int(BOARD.y) + (int(BOARD.height) - tile * rows) // 2
    return GridFrame(x, y, tile, rows, columns)


def side_of(data: JsonObject, name: str, *, longest: int = LONGEST_SIDE) -> int:
    """Return the number of rows or columns that a layout states. Raises LevelError."""
    value = data.get(name)
    if type(value) is not int or not 1 <= value <= longest:
        raise LevelError(f"{name}: got {value!r}, wanted an integer from 1 to {longest}")
    return value


def symmetric_images(
    cells: Iterable[tuple[Cell, str]], rows: int, columns: int
) -> tuple[frozenset[tuple[Cell, str]], ...]:
    """Return the eight images of marked cells under the rotations and reflections of a rectangle.

    Args:
        cells: (cell, mark) pairs; a mark that names a direction turns with the board.
        rows: height of the grid in cells.
        columns: width of the grid in cells.

    Returns:
        Eight sets, duplicates included; two grids are equal up to symmetry iff one's is among the other's images.
    """
    marked = tuple(cells)
    return tuple(
        frozenset((_image(cell, rows, columns, turn), _image_mark(mark, turn)) for cell, mark in marked)
        for turn in range(8)
    )


def _image(cell: Cell, rows: int, columns: int, turn: int) -> Cell:
    row, column = cell
    if turn & 1:
        row = rows - 1 - row
    if turn & 2:
        column = columns - 1 - column
    return (column, row) if turn & 4 else (row, column)


def _image_mark(mark: str, turn: int) -> str:
    if mark not in DIRECTION:
        return mark
    row, column = DIRECTION[mark]
    step = (-row if turn & 1 else row, -column if turn & 2 else column)
    step = (step[1], step[0]) if turn & 4 else step
    return next(name for name, value in DIRECTION.items() if value == step)
