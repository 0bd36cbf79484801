"""The keys of each kind of study (`+experiment=NAME` chooses one), their limits, history, contrasts and analysis."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diag.config.roles import identity, runtime


@dataclass
class LimitsConfig:
    """Budgets on the takeover clock."""

    _target_: str = identity("diag.studies.Limits")
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


@dataclass
class HistoryConfig:
    """What an agent keeps in context (protocol 1.1)."""

    _target_: str = identity("diag.studies.History")
    prefix_pictures: int = identity(4)
    """Preceding (screenshot, action) pairs at takeover."""
    recent_turns: int = identity(12)
    """Most recent action turns afterwards."""
    pictures: int = identity(4)
    """Earlier screenshots that stay in context afterwards; the current one always does."""
    summary_every_turns: int = identity(8)
    """Turns between model-written summaries."""


@dataclass
class ContrastConfig:
    """treatment - control, paired within blocks."""

    _target_: str = identity("diag.studies.Contrast")
    treatment: str = identity()
    """Arm letter."""
    control: str = identity()
    """Arm letter."""


@dataclass
class AnalysisConfig:
    """How effects are estimated; fixed in the plan, before any outcome."""

    _target_: str = identity("diag.studies.Estimation")
    draws: int = identity(10_000)
    """Cluster bootstrap resamples."""
    level: float = identity(0.95)
    """Nominal coverage of the intervals."""
    seed: int = identity(0)
    """Seed of the resampling plan that all effects share."""
    planned_control_rate: float = runtime(0.2)
    """Share of a yes/no endpoint in the control arm that the plan's minimum detectable effect assumes."""


@dataclass
class TakeoverConfig:
    """A dead-end takeover study (protocol 3)."""

    _target_: str = identity("diag.studies.TakeoverStudy")
    name: str = identity()
    """Name of the study and of its folder."""
    title: str = runtime("")
    """Heading of tables and reports."""
    question: str = runtime("")
    """The question in one sentence."""
    objective: str = identity()
    """The instruction that every arm starts from; {game}, {difficulty}, {number} are filled in."""
    arms: dict[str, Any] = identity(dict)
    """Arm letter -> intervention; an arm runs in every cohort that its intervention covers."""
    cohorts: list[str] = identity(lambda: ["D", "N"])
    """Cohorts of the library, in plan order; each is analysed on its own."""
    control: str = identity("A")
    """An arm that no contrast names is compared with this one."""
    contrasts: list[ContrastConfig] = identity(list)
    """Paired contrasts, each {treatment, control}; those of one endpoint and cohort share Holm's correction."""
    endpoints: list[str] = identity(list)
    """Columns of the outcome table that are contrasted; the table holds all others too."""
    cluster: str = identity("source_level")
    """What the bootstrap resamples: source_level or checkpoint."""
    repeats: int = identity(1)
    """Units per checkpoint and arm; repeats are averaged within the block."""
    seed: int = identity(0)
    """Enters every unit's seed; 0 is a seed like any other."""
    max_units: int | None = identity(None)
    """Plan only the first so many units, for trying a set-up out."""
    limits: LimitsConfig = identity(LimitsConfig)
    history: HistoryConfig = identity(HistoryConfig)
    analysis: AnalysisConfig = identity(AnalysisConfig)


@dataclass
class EpisodesConfig(TakeoverConfig):
    """Whole episodes from the home screen (protocol 2); the keys of a takeover study, and one more."""

    _target_: str = identity("diag.studies.EpisodeStudy")
    cohorts: list[str] = identity(lambda: ["E"])
    cluster: str = identity("game")
    objectives: list[str] = identity(list)
    """Episodes only: objectives (`game/difficulty`) in catalogue order; an empty list takes all."""


@dataclass
class BranchConfig(TakeoverConfig):
    """Same-state action branches (protocol 2.1); the keys of a takeover study, and two more."""

    _target_: str = identity("diag.studies.ActionBranchStudy")
    cohorts: list[str] = identity(lambda: ["S"])
    states: str = identity("action_branch")
    """Action branches only: a shipped library of branch states, or the folder of one."""
    panel: list[str] = identity(list)
    """Action branches only: agents of the panel; each runs its own study, its place turns the order of the branches."""


@dataclass
class RetryConfig(TakeoverConfig):
    """Memory at retry (protocol 4); the keys of a takeover study, and three more."""

    _target_: str = identity("diag.studies.retry.RetryStudy")
    cohorts: list[str] = identity(lambda: ["F"])
    control: str = identity("M0")
    failures: str = identity("rq3")
    """Retries only: a shipped library of source failures (cohort F), or the folder of one."""
    sources: list[str] = identity(list)
    """Retries only: ids of the source failures; an empty list takes all."""
    panel: list[str] = identity(list)
    """Retries only: agents of the whole panel; each runs its own study."""


@dataclass
class PanelTakeoverConfig(TakeoverConfig):
    """The follow-up of the dead-end takeover study; its keys, and four more."""

    _target_: str = identity("diag.studies.takeover_panel.PanelTakeoverStudy")
    libraries: str = identity("rq2+rq2_nut")
    """Takeover panels only: shipped libraries, or folders, joined by `+`."""
    checkpoints: list[str] = identity(list)
    """Takeover panels only: ids of the checkpoints, in plan order."""
    apart: dict[str, str] = identity(dict)
    """Takeover panels only: game -> cohort that its dead ends form."""
    panel: list[str] = identity(list)
    """Takeover panels only: agents of the whole panel; each runs its own study."""


@dataclass
class WorkflowConfig(EpisodesConfig):
    """Knowledge x workflow (protocol 5); the keys of an episode study, and five more."""

    _target_: str = identity("diag.studies.workflow_cells.WorkflowStudy")
    control: str = identity("K0P0")
    cluster: str = identity("objective")
    cells: list[str] = identity(lambda: ["K0P0", "K0P1", "K1P0", "K1P1"])
    """Knowledge x workflow only: arms in the order K0P0, K0P1, K1P0, K1P1."""
    probes_at_s: list[float] = identity(list)
    """Knowledge x workflow only: seconds at which the rules are asked for; those not reached are asked at the end."""
    probe_question: str = identity("")
    """Knowledge x workflow only: the rule probe; {game} is filled in."""
    language: str = identity("en")
    """Knowledge x workflow only: language of cards and answers, en or zh."""
    panel: list[str] = identity(list)
    """Knowledge x workflow only: agents of the whole panel; each runs its own study."""
