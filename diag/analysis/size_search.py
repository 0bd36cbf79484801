"""Which cluster sizes are consistent with a published percentile interval of a few changed pairs?

A publication that states how many pairs changed and the interval, but not the cluster sizes, still constrains them:
every partition of the blocks into clusters, and every placement of the changed pairs, has one exact percentile interval
(all resamples enumerated). This lists those that round to the published limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from diag.analysis.cluster_intervals import exact_interval
from diag.analysis.clusters import ClusterTotals


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
    n_blocks: int, n_clusters: int, *, n_up: int, n_down: int, low: float, high: float, half_unit: float = 0.0005
) -> tuple[Placement, ...]:
    """Return every placement whose exact interval rounds to the published one.

    Args:
        n_blocks: pairs in all.
        n_clusters: clusters, at most eight.
        n_up: pairs whose effect is +1; a handful.
        n_down: pairs whose effect is -1.
        low: published lower limit, a share.
        high: published upper limit.
        half_unit: half of the last published digit.
    """
    found = []
    for sizes in partitions(n_blocks, n_clusters):
        for up, down in _choices(sizes, n_up, n_down):
            placed = _placement(sizes, up, down)
            if placed and abs(placed.low - low) <= half_unit + 1e-9 and abs(placed.high - high) <= half_unit + 1e-9:
                found.append(placed)
    return tuple(found)


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
    return Placement(sizes, risen, fallen, interval.low, interval.high)
