"""A play of a grid environment: actions in, every answer on record, and when it is over.

No browser and no page. A study makes a `GridSession`, calls `open`, then `take` until `ended` says why it is over; who
chooses the actions is the study's business. Each action that the environment answered is one `grid.frame` event (the
reader is `diag.grading.frames`); one it refused is an `action` event with `valid` false.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from diag.records import InfrastructureFailure
from diag.session.clock import Clock
from diag.session.dispatcher import Ended, Record
from games.grid.actions import RESET, ActionError, GridAction
from games.grid.card import PlayCounter
from games.grid.contract import Environment, Observation
from games.grid.frame import Frame, blank, frame_text

FRAME_EVENT = "grid.frame"
FULL_RESET = "a RESET before the attempt's first action would begin the whole game again"


@dataclass(frozen=True)
class GridLimits:
    """What ends a play that is not won."""

    time_s: float
    """On the attempt's clock."""
    level_budgets: tuple[int, ...]
    """Scored actions of each level, failed attempts and RESETs included."""
    actions: int | None = None
    """Answered actions of the whole play."""
    invalid_in_a_row: int | None = 20


class FrameWriter:
    """Turns the observations of one play into the data of their events: rows of each frame that changed."""

    def __init__(self) -> None:
        self._last: Frame = blank(0)

    def data(self, action: GridAction, seen: Observation) -> dict[str, Any]:
        """Return the data of the event for one action and its answer."""
        return {
            "action": str(action),
            "frames": [self._rows(frame) for frame in seen.frames],
            "status": seen.status,
            "levels_completed": seen.levels_completed,
            "full_reset": seen.full_reset,
        }

    def _rows(self, frame: Frame) -> dict[str, str]:
        changed = np.flatnonzero((frame != self._last).any(axis=1))
        lines = frame_text(frame).split("\n") if len(changed) else []
        self._last = frame
        return {str(row): lines[row] for row in changed}


class GridSession:
    """One play: the environment, what has been counted, and the record."""

    def __init__(self, environment: Environment, limits: GridLimits, clock: Clock, record: Record) -> None:
        self.environment, self.limits, self.clock, self.record = environment, limits, clock, record
        self.counter = PlayCounter()
        self.n_actions = self.n_invalid_in_a_row = 0
        self._writer = FrameWriter()

    @property
    def seen(self) -> Observation:
        """The last answer that had a frame."""
        return self.environment.observation

    def open(self) -> Observation:
        """Record the opening RESET, which the environment has answered by being there; it is free."""
        self._note(GridAction(RESET), self.seen)
        return self.seen

    def take(self, action: GridAction) -> str:
        """Take one action and record the answer.

        Returns:
            Why nothing happened, as public feedback; empty if the environment took the action.

        Raises:
            InfrastructureFailure: the game itself failed (`suite`).
        """
        if action.number == RESET and self.environment.attempt_actions == 0:
            return self.refuse(str(action), FULL_RESET)
        try:
            found = self.environment.step(action)
        except ActionError as error:
            return self.refuse(str(action), str(error))
        except Exception as error:
            what = f"{self.environment.name}: {type(error).__name__} at {action}: {error}"
            raise InfrastructureFailure("suite", " ".join(what.split())) from error
        self.n_invalid_in_a_row = 0
        self.n_actions += 1
        self._note(action, found)
        return "the game is over: only RESET is answered" if found.is_refused else ""

    def refuse(self, action: Any, why: str) -> str:
        """Record an action that was not taken, and return why."""
        self.n_invalid_in_a_row += 1
        self.record("action", {"action": {"name": str(action)[:200]}, "valid": False, "feedback": why})
        return why

    def ended(self) -> Ended | None:
        """Return why the play is over; None while it goes on."""
        limits, seen = self.limits, self.seen
        if seen.status == "won":
            return Ended("won", "every level is completed")
        place = min(seen.levels_completed, len(limits.level_budgets) - 1)
        if self.counter.plays[-1].unfinished_actions >= limits.level_budgets[place]:
            return Ended("level_budget", f"{limits.level_budgets[place]} actions at level {place + 1}")
        if limits.actions is not None and self.n_actions >= limits.actions:
            return Ended("action_limit", f"{limits.actions} actions")
        if limits.invalid_in_a_row is not None and self.n_invalid_in_a_row >= limits.invalid_in_a_row:
            return Ended("invalid_action_limit", f"{self.n_invalid_in_a_row} in a row")
        if self.clock.elapsed_s() >= limits.time_s:
            return Ended("time_limit", f"{limits.time_s:g} s")
        return None

    def _note(self, action: GridAction, seen: Observation) -> None:
        self.counter.add(action, seen)
        self.record(FRAME_EVENT, self._writer.data(action, seen))
