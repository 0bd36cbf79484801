"""Ranges of the numbers in a configuration: what a type cannot say. One table, checked before anything is built.

Every number anywhere in a configuration must be finite; those below must also lie in their range. A ceiling keeps a
slip of the keyboard from being planned, a floor keeps a study from being run that could have no outcome.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from diag.errors import ConfigError

_DAY_S = 86_400.0
_MANY = 1_000_000
_SEED = 2**63 - 1

BOUNDS: Mapping[str, tuple[float, float]] = {
    "suite.settle_wait_s": (0.0, 600.0),
    "suite.port": (0, 65_535),
    "tracking.traces": (0, 10_000),
    "calibrate_repeats": (1, _MANY),
    "execution.n_jobs": (1, 1_024),
    "execution.seats": (1, 1_024),
    "execution.harness_share_limit": (0.001, 1.0),
    "execution.max_attempts": (1, 100),
    "study.repeats": (1, 1_000),
    "study.stability_units": (0, 100_000),
    "study.max_units": (1, _MANY),
    "study.seed": (0, _SEED),
    "study.limits.takeover_s": (0.001, 30 * _DAY_S),
    "study.limits.actions": (1, _MANY),
    "study.limits.invalid_decisions_in_a_row": (1, _MANY),
    "study.limits.timely_actions": (1, _MANY),
    "study.limits.timely_s": (0.0, 30 * _DAY_S),
    "study.history.prefix_pictures": (0, 10_000),
    "study.history.recent_turns": (0, 10_000),
    "study.history.pictures": (0, 10_000),
    "study.history.summary_every_turns": (1, 10_000),
    "study.analysis.draws": (100, _MANY),
    "study.analysis.level": (0.5, 0.9999),
    "study.analysis.seed": (0, _SEED),
    "study.analysis.planned_control_rate": (0.0, 1.0),
}
"""Dotted key -> least and greatest value; null is not a number and has no range."""


def check_bounds(config: Any) -> None:
    """Check every number of a composed configuration given as plain mappings, lists and values.

    Raises:
        ConfigError: a number is not finite or outside its range; the message names key, value and range.
    """
    for key, value in _numbers(config, ""):
        if not math.isfinite(value):
            raise ConfigError(f"{key}: found {value}, wanted a finite number")
        low, high = BOUNDS.get(key, (-math.inf, math.inf))
        if not low <= value <= high:
            raise ConfigError(f"{key}: found {_plain(value)}, wanted {_wanted(low, high)}")


def _numbers(node: Any, key: str) -> Iterator[tuple[str, float]]:
    """Yield the dotted key and value of every number, truth values left out."""
    if isinstance(node, Mapping):
        for name, inner in node.items():
            yield from _numbers(inner, f"{key}.{name}".lstrip("."))
    elif isinstance(node, list):
        for place, inner in enumerate(node):
            yield from _numbers(inner, f"{key}[{place}]")
    elif isinstance(node, int | float) and not isinstance(node, bool):
        yield key, node


def _wanted(low: float, high: float) -> str:
    return f"at least {_plain(low)} and at most {_plain(high)}"


def _plain(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.12g}"
