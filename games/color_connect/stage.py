"""Color Connect on the screen: the scene a player sees, and what a click comes to.

Nothing is held beside the state: the active path is part of the drawing, so it is part of the rules state.
"""

from __future__ import annotations

from games.color_connect.layout import Layout
from games.color_connect.rules import Move, State, click, is_finished, is_won
from games.contract import BOARD, Drag, Gesture, JsonObject, Note, Reaction, Table, Tap
from games.grid import Cell, GridFrame, fit

CELL_MS, SHORTEST_MS, LONGEST_MS, REFUSE_MS = 45, 130, 420, 320


def scene(table: Table) -> JsonObject:
    """Return frame, blocks, dots, paths (from dot to head) and the active pair: everything there is to see."""
    state: State = table.state
    layout = state.layout
    dots = [
        {"pair": k, "colour": layout.colours[k], "cell": list(dot)}
        for k, pair in enumerate(layout.pairs)
        for dot in (pair.a, pair.b)
    ]
    paths = [
        {
            "pair": k,
            "colour": layout.colours[k],
            "cells": [list(cell) for cell in path],
            "finished": is_finished(state, k),
        }
        for k, path in enumerate(state.paths)
        if path
    ]
    blocked = [list(cell) for cell in sorted(layout.blocked)]
    return {"frame": frame(layout).to_json(), "blocked": blocked, "dots": dots, "paths": paths, "active": state.active}


def frame(layout: Layout) -> GridFrame:
    """Return where the grid lies on the screen."""
    return fit(layout.rows, layout.columns)


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a click into a move, or say why it is refused."""
    state: State = table.state
    if is_won(state):
        return Reaction()
    if isinstance(gesture, Drag) and gesture.finished and BOARD.contains(gesture.x0, gesture.y0):
        return Reaction(note=Note("drag", tone="mistake"))
    if not isinstance(gesture, Tap) or not BOARD.contains(gesture.x, gesture.y):
        return Reaction()
    cell = frame(state.layout).cell_at(gesture.x, gesture.y)
    if cell is None:
        return Reaction(note=Note("outside", tone="mistake"))
    after = click(state, cell)
    if isinstance(after, State):
        return Reaction(move=cell, motion=_motion(state, after))
    refused = {"kind": "refuse", "cell": list(cell), "duration_ms": REFUSE_MS}
    return Reaction(note=Note(after, tone="mistake"), motion=refused)


def _motion(before: State, after: State) -> JsonObject:
    """Return how the one or two changed paths change: `gone` cells wither, cells from number `kept` on grow."""
    changes = []
    for k, (old, new) in enumerate(zip(before.paths, after.paths, strict=True)):
        if old != new:
            changes.append(_change(before.layout.colours[k], old, new))
    cells = max(len(change["gone"]) + len(change["grown"]) for change in changes)
    return {
        "kind": "draw",
        "changes": changes,
        "duration_ms": min(LONGEST_MS, max(SHORTEST_MS, CELL_MS * cells)),
    }


def _change(colour: str, old: tuple[Cell, ...], new: tuple[Cell, ...]) -> JsonObject:
    """Compare in drawing order; each list begins with the cell that stays, if any."""
    if old and new and old[0] != new[0]:
        new = new[::-1]
    common = min(len(old), len(new))
    first = max(0, common - 1)
    gone = [list(cell) for cell in old[first:]] if len(old) > len(new) else []
    grown = [list(cell) for cell in new[first:]] if len(new) > len(old) else []
    return {"colour": colour, "gone": gone, "grown": grown}


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the click on the middle of the cell."""
    return (tap_on(frame(table.state.layout), move),)


def tap_on(grid: GridFrame, cell: Cell) -> Tap:
    """Return the tap in the middle of a cell."""
    return Tap(*grid.centre(cell))
