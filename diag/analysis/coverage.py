"""What a percentile interval is worth for a study's own cluster sizes, measured on simulated studies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from diag.analysis.cluster_intervals import FEWEST_RESAMPLED
from diag.analysis.clusters import ResamplePlan, resampled_means

STUDIES = 2_000
MOST_CLUSTERS = 50
"""From here on the interval covers what it says within the simulation's error."""


@lru_cache(maxsize=64)
def percentile_coverage(sizes: tuple[float, ...]) -> float | None:
    """Return the share of percentile intervals of these cluster sizes that hold the effect at new levels.

    Normal outcomes with ICC 0.1 and arm correlation 0.5, as on the validation page; Monte Carlo error below a point.
    None where no such interval is printed, or with so many clusters that it covers what it says.
    """
    if not FEWEST_RESAMPLED <= len(sizes) < MOST_CLUSTERS:
        return None
    rng, blocks = np.random.default_rng(len(sizes)), np.array(sizes)[:, None]
    between, within = rng.standard_normal((2, len(sizes), STUDIES))
    sums = blocks * np.sqrt(0.1) * between + np.sqrt(1.8 * blocks) * within
    means = resampled_means(ResamplePlan(draws=STUDIES).weights(len(sizes)), sums, blocks[:, 0])
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return float(((low <= 0) & (high >= 0)).mean())
