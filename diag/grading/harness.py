"""The harness's own share of an attempt's time: what was neither the agent's answer nor a nominal wait."""

from __future__ import annotations

from collections.abc import Sequence

from diag.records import Event


def harness_share(events: Sequence[Event]) -> float | None:
    """Return the share, from 0 to 1, as the end of a log tells it.

    None on a virtual clock, where the harness takes no time, for logs from before it was measured, and for an attempt
    that ended as it began.
    """
    end = events[-1]
    harness_s = end.data.get("harness_s")
    if harness_s is None or end.clock_s <= 0:
        return None
    return min(1.0, float(harness_s) / end.clock_s)
