"""Our cluster bootstrap against scipy.stats.bootstrap used well: the same intervals, and the ratio of times.

    python benchmarks/bootstrap.py [--repeats 30]

A study of RQ2's size: 24 checkpoints in seven levels, three arms, five endpoints, two contrasts each. Both sides give
the percentile limits of all ten contrasts from 10,000 draws that the contrasts share, from level sums made outside the
clock. Ours and scipy's runs alternate, so that both see the same machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from diag.analysis.clusters import draw_weights, resampled_means

SIZES = np.array([10, 4, 2, 2, 2, 2, 2])
DRAWS = 10_000
SEED = 1
TAILS = (0.025, 0.975)


def study(rng: np.random.Generator) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return level sums, shape (7, 10), of C-B and B-A of five endpoints, and level sizes."""
    outcomes = rng.random((5, 3, SIZES.sum())) < np.array([0.1, 0.9, 0.85])[None, :, None]
    values = outcomes.astype(float)
    effects = np.concatenate([values[:, 1] - values[:, 0], values[:, 2] - values[:, 1]])
    level = np.repeat(np.arange(len(SIZES)), SIZES)
    sums = np.stack([np.bincount(level, weights=row, minlength=len(SIZES)) for row in effects], axis=1)
    return sums, SIZES.astype(float)


def ours(sums: Any, sizes: Any) -> Any:
    weights = draw_weights(np.random.default_rng(SEED), DRAWS, len(sizes))
    return np.quantile(resampled_means(weights, sums, sizes), TAILS, axis=0)


def scipys(sums: Any, sizes: Any) -> Any:
    """Vectorised over draws and contrasts at once: one call, indices of levels as the data."""

    def statistic(taken: Any, axis: int) -> Any:
        return (sums[taken].sum(axis=axis - 1) / sizes[taken].sum(axis=axis)[..., None]).T

    found = stats.bootstrap(
        (np.arange(len(sizes)),), statistic, n_resamples=DRAWS, method="percentile", rng=np.random.default_rng(SEED)
    )
    return np.stack([found.confidence_interval.low, found.confidence_interval.high])


def clock(run: Callable[[], Any]) -> float:
    began = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=30)
    repeats = parser.parse_args().repeats
    sums, sizes = study(np.random.default_rng(0))
    difference = float(np.abs(ours(sums, sizes) - scipys(sums, sizes)).max())
    pairs = [(clock(lambda: ours(sums, sizes)), clock(lambda: scipys(sums, sizes))) for _ in range(repeats)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"{sums.shape[1]} contrasts, {len(sizes)} levels, {sizes.sum():.0f} checkpoints, {DRAWS:,} draws")
    print(f"largest difference of a limit: {difference:.1e}")
    print(f"ours {mine:.1f} ms, scipy {theirs:.1f} ms, ratio {ratio:.2f} (medians of {repeats} alternating runs)")
    return 0 if difference < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
