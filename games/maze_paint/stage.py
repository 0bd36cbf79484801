"""Maze Paint on the screen: the scene a player sees, and what a swipe or a key comes to.

Nothing is ever held: a swipe is one gesture. A drag counts wherever on the board it begins; its longer component names
the direction. While the button is down nothing changes.
"""

from __future__ import annotations

from games.contract import BOARD, Drag, Gesture, JsonObject, KeyPress, Note, Reaction, Table, Tap
from games.grid import DIRECTION, Cell, GridFrame, fit
from games.maze_paint.layout import WALL, Layout
from games.maze_paint.rules import Move, State, is_won, slide

KEYS = {"ArrowUp": "up", "ArrowRight": "right", "ArrowDown": "down", "ArrowLeft": "left"}
SWIPE_PX = 160
CELL_MS, SHORTEST_MS, LONGEST_MS, BUMP_MS = 45, 140, 420, 200


def scene(table: Table) -> JsonObject:
    """Return frame, cells (`#` wall, `.` bare, `x` painted) and the ball's cell: everything there is to see."""
    state: State = table.state
    return {"frame": frame(state.layout).to_json(), "cells": list(_cells(state)), "ball": list(state.ball)}


def frame(layout: Layout) -> GridFrame:
    """Return where the board lies on the screen."""
    return fit(len(layout.rows), len(layout.rows[0]))


def _cells(state: State) -> tuple[str, ...]:
    return tuple(
        "".join(WALL if mark == WALL else "x" if (r, c) in state.painted else "." for c, mark in enumerate(row))
        for r, row in enumerate(state.layout.rows)
    )


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a swipe or an arrow key into a move, or say why nothing moved."""
    state: State = table.state
    if is_won(state) or (
        isinstance(gesture, Drag) and not (gesture.finished and BOARD.contains(gesture.x0, gesture.y0))
    ):
        return Reaction()
    if isinstance(gesture, Tap):
        return Reaction(note=Note("tap", tone="mistake")) if BOARD.contains(gesture.x, gesture.y) else Reaction()
    if isinstance(gesture, KeyPress):
        return _swipe(state, KEYS[gesture.key]) if gesture.key in KEYS else Reaction()
    direction = swipe_direction(gesture)
    if direction is None:
        came_back = (gesture.x0, gesture.y0) == (gesture.x1, gesture.y1)
        return Reaction(note=Note("tap" if came_back else "diagonal", tone="mistake"))
    return _swipe(state, direction)


def swipe_direction(drag: Drag) -> Move | None:
    """Return the direction of a drag's longer component, None if both are equally long."""
    right, down = drag.x1 - drag.x0, drag.y1 - drag.y0
    if abs(right) == abs(down):
        return None
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"


def _swipe(state: State, move: Move) -> Reaction:
    path = slide(state.layout, state.ball, move)
    if not path:
        motion = {"kind": "bump", "direction": list(DIRECTION[move]), "duration_ms": BUMP_MS}
        return Reaction(note=Note("blocked", tone="mistake"), motion=motion)
    return Reaction(move=move, motion=_slide_motion(state, path))


def _slide_motion(state: State, path: tuple[Cell, ...]) -> JsonObject:
    duration = min(LONGEST_MS, max(SHORTEST_MS, CELL_MS * len(path)))
    fresh = [list(cell) for cell in path if cell not in state.painted]
    return {"kind": "slide", "from": list(state.ball), "fresh": fresh, "duration_ms": duration}


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the drag from the middle of the board that makes `move`."""
    return (swipe(move),)


def swipe(move: Move) -> Drag:
    """Return a swipe in a direction, from the middle of the board area."""
    x, y = BOARD.x + BOARD.width / 2, BOARD.y + BOARD.height / 2
    down, right = DIRECTION[move]
    return Drag(x, y, x + right * SWIPE_PX, y + down * SWIPE_PX)
