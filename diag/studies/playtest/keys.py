"""The keys of a playtest study."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import LimitsConfig, StudyConfig


def day_without_action_limit() -> LimitsConfig:
    """Return limits under which rounds end a task, not the clock."""
    return LimitsConfig(takeover_s=86_400.0, actions=None, invalid_decisions_in_a_row=100)


@dataclass
class PlaytestKeys(StudyConfig):
    """Playtest: builds with known defects are repaired in rounds of coding and playing, under conditions of memory."""

    kind: str = identity("playtest")
    cohorts: list[str] = identity(lambda: ["T"])
    cluster: str = identity("game")
    control: str = identity("none")
    limits: LimitsConfig = identity(day_without_action_limit)
    games: list[str] = identity(list)
    """Games whose builds are the tasks; an empty list takes all six."""
    orders: int = identity(3)
    """Orders of the tasks, each drawn from `study.seed`; every condition replays each from empty memories."""
    defects: int = identity(4)
    """K: seeded defects of a task's first build, each of another criterion."""
    rounds: int = identity(5)
    """R_max: most rounds of coding and playing."""
    judge_limit_s: float = identity(600.0)
    """Longest session of a judge on one build, in seconds."""
    code_calls: int = identity(30)
    """Most tool calls of a model that codes, in one round."""
    play_actions: int = identity(60)
    """Most GUI actions of a model that plays, in one round."""
