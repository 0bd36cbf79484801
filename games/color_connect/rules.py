"""Color Connect rules: one accepted click is one move, and what it does depends on the drawing alone.

Pure functions over an immutable state. A move is the clicked cell. Every pair has a path: none, a finished one, or,
for at most one pair, the active one, which begins at a dot and is still being drawn. A click

* on a dot of a pair without a path activates it there; another active path is dropped, * on a dot of a finished path
removes that path; the active one stays, * on a cell in line with the head of the active path draws a straight line to
it if every cell up to it is free; reaching
  the partner finishes the path,
* on an earlier cell of the active path goes back to it,
* on the dot itself of an active path that is nothing but its dot puts it down.

Everything else is refused. A cell is free if it holds no dot, no path, no block; so paths never cross or overlap, also
not themselves. Which dot a finished path was drawn from makes no difference. Progress: first source document, A.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from games.color_connect.layout import Layout
from games.contract import IllegalMove, JsonObject, JsonValue
from games.grid import Cell

Move = Cell
Path = tuple[Cell, ...]
Refusal = Literal["won", "blocked_cell", "head", "in_the_way", "not_in_line", "occupied", "start_at_dot", "use_dots"]


@dataclass(frozen=True)
class State:
    """A drawing: one path per pair (empty, finished from `a` to `b`, or the active one from the dot it began at)."""

    layout: Layout
    paths: tuple[Path, ...]
    active: int | None


def initial_state(layout: Layout) -> State:
    """Return the empty board."""
    return State(layout, ((),) * len(layout.pairs), None)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every cell whose click is accepted, in reading order; none once won."""
    return tuple(cell for cell in state.layout.cells if isinstance(click(state, cell), State))


def step(state: State, move: Move) -> State:
    """Return the drawing after a click.

    Raises:
        IllegalMove: the click is refused.
    """
    after = click(state, move) if state.layout.holds(move) else "outside the grid"
    if not isinstance(after, State):
        raise IllegalMove(f"click on {move}: {after}")
    return after


def click(state: State, cell: Cell) -> State | Refusal:
    """Return the drawing after a click on a cell of the grid, or why it is refused."""
    if is_won(state):
        return "won"
    if cell in state.layout.blocked:
        return "blocked_cell"
    owner = state.layout.dots.get(cell)
    if state.active is not None and owner in (None, state.active):
        return _click_with_active(state, state.active, cell)
    if owner is None:
        return "start_at_dot" if path_at(state, cell) is None else "use_dots"
    if state.paths[owner]:
        return _with_path(state, owner, (), state.active)
    dropped = state if state.active is None else _with_path(state, state.active, (), None)
    return _with_path(dropped, owner, (cell,), owner)


def _click_with_active(state: State, pair: int, cell: Cell) -> State | Refusal:
    path = state.paths[pair]
    if cell in path:
        return _go_back(state, pair, path.index(cell))
    if path_at(state, cell) is not None:
        return "occupied"
    line = straight_line(path[-1], cell)
    if line is None:
        return "not_in_line"
    if any(step_cell != cell and step_cell in state.layout.dots for step_cell in line) or not _is_free(state, line):
        return "in_the_way"
    if cell not in state.layout.dots:
        return _with_path(state, pair, path + line, pair)
    whole = path + line
    return _with_path(state, pair, whole if whole[0] == state.layout.pairs[pair].a else whole[::-1], None)


def _go_back(state: State, pair: int, index: int) -> State | Refusal:
    path = state.paths[pair]
    if index < len(path) - 1:
        return _with_path(state, pair, path[: index + 1], pair)
    return "head" if index else _with_path(state, pair, (), None)


def _is_free(state: State, line: Path) -> bool:
    return not any(cell in state.layout.blocked or path_at(state, cell) is not None for cell in line)


def _with_path(state: State, pair: int, path: Path, active: int | None) -> State:
    return replace(state, paths=(*state.paths[:pair], path, *state.paths[pair + 1 :]), active=active)


def straight_line(start: Cell, end: Cell) -> Path | None:
    """Return the cells after `start` up to `end`, None if they are not in one row or column (or are the same)."""
    down, right = end[0] - start[0], end[1] - start[1]
    if (down == 0) == (right == 0):
        return None
    length = abs(down) + abs(right)
    return tuple((start[0] + k * down // length, start[1] + k * right // length) for k in range(1, length + 1))


def path_at(state: State, cell: Cell) -> int | None:
    """Return the pair whose path covers a cell."""
    return next((k for k, path in enumerate(state.paths) if cell in path), None)


def is_finished(state: State, pair: int) -> bool:
    """Tell whether a pair is connected."""
    return bool(state.paths[pair]) and pair != state.active


def is_won(state: State) -> bool:
    """Tell whether every pair is connected."""
    return state.active is None and all(state.paths)


def potential(state: State) -> float:
    """Return the share of connected pairs."""
    return sum(is_finished(state, k) for k in range(len(state.paths))) / len(state.paths)


def state_to_json(state: State) -> JsonObject:
    """Return the paths in the layout's order and the index of the active pair."""
    return {"paths": [[list(cell) for cell in path] for path in state.paths], "active": state.active}


def state_from_json(layout: Layout, data: JsonObject) -> State:
    """Invert `state_to_json`.

    Raises:
        ValueError: wrong form, or a drawing that clicks cannot make.
    """
    if set(data) != {"paths", "active"} or not isinstance(data["paths"], list):
        raise ValueError(f"state {data!r:.200}: wanted paths and active")
    active = data["active"]
    if len(data["paths"]) != len(layout.pairs) or not (active is None or type(active) is int):
        raise ValueError(f"state {data!r:.200}: wanted {len(layout.pairs)} paths and a pair's index or null")
    state = State(layout, tuple(_path_from_json(path) for path in data["paths"]), active)
    if fault := _fault(state):
        raise ValueError(f"state {data!r:.200}: {fault}")
    return state


def _path_from_json(data: JsonValue) -> Path:
    if not isinstance(data, list):
        raise ValueError(f"path {data!r:.80}: wanted a list of cells")
    return tuple(move_from_json(cell) for cell in data)


def _fault(state: State) -> str | None:
    """Return what no sequence of clicks could have drawn, None if all is well."""
    layout = state.layout
    covered = [cell for path in state.paths for cell in path]
    if len(set(covered)) != len(covered) or any(not layout.holds(c) or c in layout.blocked for c in covered):
        return "paths overlap or leave the free cells"
    if state.active is not None and not (0 <= state.active < len(state.paths) and state.paths[state.active]):
        return "the active pair has no path"
    for k, (pair, path) in enumerate(zip(layout.pairs, state.paths, strict=True)):
        if any(abs(p[0] - q[0]) + abs(p[1] - q[1]) != 1 for p, q in pairwise(path)):
            return f"path {k} has a gap"
        ends = (pair.a, pair.b) if k != state.active else (path[0], path[0])
        wanted = {ends[0], ends[1]}
        if path and ({cell for cell in path if cell in layout.dots} != wanted or not wanted <= {pair.a, pair.b}):
            return f"path {k} does not belong to its dots"
        if path and (path[0] != ends[0] or (k != state.active and path[-1] != ends[1])):
            return f"path {k} does not run from its dot a to its dot b"
    return None


def move_to_json(move: Move) -> JsonValue:
    """Return the clicked cell as [row, column]."""
    return list(move)


def move_from_json(data: JsonValue) -> Move:
    """Invert `move_to_json`. Raises ValueError."""
    if not isinstance(data, list) or len(data) != 2 or not all(type(part) is int for part in data):
        raise ValueError(f"move {data!r:.80}: wanted a cell [row, column]")
    return data[0], data[1]
