"""What a study is: it builds blocks from checkpoints, names arms, endpoints and contrasts, and grades attempts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from checkpoints.store import Checkpoint
from diag.agents.contract import PublicContext
from diag.interventions.contract import Intervention
from diag.plan import Block
from diag.records import Event, Outcome
from games.contract import JsonObject, LevelId


class CheckpointSource(Protocol):
    """What a study needs of a checkpoint library (`checkpoints.store.Library`)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def digest(self) -> str:
        """SHA-256 over all checkpoints."""

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All checkpoints in their fixed order."""


@dataclass(frozen=True)
class Limits:
    """Budgets on the takeover clock (seconds) and in executed actions."""

    takeover_s: float = 300.0
    actions: int = 600
    invalid_decisions_in_a_row: int = 20
    timely_actions: int = 10
    timely_s: float = 120.0


@dataclass(frozen=True)
class Contrast:
    """treatment - control, paired within blocks."""

    treatment: str
    control: str

    def __str__(self) -> str:
        return f"{self.treatment}-{self.control}"


@dataclass(frozen=True)
class Estimation:
    """How effects are estimated."""

    draws: int = 10_000
    level: float = 0.95
    seed: int = 0
    planned_control_rate: float = 0.2
    """What planning assumes of the control arm; no result depends on it."""


Layouts = Callable[[LevelId], object]
"""Parsed layout of a level (`Catalogue.layout`)."""


class Study(Protocol):
    """One question: which checkpoints, which arms, which endpoints."""

    name: str
    title: str
    question: str
    arms: Mapping[str, Intervention]
    endpoints: Sequence[str]
    limits: Limits
    analysis: Estimation
    repeats: int
    seed: int
    max_units: int | None

    def blocks(self, library: CheckpointSource) -> tuple[Block, ...]:
        """Return the matched blocks in their fixed order. Raises ConfigError if the library has none."""

    def contrasts_for(self, cohort: str) -> tuple[Contrast, ...]:
        """Return the contrasts that a cohort's arms allow, declared ones first."""

    def ordinary_context(self, checkpoint: Checkpoint) -> PublicContext:
        """Return what every arm of the checkpoint's block starts from."""

    def identity(self) -> JsonObject:
        """Return everything about the study that can change an outcome."""

    def grader(self, layouts: Layouts) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the pure function (events, plan hash) -> outcome."""


def shared_facts(context: PublicContext, limits: Limits, interface: Any) -> dict[str, Any]:
    """Return what the conditions of a block must share besides state and pixels, each to be digested."""
    return {"prefix": context.prefix, "objective": context.instruction, "interface": interface, "limits": limits}
