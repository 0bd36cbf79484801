"""What ends an attempt: budgets, goals and stop conditions. Frozen values and pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from diag.records import Ending
from games.contract import LevelId
from games.suite.snapshot import Snapshot, Transition


@dataclass(frozen=True)
class Limits:
    """Budgets of one attempt (protocol 1.2). `None` means no such limit."""

    time_s: float = 300.0
    """On the attempt's clock: takeover limit, or the episode budget (3,600 s)."""
    actions: int | None = 600
    """Executed actions, `wait` and `answer` included; an attempt executes at most exactly this many."""
    invalid_decisions_in_a_row: int | None = 20
    """Consecutive decisions of which nothing could be executed."""

    def __post_init__(self) -> None:
        if not self.time_s > 0:
            raise ValueError(f"time_s must be above 0, got {self.time_s}")
        for name in ("actions", "invalid_decisions_in_a_row"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be None or at least 1, got {value}")


class StopCondition(Protocol):
    """Ends an attempt on what happened in the game. Stateless, or built anew for each attempt."""

    name: str
    """The `reason` of `episode_end`."""

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return how the attempt ends, or None. `transitions` are those since the previous snapshot."""


class Goal(Protocol):
    """What a completion claim is checked against."""

    def reached(self, snapshot: Snapshot) -> bool:
        """Tell whether the evaluator can confirm the claim."""


@dataclass(frozen=True)
class LevelWon:
    """Stop condition and goal of a takeover: the assigned level is won; winning any other level is nothing."""

    level: LevelId
    name: str = "level_won"

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return `won` once the assigned level has been won, however briefly it was shown."""
        latched = any(change.won and change.level == self.level for change in transitions)
        return "won" if latched or self.reached(snapshot) else None

    def reached(self, snapshot: Snapshot) -> bool:
        """Tell whether the assigned level has been won."""
        return (snapshot.won and snapshot.level == self.level) or self.level in snapshot.won_levels


@dataclass(frozen=True)
class LevelsWon:
    """Stop condition and goal of an episode: every level of the objective is won."""

    levels: tuple[LevelId, ...]
    name: str = "objective_won"

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return `won` once all levels carry their credit."""
        return "won" if self.reached(snapshot) else None

    def reached(self, snapshot: Snapshot) -> bool:
        """Tell whether every level of the objective has been won."""
        return set(self.levels) <= set(snapshot.won_levels)


def all_levels_won(levels: Sequence[LevelId]) -> LevelsWon:
    """Return the goal of an objective. Raises ValueError without levels: it would be reached at once."""
    if not levels:
        raise ValueError("an objective has at least one level")
    return LevelsWon(tuple(levels))
