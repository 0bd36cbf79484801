"""Simulated studies with a known truth: cluster sums of paired effects, thousands of studies at once.

Binary outcomes: the propensity of an arm in a cluster is Beta distributed with the arm's rate as its exact mean and the
intra-cluster correlation (ICC) as its dispersion; a pair of arms shares part of it through a Gaussian copula. So the
true effect is the difference of the rates, whatever the cluster sizes. Other outcomes: normal, in units of their own
standard deviation, the ICC being the share of their variance that lies between clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from diag.analysis.pairs import FloatArray


@dataclass(frozen=True)
class Assumptions:
    """What a power or calibration figure rests on; shown wherever it is shown."""

    rates: Mapping[str, float] = field(default_factory=dict)
    """Propensity of the outcome by arm."""
    icc: float = 0.1
    """Correlation of two outcomes of the same arm in one cluster, in [0, 1)."""
    arm_correlation: float = 0.5
    """Copula correlation of the arms' propensities within a cluster, in [0, 1]: 1 leaves no variation of the effect
    between clusters when the rates are equal."""

    def __post_init__(self) -> None:
        """Refuse values that are no probabilities."""
        outside = {arm: rate for arm, rate in self.rates.items() if not 0 <= rate <= 1}
        if outside:
            raise ValueError(f"rates lie in [0, 1], got {outside}")
        if not 0 <= self.icc < 1 or not 0 <= self.arm_correlation <= 1:
            raise ValueError(f"icc {self.icc} must lie in [0, 1), arm_correlation {self.arm_correlation} in [0, 1]")

    def sentence(self) -> str:
        """Return the assumptions in words."""
        rates = ", ".join(f"{arm} {rate:.0%}" for arm, rate in self.rates.items())
        shown = f"rates {rates}; " if rates else ""
        return f"{shown}ICC {self.icc:g}; arm correlation within a cluster {self.arm_correlation:g}"


def arm_sums(
    assumptions: Assumptions, sizes: Sequence[int], *, studies: int, rng: np.random.Generator
) -> dict[str, FloatArray]:
    """Return the number of successes by arm, each of shape (n_clusters, studies)."""
    return arm_draws(assumptions, sizes, studies=studies, rng=rng)[0]


def arm_draws(
    assumptions: Assumptions, sizes: Sequence[int], *, studies: int, rng: np.random.Generator
) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Return by arm the number of successes, shape (n_clusters, studies), and its mean at these levels, (studies,).

    The second is the true rate of the very clusters that were drawn; over new clusters it is the arm's rate.
    """
    shape = (len(sizes), studies)
    shared = rng.standard_normal(shape)
    share = np.sqrt(assumptions.arm_correlation)
    blocks = np.asarray(sizes, dtype=np.int64)[:, None]
    sums, here = {}, {}
    for arm, rate in assumptions.rates.items():
        own = rng.standard_normal(shape)
        propensity = _propensity(share * shared + np.sqrt(1 - share**2) * own, rate, assumptions.icc)
        sums[arm] = rng.binomial(blocks, propensity, shape).astype(float)
        here[arm] = (blocks * propensity).sum(axis=0) / blocks.sum()
    return sums, here


def block_outcomes(
    means: FloatArray,
    clusters: Sequence[int],
    repeats: FloatArray,
    assumptions: Assumptions,
    *,
    binary: bool,
    studies: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return outcomes averaged over repeats, shape (n_blocks, n_arms, studies); zero where an arm is not planned.

    Args:
        means: shape (n_arms,): the true rate of each arm, or its mean in standard deviations of the outcome.
        clusters: shape (n_blocks,): the cluster (or group) of each block, from 0.
        repeats: shape (n_blocks, n_arms).
        assumptions: ICC and correlation of arms; its rates are not read.
        binary: yes/no outcomes; else normal ones with standard deviation 1.
        studies: how many.
        rng: the only source of randomness.
    """
    where, n_clusters = np.asarray(clusters, dtype=np.int64), max(clusters, default=-1) + 1
    shared = rng.standard_normal((n_clusters, studies))
    share = np.sqrt(assumptions.arm_correlation)
    found = np.zeros((len(where), len(means), studies))
    for arm, mean in enumerate(means):
        own = rng.standard_normal((n_clusters, studies))
        level = share * shared + np.sqrt(1 - share**2) * own
        count = repeats[:, arm, None]
        if binary:
            propensity = _propensity(level, float(mean), assumptions.icc)[where]
            drawn = rng.binomial(count.astype(np.int64), propensity) / np.maximum(count, 1)
        else:
            noise = np.sqrt((1 - assumptions.icc) / np.maximum(count, 1)) * rng.standard_normal((len(where), studies))
            drawn = mean + np.sqrt(assumptions.icc) * level[where] + noise
        found[:, arm] = np.where(count > 0, drawn, 0.0)
    return found


def continuous_draws(
    sizes: Sequence[int], assumptions: Assumptions, *, skewed: bool, studies: int, rng: np.random.Generator
) -> tuple[FloatArray, float, FloatArray]:
    """Return cluster sums of the effect of half a standard deviation, its value at new levels and at these levels.

    Shapes (n_clusters, studies), scalar, (studies,). `skewed`: the exponential of the normal outcomes.
    """
    where = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.standard_normal((len(sizes), studies))
    share, within = np.sqrt(assumptions.arm_correlation), 1 - assumptions.icc
    effects, here = np.zeros((len(where), studies)), np.zeros((len(where), studies))
    for sign, mean in ((-1.0, 0.0), (1.0, 0.5)):
        level = share * shared + np.sqrt(1 - share**2) * rng.standard_normal(shared.shape)
        expected = mean + np.sqrt(assumptions.icc) * level[where]
        outcome = expected + np.sqrt(within) * rng.standard_normal(effects.shape)
        effects += sign * (np.exp(outcome) if skewed else outcome)
        here += sign * (np.exp(expected + within / 2) if skewed else expected)
    new = float(np.exp(1.0) - np.exp(0.5)) if skewed else 0.5
    return np.add.reduceat(effects, np.cumsum([0, *sizes[:-1]]), axis=0), new, here.mean(axis=0)


def _propensity(normal: FloatArray, rate: float, icc: float) -> FloatArray:
    from scipy import special

    if icc == 0 or rate in (0.0, 1.0):
        return np.full(normal.shape, rate)
    spread = (1 - icc) / icc
    grid = _quantile_grid(rate * spread, (1 - rate) * spread)
    uniform = special.ndtr(normal)
    return np.asarray(np.clip(np.interp(uniform * (len(grid) - 1), np.arange(len(grid)), grid), 0.0, 1.0))


@lru_cache(maxsize=256)
def _quantile_grid(a: float, b: float, points: int = 4_001) -> FloatArray:
    """Return Beta(a, b) quantiles at equal steps: bin means, so that the interpolated mean stays the exact one."""
    from scipy import special

    edges = np.linspace(0.0, 1.0, points)
    quantiles = special.betaincinv(a, b, edges)
    lifted = np.asarray(special.betainc(a + 1, b, quantiles) * a / (a + b))
    bins = np.diff(lifted) * (points - 1)
    return np.concatenate([[bins[0]], (bins[1:] + bins[:-1]) / 2, [bins[-1]]])
