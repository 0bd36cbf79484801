"""The suite's games as grid games: levels in an order, what loses an attempt, and baselines from reference players.

Shared by the kinds of study that play grids, and by the server that offers them to others (`offer`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from diag.agents.grid.baselines import References, references
from games.catalogue import Catalogue, Level
from games.digest import sha256_of
from games.grid.arcade import Offer
from games.grid.budget import LARGEST_BUDGET
from games.grid.environment import GridEnvironment, LevelSet, Loss, level_set
from solvers.deadlock import deadlock_of

DEADLOCK_STATES = 10_000
"""States searched for the proof that no win is reachable."""
LOSSES = ("stuck", "deadlock", "budget")
"""What can lose an attempt: no legal move; no win is reachable, proven; its actions are spent."""


@dataclass(frozen=True)
class LossRule:
    """What loses an attempt at a level of one game."""

    words: tuple[str, ...] = ("stuck",)
    """Some of `LOSSES`."""
    budget_multiplier: float = 2.0
    """With `budget`: an attempt has so many times the level's baseline of actions, rounded up, at most 704."""

    def __post_init__(self) -> None:
        for word in self.words:
            if word not in LOSSES:
                raise ValueError(f"loss: found {word!r}, wanted some of {', '.join(LOSSES)}")
        if not 0 < self.budget_multiplier <= 1_000:
            raise ValueError(f"attempt budget: found {self.budget_multiplier}, wanted above 0 and at most 1000")


@dataclass(frozen=True)
class GridGame:
    """One game of the suite on the grid."""

    name: str
    entries: tuple[Level, ...]
    """Its levels in order of play, all of one game."""
    rule: LossRule
    animate: bool
    catalogue: Catalogue
    baseline_source: str = "scripted reference players (simulated)"

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels in order of play."""
        return tuple(str(entry.id) for entry in self.entries)

    @property
    def certificate(self) -> dict[str, Any]:
        """What the plan prints of it."""
        return {"kind": "grid game"}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over ids and layouts of its levels."""
        return sha256_of([[str(entry.id), entry.layout_json] for entry in self.entries])

    @cached_property
    def _levels(self) -> LevelSet:
        return level_set(self.catalogue, [entry.id for entry in self.entries])

    @cached_property
    def _unbudgeted(self) -> Loss:
        words, game = self.rule.words, self.entries[0].id.game
        deadlock = deadlock_of(game, state_limit=DEADLOCK_STATES) if "deadlock" in words else None
        return Loss(stuck="stuck" in words, deadlock=deadlock)

    @cached_property
    def budgets(self) -> tuple[int, ...] | None:
        """Actions of one attempt, per level; None if they are not limited."""
        if "budget" not in self.rule.words:
            return None
        wanted = (math.ceil(self.rule.budget_multiplier * baseline) for baseline in self.baselines)
        return tuple(min(budget, LARGEST_BUDGET) for budget in wanted)

    def open(self, *, resets_levels_only: bool = True) -> GridEnvironment:
        """Return the game at its first level, opened by a free RESET."""
        loss = Loss(self._unbudgeted.stuck, self._unbudgeted.deadlock, self.budgets)
        return GridEnvironment(
            self._levels, loss, name=self.name, resets_levels_only=resets_levels_only, animate=self.animate
        )

    @cached_property
    def references(self) -> tuple[References, ...]:
        """What the scripted reference players need, level by level; made once a process."""
        return tuple(references(self._levels, place, self._unbudgeted) for place in range(len(self.entries)))

    @property
    def baselines(self) -> tuple[int, ...]:
        """Actions that every level is scored against. Raises ValueError for a level that has none."""
        return tuple(one.baseline for one in self.references)

    def offer(self, game_id: str = "") -> Offer:
        """Return the game as a server offers it, by its name and eight digits of its digest if no id is given."""
        opened: Callable[[bool], GridEnvironment] = partial(_opened, self)
        return Offer(game_id or f"{self.name}-{self.digest[:8]}", self.name, self.baselines, opened)


def _opened(game: GridGame, resets_levels_only: bool) -> GridEnvironment:
    return game.open(resets_levels_only=resets_levels_only)


def spread(levels: Catalogue, game: str, most: int) -> tuple[Level, ...]:
    """Return at most so many levels of a game, spread evenly over its catalogue from the first."""
    entries = tuple(entry for entry in levels.entries if entry.id.game == game)
    n_levels = min(len(entries), most)
    return tuple(entries[place * len(entries) // n_levels] for place in range(n_levels))
