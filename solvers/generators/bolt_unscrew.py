"""Makes the Bolt Unscrew levels:  python -m solvers.generators.bolt_unscrew  rewrites games/bolt_unscrew/levels.json.

A hard level is drawn from a motif: optional boards and free holes are chosen by a generator seeded with (SEED, motif,
draw), so any level can be made again alone. A draw is released if it is well formed and tidy, keeps away from knife
edges, has an exact least number of moves, and dies under random play as often as its tier wants. Easy levels are motifs
without options. The levels of a tier are ordered by the exact least number of moves, then by the share of random games
that die; but hard 1 is the one level nearly free of dead ends.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from games.bolt_unscrew.layout import Layout, layout_to_json
from games.bolt_unscrew.rules import initial_state, parse_layout
from games.contract import JsonObject, LevelError
from games.registry import game_named
from solvers.bolt_unscrew import SOLVER
from solvers.certificate import Solvable
from solvers.generators.bolt_drawing import draw_layout, untidy
from solvers.generators.bolt_easy import EASY
from solvers.generators.bolt_hard import HARD
from solvers.generators.bolt_measures import RandomPlay, knife_edges, random_play
from solvers.generators.bolt_motif import Motif
from solvers.generators.released import Released, write_levels

SEED = 20
VERSION = "1"
DRAW_LIMIT = 400
STATE_LIMIT = 3_000
N_GAMES, MOVE_LIMIT = 200, 500


@dataclass(frozen=True)
class Wanted:
    """What the levels of a tier must measure; bounds are inclusive."""

    screws: tuple[int, int]
    holes: tuple[int, int]
    boards: tuple[int, int]
    optimum: tuple[int, int]
    dead_share: tuple[float, float]
    """Share of random games that die."""
    depths: int
    """Least number of distinct numbers of boards out at death."""


EASY_WANTED = Wanted((1, 10), (1, 5), (1, 10), (1, 12), (0, 0.05), 0)
SAFE_WANTED = Wanted((11, 31), (1, 10), (13, 32), (11, 20), (0, 0), 0)
HARD_WANTED = Wanted((11, 31), (1, 10), (13, 32), (11, 60), (0.4, 0.97), 4)


@dataclass(frozen=True)
class Drawn:
    """One released draw."""

    motif: str
    draw: int
    layout: Layout
    claim: Solvable
    play: RandomPlay


class Rejected(Exception):
    """A draw is not released; the message says why."""


def make(motif: Motif, draw: int, wanted: Wanted) -> Drawn:
    """Return one draw of a motif, measured. Raises Rejected."""
    rng = np.random.default_rng([SEED, zlib.crc32(motif.name.encode()), draw])
    layout = draw_layout(motif, rng)
    _check_form(layout, wanted)
    start = initial_state(layout)
    claim = SOLVER.certify(start, state_limit=STATE_LIMIT, optimal=True)
    if not isinstance(claim, Solvable) or not claim.exact:
        raise Rejected(f"no exact optimum: {type(claim).__name__}")
    if not wanted.optimum[0] <= claim.distance <= wanted.optimum[1]:
        raise Rejected(f"optimum {claim.distance}")
    play = random_play(start, n_games=N_GAMES, move_limit=MOVE_LIMIT, rng=rng)
    if not wanted.dead_share[0] <= play.dead_share <= wanted.dead_share[1]:
        raise Rejected(f"{play.n_dead} of {N_GAMES} random games die")
    if len(play.boards_out_at_death) < wanted.depths:
        raise Rejected(f"dead ends only with {play.boards_out_at_death} boards out")
    for edge in knife_edges(layout):
        raise Rejected(edge)
    return Drawn(motif.name, draw, layout, claim, play)


def first_released(motif: Motif, wanted: Wanted) -> Drawn:
    """Return the first draw of a motif that is released.

    Raises:
        Rejected: none of the first `DRAW_LIMIT` draws is.
    """
    for draw in range(DRAW_LIMIT):
        try:
            return make(motif, draw, wanted)
        except Rejected:
            continue
    raise Rejected(f"{motif.name}: none of {DRAW_LIMIT} draws is released")


def difficulty(drawn: Drawn) -> tuple[int, float]:
    """Return what the levels of a tier are ordered by: exact least number of moves, then measured dead-end share."""
    return drawn.claim.distance, drawn.play.dead_share


def provenance(drawn: Drawn) -> JsonObject:
    """Return where a level comes from and what was measured of it."""
    play = drawn.play
    return {
        "generator": "solvers.generators.bolt_unscrew",
        "version": VERSION,
        "seed": SEED,
        "motif": drawn.motif,
        "draw": drawn.draw,
        "solver_version": SOLVER.version,
        "lower_bound": drawn.claim.lower_bound,
        "order": ["optimum", "random_dead_share"],
        "random_games": play.n_games,
        "random_move_limit": MOVE_LIMIT,
        "random_dead_share": play.dead_share,
        "random_won_share": play.n_won / play.n_games,
        "boards_out_at_death": list(play.boards_out_at_death),
        "median_moves_at_death": play.median_moves_at_death,
    }


def _check_form(layout: Layout, wanted: Wanted) -> None:
    try:
        parse_layout(layout_to_json(layout))
    except LevelError as error:
        raise Rejected(str(error)) from error
    screws = len(layout.screws)
    counts = {"screws": screws, "holes": len(layout.anchors) - screws, "boards": len(layout.boards)}
    for name, count in counts.items():
        low, high = getattr(wanted, name)
        if not low <= count <= high:
            raise Rejected(f"{count} {name}")
    for fault in untidy(layout):
        raise Rejected(fault)


def catalogue() -> tuple[Released, ...]:
    """Return all levels in menu order."""
    easy = sorted((first_released(motif, EASY_WANTED) for motif in EASY), key=difficulty)
    safe = first_released(HARD[0], SAFE_WANTED)
    hard = sorted((first_released(motif, HARD_WANTED) for motif in HARD[1:]), key=difficulty)
    return (*(_released("easy", level) for level in easy), *(_released("hard", level) for level in (safe, *hard)))


def _released(tier: str, drawn: Drawn) -> Released:
    return Released(tier, layout_to_json(drawn.layout), drawn.claim, provenance(drawn))


def main() -> None:
    """Make the levels and write them."""
    write_levels(game_named("bolt_unscrew"), catalogue())


if __name__ == "__main__":
    main()
