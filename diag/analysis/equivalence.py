"""Two one-sided tests: is an effect smaller, in both directions, than the margin that was declared beforehand?

Each side is tested against the margin by the sign-flip test over clusters and by the CR2 t test; pairs of yes and no by
Tango's score test as well, since clusters in which nothing changed are no proof that nothing can. The greatest counts.
Alone each of them errs: with the true effect at the margin sign-flips say "equivalent" in up to 33 % of studies (seven
clusters of one), t in up to 16 %; together mostly in less than 5 %, in 7 % at worst (ICC 0.3, an arm at 100 %).

Sources: Schuirmann (1987); Tango (1998) "Equivalence test and confidence interval for the difference in proportions
for the paired-sample design".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from diag.analysis.cluster_intervals import cr2_df, cr2_error, no_variation
from diag.analysis.clusters import ClusterTotals
from diag.analysis.signflip import least_p, sign_flip_p
from diag.analysis.wording import ALPHA


@dataclass(frozen=True)
class Equivalence:
    """Whether an effect lies within +-`margin`, for new levels."""

    margin: float
    p: float | None
    """The greatest p of both sides and all tests; None if nothing can be said."""
    adjusted_p: float | None
    """After Holm's correction over the family's contrasts that ask for equivalence."""
    least_p: float
    """The least p of so many pairs and clusters, had next to nothing differed."""
    shown: bool
    sentence: str


def two_one_sided(
    totals: ClusterTotals, margin: float, *, counts: tuple[int, int, int, int] | None = None, seed: int = 0
) -> Equivalence:
    """Return the test of an effect against +-`margin`, not yet judged.

    Args:
        totals: its clusters.
        margin: in the outcome's own unit, above zero.
        counts: (both, only treatment, only control, neither) of yes/no pairs.
        seed: of the sign patterns above sixteen clusters.
    """
    least = smallest_p(totals.n_clusters, sum(counts) if counts else None, margin)
    if reason := no_variation(totals):
        return Equivalence(margin, None, None, least, shown=False, sentence=f"Equivalence: cannot say ({reason}).")
    p = max(_below(totals, margin, counts, seed), _below(_mirrored(totals), margin, _swapped(counts), seed))
    return Equivalence(margin, p, p, least, shown=False, sentence="")


def smallest_p(n_clusters: int, n_pairs: int | None, margin: float) -> float:
    """Return the least p that clusters, and pairs of yes and no if they are any, allow; 1 without a pair."""
    if not n_clusters:
        return 1.0
    flips = least_p(n_clusters) / 2
    return flips if n_pairs is None else max(flips, tango_p(0, 0, n_pairs, margin))


def judged(
    found: Equivalence, adjusted_p: float | None, missing: tuple[float, float] | None, *, in_points: bool
) -> Equivalence:
    """Return the test with its verdict.

    Args:
        found: the test.
        adjusted_p: its p after Holm's correction.
        missing: the effect with everything missing at its worst and best; None if nothing is missing.
        in_points: whether to show margins as percentage points.
    """
    if found.p is None or adjusted_p is None:
        return found
    within = f"within ±{100 * found.margin:g} points" if in_points else f"within ±{found.margin:g}"
    p = f"two one-sided tests, p = {adjusted_p:.3g} (new levels)"
    shown = False
    if found.least_p >= ALPHA:
        words = f"Equivalence {within} cannot be shown: the least p of its pairs and clusters is {found.least_p:.3g}."
    elif adjusted_p >= ALPHA:
        words = f"Equivalence {within} is not shown: {p}."
    elif missing is not None and max(map(abs, missing)) >= found.margin:
        words = f"Equivalence {within} is not shown: {p}, but what is missing may lie beyond."
    else:
        shown, words = True, f"Equivalent {within}: {p}."
    return replace(found, adjusted_p=adjusted_p, shown=shown, sentence=words)


def tango_p(up: int, down: int, n: int, margin: float) -> float:
    """Return the one-sided p of the score test that the difference of paired rates is `margin` or more."""
    from scipy import special

    if margin >= 1:
        return 0.0
    first, second = -up - down + (2 * n - up + down) * margin, -down * margin * (1 - margin)
    held = (math.sqrt(first**2 - 8 * n * second) - first) / (4 * n)
    return float(special.ndtr((up - down - n * margin) / math.sqrt(n * (2 * held + margin * (1 - margin)))))


def _below(totals: ClusterTotals, margin: float, counts: tuple[int, int, int, int] | None, seed: int) -> float:
    """Return the greatest one-sided p against an effect of `margin` or more."""
    from scipy import special

    shifted = totals.sums - margin * totals.sizes
    both_sides = float(sign_flip_p(shifted[:, None], rng=np.random.default_rng(seed))[0])
    flips = both_sides / 2 if shifted.sum() < 0 else 1.0 - both_sides / 2
    error = float(cr2_error(totals.sums[:, None], totals.sizes)[0])
    t = float(special.stdtr(cr2_df(totals.sizes), (totals.estimate - margin) / error))
    return max(flips, t, tango_p(counts[1], counts[2], sum(counts), margin) if counts else 0.0)


def _mirrored(totals: ClusterTotals) -> ClusterTotals:
    return replace(totals, sums=-totals.sums)


def _swapped(counts: tuple[int, int, int, int] | None) -> tuple[int, int, int, int] | None:
    return counts and (counts[0], counts[2], counts[1], counts[3])
