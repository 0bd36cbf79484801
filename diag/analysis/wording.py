"""What may be said of an effect, as a flag and a sentence.

Supported means: the exact sign-flip test over clusters gives p < 0.05 (after Holm's correction where a family was
declared) and the percentile interval excludes zero, or cannot be given because every cluster moved by the same amount.
The percentile interval alone never suffices: with seven clusters it is too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass

from diag.analysis.interval import Interval
from diag.analysis.signflip import SignFlip

ALPHA = 0.05


@dataclass(frozen=True)
class Judgement:
    """A flag and the sentence that goes with it."""

    supported: bool
    sentence: str


def judge(
    *, estimate: float | None, percentile: Interval, test: SignFlip, holm_p: float | None, family_size: int
) -> Judgement:
    """Return what may be said of an effect."""
    if estimate is None:
        return Judgement(False, f"Cannot say: {percentile.reason}.")
    if test.p is None:
        return Judgement(False, f"Cannot say: {percentile.reason or 'no cluster differs from zero'}.")
    clusters = f"{test.n_clusters} cluster{'s' if test.n_clusters != 1 else ''}"
    p = test.p if holm_p is None else holm_p
    shown = f"sign-flip p = {test.p:.3g} over {clusters}" + (
        f", {holm_p:.3g} after Holm over {family_size} contrast{'s' if family_size != 1 else ''}"
        if holm_p is not None
        else ", exploratory"
    )
    if test.smallest_p >= ALPHA:
        return Judgement(False, _too_few(test, shown))
    if p >= ALPHA:
        return Judgement(False, f"Not supported: {shown}; no evidence of an effect is not evidence of none.")
    if percentile.is_known and not percentile.excludes(0.0):
        return Judgement(False, f"Not supported: {shown}, but the percentile interval includes zero.")
    direction = "higher" if estimate > 0 else "lower"
    if not percentile.is_known:
        return Judgement(
            True,
            f"Supported ({direction} under the treatment): {shown}. Its size has no interval: {percentile.reason}.",
        )
    return Judgement(
        True, f"Supported ({direction} under the treatment): {shown}, and the percentile interval excludes zero."
    )


def _too_few(test: SignFlip, shown: str) -> str:
    if test.n_nonzero < test.n_clusters:
        why = f"only {test.n_nonzero} of {test.n_clusters} clusters different from zero"
    else:
        why = f"{test.n_clusters} cluster{'s' if test.n_clusters != 1 else ''}"
    return f"Cannot reach {ALPHA}: with {why} the least p is {test.smallest_p:.3g}. ({shown})"
