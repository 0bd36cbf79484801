"""The keys of a study of world models, and of its arms."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import LimitsConfig
from diag.starts.grid_games import GridGamesConfig


def day_of_calls() -> LimitsConfig:
    """Return limits under which calls, tokens and level budgets end a play, not the clock."""
    return LimitsConfig(takeover_s=86_400.0, actions=None, invalid_decisions_in_a_row=20)


@dataclass
class WorldModelKeys(GridGamesConfig):
    """World models: nobody, the actor, a builder that is called, or a builder that is triggered writes the model."""

    kind: str = identity("world_model")
    control: str = identity("none")
    limits: LimitsConfig = identity(day_of_calls)
    levels_per_game: int = identity(3)
    """Levels of each game, spread evenly over its catalogue from the first; a game with fewer plays all."""
    calls: int = identity(1_000)
    """Model calls of one play, of actor and builder together, the same in every condition."""
    tokens: int = identity(20_000_000)
    """Tokens of one play, in and out, of actor and builder together, the same in every condition."""
    tool_steps: int = identity(40)
    """Model calls of the actor for one action."""
    builder_steps: int = identity(40)
    """Model calls of the builder each time it runs."""
    builder_calls: int = identity(5)
    """How often the actor may call the builder at one level (orchestrator)."""
    plan_states: int = identity(10_000)
    """Transitions of the model that one search may take."""
    run_s: float = identity(20.0)
    """Seconds of real time of one run in the jail."""
    call_s: float = identity(2.0)
    """Seconds of real time of one call of a model's function."""
    memory_mb: int = identity(1_024)
    """Memory of one run in the jail."""
    kept_grids: int = identity(3)
    """Turns whose grid stays in the conversation; earlier ones are in the evidence alone."""
    context_characters: int = identity(200_000)
    """Characters of a conversation as it is sent; beyond, its oldest answers are left out."""
    curve: list[float] = identity(lambda: [0.1, 0.25, 0.5, 0.75, 1.0])
    """Shares of the budgets of calls and tokens at which the score is worked out again, without a rerun."""


@dataclass
class ConditionConfig:
    """An arm of a study of world models."""

    _target_: str = identity("diag.studies.world_model.condition.Condition")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("none")
    """What the model comes from beyond frames."""
    policy: str = identity()
    """none, single, orchestrator, trigger or given."""
    given: str = identity("")
    """Of policy given: exact, fault, abstaining or wrong_goal."""
