"""Clocks of an attempt: what an action, a wait and an inference call cost. Every endpoint reads the injected clock.

Three clocks, one meaning: 0 at takeover, never negative, never backwards.

* `WallClock`: real time.
* `VirtualClock`: nothing sleeps. An inference call costs the latency the agent reports (measured time if it reports
  none), a wait its nominal length, a GUI operation nothing. A study on it is reproducible and fast.
* `WorkingClock`: real time without the time an endpoint kept the agent waiting for its rate limit, backed by a guard on
  real time, so that an attempt cannot last for ever by being throttled.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

from diag.records import InfrastructureFailure

ClockName = Literal["wall", "working", "virtual"]
GUARD = 4.0
"""Real time an attempt on the working clock may take, in units of its time limit."""


class Clock(Protocol):
    """Time as the study counts it, in seconds since takeover."""

    kind: str

    def start(self) -> None:
        """Set the clock to 0. Called once, when the first screenshot has been taken."""

    def elapsed_s(self) -> float:
        """Return the seconds counted since `start`; 0.0 before it."""

    def wait(self, seconds: float) -> None:
        """Spend a nominal wait (settling, the action `wait`)."""

    def inference(self, reported_s: float | None, measured_s: float, throttled_s: float = 0.0) -> float:
        """Count an inference call that has just returned, and return the seconds it cost on this clock.

        Args:
            reported_s: what the agent says the call took; None if it does not say.
            measured_s: real time of the call.
            throttled_s: the part of it spent waiting for a rate limit.
        """

    def exclude(self, seconds: float) -> None:
        """Take real time that has just passed back out of the count (an isolated rule probe)."""

    def harness_s(self) -> float | None:
        """Return the seconds since `start` that neither a decision nor a nominal wait took; None on a virtual clock."""


class WallClock:
    """Real time. A simulated or replayed agent that reports a longer latency than it took is waited for."""

    kind = "wall"

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._started_at: float | None = None
        self._excluded_s = 0.0
        self._latest_s = 0.0
        self._declared_s = 0.0

    def start(self) -> None:
        """Set the clock to 0."""
        self._started_at, self._excluded_s, self._latest_s = self._monotonic(), 0.0, 0.0
        self._declared_s = 0.0

    def elapsed_s(self) -> float:
        """Return real seconds since `start` without what was excluded; never smaller than an earlier answer."""
        self._latest_s = max(self._latest_s, self._real_s() - self._excluded_s)
        return self._latest_s

    def wait(self, seconds: float) -> None:
        """Sleep."""
        self._sleep(_checked(seconds))
        self._declared_s += seconds

    def inference(self, reported_s: float | None, measured_s: float, throttled_s: float = 0.0) -> float:
        """Sleep what a reported latency exceeds the measured one by; throttling counts as real time."""
        missing_s = 0.0 if reported_s is None else _checked(reported_s) - measured_s
        if missing_s > 0:
            self._sleep(missing_s)
        cost_s = measured_s + max(missing_s, 0.0)
        self._declared_s += cost_s
        return cost_s

    def exclude(self, seconds: float) -> None:
        """Take seconds that have passed back out of the count."""
        self._excluded_s += _checked(seconds)

    def harness_s(self) -> float | None:
        """Return what the harness itself took: a sleep that overslept counts, an answer that was late does not."""
        return max(0.0, self.elapsed_s() - self._declared_s)

    def _real_s(self) -> float:
        return 0.0 if self._started_at is None else self._monotonic() - self._started_at


class WorkingClock(WallClock):
    """Real time without rate-limit waits; `guard_s` of real time ends the attempt as an infrastructure failure."""

    kind = "working"

    def __init__(
        self,
        guard_s: float,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(monotonic, sleep)
        self._guard_s = guard_s

    def inference(self, reported_s: float | None, measured_s: float, throttled_s: float = 0.0) -> float:
        """Count the call without its throttled part.

        Raises:
            InfrastructureFailure: real time since takeover has passed the guard (kind `api`).
        """
        real_s = super().inference(reported_s, measured_s)
        throttled_s = min(_checked(throttled_s), measured_s)
        self.exclude(throttled_s)
        self._declared_s -= throttled_s
        if self._real_s() > self._guard_s:
            raise InfrastructureFailure(
                "api", f"{self._real_s():.0f} s of real time since takeover, the guard is {self._guard_s:g} s"
            )
        return real_s - throttled_s


class VirtualClock:
    """Counts reported latencies and nominal waits; nothing sleeps."""

    kind = "virtual"

    def __init__(self) -> None:
        self._elapsed_s = 0.0

    def start(self) -> None:
        """Set the clock to 0."""
        self._elapsed_s = 0.0

    def elapsed_s(self) -> float:
        """Return the seconds counted since `start`."""
        return self._elapsed_s

    def wait(self, seconds: float) -> None:
        """Add the nominal length."""
        self._elapsed_s += _checked(seconds)

    def inference(self, reported_s: float | None, measured_s: float, throttled_s: float = 0.0) -> float:
        """Add the reported latency, or the measured one without its throttled part."""
        cost_s = _checked(reported_s) if reported_s is not None else max(measured_s - throttled_s, 0.0)
        self._elapsed_s += cost_s
        return cost_s

    def exclude(self, seconds: float) -> None:
        """Do nothing: real time never entered the count."""

    def harness_s(self) -> float | None:
        """Return None: the harness takes no time on this clock."""
        return None


def _checked(seconds: float) -> float:
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"a time span is a finite number of seconds from 0, got {seconds!r}")
    return float(seconds)


def clock_named(name: ClockName, time_limit_s: float) -> Clock:
    """Return a fresh clock for one attempt with this time limit."""
    if name == "virtual":
        return VirtualClock()
    return WorkingClock(GUARD * time_limit_s) if name == "working" else WallClock()
