"""Exact sign-flip (randomisation) test over clusters: is the mean paired effect zero?

Under the null the effect of a cluster is as likely to be its mirror image (symmetry; for matched arms that are
exchangeable it holds by design). All 2^G sign patterns are tried, so the p-value needs no seed and no large-sample
theory; its least value is 2 / 2^G: 0.0625 with five clusters, 0.031 with six, 0.016 with seven.
Source: Fisher (1935); Canay, Romano & Shaikh (2017) for clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from diag.analysis.pairs import FloatArray

EXACT_UP_TO = 16


@dataclass(frozen=True)
class SignFlip:
    """A two-sided p-value and what it could have been at best."""

    p: float | None
    """None if nothing can be flipped."""
    smallest_p: float
    """The least p these clusters allow: those with an effect of exactly zero do not help."""
    n_clusters: int
    n_nonzero: int
    exact: bool


def sign_flip(sums: FloatArray, *, rng: np.random.Generator | None = None, draws: int = 100_000) -> SignFlip:
    """Return the sign-flip test of cluster sums (for equal cluster weights, of cluster means).

    Args:
        sums: shape (n_clusters,), the summed paired effects of each cluster.
        rng: used above sixteen clusters only, where `draws` random patterns stand for all; the observed pattern counts
            as one of them, so p is never zero.
        draws: random patterns.
    """
    sums = np.asarray(sums, dtype=float)
    n, nonzero = len(sums), int(np.count_nonzero(np.abs(sums) > 1e-12))
    smallest = min(1.0, 2.0 / 2.0**nonzero)
    if nonzero == 0:
        return SignFlip(None, 1.0, n, 0, exact=True)
    p = float(sign_flip_p(sums[:, None], rng=rng, draws=draws)[0])
    return SignFlip(p, smallest, n, nonzero, exact=n <= EXACT_UP_TO)


def sign_flip_p(sums: FloatArray, *, rng: np.random.Generator | None = None, draws: int = 100_000) -> FloatArray:
    """Return p-values, shape (k,), of cluster sums, shape (n_clusters, k). Arguments as in `sign_flip`."""
    n = sums.shape[0]
    if n <= EXACT_UP_TO:
        return np.asarray(_extreme(_signs(n), sums) / 2 ** (n - 1))
    generator = rng or np.random.default_rng(0)
    signs = np.asarray(generator.integers(0, 2, (draws, n), dtype=np.int8) * 2.0 - 1.0, dtype=np.float64)
    return np.asarray((1 + _extreme(signs, sums)) / (1 + draws))


def _extreme(signs: FloatArray, sums: FloatArray) -> FloatArray:
    """Return how many sign patterns reach the observed sum, for each column; a few megabytes at a time."""
    width = max(1, 1_000_000 // len(signs))
    parts = [sums[:, start : start + width] for start in range(0, sums.shape[1], width)]
    counts = [(np.abs(signs @ part) >= np.abs(part.sum(axis=0)) - 1e-9).sum(axis=0) for part in parts]
    return np.concatenate(counts).astype(float)


@lru_cache(maxsize=16)
def _signs(n: int) -> FloatArray:
    """Return half of the sign patterns, shape (2^(n-1), n): the other half is its mirror image."""
    if n > EXACT_UP_TO:
        raise ValueError(f"{n} clusters have 2^{n} sign patterns; exact up to {EXACT_UP_TO}")
    codes = np.arange(2 ** (n - 1))[:, None] >> np.arange(n)[None, :]
    return np.asarray((codes & 1) * 2.0 - 1.0)
