"""The keys of a continuation study, and of its arms."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import LimitsConfig, StudyConfig


def day_without_action_limit() -> LimitsConfig:
    """Return limits under which the budget of a level ends a run, not the clock."""
    return LimitsConfig(takeover_s=86_400.0, actions=None, invalid_decisions_in_a_row=50)


@dataclass
class ContinuationKeys(StudyConfig):
    """Continuation: what an agent does when it may stop, report, and is resumed."""

    kind: str = identity("continuation")
    cohorts: list[str] = identity(lambda: ["single", "curriculum"])
    cluster: str = identity("level")
    control: str = identity("baseline")
    limits: LimitsConfig = identity(day_without_action_limit)
    targets: list[str] = identity(list)
    """Target levels (`game/difficulty/number`); empty: the classic and extended mazes of `agi_maze`."""
    tutorials: int = identity(7)
    """Easier levels before the target in the setting curriculum: the first of the same game, of lower difficulties."""
    loss: list[str] = identity(lambda: ["stuck"])
    """What loses an attempt: stuck (no legal move; in a maze, no step left), deadlock (no win is reachable, proven, and
    not to be seen: then `controlled_reset` has no block, and `controlled_reset_oracle` has)."""
    budget_multiplier: float = identity(5.0)
    """A run ends when a level has taken so many times its reference actions h, rounded up."""
    cap: float = identity(1.0)
    """Most that a level gives in the budgeted score, as a share: 1 or 1.15."""
    validity: str = identity("attempt")
    """What a technical failure costs: the attempt, or the whole collection (all targets of a condition, setting and
    repetition, those that had finished too)."""
    x1: str = identity("hard")
    """What counts as solved in time: within B (`hard`), or within h (`soft`)."""


@dataclass
class ConditionConfig:
    """An arm of a continuation study."""

    _target_: str = identity("diag.studies.continuation.condition.Condition")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    kind: str = identity()
    """baseline, stop_and_report, controlled_reset, controlled_reset_oracle or textual."""
    privilege: str = identity("none")
    """What the controller knows beyond the screen: evaluator_state for controlled_reset_oracle."""
