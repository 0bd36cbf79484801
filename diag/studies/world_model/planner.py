"""Plans found in a model, and when their next action is recommended. An actor commits one action at a time.

A recommendation is paused, until the next plan, when the model's files change, when its next action is not available,
and when a frame that was seen is not the one that the plan expects. "No plan" is a statement about the model.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np

from diag.studies.world_model.history import Attempt, Grid
from games.contract import JsonObject
from games.grid.actions import GridAction

Pause = Literal["model_changed", "unavailable", "mismatch", "left", "over"]


def grid_sha256(grid: Grid) -> str:
    """Return the SHA-256 of a grid as int16, row by row, little end first."""
    return hashlib.sha256(np.ascontiguousarray(grid, dtype="<i2").tobytes()).hexdigest()


@dataclass
class Plan:
    """A way to `level_complete` that a model promises, and how far it was followed."""

    attempt: Attempt
    turn: int
    """The turn that it starts from."""
    start_sha256: str
    model_sha256: str
    actions: tuple[GridAction, ...]
    expected: tuple[str, ...]
    """SHA-256 of the grid that the model renders after each action."""
    n_done: int = 0
    paused: Pause | None = None

    def artifact(self, status: str) -> JsonObject:
        """Return the plan as it is recorded."""
        return {
            "start": {"level": self.attempt.level, "turn": self.turn, "grid_sha256": self.start_sha256},
            "actions": [str(action) for action in self.actions],
            "expected_sha256": list(self.expected),
            "model_sha256": self.model_sha256,
            "length": len(self.actions),
            "status": status,
        }

    def recommended(self, model_sha256: str, available: tuple[str, ...]) -> GridAction | None:
        """Return the next action, if the plan still holds; note why not otherwise."""
        if self.paused is None:
            if self.n_done == len(self.actions):
                self.paused = "over"
            elif model_sha256 != self.model_sha256:
                self.paused = "model_changed"
            elif self.actions[self.n_done].name not in available:
                self.paused = "unavailable"
        return None if self.paused else self.actions[self.n_done]

    def took(self, action: GridAction, seen: Grid) -> bool:
        """Follow the actor's action and the frame that came; tell whether the action was the recommended one."""
        if self.paused is not None:
            return False
        if action != self.actions[self.n_done]:
            self.paused = "left"
            return False
        if grid_sha256(seen) != self.expected[self.n_done]:
            self.paused = "mismatch"
        self.n_done += 1
        return True
