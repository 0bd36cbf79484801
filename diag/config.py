"""The typed configuration: every key there is, its type, its default, and whether it can change an outcome.

A field is `identity` (its value can change an outcome: resuming a study with another value is refused) or `runtime`
(workers, ports, paths, reporting: free to change at any time). `tests/diag/test_config.py` fails on an unclassified
one. Hydra composes `conf/` against these dataclasses, so a misspelt key or a wrong type stops before anything runs.
"""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, Literal

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

Role = Literal["identity", "runtime"]


class Mode(Enum):
    """What to do with a study. `all` is run, analyse, report, track; everything after `run` is offline."""

    plan = "plan"
    run = "run"
    regrade = "regrade"
    analyse = "analyse"
    track = "track"
    report = "report"
    calibrate = "calibrate"
    all = "all"


class ClockKind(Enum):
    """`auto` is virtual for an agent that reports its own latency (simulated), wall for every other."""

    auto = "auto"
    wall = "wall"
    working = "working"
    virtual = "virtual"


class Backend(Enum):
    """Where units run: joblib's loky on this machine, or an existing Dask or Ray cluster."""

    loky = "loky"
    dask = "dask"
    ray = "ray"


def identity(default: Any = MISSING) -> Any:
    """Declare a field whose value can change an outcome. A callable default is a factory."""
    return _classified("identity", default)


def runtime(default: Any = MISSING) -> Any:
    """Declare a field that cannot change an outcome. A callable default is a factory."""
    return _classified("runtime", default)


def _classified(role: Role, default: Any) -> Any:
    if callable(default) and not isinstance(default, Enum):
        return field(default_factory=default, metadata={"role": role})
    return field(default=default, metadata={"role": role})


@dataclass
class CatalogConfig:
    """What is played: a library of certified checkpoints and a pack of levels."""

    library: str = identity("rq2")
    """A shipped library's name, or the folder of one. Its digest, not its place, is what a plan fixes."""
    levels: str | None = identity(None)
    """Folder of a level pack; null for the shipped levels."""


@dataclass
class ClockConfig:
    """The takeover clock that every endpoint reads."""

    kind: ClockKind = identity(ClockKind.auto)
    """wall, working (wall without rate-limit waits), virtual, or auto: virtual for simulated agents, else wall."""


@dataclass
class TrackingConfig:
    """Where results are projected to after the files are complete; never the place where results live."""

    enabled: bool = runtime(True)
    """Whether mode=all tracks; mode=track always does."""
    uri: str | None = runtime(None)
    """MLflow tracking URI; null for the embedded SQLite database beside the study folders."""
    experiment: str | None = runtime(None)
    """MLflow experiment; null for the study's title."""
    traces: int = runtime(0)
    """Trajectories per arm that are also stored as MLflow traces."""


@dataclass
class ExecutionConfig:
    """How units are run. Nothing here decides what they are."""

    backend: Backend = runtime(Backend.loky)
    """loky (processes of this machine), dask or ray (a cluster)."""
    n_jobs: int | None = runtime(None)
    """Units at a time; 1 runs in this process; null is one per core, four per core for agents on a network,
    fewer where memory ends first, and on a cluster with an address as many as it takes."""
    max_attempts: int = identity(3)
    """Tries at a unit in one run before it stays incomplete. Only infrastructure failures are tried again."""
    address: str | None = runtime(None)
    """Scheduler of a Dask cluster or head of a Ray cluster; null starts one on this machine."""
    progress: bool = runtime(True)
    """Show units done, failures and time left: a bar on a terminal, lines elsewhere."""


@dataclass
class SuiteConfig:
    """The games as they are served."""

    browser: bool = identity(True)
    """False plays the rules without a browser: no pixels, quick, labelled as such in every record."""
    animate: bool = identity(False)
    """Whether the page animates; on a virtual clock only settled scenes are drawn."""
    language: str = identity("en")
    """Language of menus and instructions: en or zh."""
    settle_wait_s: float = identity(2.0)
    """Wait after each call of the dispatcher, seconds on the injected clock."""
    restore: str = identity("fast")
    """How a checkpoint is restored: `fast` sets the board, `replay` performs the legal prefix with fixed steps."""
    port: int = runtime(0)
    """Loopback port of the suite server; 0 takes a free one."""


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
class FirstActionConfig:
    """An arm of an action branch study: the action that the controller executes first."""

    _target_: str = identity("diag.interventions.FirstAction")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("solver_oracle")
    """What choosing the action took."""
    branch: str = identity()
    """Action branches only: costly or shortest."""


@dataclass
class TextConfig:
    """An intervention made of one sentence per cohort."""

    _target_: str = identity("diag.interventions.Text")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("none")
    """none, rule_knowledge, public_history, evaluator_state or solver_oracle: what writing the sentence took."""
    sentences: dict[str, str] = identity(dict)
    """Cohort -> sentence; `any` stands for every cohort. A cohort that is not named has no such arm."""
    position: str = identity("after_instruction")
    """after_instruction or before_instruction."""


@dataclass
class Config:
    """Everything `python -m diag` takes."""

    mode: Mode = runtime(Mode.all)
    """plan, run, regrade, analyse, track, report, calibrate, or all (run, analyse, report, track)."""
    study: Any = identity(None)
    """Set by `+experiment=NAME`."""
    agent: Any = identity()
    """Set by `agent=NAME`; what counts of it is what the agent's own `identity()` returns."""
    catalog: CatalogConfig = identity(CatalogConfig)
    clock: ClockConfig = identity(ClockConfig)
    tracking: TrackingConfig = runtime(TrackingConfig)
    execution: ExecutionConfig = identity(ExecutionConfig)
    suite: SuiteConfig = identity(SuiteConfig)
    outputs: str = runtime("outputs")
    """Folder of all studies; made absolute at once."""
    calibrate_repeats: int = runtime(20)
    """Simulated studies that `mode=calibrate` runs."""


def register() -> None:
    """Make the schemas known to Hydra."""
    from diag import config_panels

    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    store.store(group="study", name="takeover", node=TakeoverConfig)
    store.store(group="study", name="retry", node=config_panels.RetryConfig)
    store.store(group="study", name="workflow_cells", node=config_panels.WorkflowConfig)
    store.store(group="study", name="takeover_panel", node=config_panels.PanelTakeoverConfig)
    store.store(group="study", name="episodes", node=EpisodesConfig)
    store.store(group="study", name="branch", node=BranchConfig)
    store.store(group="intervention", name="text", node=TextConfig)
    store.store(group="intervention", name="first_action", node=FirstActionConfig)


def unclassified(node: type[Any]) -> list[str]:
    """Return `Class.field` of every field below `node` that is neither identity nor runtime."""
    missing: list[str] = []
    for item in fields(node):
        if item.metadata.get("role") not in ("identity", "runtime"):
            missing.append(f"{node.__name__}.{item.name}")
        default: Any = item.default_factory
        if isinstance(default, type) and is_dataclass(default):
            missing += unclassified(default)
    return missing


def identity_values(value: Any) -> Any:
    """Return the identity part of a config dataclass instance as plain JSON: runtime fields are left out."""
    if is_dataclass(value):
        kept = [item for item in fields(value) if item.metadata["role"] == "identity" and item.name != "_target_"]
        return {item.name: identity_values(getattr(value, item.name)) for item in kept}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {key: identity_values(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [identity_values(inner) for inner in value]
    return value
