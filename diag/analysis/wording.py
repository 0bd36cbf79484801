"""What may be said of an effect, as a flag and a sentence.

Supported means: the exact sign-flip test over clusters gives p < 0.05 (after step-down max-T where a family was
declared), the percentile interval excludes zero, or cannot be given because every cluster moved by the same amount, and
nothing that is missing could turn the sign of the effect. A test that no outcome could have passed finds nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from diag.analysis.interval import Interval
from diag.analysis.signflip import SignFlip

ALPHA = 0.05
UNKNOWN = (-math.inf, math.inf)
"""Bounds of an effect when outcomes are missing whose range is not known."""


@dataclass(frozen=True)
class Judgement:
    """A flag and the sentence that goes with it."""

    supported: bool
    sentence: str


def judge(
    *,
    estimate: float | None,
    percentile: Interval,
    test: SignFlip,
    adjusted_p: float | None,
    least_p: float,
    family_size: int,
    missing: tuple[float, float] | None = None,
    smallest_effect: float | None = None,
) -> Judgement:
    """Return what may be said of an effect.

    Args:
        estimate: the effect; None without a complete pair.
        percentile: its percentile interval.
        test: its sign-flip test.
        adjusted_p: p after the family's correction; None for an exploratory contrast.
        least_p: the least p, after the correction, that its clusters could have given.
        family_size: contrasts in its family.
        missing: the effect with everything missing at its worst and at its best; None if nothing is missing.
        smallest_effect: what would matter, as it was declared; None if nothing was.
    """
    if estimate is None:
        return Judgement(False, f"Cannot say: {percentile.reason}.")
    if test.p is None:
        return Judgement(False, f"Cannot say: {percentile.reason or 'no cluster differs from zero'}.")
    clusters = f"{test.n_clusters} cluster{'s' if test.n_clusters != 1 else ''}"
    p = test.p if adjusted_p is None else adjusted_p
    shown = f"new levels, sign-flip p = {test.p:.3g} over {clusters}" + (
        f", {adjusted_p:.3g} after max-T over {family_size} contrast{'s' if family_size != 1 else ''}"
        if adjusted_p is not None
        else ", exploratory"
    )
    if least_p >= ALPHA:
        return Judgement(False, _too_few(test, least_p, adjusted_p is not None, shown))
    if p >= ALPHA:
        return Judgement(False, f"Not supported: {shown}; no evidence of an effect is not evidence of none.")
    if percentile.is_known and not percentile.excludes(0.0):
        return Judgement(False, f"Not supported: {shown}, but the percentile interval includes zero.")
    if missing is not None and missing[0] <= 0 <= missing[1]:
        reach = f"[{missing[0]:+.3g}, {missing[1]:+.3g}]"
        return Judgement(False, f"Not supported: {shown}, but with what is missing the effect may lie in {reach}.")
    direction = "higher" if estimate > 0 else "lower"
    if smallest_effect is not None and abs(estimate) < smallest_effect:
        shown += f", though the estimate is less than the smallest effect of interest ({smallest_effect:g})"
    if not percentile.is_known:
        return Judgement(
            True,
            f"Supported ({direction} under the treatment): {shown}. Its size has no interval: {percentile.reason}.",
        )
    return Judgement(
        True, f"Supported ({direction} under the treatment): {shown}, and the percentile interval excludes zero."
    )


def _too_few(test: SignFlip, least_p: float, is_adjusted: bool, shown: str) -> str:
    if test.n_nonzero < test.n_clusters:
        why = f"only {test.n_nonzero} of {test.n_clusters} clusters different from zero"
    else:
        why = f"{test.n_clusters} cluster{'s' if test.n_clusters != 1 else ''}"
    after = " after max-T" if is_adjusted and least_p > test.smallest_p + 1e-12 else ""
    return f"Cannot reach {ALPHA}: with {why} the least p{after} is {least_p:.3g}. ({shown})"
