"""Single rates and single tables of binary pairs. Intervals take blocks as independent: they describe, not decide.

McNemar's tests exchange arms within pairs, so they are valid for *these states* however pairs lie in clusters; they say
nothing of new levels.

Sources: Wilson (1927); Newcombe (1998) "Improved confidence intervals for the difference between binomial proportions
based on paired data", method 10; Fagerland, Lydersen & Laake (2013) for the mid-p McNemar test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from diag.analysis.interval import Interval
from diag.analysis.pairs import FloatArray


@dataclass(frozen=True)
class McNemar:
    """Two-sided p-values over the discordant pairs; None if there are none."""

    up: int
    down: int
    exact_p: float | None
    mid_p: float | None


def mcnemar(up: int, down: int) -> McNemar:
    """Return exact and mid-p McNemar tests of `up` against `down` discordant pairs."""
    n = up + down
    if n == 0:
        return McNemar(up, down, None, None)
    fewer = min(up, down)
    point = math.comb(n, fewer) / 2**n
    both_tails = 2 * sum(math.comb(n, k) for k in range(fewer + 1)) / 2**n
    mid = 1.0 - point / 2 if up == down else both_tails - point
    return McNemar(up, down, min(1.0, both_tails), min(1.0, mid))


def wilson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Return the Wilson score interval of one rate; `cannot_say` without observations."""
    if n == 0:
        return Interval.cannot_say("no observation", estimate=None, n_clusters=0, method="wilson", level=level)
    z, rate = NormalDist().inv_cdf((1 + level) / 2), successes / n
    centre = (2 * successes + z**2) / (2 * (n + z**2))
    reach = z * math.sqrt(4 * n * rate * (1 - rate) + z**2) / (2 * (n + z**2))
    low, high = (0.0 if successes == 0 else centre - reach), (1.0 if successes == n else centre + reach)
    return Interval.of(rate, low, high, n_clusters=n, method="wilson", level=level)


def newcombe_paired(both: int, first: int, second: int, neither: int, *, level: float = 0.95) -> Interval:
    """Return Newcombe's method 10 for the first rate minus the second, from the four counts of binary pairs.

    At counts of pure agreement it still has a width, unlike the resampling intervals.
    """
    n = both + first + second + neither
    if n == 0:
        return Interval.cannot_say("no pair", estimate=None, n_clusters=0, method="newcombe_10", level=level)
    p1, p2 = (both + first) / n, (both + second) / n
    w1, w2 = wilson(both + first, n, level=level), wilson(both + second, n, level=level)
    assert w1.low is not None and w1.high is not None and w2.low is not None and w2.high is not None  # noqa: PT018 - one fact
    phi = _correlation(both, first, second, neither)
    low = _reach(p1 - w1.low, w2.high - p2, phi)
    high = _reach(w1.high - p1, p2 - w2.low, phi)
    return Interval.of(p1 - p2, p1 - p2 - low, p1 - p2 + high, n_clusters=n, method="newcombe_10", level=level)


def paired_counts(treatment: FloatArray, control: FloatArray) -> tuple[int, int, int, int] | None:
    """Return (both, only treatment, only control, neither) of shape (n,) arrays; None if a value is not 0 or 1."""
    values = np.concatenate([treatment, control])
    if not np.isin(values, (0.0, 1.0)).all():
        return None
    t, c = treatment == 1.0, control == 1.0
    return int((t & c).sum()), int((t & ~c).sum()), int((~t & c).sum()), int((~t & ~c).sum())


def _reach(own: float, other: float, phi: float) -> float:
    return math.sqrt(max(0.0, own**2 - 2 * phi * own * other + other**2))


def _correlation(both: int, first: int, second: int, neither: int) -> float:
    """Return the continuity-corrected phi of method 10; zero where it is undefined."""
    n = both + first + second + neither
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    if product == 0:
        return 0.0
    cross = both * neither - first * second
    return (max(cross - n / 2, 0.0) if cross > 0 else cross) / math.sqrt(product)
