"""Makes the Nut and Bolt levels:  python -m solvers.generators.nut_and_bolt  rewrites games/nut_and_bolt/levels.json.

A level is a random deal of all nuts onto full bolts, two bolts staying empty. A deal is kept if it is solvable, has
its exact optimum proven within the limit, and has no bolt of a single colour. Inside a tier, levels are ordered by
the exact optimum in transfers, then by the share of random play that ends on a dead board.

Deterministic: deal `draw` of a level has its own generator, seeded by (SEED, tier, place, draw).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from games.nut_and_bolt.game import GAME
from games.nut_and_bolt.layout import COLOURS, Bolt, Layout, layout_to_json
from games.nut_and_bolt.rules import State, initial_state, legal_moves, step
from solvers.certificate import Solvable
from solvers.generators.released import Released, write_levels
from solvers.nut_and_bolt import SOLVER, Verdicts

VERSION = "1"
SEED = 2026
STATE_LIMIT = 200_000
SPARE_BOLTS = 2
WALKS = 200
"""Random plays, each as long as the optimum, behind a level's dead-end share."""


@dataclass(frozen=True)
class Tier:
    """The levels of one difficulty: colours and capacity of each."""

    difficulty: str
    sizes: tuple[tuple[int, int], ...]


TIERS = (
    Tier("easy", ((2, 4), (3, 4), (4, 4))),
    Tier("medium", ((5, 4), (5, 5), (6, 4))),
    Tier("hard", ((7, 5), (8, 5), (8, 6))),
    Tier("extreme", ((9, 6), (11, 5), (10, 6))),
    Tier("nightmare", ((9, 8),)),
)


@dataclass(frozen=True)
class Candidate:
    """A level before it has its number."""

    layout: Layout
    claim: Solvable
    dead_share: float
    place: int
    draw: int


def levels(seed: int = SEED) -> Iterator[Released]:
    """Yield the catalogue, easiest first inside each difficulty."""
    for number, tier in enumerate(TIERS):
        found = [_find(seed, number, place, size) for place, size in enumerate(tier.sizes)]
        for candidate in sorted(found, key=lambda c: (c.claim.distance, c.dead_share, c.place)):
            yield _released(tier, candidate, seed)


def deal(n_colours: int, capacity: int, rng: np.random.Generator) -> Layout:
    """Return a random deal onto full bolts, two more staying empty."""
    nuts = [colour for colour in COLOURS[:n_colours] for _ in range(capacity)]
    order = [nuts[int(i)] for i in rng.permutation(len(nuts))]
    bolts = [tuple(order[k : k + capacity]) for k in range(0, len(order), capacity)]
    return Layout(capacity, (*bolts, *([()] * SPARE_BOLTS)))


def dead_share(layout: Layout, length: int, rng: np.random.Generator) -> float:
    """Return the share of random plays of `length` transfers that end on a board that cannot be won."""
    verdicts = Verdicts(layout.bolts, layout.capacity)
    dead = 0
    for _ in range(WALKS):
        state = random_play(initial_state(layout), length, rng)
        buried = [n_runs(bolt) - 1 if bolt else 0 for bolt in state.bolts]
        dead += not verdicts.is_solvable(verdicts.code(buried), STATE_LIMIT)
    return dead / WALKS


def random_play(state: State, length: int, rng: np.random.Generator) -> State:
    """Return the board after `length` uniformly random transfers, or fewer if none is left."""
    for _ in range(length):
        moves = legal_moves(state)
        if not moves:
            break
        state = step(state, moves[int(rng.integers(len(moves)))])
    return state


def n_runs(bolt: Bolt) -> int:
    """Return the number of runs of one colour on a bolt."""
    return sum(i == 0 or bolt[i - 1] != nut for i, nut in enumerate(bolt))


def canonical_form(layout: Layout) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return a name shared by exactly the layouts that are equal up to the order of bolts and the names of colours.

    Bolts are put in the order whose colours, numbered as they first appear, read smallest; ties are all followed.
    """
    partial: list[tuple[dict[str, int], list[Bolt]]] = [({}, list(layout.bolts))]
    name: list[tuple[int, ...]] = []
    for _ in layout.bolts:
        choices = [(_numbered(bolt, names), bolt, names, rest) for names, rest in partial for bolt in set(rest)]
        smallest = min(numbers for (numbers, _), *_ in choices)
        name.append(smallest)
        chosen = [(after, _without(rest, bolt)) for (numbers, after), bolt, _, rest in choices if numbers == smallest]
        partial = list({str((sorted(names.items()), sorted(rest))): (names, rest) for names, rest in chosen}.values())
    return layout.capacity, tuple(name)


def _numbered(bolt: Bolt, names: dict[str, int]) -> tuple[tuple[int, ...], dict[str, int]]:
    names = dict(names)
    numbers = tuple(names.setdefault(nut, len(names)) for nut in bolt)
    return numbers, names


def _without(bolts: list[Bolt], bolt: Bolt) -> list[Bolt]:
    rest = list(bolts)
    rest.remove(bolt)
    return rest


def _find(seed: int, number: int, place: int, size: tuple[int, int]) -> Candidate:
    """Return the first deal that can be released."""
    for draw in count():
        rng = np.random.default_rng([seed, number, place, draw])
        layout = deal(*size, rng)
        if any(bolt and len(set(bolt)) == 1 for bolt in layout.bolts):
            continue
        claim = SOLVER.certify(initial_state(layout), state_limit=STATE_LIMIT, optimal=True)
        if isinstance(claim, Solvable) and claim.exact:
            return Candidate(layout, claim, dead_share(layout, claim.distance, rng), place, draw)
    raise AssertionError("count() does not end")


def _released(tier: Tier, candidate: Candidate, seed: int) -> Released:
    provenance = {
        "generator": "solvers.generators.nut_and_bolt",
        "version": VERSION,
        "seed": seed,
        "place": candidate.place,
        "draw": candidate.draw,
        "solver_version": SOLVER.version,
        "dead_share": candidate.dead_share,
    }
    return Released(tier.difficulty, layout_to_json(candidate.layout), candidate.claim, provenance)


if __name__ == "__main__":
    write_levels(GAME, list(levels()))
