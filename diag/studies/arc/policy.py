"""An arm of a study of grid games: the player. All arms of a block play the same game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diag.agents.grid import GridPlayer, player_settings
from diag.session.contract import Privilege, PublicContext
from diag.starts.grid_games import COHORT


@dataclass(frozen=True)
class GridPolicy:
    """Who plays. Its privilege is the player's own; another one is refused."""

    name: str
    player: str
    slip: float = 0.0
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        found = player_settings(self.player, self.slip).privilege
        if found != self.privilege:
            raise ValueError(f"{self.name}: privilege {self.privilege!r}, wanted {found!r}, as {self.player} has it")

    def build(self, seed: int) -> GridPlayer:
        """Return the player of one play; equal seeds and frames give equal actions."""
        return player_settings(self.player, self.slip).build(np.random.default_rng(seed))

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of grid games."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context as it is: players get frames. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context
