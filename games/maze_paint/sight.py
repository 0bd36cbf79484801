"""Reads a Maze Paint scene the way somebody looking at the picture does; knows no rules state."""

from __future__ import annotations

from games.contract import JsonObject, Option
from games.grid import DIRECTION
from games.maze_paint.stage import swipe


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return the swipes that would shift the ball; the more bare cells lie in the way, the more appealing."""
    cells: list[str] = scene["cells"]
    if not any("." in row for row in cells):
        return ()
    seen = ((name, _ahead(cells, scene["ball"], step)) for name, step in DIRECTION.items())
    longest = max(len(cells), len(cells[0])) - 1
    return tuple(Option(name, (swipe(name),), min(1.0, way.count(".") / longest)) for name, way in seen if way)


def _ahead(cells: list[str], ball: list[int], step: tuple[int, int]) -> str:
    """Return the marks from the ball to the wall in one direction."""
    row, column, way = ball[0] + step[0], ball[1] + step[1], ""
    while 0 <= row < len(cells) and 0 <= column < len(cells[0]) and cells[row][column] != "#":
        way += cells[row][column]
        row, column = row + step[0], column + step[1]
    return way
