"""The maze on the screen: what is known of it, what is carried, and three rows of buttons. Nothing is ever held."""

from __future__ import annotations

from games.agi_maze.layout import Edge
from games.agi_maze.place import BUTTONS, frame, tap_in
from games.agi_maze.rules import Move, State, grenades_left, has, is_open, is_over, is_won, legal_moves
from games.contract import BOARD, Drag, Gesture, JsonObject, KeyPress, Note, Reaction, Table, Tap
from games.grid import Cell

KEYS = {"ArrowUp": "up", "ArrowRight": "right", "ArrowDown": "down", "ArrowLeft": "left"}
STEP_MS = 160
CARRIED = ("key", "exit_key", "treasure", "boat", "flashlight")


def scene(table: Table) -> JsonObject:
    """Return what is known: cells and borders that were seen or felt, what is carried, the steps, the last events.

    `cells` has a line per row: `?` unknown, `.` floor, or a letter of `LETTERS`; `edges` lists what is known of inner
    borders as [row, column, side, wall or open].
    """
    state: State = table.state
    return {
        "frame": frame(state.layout.rows, state.layout.columns).to_json(),
        "cells": ["".join(_mark(state, (row, column)) for column in range(state.layout.columns))
                  for row in range(state.layout.rows)],
        "edges": [[*edge, "open" if is_open(state, (edge[0], edge[1]), edge[2]) else "wall"] for edge in _known(state)],
        "you": list(state.cell),
        "carried": [thing for thing in CARRIED if has(state, thing)],
        "grenades": grenades_left(state),
        "needs_exit_key": state.layout.exit_key is not None,
        "steps": state.steps,
        "max_steps": state.layout.hard_max_steps,
        "events": list(state.events),
        "out": is_won(state),
        "over": is_over(state) and not is_won(state),
    }  # fmt: skip


LETTERS = {
    "key": "k", "treasure": "t", "exit": "x", "exit_key": "e", "boat": "b", "grenade": "g", "flashlight": "f",
    "pit": "o", "mouth": "m", "river_up": "^", "river_right": ">", "river_down": "v", "river_left": "<",
}  # fmt: skip
"""Letter of what is in a cell, in `cells` of a scene."""


def _mark(state: State, cell: Cell) -> str:
    layout = state.layout
    if not layout.map_shown and cell not in state.seen:
        return "?"
    thing = None if cell in state.taken else layout.things.get(cell)
    return LETTERS.get(thing or layout.ground.get(cell, ""), ".")


def _known(state: State) -> list[Edge]:
    layout = state.layout
    if not layout.map_shown:
        return sorted(state.felt)
    right = [(row, column, "right") for row in range(layout.rows) for column in range(layout.columns - 1)]
    down = [(row, column, "down") for row in range(layout.rows - 1) for column in range(layout.columns)]
    return sorted([*right, *down])


def react(table: Table, gesture: Gesture) -> Reaction:
    """Turn a tap on a button or an arrow key into a move."""
    state: State = table.state
    if is_won(state):
        return Reaction()
    if isinstance(gesture, KeyPress):
        return _moved(state, KEYS[gesture.key]) if gesture.key in KEYS else Reaction()
    if isinstance(gesture, Drag):
        on_board = gesture.finished and BOARD.contains(gesture.x0, gesture.y0)
        return Reaction(note=Note("drag", tone="mistake")) if on_board else Reaction()
    if not BOARD.contains(gesture.x, gesture.y):
        return Reaction()
    move = next((name for name, place in BUTTONS.items() if place.contains(gesture.x, gesture.y)), None)
    return Reaction(note=Note("nothing", tone="mistake")) if move is None else _moved(state, move)


def _moved(state: State, move: Move) -> Reaction:
    if is_over(state):
        return Reaction(note=Note("over", tone="mistake"))
    if move not in legal_moves(state):
        return Reaction(note=Note("no_grenade" if move.startswith("bomb") else "no_flashlight", tone="mistake"))
    return Reaction(move=move, motion={"kind": "step", "from": list(state.cell), "duration_ms": STEP_MS})


def gestures(table: Table, move: Move) -> tuple[Gesture, ...]:
    """Return the tap on the button of a move."""
    del table
    return (Tap(*tap_in(BUTTONS[move])),)
