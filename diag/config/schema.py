"""Every key that is no study's own: its type, its default, and whether it can change an outcome."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from diag.config.roles import identity, runtime


class Mode(Enum):
    """What to do with a study. `all` is run, analyse, report, track; everything after `run` is offline."""

    plan = "plan"
    run = "run"
    regrade = "regrade"
    analyse = "analyse"
    track = "track"
    report = "report"
    calibrate = "calibrate"
    collect = "collect"
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
    """Worker processes; 1 with one seat runs in this process; null is one for an agent that waits, else one per core,
    fewer where memory ends first, and on a cluster with an address as many as it takes."""
    seats: int | None = runtime(None)
    """Units at a time in each process, in one browser; null is one where n_jobs is given, else as many as the agent
    takes requests at a time, fewer where memory ends first."""
    harness_share_limit: float = runtime(0.03)
    """Fewer units run at a time when the 95th percentile of the harness's share of the takeovers' time passes this."""
    failed: bool = runtime(False)
    """Run only the units of which an attempt failed and none is valid, and begin no other."""
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
    """Language of the screen and of everything the agent is told or asked: en or zh."""
    instructions: str = identity("brief")
    """What stands beside a board: brief (the goal and the gesture), full (every rule as well) or none."""
    unlock: str = identity("all")
    """Which levels the menu opens: all, or in_order: those won and the first that is not (whole episodes)."""
    settle_wait_s: float = identity(2.0)
    """Wait after each call of the dispatcher, seconds on the injected clock."""
    restore: str = identity("fast")
    """How a checkpoint is restored: `fast` sets the board, `replay` performs the legal prefix with fixed steps."""
    port: int = runtime(0)
    """Loopback port of the suite server; 0 takes a free one."""


@dataclass
class Config:
    """Everything `python -m diag` takes."""

    mode: Mode = runtime(Mode.all)
    """plan, run, regrade, analyse, track, report, calibrate, collect, or all (run, analyse, report, track)."""
    study: Any = identity(None)
    """Set by `+experiment=NAME`."""
    agent: Any = identity()
    """Set by `agent=NAME`; what counts of it is what the agent's own `identity()` returns."""
    env: Any = identity(None)
    """Set by `env=NAME` where sessions are played elsewhere than in the suite; what counts of it is in its levels."""
    catalog: CatalogConfig = identity(CatalogConfig)
    clock: ClockConfig = identity(ClockConfig)
    tracking: TrackingConfig = runtime(TrackingConfig)
    execution: ExecutionConfig = identity(ExecutionConfig)
    suite: SuiteConfig = identity(SuiteConfig)
    outputs: str = runtime("outputs")
    """Folder of all studies; made absolute at once."""
    interim: bool = runtime(False)
    """Look at the outcomes of a study that has not ended: marked wherever they appear, recorded in `looks.json`."""
    calibrate_repeats: int = runtime(20)
    """Simulated studies that `mode=calibrate` runs."""
