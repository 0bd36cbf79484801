"""Intervals of a mean paired effect when the blocks come in clusters.

| method | what it does | with few clusters (docs/statistics-validation.md) |
|---|---|---|
| percentile | 2.5 % and 97.5 % of 10,000 draws of whole clusters, as published | too narrow: about 87 % with seven |
| exact | the same over all resamples with their probabilities; no seed | as percentile |
| cr2 | t, bias-reduced standard error CR2, Satterthwaite degrees of freedom | the declared one: close to nominal |
| inverted | the effects that the exact sign-flip test does not refuse | agrees with p; none up to five clusters |
| studentised | bootstrap of the t statistic, linearised standard error | close to nominal, wide |
| nested | draws groups, then clusters within each drawn group | errs a little wide |

Sources: Davison & Hinkley (1997) chapters 3 and 5; Bell & McCaffrey (2002) and
Pustejovsky & Tipton (2018) for CR2 and its degrees of freedom;
Cameron, Gelbach & Miller (2008) for studentising.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diag.analysis.clusters import (
    EXACT_CLUSTERS,
    ClusterTotals,
    ResamplePlan,
    all_resamples,
    resampled_means,
    weighted_quantile,
)
from diag.analysis.interval import Interval
from diag.analysis.pairs import FloatArray
from diag.analysis.signflip import flip_limits

FEWEST_RESAMPLED = 5
"""Below, a percentile interval called 95 % covers 60, 76 and 79 % (two, three and four clusters)."""


def no_variation(totals: ClusterTotals) -> str | None:
    """Return why no interval can be given from these clusters, or None if one can."""
    if totals.n_clusters == 0:
        return "no complete pair"
    if totals.n_clusters == 1:
        return f"one cluster ({totals.labels[0]}): variation between clusters cannot be seen"
    if np.ptp(totals.means) <= 1e-12:
        value = float(totals.means[0])
        same = "no pair differs" if value == 0 else f"every cluster has the same mean effect, {value:+.4g}"
        return f"{same}: no variation between {totals.n_clusters} clusters, which is not certainty"
    return None


def too_few_to_resample(n_clusters: int) -> str | None:
    """Return why whole clusters are not resampled here: an interval that is called 95 % and covers 60 to 79 %."""
    if n_clusters >= FEWEST_RESAMPLED:
        return None
    return f"{n_clusters} clusters: resampling them covers 60 to 79 %, wanted at least {FEWEST_RESAMPLED} clusters"


def percentile_interval(totals: ClusterTotals, plan: ResamplePlan, *, level: float = 0.95) -> Interval:
    """Return the percentile interval over the plan's draws (linear interpolation between order statistics)."""
    if reason := no_variation(totals) or too_few_to_resample(totals.n_clusters):
        return _none(totals, "percentile", reason, level)
    means = resampled_means(plan.weights(totals.n_clusters), totals.sums, totals.sizes)
    low, high = np.quantile(means, _tails(level))
    return _interval(totals, "percentile", low, high, level)


def exact_interval(totals: ClusterTotals, *, level: float = 0.95) -> Interval:
    """Return the percentile interval over all resamples; `cannot_say` above eight clusters (use the draws)."""
    reason = no_variation(totals) or too_few_to_resample(totals.n_clusters)
    if reason is None and totals.n_clusters > EXACT_CLUSTERS:
        reason = f"{totals.n_clusters} clusters: all resamples are enumerated up to {EXACT_CLUSTERS}"
    if reason:
        return _none(totals, "exact", reason, level)
    counts, probabilities = all_resamples(totals.n_clusters)
    means = resampled_means(counts, totals.sums, totals.sizes)
    low, high = (weighted_quantile(means, probabilities, q) for q in _tails(level))
    return _interval(totals, "exact", low, high, level)


def cr2_interval(totals: ClusterTotals, *, level: float = 0.95) -> Interval:
    """Return the t interval around the printed effect: CR2 standard error, Satterthwaite degrees of freedom."""
    from scipy import special

    if reason := no_variation(totals):
        return _none(totals, "cr2", reason, level)
    error = float(cr2_error(totals.sums[:, None], totals.sizes)[0])
    reach = float(special.stdtrit(cr2_df(totals.sizes), (1 + level) / 2)) * error
    return _interval(totals, "cr2", totals.estimate - reach, totals.estimate + reach, level)


def cr2_error(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return CR2 standard errors, shape (k,), of mean effects from sums, shape (n_clusters, k).

    For a mean the adjustment of a cluster with share q of the blocks is `1 / sqrt(1 - q)`, so the variance is
    `sum((S_g - theta n_g)^2 / (1 - q_g)) / N^2`. Source: Bell & McCaffrey (2002).
    """
    total = sizes.sum()
    residuals = sums - (sums.sum(axis=0) / total) * sizes[:, None]
    return np.asarray(np.sqrt((residuals**2 / (1 - sizes / total)[:, None]).sum(axis=0)) / total)


def cr2_df(sizes: FloatArray) -> float:
    """Return the Satterthwaite degrees of freedom of the CR2 variance of a mean; G-1 for equal sizes.

    With shares q, under independent blocks of equal variance:
    `1 / (sum q_g^2 + sum over g != h of q_g^2 q_h^2 / ((1 - q_g)(1 - q_h)))`.
    """
    q = sizes / sizes.sum()
    cross = q**2 / (1 - q)
    return float(1.0 / ((q**2).sum() + cross.sum() ** 2 - (cross**2).sum()))


def inverted_interval(totals: ClusterTotals, *, seed: int, level: float = 0.95) -> Interval:
    """Return the effects that the sign-flip test keeps; `cannot_say` where the clusters let it refuse none."""
    if reason := no_variation(totals):
        return _none(totals, "inverted", reason, level)
    low, high = flip_limits(totals.sums, totals.sizes, alpha=1 - level, rng=np.random.default_rng(seed))
    if not (np.isfinite(low) and np.isfinite(high)):
        reason = f"with {totals.n_clusters} clusters the test refuses no effect: it reaches from -inf to +inf"
        return _none(totals, "inverted", reason, level)
    return _interval(totals, "inverted", low, high, level)


def studentised_interval(totals: ClusterTotals, plan: ResamplePlan, *, level: float = 0.95) -> Interval:
    """Return the cluster bootstrap-t interval; `cannot_say` if over 5 % of the draws have no standard error."""
    if reason := no_variation(totals):
        return _none(totals, "studentised", reason, level)
    low, high, lost = studentised_limits(
        plan.weights(totals.n_clusters), totals.sums[:, None], totals.sizes, level=level
    )
    if lost[0] > 0.05:
        reason = f"{100 * lost[0]:.0f} % of the draws have no variation to studentise with"
        return _none(totals, "studentised", reason, level)
    return _interval(totals, "studentised", float(low[0]), float(high[0]), level)


def studentised_limits(
    weights: FloatArray, sums: FloatArray, sizes: FloatArray, *, level: float = 0.95
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low and high limits and the share of draws without a standard error, each of shape (k,).

    The standard error is that of a ratio: `sqrt(G/(G-1) * sum((S_g - theta n_g)^2)) / sum(n_g)`.

    Args:
        weights: shape (draws, n_clusters).
        sums: shape (n_clusters, k), k outcomes or studies at once.
        sizes: shape (n_clusters,).
        level: nominal coverage.
    """
    estimate, error = _ratio_error(np.ones((1, len(sizes))), sums, sizes)
    drawn, drawn_error = _ratio_error(weights, sums, sizes)
    usable = drawn_error > 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(usable, (drawn - estimate) / drawn_error, np.nan)
    hopeless = ~usable.any(axis=0)
    statistic[:, hopeless] = 0.0
    lower, upper = np.nanquantile(statistic, _tails(level), axis=0)
    scale = np.where(hopeless, np.nan, error[0])
    return estimate[0] - upper * scale, estimate[0] - lower * scale, 1.0 - usable.mean(axis=0)


def nested_interval(
    effects: FloatArray,
    clusters: Sequence[str],
    groups: Sequence[str],
    *,
    rng: np.random.Generator,
    draws: int = 10_000,
    level: float = 0.95,
    resample_groups: bool = True,
) -> Interval:
    """Return the percentile interval of the mean over groups of the mean over their clusters.

    Args:
        effects: shape (n_blocks,), paired effects.
        clusters: cluster (objective) of each block.
        groups: group (game) of each block; a cluster lies in one group.
        rng: the only source of randomness.
        draws: number of resamples.
        level: nominal coverage.
        resample_groups: False keeps the groups fixed and resamples only within them; it then speaks about these
            groups alone, and a group of one cluster adds no variation.

    Raises:
        ValueError: shapes differ.
    """
    method = "nested" if resample_groups else "within_groups"
    grid, counts = _group_grid(np.asarray(effects, dtype=float), clusters, groups)
    n = len(counts)
    if n == 0 or (resample_groups and n < 2):
        reason = f"{n} group(s): variation between groups cannot be seen"
        return Interval.cannot_say(reason, estimate=None, n_clusters=n, method=method, level=level)
    estimate = float(np.mean([grid[g, :k].mean() for g, k in enumerate(counts)]))
    drawn = rng.integers(0, n, (draws, n)) if resample_groups else np.broadcast_to(np.arange(n), (draws, n))
    size = counts[drawn][..., None]
    inner = np.floor(rng.random((draws, n, grid.shape[1])) * size).astype(int)
    inside = np.arange(grid.shape[1]) < size
    taken = np.where(inside, grid[drawn[..., None], inner], 0.0)
    means = (taken.sum(axis=2) / size[..., 0]).mean(axis=1)
    low, high = np.quantile(means, _tails(level))
    return Interval.of(estimate, low, high, n_clusters=n, method=method, level=level)


def _group_grid(
    effects: FloatArray, clusters: Sequence[str], groups: Sequence[str]
) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return cluster means as (n_groups, widest group), left-aligned, and the number of clusters of each group."""
    if not len(effects) == len(clusters) == len(groups):
        raise ValueError(f"{len(effects)} effects, {len(clusters)} clusters, {len(groups)} groups")
    members: dict[str, dict[str, list[float]]] = {}
    for effect, cluster, group in zip(effects, clusters, groups, strict=True):
        members.setdefault(group, {}).setdefault(cluster, []).append(float(effect))
    means = [[float(np.mean(v)) for _, v in sorted(inner.items())] for _, inner in sorted(members.items())]
    counts = np.array([len(row) for row in means], dtype=np.int64)
    grid = np.zeros((len(means), max(counts, default=0)))
    for place, row in enumerate(means):
        grid[place, : len(row)] = row
    return grid, counts


def _ratio_error(weights: FloatArray, sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean effect and linearised standard error of every resample, shape (draws, k)."""
    n = len(sizes)
    total = (weights @ sizes)[:, None]
    mean = (weights @ sums) / total
    squares = (
        weights @ sums**2 - 2 * mean * (weights @ (sums * sizes[:, None])) + mean**2 * (weights @ sizes**2)[:, None]
    )
    return mean, np.sqrt(np.maximum(squares, 0.0) * n / (n - 1)) / total


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


def _interval(totals: ClusterTotals, method: str, low: float, high: float, level: float) -> Interval:
    return Interval.of(totals.estimate, low, high, n_clusters=totals.n_clusters, method=method, level=level)


def _none(totals: ClusterTotals, method: str, reason: str, level: float, *, estimate: float | None = None) -> Interval:
    known = estimate if estimate is not None else totals.estimate if totals.labels else None
    return Interval.cannot_say(reason, estimate=known, n_clusters=totals.n_clusters, method=method, level=level)
