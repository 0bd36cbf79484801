"""Makes the Maze Paint levels:  python -m solvers.generators.maze_paint   rewrites games/maze_paint/levels.json.

A candidate is a rectangle of floor into which walls are cut: bars, blocks and single cells. It is kept if the floor is
one piece, every reachable state can still be won (so there is no dead end), and the exact optimum is one that its tier
still wants. Candidate `draw` of a tier has its own generator, seeded by (SEED, tier, draw): any level can be made again
alone.

Order inside a tier: the exact optimum; ties by the number of reachable search states, the exact size of what a player
may wander through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from games.grid import DIRECTION, Cell, symmetric_images
from games.maze_paint.game import GAME
from games.maze_paint.layout import PLAIN, START, WALL, Layout, parse_layout
from games.maze_paint.rules import State, initial_state
from solvers.certificate import Solvable
from solvers.generators.released import Released, write_levels
from solvers.maze_paint import SOLVER, DistanceTable, distances

FloorArray = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
"""Shape (rows, columns), True where there is no wall."""
VERSION = "1"
SEED = 20260


@dataclass(frozen=True)
class Tier:
    """What the levels of one difficulty are like."""

    name: str
    rows: tuple[int, int]
    columns: tuple[int, int]
    wall_share: tuple[float, float]
    optima: tuple[int, ...]
    """The exact optima wanted, one per level."""
    most_states: int


TIERS = (
    Tier("easy", (4, 7), (4, 7), (0.08, 0.42), (7, 7, 8, 8, 9, 9, 10, 10, 11, 12), 4_000),
    Tier("medium", (6, 9), (6, 9), (0.12, 0.42), (13, 13, 13, 14, 14, 14, 15, 15, 16, 16), 20_000),
    Tier("hard", (7, 11), (8, 11), (0.12, 0.42), (18, 18, 19, 19, 20, 20, 21, 22, 23, 25), 150_000),
)


def levels(tier: Tier) -> list[Released]:
    """Return the tier's levels in order of difficulty, from candidates 0, 1, 2, ... until every optimum is found."""
    wanted = Counter(tier.optima)
    chosen: list[tuple[int, int, Released]] = []
    seen: set[frozenset[tuple[Cell, str]]] = set()
    draw = 0
    while wanted.total():
        layout = candidate(tier, draw)
        table = _admissible(tier, layout, wanted) if layout and not seen & set(_images(layout)) else None
        if layout and table:
            level = _release(tier, layout, draw, table)
            wanted[level.claim.distance] -= 1
            seen.update(_images(layout))
            chosen.append((level.claim.distance, table.n_states, level))
        draw += 1
    return [level for _, _, level in sorted(chosen, key=lambda item: item[:2])]


def candidate(tier: Tier, draw: int) -> Layout | None:
    """Return candidate number `draw` of a tier; None if its floor is not one piece or too much or little is wall."""
    rng = np.random.default_rng([SEED, TIERS.index(tier), draw])
    rows, columns = rng.integers(*tier.rows, endpoint=True), rng.integers(*tier.columns, endpoint=True)
    floor = np.ones((rows, columns), dtype=bool)
    share = rng.uniform(*tier.wall_share)
    while 1 - floor.mean() < share:
        _cut(floor, rng)
    places = _resting_places(floor)
    if 1 - floor.mean() > tier.wall_share[1] or not places or not _is_one_piece(floor) or not _is_tight(floor):
        return None
    start = places[int(rng.integers(len(places)))]
    text = np.where(floor, PLAIN, WALL)
    text[start] = START
    return parse_layout({"rows": ["".join(row) for row in text.tolist()]})


def _cut(floor: FloorArray, rng: np.random.Generator) -> None:
    """Turn a random bar, block or single cell into wall."""
    height, width = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2))[int(rng.integers(8))]
    row = int(rng.integers(max(1, floor.shape[0] - height + 1)))
    column = int(rng.integers(max(1, floor.shape[1] - width + 1)))
    floor[row : row + height, column : column + width] = False


def _resting_places(floor: FloorArray) -> list[Cell]:
    """Return the floor cells beside a wall or an edge: where a ball can rest."""
    cells = _cells(floor)
    return [cell for cell in sorted(cells) if any(_beside(cell, step) not in cells for step in DIRECTION.values())]


def _is_tight(floor: FloorArray) -> bool:
    """Tell whether no outer row or column is all wall (the same board would fit a smaller rectangle)."""
    return bool(floor[0].any() and floor[-1].any() and floor[:, 0].any() and floor[:, -1].any())


def _is_one_piece(floor: FloorArray) -> bool:
    cells = _cells(floor)
    found: set[Cell] = set()
    frontier = [next(iter(cells))] if cells else []
    while frontier:
        cell = frontier.pop()
        if cell in cells and cell not in found:
            found.add(cell)
            frontier.extend(_beside(cell, step) for step in DIRECTION.values())
    return found == cells


def _cells(floor: FloorArray) -> set[Cell]:
    return {(int(row), int(column)) for row, column in np.argwhere(floor)}


def _beside(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


def _admissible(tier: Tier, layout: Layout, wanted: Counter[int]) -> DistanceTable | None:
    """Return the distance table of a layout that the tier can use, else None."""
    start = initial_state(layout)
    claim = SOLVER.certify(start, state_limit=tier.most_states)
    if not isinstance(claim, Solvable) or not wanted[claim.distance]:
        return None
    table = distances(start, state_limit=tier.most_states)
    return table if isinstance(table, DistanceTable) and not table.n_dead else None


def _release(tier: Tier, layout: Layout, draw: int, table: DistanceTable) -> Released:
    start: State = initial_state(layout)
    claim = SOLVER.certify(start, state_limit=tier.most_states, optimal=True)
    assert isinstance(claim, Solvable)
    provenance = {
        "generator": "solvers.generators.maze_paint",
        "version": VERSION,
        "seed": SEED,
        "draw": draw,
        "solver_version": SOLVER.version,
        "measures": {"reachable_states": table.n_states, "dead_states": table.n_dead},
    }
    return Released(tier.name, {"rows": list(layout.rows)}, claim, provenance)


def _images(layout: Layout) -> Iterator[frozenset[tuple[Cell, str]]]:
    marks = [((r, c), mark) for r, row in enumerate(layout.rows) for c, mark in enumerate(row)]
    yield from symmetric_images(marks, len(layout.rows), len(layout.rows[0]))


if __name__ == "__main__":
    write_levels(GAME, [level for tier in TIERS for level in levels(tier)])
