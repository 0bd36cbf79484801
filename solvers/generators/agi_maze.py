"""Makes the mazes:  python -m solvers.generators.agi_maze   rewrites the pack of games/agi_maze.

A maze is a random spanning tree with a share of its other walls taken away; things lie in cells drawn without
replacement, dead ends first; a river follows open borders. The good number of steps is the upper median of what five
explorers need who see scenes alone, at least 1.2 times the least number where the map is shown. A draw is kept
if every explorer gets out and the shortest way has the recipe's least number of steps. Draw `draw` of a level has its
own generator, seeded by (SEED, place of the difficulty, number, draw).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from games.agi_maze.game import GAME, PACK
from games.agi_maze.layout import MOST_STEPS, Edge, Layout, edge_of, layout_to_json, neighbour, parse_layout
from games.agi_maze.rules import initial_state, is_over, is_won, step
from games.agi_maze.stage import scene
from games.contract import Table
from games.grid import DIRECTION, Cell
from solvers.agi_maze.explorer import SIDES, Explorer
from solvers.agi_maze.search import SOLVER
from solvers.certificate import Solvable
from solvers.generators.released import Released, levels_text

VERSION = "1"
SEED = 20262
STATE_LIMIT = 200_000
N_EXPLORERS = 5
SHOWN_SLACK = 1.2
"""Good steps over the least number where the map is shown."""


@dataclass(frozen=True)
class Recipe:
    """What one level is made of."""

    side: int
    least: int
    """Least number of steps that the shortest way must have."""
    braided: float = 0.15
    """Share of the walls of the tree's maze that are taken away."""
    exit_key: bool = False
    river: int = 0
    """Cells of the river."""
    pits: int = 0
    boat: bool = False
    grenades: int = 0
    grenades_carried: int = 0
    flashlight: bool = False
    map_shown: bool = False


RECIPES: Mapping[str, tuple[Recipe, ...]] = {
    "tutorial": tuple(
        replace(one, map_shown=True)
        for one in (
            Recipe(3, 4),
            Recipe(4, 8),
            Recipe(4, 8, exit_key=True),
            Recipe(5, 8, river=4),
            Recipe(5, 8, pits=2),
            Recipe(5, 8, river=3, pits=2, boat=True),
            Recipe(5, 8, exit_key=True, river=3, pits=2, grenades_carried=1, flashlight=True),
        )
    ),
    "training": (Recipe(4, 8), Recipe(4, 8, river=3), Recipe(5, 10, pits=2), Recipe(5, 10, exit_key=True)),
    "classic": (
        Recipe(5, 12, river=3),
        Recipe(5, 12, river=3, pits=2),
        Recipe(6, 14, river=4, pits=2),
        Recipe(6, 14, river=4, pits=3, exit_key=True),
        Recipe(7, 16, river=5, pits=2),
        Recipe(7, 16, river=5, pits=3, exit_key=True),
    ),
    "extended": (
        Recipe(5, 12, river=3, boat=True),
        Recipe(6, 14, pits=2, grenades=1),
        Recipe(6, 14, river=4, flashlight=True, exit_key=True),
        Recipe(7, 16, river=4, pits=2, boat=True, grenades=1),
        Recipe(7, 16, river=5, pits=3, boat=True, flashlight=True),
        Recipe(8, 18, river=5, pits=3, boat=True, grenades_carried=1, flashlight=True, exit_key=True),
    ),
}


def level(difficulty: str, number: int) -> Released:
    """Return level `number` (from 1): the first draw that fits its recipe."""
    place, recipe = list(RECIPES).index(difficulty), RECIPES[difficulty][number - 1]
    for draw in range(10_000):
        layout = candidate(recipe, np.random.default_rng([SEED, place, number, draw]))
        if layout is None or (counts := explored(layout)) is None:
            continue
        claim = SOLVER.certify(initial_state(layout), state_limit=STATE_LIMIT)
        if isinstance(claim, Solvable) and claim.distance >= recipe.least:
            least = math.ceil(SHOWN_SLACK * claim.distance) if recipe.map_shown else 1
            good = max(least, sorted(counts)[len(counts) // 2])
            return _released(difficulty, replace(layout, soft_good_steps=good), counts, draw)
    raise RuntimeError(f"{difficulty}/{number}: no draw fits")


def candidate(recipe: Recipe, rng: np.random.Generator) -> Layout | None:
    """Return a maze of the recipe with as many steps as there can be; None if this draw has no room for its river."""
    cells = [(row, column) for row in range(recipe.side) for column in range(recipe.side)]
    walls = _walls(recipe, cells, rng)
    river = _river(recipe, walls, cells, rng)
    if river is None:
        return None
    free = [cell for cell in (cells[k] for k in rng.permutation(len(cells))) if cell not in river]
    free.sort(key=lambda cell: len(_open_sides(walls, cell, recipe.side)) > 1)  # dead ends first
    names = ["treasure", "key", "exit", *(["exit_key"] if recipe.exit_key else [])]
    names += [*(["boat"] if recipe.boat else []), *(["flashlight"] if recipe.flashlight else [])]
    n_needed = len(names) + recipe.grenades + recipe.pits + 1
    if len(free) < n_needed:
        return None
    placed: dict[str, Any] = {name: free.pop(0) for name in names}
    placed["grenades"] = tuple(free.pop(0) for _ in range(recipe.grenades))
    placed["pits"] = tuple(free.pop() for _ in range(recipe.pits))
    bare = {"exit_key": None, "boat": None, "flashlight": None, **placed}
    return Layout(
        rows=recipe.side, columns=recipe.side, walls=walls, start=free.pop(), river=river, map_shown=recipe.map_shown,
        grenades_carried=recipe.grenades_carried,        soft_good_steps=MOST_STEPS, **bare,
    )  # fmt: skip


def _walls(recipe: Recipe, cells: list[Cell], rng: np.random.Generator) -> frozenset[Edge]:
    """Return the walls of a random spanning tree, less the braided share."""
    inside = set(cells)
    edges = {edge_of(cell, side) for cell in cells for side in ("right", "down") if neighbour(cell, side) in inside}
    reached, stack = {cells[0]}, [cells[0]]
    opened: set[Edge] = set()
    while stack:
        fresh = [side for side in DIRECTION if (there := neighbour(stack[-1], side)) in inside and there not in reached]
        if not fresh:
            stack.pop()
            continue
        side = fresh[int(rng.integers(len(fresh)))]
        opened.add(edge_of(stack[-1], side))
        stack.append(neighbour(stack[-1], side))
        reached.add(stack[-1])
    left = sorted(edges - opened)
    n_braided = round(recipe.braided * len(left))
    return frozenset(left[k] for k in rng.permutation(len(left))[n_braided:])


def _river(
    recipe: Recipe, walls: frozenset[Edge], cells: list[Cell], rng: np.random.Generator
) -> tuple[Cell, ...] | None:
    """Return a path of open borders of the wanted length, empty if none is wanted, None if the draw has none."""
    if not recipe.river:
        return ()
    path = [cells[int(rng.integers(len(cells)))]]
    while len(path) < recipe.river:
        ways = [neighbour(path[-1], side) for side in _open_sides(walls, path[-1], recipe.side)]
        fresh = [cell for cell in ways if cell not in path]
        if not fresh:
            return None
        path.append(fresh[int(rng.integers(len(fresh)))])
    return tuple(path)


def _open_sides(walls: frozenset[Edge], cell: Cell, side_length: int) -> list[str]:
    def inside(there: Cell) -> bool:
        return 0 <= there[0] < side_length and 0 <= there[1] < side_length

    return [side for side in DIRECTION if inside(neighbour(cell, side)) and edge_of(cell, side) not in walls]


def explored(layout: Layout) -> tuple[int, ...] | None:
    """Return the steps that each explorer needs from the start, None if one does not get out."""
    counts = []
    for place in range(N_EXPLORERS):
        player, state = Explorer(tuple(np.random.default_rng([SEED, place]).permutation(SIDES).tolist())), None
        state = initial_state(layout)
        while not is_won(state) and not is_over(state):
            state = step(state, player.choose(scene(Table(state))))
        if not is_won(state):
            return None
        counts.append(state.steps)
    return tuple(counts)


def _released(difficulty: str, layout: Layout, counts: tuple[int, ...], draw: int) -> Released:
    layout = parse_layout(layout_to_json(layout))
    claim = SOLVER.certify(initial_state(layout), state_limit=STATE_LIMIT)
    if not isinstance(claim, Solvable):
        raise RuntimeError(f"{difficulty}: {layout.hard_max_steps} steps are too few")
    provenance = {
        "generator": "solvers.generators.agi_maze",
        "version": VERSION,
        "seed": SEED,
        "draw": draw,
        "explorers": list(counts),
    }
    return Released(difficulty, layout_to_json(layout), claim, provenance)


def catalogue() -> list[Released]:
    """Return all levels, easiest first."""
    return [level(name, number) for name, recipes in RECIPES.items() for number in range(1, len(recipes) + 1)]


if __name__ == "__main__":
    PACK.mkdir(exist_ok=True)
    (PACK / f"{GAME.name}.json").write_text(levels_text(GAME, catalogue()), encoding="utf-8")
