"""The keys of a study of clue memory."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import LimitsConfig, StudyConfig


def day_without_action_limit() -> LimitsConfig:
    """Return limits under which the budget of GUI actions ends a play, not the clock."""
    return LimitsConfig(takeover_s=86_400.0, actions=None, invalid_decisions_in_a_row=100)


@dataclass
class ClueKeys(StudyConfig):
    """Clue memory: seek, map, solve against plain history, free notes and clues without a map."""

    kind: str = identity("clue_memory")
    cohorts: list[str] = identity(lambda: ["C"])
    cluster: str = identity("level")
    control: str = identity("none")
    limits: LimitsConfig = identity(day_without_action_limit)
    levels: list[str] = identity(list)
    """Levels (`game/difficulty/number`) in pack order; an empty list takes all."""
    budget: int = identity(1_000)
    """T: GUI actions of one play, the same in every condition; waits and refused actions are not counted."""
    seek: int = identity(15)
    """N_seek: GUI actions of one seek."""
    solve: int = identity(5)
    """N_solve: GUI actions for one mapping."""
    mappings: int = identity(5)
    """K: mappings of one map."""
    memory_tokens: int = identity(4_000)
    """Most tokens of what a condition remembers in words: free notes, and the memories of COAST alike."""
    judge_actions: int = identity(10)
    """GUI actions that the judge may make for one milestone."""
