"""Runs the frontier search over a whole grid: the cheapest drawing, or how many drawings there are.

The number of frontiers grows with the number of columns far faster than with the number of rows, so a wide grid is
read as its mirror image in the diagonal, which has the same drawings at the same cost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.color_connect.layout import Layout
from games.color_connect.rules import Path, State, initial_state
from games.grid import Cell
from solvers.certificate import Undecided
from solvers.color_connect.board import NEW_PATH_COST, BoardCell, board_cells
from solvers.color_connect.frontier import Frontier, Reader


@dataclass(frozen=True)
class Drawing:
    """A complete drawing and the clicks it takes to make it of the one that was asked about."""

    clicks: int
    paths: tuple[Path, ...]
    n_frontiers: int
    """Frontiers stored by the search that found it."""


def cheapest_drawing(state: State, *, erase: bool, state_limit: int) -> Drawing | Undecided | None:
    """Return the complete drawing that takes fewest clicks, None if there is none.

    Args:
        state: what is drawn already.
        erase: whether paths may be taken back; without it the drawing must contain everything drawn already.
        state_limit: frontiers that may be stored.
    """
    if state.layout.columns > state.layout.rows:
        found = cheapest_drawing(_mirrored(state), erase=erase, state_limit=state_limit)
        return replace(found, paths=_mirrored_paths(found.paths)) if isinstance(found, Drawing) else found
    cells = board_cells(state)
    reader = Reader(state.layout.columns, erase=erase)
    parents: list[dict[Frontier, Frontier]] = []
    costs = {reader.empty(): 0}
    n_frontiers = 1
    for cell in cells:
        costs, before = _read_cell(reader, costs, cell)
        parents.append(before)
        n_frontiers += len(costs)
        if n_frontiers > state_limit:
            return Undecided(state_limit)
    if reader.empty() not in costs:
        return None
    new_paths = NEW_PATH_COST * sum(1 for path in state.paths if not path)
    paths = _paths(state.layout, _neighbours(reader, cells, parents, state.layout.cells))
    return Drawing(costs[reader.empty()] + new_paths, paths, n_frontiers)


def _mirrored(state: State) -> State:
    """Return the same drawing with rows and columns exchanged."""
    layout = state.layout
    pairs = tuple(replace(pair, a=pair.a[::-1], b=pair.b[::-1]) for pair in layout.pairs)
    blocked = frozenset(cell[::-1] for cell in layout.blocked)
    return State(Layout(layout.columns, layout.rows, pairs, blocked), _mirrored_paths(state.paths), state.active)


def _mirrored_paths(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(tuple(cell[::-1] for cell in path) for path in paths)


def _read_cell(
    reader: Reader, costs: dict[Frontier, int], cell: BoardCell
) -> tuple[dict[Frontier, int], dict[Frontier, Frontier]]:
    """Return the cheapest way to every frontier behind a cell, and the frontier it came from."""
    after: dict[Frontier, int] = {}
    before: dict[Frontier, Frontier] = {}
    for frontier, cost in costs.items():
        for following, clicks in reader.read(frontier, cell):
            total = cost + clicks
            if total < after.get(following, total + 1):
                after[following] = total
                before[following] = frontier
    return after, before


def _neighbours(
    reader: Reader,
    cells: tuple[BoardCell, ...],
    parents: list[dict[Frontier, Frontier]],
    places: tuple[Cell, ...],
) -> dict[Cell, list[Cell]]:
    """Walk back from the last frontier and return which cells the drawing joins."""
    joined: dict[Cell, list[Cell]] = {place: [] for place in places}
    frontier = reader.empty()
    for place, cell, before in zip(reversed(places), reversed(cells), reversed(parents), strict=True):
        ends = ((frontier[cell.column], (place[0] + 1, place[1])), (frontier[reader.right], (place[0], place[1] + 1)))
        for label, neighbour in ends:
            if label:
                joined[place].append(neighbour)
                joined[neighbour].append(place)
        frontier = before[frontier]
    return joined


def _paths(layout: Layout, joined: dict[Cell, list[Cell]]) -> tuple[Path, ...]:
    return tuple(_follow(joined, pair.a) for pair in layout.pairs)


def _follow(joined: dict[Cell, list[Cell]], dot: Cell) -> Path:
    path = [dot]
    while onward := [cell for cell in joined[path[-1]] if cell not in path[-2:]]:
        path.append(onward[0])
    return tuple(path)


def count_drawings(layout: Layout, *, state_limit: int) -> int | Undecided:
    """Return the exact number of complete drawings of a layout (sets of paths; free cells allowed)."""
    if layout.columns > layout.rows:
        return count_drawings(_mirrored(initial_state(layout)).layout, state_limit=state_limit)
    reader = Reader(layout.columns, erase=True)
    counts = {reader.empty(): 1}
    n_frontiers = 1
    for cell in board_cells(initial_state(layout)):
        after: dict[Frontier, int] = {}
        for frontier, count in counts.items():
            for following, _ in reader.read(frontier, cell):
                after[following] = after.get(following, 0) + count
        counts = after
        n_frontiers += len(counts)
        if n_frontiers > state_limit:
            return Undecided(state_limit)
    return counts.get(reader.empty(), 0)
