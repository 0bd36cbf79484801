"""Makes the Clue House levels:  python -m solvers.generators.clue_house   rewrites the pack of games/clue_house.

A house begins with a hall and the room of the card; behind it a door falls shut. The rest is a tree of rooms: each key
lies in a dead end behind the door of the key before, so the errands have one order, and the last key opens the way to
the panel. The number of actions between the last sight of the card and the opening of its door is then
`1 + walks + takes + presses`; a draw is kept when that is exactly the difficulty's distance, and `solvers.clue_house`
measures it again by search. Cards of other emblems hang in rooms that every play may see.

Draw `draw` of a level has its own generator, seeded by (SEED, distance, number, draw).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from games.clue_house.game import GAME, PACK
from games.clue_house.layout import (
    COLOURS,
    EMBLEMS,
    KEY_COLOURS,
    SHAPES,
    Card,
    ClueKind,
    Layout,
    Lock,
    answer_of,
    layout_to_json,
    neighbour,
    parse_layout,
)
from games.clue_house.rules import initial_state
from games.grid import DIRECTION, Cell
from solvers.certificate import Solvable
from solvers.clue_house.knowledge import needs, solve_informed
from solvers.clue_house.search import SOLVER
from solvers.generators.released import Released, levels_text

VERSION = "1"
SEED = 20261
KINDS: tuple[ClueKind, ...] = ("code", "legend", "order")
N_PRESSES = {"code": 4, "legend": 4, "order": 6}
STATE_LIMIT = 200_000


@dataclass(frozen=True)
class Size:
    """One difficulty: the exact distance in actions, and the grid that has room for it."""

    distance: int
    rows: int
    columns: int
    decoys: int


SIZES: Mapping[str, Size] = {
    "d20": Size(20, 3, 4, 1),
    "d50": Size(50, 4, 5, 2),
    "d100": Size(100, 5, 6, 2),
    "d200": Size(200, 6, 7, 3),
}


@dataclass(frozen=True)
class Errands:
    """Where things are: rooms with a key in the order they must be visited, the panel's room, the treasure's."""

    keys: tuple[Cell, ...]
    panel: Cell
    treasure: Cell


def level(difficulty: str, number: int) -> Released:
    """Return level `number` (from 1): the first draw with the wanted distance."""
    size, kind = SIZES[difficulty], KINDS[(number - 1) % len(KINDS)]
    for draw in range(100_000):
        rng = np.random.default_rng([SEED, size.distance, number, draw])
        layout = candidate(size, kind, rng)
        if layout is not None:
            return _release(difficulty, layout, draw)
    raise RuntimeError(f"{difficulty}/{number}: no draw has the distance {size.distance}")


def candidate(size: Size, kind: ClueKind, rng: np.random.Generator) -> Layout | None:
    """Return a house of exactly the wanted distance, None if this draw has none."""
    start, shown = (size.rows - 1, 0), (size.rows - 1, 1)
    entrance = (size.rows - 2, 1)
    parents = _tree(size, entrance, {start, shown}, rng)
    errands = _errands(parents, entrance, size.distance - 1 - N_PRESSES[kind], rng)
    if errands is None:
        return None
    doors: list[tuple[Cell, str, Any, str | None]] = [
        (start, "right", "open", None),
        (shown, "up", "one_way", None),
        *_doors(parents, errands, colours := tuple(rng.permutation(KEY_COLOURS).tolist())),
    ]
    cards, lock = _facts(kind, shown, errands, parents, size.decoys, rng)
    keys = tuple(zip(errands.keys, colours, strict=False))
    layout = Layout(
        size.rows, size.columns, start, errands.treasure, tuple(sorted(doors, key=_order)), keys, cards, (lock,)
    )
    return parse_layout(layout_to_json(layout))


def _order(door: tuple[Cell, str, Any, str | None]) -> tuple[Cell, str]:
    return door[0], door[1]


def _tree(size: Size, root: Cell, taken: set[Cell], rng: np.random.Generator) -> dict[Cell, Cell | None]:
    """Return a random spanning tree of the other rooms as parents; windy, with some short side branches."""
    parents: dict[Cell, Cell | None] = {root: None}
    growing = [root]
    while growing:
        at = len(growing) - 1 if rng.random() < 0.7 else int(rng.integers(len(growing)))
        room = growing[at]
        free = [
            there
            for side in DIRECTION
            if 0 <= (there := neighbour(room, side))[0] < size.rows
            and 0 <= there[1] < size.columns
            and there not in parents
            and there not in taken
        ]
        if not free:
            growing.pop(at)
            continue
        there = free[int(rng.integers(len(free)))]
        parents[there] = room
        growing.append(there)
    return parents


def _errands(
    parents: Mapping[Cell, Cell | None], entrance: Cell, actions: int, rng: np.random.Generator
) -> Errands | None:
    """Return errands that take exactly `actions` walks and takes from the entrance to the panel, if this tree has any.

    Keys lie in dead ends; the panel's room has the treasure's room as its only other neighbour.
    """
    children = list(parents.values())
    leaves = [room for room in parents if room not in children and room != entrance]
    vaults = [
        room for room in leaves if (above := parents[room]) not in (None, entrance) and children.count(above) == 1
    ]
    if not vaults:
        return None
    vault = vaults[int(rng.integers(len(vaults)))]
    panel = parents[vault]
    assert panel is not None
    order = [leaves[k] for k in rng.permutation(len(leaves)) if leaves[k] != vault]
    here, done = entrance, 0
    for n_keys, room in enumerate(order, 1):
        done += _steps(parents, here, room) + 1
        here = room
        if done + _steps(parents, here, panel) == actions:
            return Errands(tuple(order[:n_keys]), panel, vault)
    return None


def _steps(parents: Mapping[Cell, Cell | None], one: Cell, other: Cell) -> int:
    """Return the number of doors between two rooms of the tree."""
    up_one, up_other = _ancestors(parents, one), _ancestors(parents, other)
    shared = len(set(up_one) & set(up_other))
    return len(up_one) + len(up_other) - 2 * shared


def _ancestors(parents: Mapping[Cell, Cell | None], room: Cell) -> list[Cell]:
    found = [room]
    while (above := parents[found[-1]]) is not None:
        found.append(above)
    return found


def _doors(
    parents: Mapping[Cell, Cell | None], errands: Errands, colours: tuple[str, ...]
) -> list[tuple[Cell, str, Any, str | None]]:
    """Return the tree's doors: the way to each key but the first, and to the panel, is locked by the key before."""
    behind = dict(zip((*errands.keys[1:], errands.panel), colours, strict=False))
    doors: list[tuple[Cell, str, Any, str | None]] = []
    for room, parent in parents.items():
        if parent is None:
            continue
        side = next(side for side in DIRECTION if neighbour(parent, side) == room)
        kind = "lock" if room == errands.treasure else "key" if room in behind else "open"
        doors.append((parent, side, kind, behind.get(room)))
    return doors


def _facts(
    kind: ClueKind,
    shown: Cell,
    errands: Errands,
    parents: Mapping[Cell, Cell | None],
    n_decoys: int,
    rng: np.random.Generator,
) -> tuple[tuple[Card, ...], Lock]:
    emblems = rng.permutation(EMBLEMS).tolist()
    card = Card(shown, emblems[0], kind, _fact(kind, rng))
    prompt = tuple(rng.permutation(COLOURS).tolist()[: N_PRESSES[kind]]) if kind == "legend" else ()
    side = next(side for side in DIRECTION if neighbour(errands.panel, side) == errands.treasure)
    lock = Lock(errands.panel, side, emblems[0], kind, prompt, answer_of(kind, card.fact, prompt))
    rooms = [room for room in parents if room not in (*errands.keys, errands.panel, errands.treasure)]
    places = [rooms[k] for k in rng.permutation(len(rooms))[:n_decoys]]
    other = [KINDS[int(rng.integers(len(KINDS)))] for _ in places]
    decoys = [
        Card(room, emblem, kind_, _fact(kind_, rng))
        for room, emblem, kind_ in zip(places, emblems[1:], other, strict=False)
    ]
    return tuple(sorted((card, *decoys), key=lambda one: one.room)), lock


def _fact(kind: ClueKind, rng: np.random.Generator) -> tuple[Any, ...]:
    if kind == "code":
        return tuple(SHAPES[int(rng.integers(len(SHAPES)))] for _ in range(N_PRESSES["code"]))
    if kind == "order":
        return tuple(rng.permutation(COLOURS).tolist())
    return tuple(zip(COLOURS, rng.permutation(SHAPES).tolist(), strict=True))


def _release(difficulty: str, layout: Layout, draw: int) -> Released:
    (need,) = needs(layout)
    if need.least_actions != SIZES[difficulty].distance:
        raise RuntimeError(f"{difficulty}: measured a distance of {need.least_actions}")
    informed, oracle = solve_informed(layout), SOLVER.certify(initial_state(layout), state_limit=STATE_LIMIT)
    assert isinstance(informed, Solvable)
    assert isinstance(oracle, Solvable)
    provenance = {
        "generator": "solvers.generators.clue_house",
        "version": VERSION,
        "seed": SEED,
        "draw": draw,
        "informed_moves": informed.distance,
        "need": asdict(need),
    }
    return Released(difficulty, layout_to_json(layout), oracle, provenance)


def catalogue() -> list[Released]:
    """Return all levels: one of each kind of fact per distance."""
    return [level(difficulty, number) for difficulty in SIZES for number in range(1, len(KINDS) + 1)]


if __name__ == "__main__":
    PACK.mkdir(exist_ok=True)
    (PACK / f"{GAME.name}.json").write_text(levels_text(GAME, catalogue()), encoding="utf-8")
