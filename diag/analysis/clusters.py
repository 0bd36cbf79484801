"""Clusters, and the resampling of whole clusters: sums and sizes first, then everything is a small matrix product.

A cluster drawn k times counts k times with all its blocks and arms. The mean paired effect of a resample is
`(W @ sums) / (W @ sizes)`: a ratio, because the number of blocks differs between resamples.
Source: Davison & Hinkley (1997), section 3.8; Field & Welsh (2007) for the cluster (block) bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, lgamma, log

import numpy as np

from diag.analysis.estimand import Weighting
from diag.analysis.pairs import FloatArray

EXACT_CLUSTERS = 8
"""Up to here all resamples are enumerated: C(2G-1, G) count vectors, 6,435 for eight clusters."""


@dataclass(frozen=True)
class ClusterTotals:
    """The paired effects of one estimand, summed by cluster (sorted by label)."""

    labels: tuple[str, ...]
    sums: FloatArray
    """Shape (n_clusters,)."""
    sizes: FloatArray
    """Shape (n_clusters,): blocks a cluster; all one when clusters weigh the same."""

    @property
    def estimate(self) -> float:
        """The mean paired effect."""
        return float(self.sums.sum() / self.sizes.sum())

    @property
    def means(self) -> FloatArray:
        """Shape (n_clusters,): the mean effect of each cluster."""
        return self.sums / self.sizes

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.labels)


def cluster_totals(
    effects: FloatArray,
    clusters: Sequence[str],
    *,
    weighting: Weighting = "block",
    groups: Sequence[str] | None = None,
) -> ClusterTotals:
    """Return sums and sizes by cluster; by group where clusters lie in groups.

    Args:
        effects: shape (n_blocks,).
        clusters: cluster of each block.
        weighting: what weighs the same, a block or a cluster.
        groups: group of each block. Then the groups are what is independent: each counts once, with the mean of its
            clusters' means, whatever the weighting.

    Raises:
        ValueError: shapes differ or an effect is not finite.
    """
    effects = np.asarray(effects, dtype=float)
    if effects.shape != (len(clusters),):
        raise ValueError(f"{effects.shape} effects for {len(clusters)} cluster labels")
    if not np.isfinite(effects).all():
        raise ValueError(f"{int((~np.isfinite(effects)).sum())} of {len(effects)} effects are not finite")
    if groups is not None:
        if len(groups) != len(clusters):
            raise ValueError(f"{len(clusters)} cluster labels for {len(groups)} group labels")
        inner = cluster_totals(effects, clusters, weighting="cluster")
        group_of = {str(cluster): str(group) for cluster, group in zip(clusters, groups, strict=True)}
        return cluster_totals(inner.sums, [group_of[label] for label in inner.labels], weighting="cluster")
    labels, places = np.unique(np.array([str(one) for one in clusters], dtype=np.str_), return_inverse=True)
    sums = np.bincount(places, weights=effects, minlength=len(labels)).astype(float)
    sizes = np.bincount(places, minlength=len(labels)).astype(float)
    if weighting == "cluster":
        sums, sizes = sums / sizes, np.ones_like(sizes)
    return ClusterTotals(tuple(labels.tolist()), sums, sizes)


@dataclass(frozen=True)
class ResamplePlan:
    """Which clusters each draw takes, by a stored seed. All arms, endpoints and contrasts share these draws."""

    seed: int = 20_240_607
    draws: int = 10_000

    def weights(self, n_clusters: int) -> FloatArray:
        """Return shape (draws, n_clusters): how often each draw takes each cluster. Rows sum to n_clusters."""
        return _weights(self.seed, self.draws, n_clusters)


@lru_cache(maxsize=32)
def _weights(seed: int, draws: int, n_clusters: int) -> FloatArray:
    weights = draw_weights(np.random.default_rng(seed), draws, n_clusters)
    weights.setflags(write=False)
    return weights


def draw_weights(rng: np.random.Generator, draws: int, n_clusters: int) -> FloatArray:
    """Return multinomial counts, made by counting the same index draws that `scipy.stats.bootstrap` makes."""
    taken = rng.integers(0, n_clusters, (draws, n_clusters))
    flat = (taken + n_clusters * np.arange(draws)[:, None]).ravel()
    return np.bincount(flat, minlength=draws * n_clusters).reshape(draws, n_clusters).astype(float)


@lru_cache(maxsize=16)
def all_resamples(n_clusters: int) -> tuple[FloatArray, FloatArray]:
    """Return every count vector, shape (n, n_clusters), and its probability G!/(prod k!) / G^G, shape (n,).

    Raises:
        ValueError: more than ten clusters (92,378 vectors); use the draws.
    """
    if not 1 <= n_clusters <= 10:
        raise ValueError(f"{n_clusters} clusters have {comb(2 * n_clusters - 1, n_clusters)} resamples: too many")
    taken = np.array(list(combinations_with_replacement(range(n_clusters), n_clusters)))
    counts = np.zeros((len(taken), n_clusters))
    np.add.at(counts, (np.arange(len(taken))[:, None], taken), 1.0)
    log_factorial = np.array([lgamma(k + 1) for k in range(n_clusters + 1)])
    logs = lgamma(n_clusters + 1) - log_factorial[counts.astype(int)].sum(axis=1) - n_clusters * log(n_clusters)
    probabilities = np.exp(logs)
    counts.setflags(write=False)
    probabilities.setflags(write=False)
    return counts, probabilities


def resampled_means(weights: FloatArray, sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the mean effect of every resample.

    Args:
        weights: shape (draws, n_clusters).
        sums: shape (n_clusters,) or (n_clusters, k) for k outcomes or studies at once.
        sizes: shape (n_clusters,).
    """
    totals = weights @ sizes
    drawn = weights @ sums
    return np.asarray(drawn / (totals if drawn.ndim == 1 else totals[:, None]))


def weighted_quantile(values: FloatArray, probabilities: FloatArray, q: float) -> float:
    """Return the smallest value whose cumulative probability reaches q (inverse distribution function)."""
    order = np.argsort(values, kind="stable")
    cumulative = np.cumsum(probabilities[order])
    return float(values[order][min(int(np.searchsorted(cumulative, q - 1e-12)), len(values) - 1)])
