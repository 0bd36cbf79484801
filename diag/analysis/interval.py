"""Interval: an estimate with its limits, or the reason why no limits can be given. Never a zero width."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

Status = Literal["ok", "cannot_say"]


@dataclass(frozen=True)
class Interval:
    """Limits by one method. With status `cannot_say` both limits are None and `reason` is a sentence."""

    estimate: float | None
    low: float | None
    high: float | None
    n_clusters: int
    method: str
    level: float = 0.95
    status: Status = "ok"
    reason: str = ""

    @classmethod
    def cannot_say(
        cls, reason: str, *, estimate: float | None, n_clusters: int, method: str, level: float = 0.95
    ) -> Interval:
        """Return the interval that is none, with its reason."""
        known = None if estimate is None or not math.isfinite(estimate) else estimate
        return cls(known, None, None, n_clusters, method, level, "cannot_say", reason)

    @classmethod
    def of(cls, estimate: float, low: float, high: float, *, n_clusters: int, method: str, level: float) -> Interval:
        """Return the interval; one that is not finite or has no width is turned into `cannot_say`."""
        if not (math.isfinite(low) and math.isfinite(high)):
            reason = f"{method} gives no finite limits with {n_clusters} clusters"
            return cls.cannot_say(reason, estimate=estimate, n_clusters=n_clusters, method=method, level=level)
        if not high > low:
            reason = f"every resample gives {low:.4g}: the data show no variation, which is not certainty"
            return cls.cannot_say(reason, estimate=estimate, n_clusters=n_clusters, method=method, level=level)
        return cls(float(estimate), float(low), float(high), n_clusters, method, level)

    @property
    def is_known(self) -> bool:
        """Tell whether there are limits."""
        return self.status == "ok"

    def excludes(self, value: float) -> bool:
        """Tell whether a value lies outside; False when nothing can be said."""
        return self.low is not None and self.high is not None and not self.low <= value <= self.high

    def within(self, low: float, high: float) -> Interval:
        """Return the interval cut to the values the effect can take at all."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return asdict(self)
