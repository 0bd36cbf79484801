"""One line per level: size, optimum, branching and how often random play dies, as a Markdown table.

python benchmarks/level_table.py [GAME/DIFFICULTY ...] [--plays 200] [--moves 200]

Branching is the mean number of legal moves over the boards of random play. A play picks uniformly among the legal moves
and ends at a win, at the first certified dead end, or after `--moves` moves; a board that the solver cannot decide is
counted. A game without dead ends shows 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelId
from solvers.certificate import DeadEnd, Undecided
from solvers.registry import solver_for

STATE_LIMIT = 200_000


@dataclass(frozen=True)
class Play:
    """What one random play came to."""

    n_choices: tuple[int, ...]
    """Legal moves of each board on the way."""
    ending: str
    """won, dead, undecided or moves (the limit)."""


def random_play(catalogue: Catalogue, level: LevelId, rng: np.random.Generator, n_moves: int) -> Play:
    """Play one level at random."""
    game, solver = catalogue.games[level.game], solver_for(level.game)
    state: Any = game.initial_state(catalogue.layout(level))
    choices: list[int] = []
    for _ in range(n_moves):
        if game.is_won(state):
            return Play(tuple(choices), "won")
        claim = solver.certify(state, state_limit=STATE_LIMIT)
        if isinstance(claim, DeadEnd | Undecided):
            return Play(tuple(choices), "dead" if isinstance(claim, DeadEnd) else "undecided")
        moves = game.legal_moves(state)
        choices.append(len(moves))
        state = game.step(state, moves[int(rng.integers(len(moves)))])
    return Play(tuple(choices), "won" if game.is_won(state) else "moves")


def size_of(layout: Mapping[str, Any]) -> str:
    """Return a level's size in the words of its layout."""
    if "bolts" in layout:
        return f"{len(layout['bolts'])} bolts x {layout['capacity']}"
    things = [f"{len(layout[name])} {name}" for name in ("boards", "vehicles", "trucks", "pairs") if name in layout]
    if "columns" in layout:
        return f"{layout['rows']} x {layout['columns']}, {things[0]}"
    return things[0] if things else f"{len(layout['rows'])} x {max(map(len, layout['rows']))}"


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure levels by random play.")
    parser.add_argument("only", nargs="*", help="the beginnings of the level ids to measure")
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--moves", type=int, default=200)
    chosen = parser.parse_args(arguments)
    catalogue = load_catalogue()
    print("| level | size | optimum | branching | random plays that die | undecided |\n|---|---|---|---|---|---|")
    for level in catalogue.entries:
        if chosen.only and not str(level.id).startswith(tuple(chosen.only)):
            continue
        rng = np.random.default_rng(level.id.number)
        plays = [random_play(catalogue, level.id, rng, chosen.moves) for _ in range(chosen.plays)]
        branching = np.mean([n for play in plays for n in play.n_choices])
        dead, undecided = (np.mean([play.ending == ending for play in plays]) for ending in ("dead", "undecided"))
        bound = "" if level.exact else " (upper bound)"
        short = str(level.id).partition("/")[2].replace("/", " ")
        print(
            f"| {short} | {size_of(level.layout_json)} | {level.optimum}{bound} | {branching:.1f} | {dead:.1%} | "
            f"{undecided:.1%} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
