"""The spread of contrasts over units: mean, standard deviation, range (follow-ups of the first source document)."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any


def spread(units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return mean, standard deviation (None for one unit) and range of each contrast over its units."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for unit in units:
        values[str(unit["endpoint"]), str(unit["contrast"])].append(float(unit["value"]))
    return [
        {"endpoint": endpoint, "contrast": contrast, "n": len(found), "mean": statistics.fmean(found),
         "sd": statistics.stdev(found) if len(found) > 1 else None, "low": min(found), "high": max(found)}
        for (endpoint, contrast), found in values.items()
    ]  # fmt: skip
