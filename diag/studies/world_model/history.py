"""The typed history of a play: what each observation was in it, and nothing inferred.

Frames that an action is chosen from stand in `turns`; two that follow each other in an attempt are a transition. The
frame that completes a level, the one that loses an attempt, and the frames of an animation are events of their own.
Levels, attempts and turns count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from games.contract import JsonObject
from games.grid.actions import CLICK, NAMES, RESET, GridAction, action_from_json, click
from games.grid.contract import Observation

Grid = np.ndarray[Any, np.dtype[np.int16]]
Outcome = Literal["ongoing", "level_complete", "game_over"]
OUTCOMES = ("ongoing", "level_complete", "game_over")


@dataclass(frozen=True)
class Turn:
    """A frame that an action is chosen from."""

    action: GridAction | None
    """What led here; None for the first frame of an attempt."""
    grid: Grid
    available: tuple[str, ...]


@dataclass(frozen=True)
class Boundary:
    """An action that ended an attempt: it completed the level or lost the attempt."""

    outcome: Outcome
    action: GridAction
    grid: Grid
    """The last frame of the attempt."""


@dataclass
class Attempt:
    """One attempt at a level."""

    level: int
    number: int
    turns: list[Turn]
    end: Boundary | None = None
    """None while it goes on, and for an attempt that was reset."""

    @property
    def actions(self) -> tuple[GridAction, ...]:
        """All actions of the attempt, the one that ended it included."""
        taken = [turn.action for turn in self.turns if turn.action is not None]
        return (*taken, *(() if self.end is None else (self.end.action,)))


@dataclass(frozen=True)
class Step:
    """What one action came to: the attempt that it belonged to, the turn it was taken in, and what it began."""

    attempt: Attempt
    turn: int
    action: GridAction
    animation: tuple[Grid, ...] = ()
    begun: Attempt | None = None
    """The attempt that begins now, if one does: after a RESET, or at the next level."""


@dataclass
class History:
    """Everything that was seen, attempt by attempt."""

    attempts: list[Attempt] = field(default_factory=list)

    @property
    def current(self) -> Attempt:
        """The attempt in play. Raises IndexError before the game was opened."""
        return self.attempts[-1]

    @property
    def latest(self) -> dict[int, Attempt]:
        """The most recent attempt at each level."""
        return {attempt.level: attempt for attempt in self.attempts}

    @property
    def deaths(self) -> list[Attempt]:
        """The attempts that were lost."""
        return [one for one in self.attempts if one.end is not None and one.end.outcome == "game_over"]

    def open(self, seen: Observation) -> Attempt:
        """Begin with the answer to the opening RESET."""
        return self._begin(seen)

    def add(self, action: GridAction, seen: Observation) -> Step | None:
        """Add an action and its answer; None if the action was refused, which is no part of the history."""
        if seen.is_refused:
            return None
        attempt, turn = self.current, len(self.current.turns) - 1
        *before, last = seen.frames
        if action.number == RESET:
            return Step(attempt, turn, action, tuple(map(grid_of, before)), self._begin(seen))
        if seen.levels_completed > attempt.level:
            begins = seen.status == "playing"
            ending = before.pop() if begins else last
            attempt.end = Boundary("level_complete", action, grid_of(ending))
            return Step(attempt, turn, action, tuple(map(grid_of, before)), self._begin(seen) if begins else None)
        if seen.status == "lost":
            attempt.end = Boundary("game_over", action, grid_of(last))
        else:
            attempt.turns.append(Turn(action, grid_of(last), _names(seen)))
        return Step(attempt, turn, action, tuple(map(grid_of, before)))

    def _begin(self, seen: Observation) -> Attempt:
        level = seen.levels_completed
        number = sum(one.level == level for one in self.attempts)
        attempt = Attempt(level, number, [Turn(None, grid_of(seen.frame), _names(seen))])
        self.attempts.append(attempt)
        return attempt


def grid_of(frame: Any) -> Grid:
    """Return a frame as an int16 grid of its own, read-only."""
    grid: Grid = np.array(frame, dtype=np.int16)
    grid.flags.writeable = False
    return grid


def action_json(action: GridAction) -> JsonObject:
    """Return an action as evidence and models know it: `action`, `row`, `col`, the last two None but for ACTION6."""
    clicked = action.number == CLICK
    return {"action": action.name, "row": action.y if clicked else None, "col": action.x if clicked else None}


def action_of(data: Any) -> GridAction:
    """Invert `action_json`; row and column of an action that needs none are left out. Raises ActionError."""
    found = data if isinstance(data, dict) else {}
    name = found.get("action")
    if name == NAMES[CLICK]:
        return click(found.get("col"), found.get("row"))
    return action_from_json({"action": name})


def _names(seen: Observation) -> tuple[str, ...]:
    return tuple(NAMES[number] for number in seen.available_actions)
