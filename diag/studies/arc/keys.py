"""The keys of a study of grid games, and of its arms."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import StudyConfig


@dataclass
class ArcKeys(StudyConfig):
    """A study of grid games behind the interface of ARC-AGI-3."""

    kind: str = identity("arc")
    cohorts: list[str] = identity(lambda: ["G"])
    cluster: str = identity("game")
    games: list[str] = identity(list)
    """Names of the games, in plan order; empty for all that there are."""
    levels_per_game: int = identity(5)
    """Levels of each game, spread evenly over its catalogue from the first; a game with fewer plays all."""
    loss: list[str] = identity(lambda: ["stuck"])
    """What loses an attempt: stuck (no legal move), deadlock (no win is reachable, proven), budget (actions spent)."""
    loss_by_game: dict[str, list[str]] = identity(dict)
    """The same for single games, instead of `loss`."""
    attempt_multiplier: float = identity(2.0)
    """With the loss `budget`: an attempt has so many times the level's baseline of actions, rounded up, at most 704."""
    budget_multiplier: float = identity(5.0)
    """A play ends when a level has taken so many times its baseline, rounded up."""
    animate: bool = identity(False)
    """Whether observations have the frames between two settled ones."""


@dataclass
class GridPolicyConfig:
    """An arm of a study of grid games: who plays."""

    _target_: str = identity("diag.studies.arc.GridPolicy")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("none")
    """What the player has access to beyond frames."""
    player: str = identity()
    """random, explorer, greedy, oracle or reference."""
    slip: float = identity(0.0)
    """Share of its moves that a reference player makes at random."""
