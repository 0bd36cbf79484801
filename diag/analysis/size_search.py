"""Which cluster sizes are consistent with a published percentile interval of a few changed pairs?

A publication that states how many pairs changed and the interval, but not the cluster sizes, still constrains them:
every partition of the blocks into clusters, and every placement of the changed pairs, has one exact percentile interval
(all resamples enumerated). This lists those that round to the published limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np

from diag.analysis.cluster_intervals import exact_interval
from diag.analysis.clusters import ClusterTotals, all_resamples, resampled_means, weighted_quantile
from diag.analysis.pairs import FloatArray


@dataclass(frozen=True)
class Placement:
    """Cluster sizes, the clusters in which pairs changed, and the interval that follows."""

    sizes: tuple[int, ...]
    """Largest first."""
    up: tuple[int, ...]
    """Sizes of the clusters with one more pair that rose, one entry a pair."""
    down: tuple[int, ...]
    low: float
    high: float
    sums: FloatArray = field(compare=False, repr=False)
    """Shape (n_clusters,): summed pair effects, in the order of `sizes`."""


def partitions(n_blocks: int, n_clusters: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split blocks into clusters of at least one, largest first, each once."""

    def split(left: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
        if parts == 1:
            if left <= largest:
                yield (left,)
            return
        for first in range(min(left - parts + 1, largest), 0, -1):
            for rest in split(left - first, parts - 1, first):
                yield (first, *rest)

    yield from split(n_blocks, n_clusters, n_blocks)


def consistent_placements(
    n_blocks: int,
    n_clusters: int,
    *,
    n_up: int,
    n_down: int,
    low: float,
    high: float,
    half_unit: float = 0.0005,
    draws: int | None = None,
) -> tuple[Placement, ...]:
    """Return every placement whose exact interval, or one of so many random draws, rounds to the published one.

    Args:
        n_blocks: pairs in all.
        n_clusters: clusters, at most eight.
        n_up: pairs whose effect is +1; a handful.
        n_down: pairs whose effect is -1.
        low: published lower limit, a share.
        high: published upper limit.
        half_unit: half of the last published digit.
        draws: number of random draws behind the published interval. A limit then fits if a value within the Monte Carlo
            error of its quantile does (the exact quantiles at `q -+ 1.96 sqrt(q (1 - q) / draws)` and between).
    """
    found = []
    for sizes in partitions(n_blocks, n_clusters):
        for up, down in _choices(sizes, n_up, n_down):
            placed = _placement(sizes, up, down)
            if placed and (
                _fits(placed, low, high, half_unit) or (draws and _may_draw(placed, low, high, half_unit, draws))
            ):
                found.append(placed)
    return tuple(found)


def _fits(placed: Placement, low: float, high: float, half_unit: float) -> bool:
    return abs(placed.low - low) <= half_unit + 1e-9 and abs(placed.high - high) <= half_unit + 1e-9


def _may_draw(placed: Placement, low: float, high: float, half_unit: float, draws: int) -> bool:
    """Tell whether random draws could give both limits within their Monte Carlo error."""
    counts, probabilities = all_resamples(len(placed.sizes))
    means = resampled_means(counts, placed.sums, np.array(placed.sizes, dtype=float))
    for q, limit in ((0.025, low), (0.975, high)):
        error = 1.96 * (q * (1 - q) / draws) ** 0.5
        least, most = (weighted_quantile(means, probabilities, q + side * error) for side in (-1, 1))
        near = means[(means >= least - 1e-9) & (means <= most + 1e-9)]
        if not (np.abs(near - limit) <= half_unit + 1e-9).any():
            return False
    return True


def _choices(sizes: tuple[int, ...], n_up: int, n_down: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the clusters of the changed pairs; of choices that differ between clusters of one size only the first."""
    seen = set()
    places = range(len(sizes))
    for up in combinations_with_replacement(places, n_up):
        for down in combinations_with_replacement(places, n_down):
            shape = tuple(sorted((sizes[place], up.count(place), down.count(place)) for place in places))
            if shape not in seen:
                seen.add(shape)
                yield up, down


def _placement(sizes: tuple[int, ...], up: tuple[int, ...], down: tuple[int, ...]) -> Placement | None:
    """Return the placement with its interval; None if a cluster has fewer pairs than changes, or nothing varies."""
    changed = np.bincount([*up, *down], minlength=len(sizes))
    if (changed > np.array(sizes)).any():
        return None
    sums = (np.bincount(up, minlength=len(sizes)) - np.bincount(down, minlength=len(sizes))).astype(float)
    labels = tuple(f"cluster {place}" for place in range(len(sizes)))
    interval = exact_interval(ClusterTotals(labels, sums, np.array(sizes, dtype=float)))
    if interval.low is None or interval.high is None:
        return None
    risen, fallen = (tuple(sorted((sizes[i] for i in side), reverse=True)) for side in (up, down))
    return Placement(sizes, risen, fallen, interval.low, interval.high, sums)
