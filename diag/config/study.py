"""The keys that all kinds of study share: limits, history, contrasts, analysis. A kind's own keys lie in its room."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diag.config.roles import identity, runtime


@dataclass
class LimitsConfig:
    """Budgets on the takeover clock."""

    takeover_s: float = identity(300.0)
    """A continuation or episode ends at this time; an inference call that returns later dispatches nothing."""
    actions: int | None = identity(600)
    """Ceiling of executed actions; null for none (whole episodes)."""
    invalid_decisions_in_a_row: int = identity(20)
    """A continuation ends after so many consecutive decisions of which nothing could be executed."""
    timely_actions: int = identity(10)
    """The timely window in executed actions ..."""
    timely_s: float = identity(120.0)
    """... and in seconds; both must hold."""


def hour_without_action_limit() -> LimitsConfig:
    """Return the limits of whole episodes. The last guards against an agent that never again produces an action."""
    return LimitsConfig(takeover_s=3_600.0, actions=None, invalid_decisions_in_a_row=100)


@dataclass
class HistoryConfig:
    """What an agent keeps in context (protocol 1.1)."""

    prefix_pictures: int = identity(4)
    """Preceding (screenshot, action) pairs at takeover."""
    recent_turns: int = identity(12)
    """Most recent action turns afterwards."""
    pictures: int = identity(4)
    """Earlier screenshots that stay in context afterwards; the current one always does."""
    summary_every_turns: int = identity(8)
    """Turns between model-written summaries."""
    kept: str = identity("study")
    """study: these numbers for every agent; agent: what the agent's format declares for whole episodes, if it does."""


@dataclass
class ContrastConfig:
    """treatment - control, paired within blocks."""

    treatment: str = identity()
    """Arm letter."""
    control: str = identity()
    """Arm letter."""
    equivalence: bool = identity(False)
    """Whether the contrast also asks for equivalence, within the margin of each endpoint that declares one."""


@dataclass
class DeclaredConfig:
    """What a study declares of an endpoint, in place of its kind's own declaration."""

    endpoint: str = identity()
    """One of study.endpoints."""
    primary: bool = identity(False)
    """Whether it is the study's primary endpoint; one is."""
    family: str = identity("")
    """Endpoints that name the same family are corrected together, contrasts and endpoints jointly."""
    smallest_effect: float | None = identity(None)
    """The smallest effect of interest, in the endpoint's unit (a share, not points)."""
    equivalence: float | None = identity(None)
    """Margin within which arms count as equivalent, in the endpoint's unit."""


@dataclass
class AnalysisConfig:
    """How effects are estimated; fixed in the plan, before any outcome."""

    draws: int = identity(10_000)
    """Cluster bootstrap resamples."""
    level: float = identity(0.95)
    """Nominal coverage of the intervals."""
    seed: int = identity(0)
    """Seed of the resampling plan that all effects share."""
    planned_control_rate: float = runtime(0.2)
    """Share of a yes/no endpoint in the control arm that the plan's power assumes."""
    planned_rates: dict[str, float] = runtime(dict)
    """The same of other arms, {B: 0.8}; a contrast's control arm of which nothing is said is taken at 0.5."""


@dataclass
class StudyConfig:
    """The keys that every kind of study has; a kind adds its own in a subclass."""

    kind: str = identity()
    """Which kind of study; set by the group `study`."""
    name: str = identity()
    """Name of the study and of its folder."""
    title: str = runtime("")
    """Heading of tables and reports."""
    question: str = runtime("")
    """The question in one sentence."""
    objective: Any = identity()
    """The instruction that every arm starts from, one text or one per language {en: ..., zh: ...}; {game}, {difficulty}
    and {number} are filled in as the screen says them, {label:restart} with the label of a control."""
    arms: dict[str, Any] = identity(dict)
    """Arm letter -> intervention; an arm runs in every cohort that its intervention covers."""
    cohorts: list[str] = identity(list)
    """Cohorts of the library, in plan order; each is analysed on its own."""
    control: str = identity("A")
    """An arm that no contrast names is compared with this one."""
    contrasts: list[ContrastConfig] = identity(list)
    """Paired contrasts, each {treatment, control}; those of one endpoint and cohort are corrected together."""
    endpoints: list[str] = identity(list)
    """Columns of the outcome table that are contrasted; the table holds all others too."""
    declared: list[DeclaredConfig] = identity(list)
    """What is declared of endpoints: role, family, smallest effect, margin; the kind's own declaration where not."""
    cluster: str = identity()
    """What is resampled, one of the kind's clusters; for checkpoints source_level or checkpoint."""
    independent: str = identity("")
    """`cluster` said again, where it is finer than the design's own unit of independence; all numbers are marked."""
    repeats: int = identity(1)
    """Units per checkpoint and arm; the first valid one counts, others serve stability (replicates are averaged)."""
    stability_units: int = identity(0)
    """So many cells of checkpoint and arm get one more unit, for stability alone; spread over checkpoints and arms."""
    seed: int = identity(0)
    """Enters every unit's seed; 0 is a seed like any other."""
    max_units: int | None = identity(None)
    """Plan only the first so many units, for trying a set-up out."""
    only: list[str] = identity(list)
    """Plan only these units, by block, arm or name; an empty list takes all. Such a study is exploratory."""
    panel: list[str] = identity(list)
    """Agents of the whole panel, if the study is one of several that are read together; each runs its own study."""
    limits: LimitsConfig = identity(LimitsConfig)
    history: HistoryConfig = identity(HistoryConfig)
    analysis: AnalysisConfig = identity(AnalysisConfig)
