"""Settings that every study has: limits, contrasts, estimation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
    equivalence: bool = False
    """Whether it also asks for equivalence, within the margin of each endpoint that has one."""

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
    planned_rates: Mapping[str, float] = field(default_factory=dict)
    """The same of other arms."""
