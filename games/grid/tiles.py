"""Boards of square tiles laid into a frame: a `GridFrame` as on the screen, with the frame's cells as pixels."""

from __future__ import annotations

from games.contract import LevelError
from games.grid.actions import GridAction, click
from games.grid.cells import Cell, GridFrame
from games.grid.frame import BOARD_ROWS, SIDE, Frame


def fitted(rows: int, columns: int, *, margin: int = 0, smallest: int = 2) -> GridFrame:
    """Return the largest tiles with which a board fits above the last row, `margin` cells free around it, centred.

    Raises:
        LevelError: the tiles would be smaller than `smallest` cells.
    """
    tile = min((BOARD_ROWS - 2 * margin) // rows, (SIDE - 2 * margin) // columns)
    if tile < smallest:
        raise LevelError(f"a board of {rows} x {columns} has tiles of {tile} cells in a frame, wanted {smallest}")
    return GridFrame((SIDE - tile * columns) // 2, (BOARD_ROWS - tile * rows) // 2, tile, rows, columns)


def fill(frame: Frame, tiles: GridFrame, cell: Cell, colour: int, *, inset: int = 0) -> None:
    """Paint a tile, leaving `inset` cells on each side."""
    top, left = tiles.y + cell[0] * tiles.tile_px, tiles.x + cell[1] * tiles.tile_px
    low, high = inset, tiles.tile_px - inset
    frame[top + low : top + high, left + low : left + high] = colour


def fill_cells(frame: Frame, tiles: GridFrame, cells: tuple[Cell, ...], colour: int, *, inset: int = 0) -> None:
    """Paint the rectangle that a straight row of tiles covers, leaving `inset` cells around it."""
    rows, columns = [cell[0] for cell in cells], [cell[1] for cell in cells]
    top, left = tiles.y + min(rows) * tiles.tile_px, tiles.x + min(columns) * tiles.tile_px
    bottom, right = tiles.y + (max(rows) + 1) * tiles.tile_px, tiles.x + (max(columns) + 1) * tiles.tile_px
    frame[top + inset : bottom - inset, left + inset : right - inset] = colour


def click_on(tiles: GridFrame, cell: Cell) -> GridAction:
    """Return the click on the middle of a tile."""
    x, y = tiles.centre(cell)
    return click(int(x), int(y))
