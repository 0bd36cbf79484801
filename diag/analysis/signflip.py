"""Exact sign-flip (randomisation) test over clusters: is the mean paired effect zero?

Under the null the effect of a cluster is as likely to be its mirror image (symmetry; for matched arms that are
exchangeable it holds by design). All 2^G sign patterns are tried, so the p-value needs no seed and no large-sample
theory; its least value is 2 / 2^G: 0.0625 with five clusters, 0.031 with six, 0.016 with seven.
Source: Fisher (1935); Canay, Romano & Shaikh (2017) for clusters.
"""

from __future__ import annotations

import math
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
    smallest = least_p(nonzero) if n <= EXACT_UP_TO else max(least_p(nonzero), 1.0 / (1 + draws))
    if nonzero == 0:
        return SignFlip(None, 1.0, n, 0, exact=True)
    p = float(sign_flip_p(sums[:, None], rng=rng, draws=draws)[0])
    return SignFlip(p, smallest, n, nonzero, exact=n <= EXACT_UP_TO)


def least_p(n_clusters: int) -> float:
    """Return the least two-sided p of so many clusters, 2 / 2^G, without overflow."""
    return min(1.0, 0.5 ** (n_clusters - 1))


def sign_flip_p(sums: FloatArray, *, rng: np.random.Generator | None = None, draws: int = 100_000) -> FloatArray:
    """Return p-values, shape (k,), of cluster sums, shape (n_clusters, k). Arguments as in `sign_flip`."""
    n = sums.shape[0]
    if n <= EXACT_UP_TO:
        return np.asarray(_extreme(_signs(n), sums) / 2 ** (n - 1))
    return np.asarray((1 + _extreme(_drawn(n, rng, draws), sums)) / (1 + draws))


def flip_limits(
    sums: FloatArray,
    sizes: FloatArray,
    *,
    alpha: float = 0.05,
    rng: np.random.Generator | None = None,
    draws: int = 100_000,
) -> tuple[float, float]:
    """Return the effects that the sign-flip test does not refuse (p >= alpha): its inversion, in closed form.

    With the true effect t, the flipped sums are `S_g - t n_g`. A sign pattern is at least as extreme as the observed
    one for all t between the mean effect of its negative and that of its positive clusters; so each limit is an order
    statistic of the smaller (or greater) of the two means, infinite where the clusters cannot reach alpha at all.

    Args:
        sums: shape (n_clusters,).
        sizes: shape (n_clusters,), blocks a cluster.
        alpha: level of the test.
        rng: as in `sign_flip`; the same generator gives the same patterns, so p and limits agree.
        draws: as in `sign_flip`.
    """
    n = len(sums)
    exact = n <= EXACT_UP_TO
    signs = _signs(n) if exact else _drawn(n, rng, draws)
    enough = math.ceil(alpha * len(signs) - 1e-9) if exact else math.ceil(alpha * (1 + draws) - 1e-9) - 1
    negative, positive = (signs < 0).astype(float), (signs > 0).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (negative @ sums) / (negative @ sizes), (positive @ sums) / (positive @ sizes)
    trivial = ~(np.isfinite(one) & np.isfinite(other))
    low = np.sort(np.where(trivial, -np.inf, np.minimum(one, other)))
    high = np.sort(np.where(trivial, np.inf, np.maximum(one, other)))
    return float(low[enough - 1]), float(high[len(high) - enough])


def step_down_max_t(
    sums: FloatArray,
    *,
    rng: np.random.Generator | None = None,
    draws: int = 100_000,
    exact_up_to: int = EXACT_UP_TO,
) -> FloatArray:
    """Return p-values of several contrasts, adjusted together by step-down max-T; shape (k,) or (k, studies).

    A cluster's sign is flipped in all contrasts at once, which keeps their dependence. The statistic of a contrast is
    `|sum S_g| / sqrt(sum S_g^2)`; the k-th largest is compared with the greatest among itself and those below it, so
    the least adjusted p is that of a single contrast. Source: Westfall & Young (1993), algorithm 2.8.

    Args:
        sums: shape (n_clusters, k), or (n_clusters, k, studies) for many studies at once; zero where a cluster has no
            block of a contrast. A contrast of zeros has p = 1.
        rng: as in `sign_flip`.
        draws: as in `sign_flip`.
        exact_up_to: clusters up to which all sign patterns are tried.
    """
    n = sums.shape[0]
    if n == 0:
        return np.ones(sums.shape[1:])
    exact = n <= exact_up_to
    signs = _signs(n) if exact else _drawn(n, rng, draws)
    many = sums if sums.ndim == 3 else sums[:, :, None]
    width = max(1, 100_000 // len(signs))
    parts = [_adjusted(many[:, :, at : at + width], signs, exact=exact) for at in range(0, many.shape[2], width)]
    adjusted = np.concatenate(parts, axis=1)
    return adjusted if sums.ndim == 3 else adjusted[:, 0]


def _adjusted(sums: FloatArray, signs: FloatArray, *, exact: bool) -> FloatArray:
    """Return adjusted p-values, shape (k, studies), of sums, shape (n_clusters, k, studies)."""
    scale = np.sqrt((sums**2).sum(axis=0))
    scaled = np.divide(sums, scale, out=np.zeros_like(sums), where=scale > 1e-12)
    observed = np.abs(scaled.sum(axis=0))
    order = np.argsort(-observed, axis=0, kind="stable")
    in_order = np.take_along_axis(scaled, order[None], axis=1)
    thresholds = np.take_along_axis(observed, order, axis=0) - 1e-9
    reached, greatest = np.zeros_like(observed), np.zeros((len(signs), sums.shape[2]))
    for place in reversed(range(sums.shape[1])):
        np.maximum(greatest, np.abs(signs @ in_order[:, place]), out=greatest)
        reached[place] = (greatest >= thresholds[place]).sum(axis=0)
    p = reached / len(signs) if exact else (1 + reached) / (1 + len(signs))
    adjusted = np.empty_like(observed)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(p, axis=0), axis=0)
    return np.asarray(np.minimum(adjusted, 1.0))


def _drawn(n: int, rng: np.random.Generator | None, draws: int) -> FloatArray:
    generator = rng or np.random.default_rng(0)
    return np.asarray(generator.integers(0, 2, (draws, n), dtype=np.int8) * 2.0 - 1.0, dtype=np.float64)


def _extreme(signs: FloatArray, sums: FloatArray) -> FloatArray:
    """Return how many sign patterns reach the observed sum, for each column; a few megabytes at a time."""
    width = max(1, 100_000 // len(signs))
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
