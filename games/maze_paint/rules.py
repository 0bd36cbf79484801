"""Maze Paint rules: a swipe slides the ball to the wall and paints every cell it crosses.

Pure functions over an immutable state. A move is a direction's name. Progress: first source document, appendix A.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.contract import IllegalMove, JsonObject, JsonValue
from games.grid import DIRECTION, Cell
from games.maze_paint.layout import Layout

Move = str


@dataclass(frozen=True)
class State:
    """A settled board: the ball rests, `painted` holds every cell it has crossed."""

    layout: Layout
    ball: Cell
    painted: frozenset[Cell]


def initial_state(layout: Layout) -> State:
    """Return the state a level starts in: only the ball's own cell is painted."""
    return State(layout, layout.start, frozenset({layout.start}))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the directions that shift the ball, in the order of DIRECTION; none once won."""
    if is_won(state):
        return ()
    return tuple(move for move in DIRECTION if slide(state.layout, state.ball, move))


def step(state: State, move: Move) -> State:
    """Return the state after a swipe.

    Raises:
        IllegalMove: the ball cannot shift that way, or the level is already won.
    """
    if is_won(state):
        raise IllegalMove(f"{move}: the level is already won")
    path = slide(state.layout, state.ball, move) if move in DIRECTION else ()
    if not path:
        raise IllegalMove(f"{move!r} from {state.ball}: not a direction, or a wall is in the way")
    return replace(state, ball=path[-1], painted=state.painted | set(path))


def slide(layout: Layout, ball: Cell, move: Move) -> tuple[Cell, ...]:
    """Return the cells the ball crosses, the last is where it stops; empty if it cannot shift."""
    down, right = DIRECTION[move]
    path: list[Cell] = []
    cell = (ball[0] + down, ball[1] + right)
    while cell in layout.floor:
        path.append(cell)
        cell = (cell[0] + down, cell[1] + right)
    return tuple(path)


def is_won(state: State) -> bool:
    """Tell whether every cell is painted."""
    return len(state.painted) == len(state.layout.floor)


def potential(state: State) -> float:
    """Return (painted - 1) / (paintable - 1): the start cell, painted from the beginning, does not count."""
    return (len(state.painted) - 1) / (len(state.layout.floor) - 1)


def state_to_json(state: State) -> JsonObject:
    """Return the ball's cell and the painted cells as text rows (`x` painted, `.` not)."""
    return {"ball": list(state.ball), "painted": list(painted_rows(state))}


def painted_rows(state: State) -> tuple[str, ...]:
    """Return the board as text: `x` painted, `.` anything else."""
    return tuple(
        "".join("x" if (r, c) in state.painted else "." for c in range(len(row)))
        for r, row in enumerate(state.layout.rows)
    )


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`.

    Raises:
        ValueError: wrong form, or a ball or paint where none can be.
    """
    if set(data) != {"ball", "painted"} or not _is_cell(data["ball"]) or not _fits(layout, data["painted"]):
        raise ValueError(f"state {data!r}: wanted ball [row, column] and painted rows of the board's size")
    ball, rows = (data["ball"][0], data["ball"][1]), data["painted"]
    painted = frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "x")
    if not painted <= layout.floor or not {layout.start, ball} <= painted:
        raise ValueError(f"state {data!r}: paint covers a wall, or misses the start or the ball")
    return State(layout, ball, painted)


def _is_cell(value: JsonValue) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def _fits(layout: Layout, rows: JsonValue) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) == len(layout.rows)
        and all(isinstance(row, str) and len(row) == len(layout.rows[0]) and set(row) <= {"x", "."} for row in rows)
    )


def move_to_json(move: Move) -> JsonValue:
    """Return the direction's name."""
    return move


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not isinstance(data, str) or data not in DIRECTION:
        raise ValueError(f"move {data!r}: wanted one of {', '.join(DIRECTION)}")
    return data
