"""The parts of a study: where its blocks come from, limits, contrasts, estimation. `matched` puts them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from checkpoints.store import Checkpoint


class Source(Protocol):
    """What the blocks of any study are made from: a checkpoint library, or the objectives of a catalogue."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def digest(self) -> str:
        """SHA-256 over everything in it."""

    def checkpoint(self, checkpoint_id: str) -> Any:
        """Return what a block's `checkpoint_id` stands for; it has a `certificate` mapping. Raises if there is none."""

    def games(self) -> frozenset[str]:
        """Return the games whose levels it is made of."""


class CheckpointSource(Protocol):
    """What a takeover needs of a checkpoint library (`checkpoints.store.Library`)."""

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
    """From takeover; of a whole episode, from the home screen."""
    actions: int | None = 600
    """None: no limit (whole episodes)."""
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
