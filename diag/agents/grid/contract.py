"""What a player of a grid environment is: it is shown a frame and answers with one action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from diag.session.contract import Privilege
from games.contract import JsonObject
from games.grid.actions import GridAction
from games.grid.contract import Observation
from games.grid.environment import GridEnvironment


@dataclass(frozen=True)
class Sight:
    """What reaches a player at one decision."""

    seen: Observation
    """The answer to its last action: frames, status, levels completed, available actions."""
    attempt_actions: int
    """Actions since this attempt at the level began; at 0 a RESET would begin the whole game again."""
    game: GridEnvironment | None = None
    """A copy of the game with its rules state; None for players of privilege `none`."""
    feedback: str = ""
    """Why the last action was not taken; empty if it was."""


class NoAction(Exception):
    """The player gives up; its words are the message."""


@dataclass(frozen=True)
class Answer:
    """What a player that is asked over a line says beside its action, and what that took."""

    reason: str
    latency_s: float
    measured_s: float
    """Real time of the question, waits included."""
    throttled_s: float
    usage: JsonObject
    """Tokens, pictures, tries and cost, as the endpoint reported them."""


class GridPlayer(Protocol):
    """One player in one play. Its randomness comes from the generator it was built with."""

    def choose(self, sight: Sight) -> GridAction:
        """Return the next action; after a loss that is RESET.

        Raises:
            ActionError: the player said something that is no action here.
            NoAction: it gives up.
        """


class PlayerSettings(Protocol):
    """Settings of a player; picklable."""

    @property
    def privilege(self) -> Privilege:
        """What it has access to beyond frames; above `none` it needs a game with a rules state."""

    def build(self, rng: np.random.Generator) -> GridPlayer:
        """Return a player for one play."""
