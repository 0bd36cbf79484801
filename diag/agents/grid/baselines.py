"""Baselines of a level from scripted reference players: the upper median of how many actions they need.

They stand where ARC-AGI-3 has the first plays of people. They are simulated, and no score that is made with them can be
compared with one that is made with people's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diag.agents.grid.contract import Sight
from diag.agents.grid.solvers import Follower
from games.digest import sha256_of
from games.grid.environment import GridEnvironment, LevelSet, Loss
from games.grid.scores import upper_median

REFERENCE_SLIPS = (0.02, 0.05, 0.08, 0.12, 0.2)
"""Slips of the five reference players, the strongest first."""
ACTION_LIMIT = 2_000
"""Actions after which a reference player has not completed the level; it then counts as slower than all others."""


@dataclass(frozen=True)
class References:
    """What the reference players of one level needed."""

    counts: tuple[int | None, ...]
    """Actions by player, the strongest first; None: not completed."""

    @property
    def baseline(self) -> int:
        """The upper median. Raises ValueError if the player at that place did not complete the level."""
        found = upper_median([ACTION_LIMIT + 1 if count is None else count for count in self.counts])
        if found > ACTION_LIMIT:
            n_done = sum(count is not None for count in self.counts)
            raise ValueError(
                f"{n_done} of {len(self.counts)} reference players complete the level, wanted most of them"
            )
        return found


def references(levels: LevelSet, index: int, loss: Loss, *, seed: int = 0) -> References:
    """Let every reference player play one level of a set, by itself, from its start.

    Args:
        levels: the game's levels.
        index: zero-based number of the level.
        loss: what ends an attempt as lost, as in the study; its budgets are left out.
        seed: with the level's name and the player's place, the only source of randomness.
    """
    one = LevelSet(levels.game, levels.port, (levels.ids[index],), (levels.layouts[index],), (levels.boards[index],))
    name = str(levels.ids[index])
    return References(
        tuple(_count(one, loss, slip, _rng(name, place, seed)) for place, slip in enumerate(REFERENCE_SLIPS))
    )


def _rng(level: str, place: int, seed: int) -> np.random.Generator:
    return np.random.default_rng(int(sha256_of([level, place, seed])[:16], 16))


def _count(level: LevelSet, loss: Loss, slip: float, rng: np.random.Generator) -> int | None:
    game = GridEnvironment(level, Loss(loss.stuck, loss.deadlock), resets_levels_only=True)
    player, seen = Follower(slip).build(rng), game.observation
    for n_actions in range(1, ACTION_LIMIT + 1):
        action = player.choose(Sight(seen, game.attempt_actions, game))
        seen = game.step(action)
        if seen.status == "won":
            return n_actions
    return None
