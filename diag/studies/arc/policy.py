"""An arm of a study of grid games: the player. All arms of a block play the same game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from diag.agents.grid import GridPlayer, player_settings
from diag.agents.grid.shown import VIEWS, View
from diag.session.contract import Privilege, PublicContext
from diag.starts.grid_games import COHORT

AGENT = "agent"


@dataclass(frozen=True)
class GridPolicy:
    """Who plays. Its privilege is the player's own; another one is refused."""

    name: str
    player: str
    """A scripted player's name, or `agent`: the model that the study is run on."""
    slip: float = 0.0
    view: View | None = None
    """Of a model: what it is shown of a frame; both if nothing is said."""
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        if self.view is not None and (self.player != AGENT or self.view not in VIEWS):
            wanted = f"one of {', '.join(VIEWS)}" if self.player == AGENT else "none: it reads the grid itself"
            raise ValueError(f"{self.name}: view {self.view!r}, wanted {wanted}")
        if self.player == AGENT and self.slip:
            raise ValueError(f"{self.name}: slip {self.slip}, wanted 0: a model has its own")
        found = "none" if self.player == AGENT else player_settings(self.player, self.slip).privilege
        if found != self.privilege:
            raise ValueError(f"{self.name}: privilege {self.privilege!r}, wanted {found!r}, as {self.player} has it")

    def build(self, seed: int) -> GridPlayer:
        """Return the scripted player of one play; equal seeds and frames give equal actions."""
        return player_settings(self.player, self.slip).build(np.random.default_rng(seed))

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of grid games."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context as it is: players get frames. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context
