"""Calibration: repeat a study many times with a known truth and count what its intervals and tests claim.

`calibrate` draws the outcomes directly (thousands of studies a second); `calibrate_runs` repeats real runs, for
instance rules-only studies with simulated agents. Both report coverage, false-positive rate or power, and how often a
method had to say that it cannot say.

Coverage of what? Of the effect at **new levels** like these, or of the effect at **these levels**. The intervals are
made for the first: they hold the second oftener. Repeated runs play the same levels again and answer the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from diag.analysis.cluster_intervals import cr2_df, cr2_error, studentised_limits
from diag.analysis.clusters import EXACT_CLUSTERS, ResamplePlan, all_resamples, resampled_means
from diag.analysis.effects import analyse
from diag.analysis.estimand import Estimand
from diag.analysis.interval import Interval
from diag.analysis.pairs import FloatArray
from diag.analysis.proportions import wilson
from diag.analysis.signflip import sign_flip_p
from diag.analysis.simulate import Assumptions, arm_draws

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.05
WHICH_QUESTION = (
    "New levels: the effect at levels like these, which the intervals are made for. These levels: the effect at the "
    "very levels of the study. Repetitions of the study play the same levels again: they answer the second question."
)
Limits = tuple[FloatArray, FloatArray]
"""Low and high, each of shape (studies,); NaN where the method cannot say."""


@dataclass(frozen=True)
class MethodCalibration:
    """How one method behaved over the repeated studies."""

    method: str
    """An interval's name; `sign_flip` is the test; `supported` is the rule that the report applies."""
    coverage: Interval | None
    """Share of the intervals given that contain the effect at new levels, with its Wilson interval; None for a test,
    and where the same levels were played again."""
    coverage_here: Interval | None
    """The same for the effect at the study's own levels."""
    reject_share: float
    """Share of all studies that find an effect: the false-positive rate if the truth is zero, else the power."""
    cannot_say_share: float
    mean_width: float | None


@dataclass(frozen=True)
class Calibration:
    """One contrast of one study shape."""

    contrast: str
    truth: float
    n_clusters: int
    n_blocks: int
    studies: int
    assumptions: str
    methods: tuple[MethodCalibration, ...]

    def method(self, name: str) -> MethodCalibration:
        """Return one method. Raises KeyError naming those there are."""
        for found in self.methods:
            if found.method == name:
                return found
        raise KeyError(f"no method {name!r}; there are {', '.join(m.method for m in self.methods)}")

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return asdict(self)


def calibrate(
    sizes: Sequence[int],
    assumptions: Assumptions,
    contrasts: Sequence[tuple[str, str]],
    *,
    rng: np.random.Generator,
    studies: int = 1_000,
    plan: ResamplePlan | None = None,
) -> tuple[Calibration, ...]:
    """Return the calibration of each contrast (treatment, control) in studies of the given shape.

    Args:
        sizes: blocks in each cluster.
        assumptions: propensities of the arms and how clusters differ.
        contrasts: pairs of arms.
        rng: the only source of randomness.
        studies: how many studies.
        plan: the draws of the bootstrap methods, as a study has them.
    """
    successes, here = arm_draws(assumptions, sizes, studies=studies, rng=rng)
    return tuple(
        Calibration(
            contrast=f"{treatment} - {control}",
            truth=assumptions.rates[treatment] - assumptions.rates[control],
            n_clusters=len(sizes),
            n_blocks=int(sum(sizes)),
            studies=studies,
            assumptions=assumptions.sentence(),
            methods=_methods(
                successes[treatment] - successes[control],
                np.asarray(sizes, dtype=float),
                truth=assumptions.rates[treatment] - assumptions.rates[control],
                here=here[treatment] - here[control],
                plan=plan or ResamplePlan(),
            ),
        )
        for treatment, control in contrasts
    )


def calibrate_runs(
    run_study: Callable[[int], pd.DataFrame],
    estimands: Sequence[Estimand],
    *,
    studies: int,
    truth: Mapping[str, float] | None = None,
    plan: ResamplePlan | None = None,
    assumptions: str = "as the run has them",
    progress: Callable[[int], None] | None = None,
) -> tuple[Calibration, ...]:
    """Repeat whole studies and return the calibration of every estimand.

    Args:
        run_study: from the study's number, 0-based, to its outcome table; must use it as its seed.
        estimands: as declared for the study.
        studies: how many.
        truth: true effect by estimand name; where it is not given, the mean of the estimates stands for it (then the
            coverage says nothing of bias).
        plan: the draws of the bootstrap methods.
        assumptions: shown with the result.
        progress: called with the number of studies done.

    Raises:
        ValueError: fewer than two studies.
    """
    if studies < 2:
        raise ValueError(f"calibration repeats studies, got {studies}")
    found: dict[str, list[Any]] = {estimand.name: [] for estimand in estimands}
    for number in range(studies):
        for effect in analyse(run_study(number), estimands, plan=plan):
            found[effect.name].append(effect)
        if progress:
            progress(number + 1)
    known = truth or {}
    results = []
    for name, effects in found.items():
        estimates = [effect.estimate for effect in effects if effect.estimate is not None]
        value = known[name] if name in known else float(np.mean(estimates)) if estimates else 0.0
        methods = [
            _summary(method, _columns([getattr(effect, method) for effect in effects]), None, value)
            for method in ("percentile", "exact", "cr2", "studentised")
        ]
        p = np.array([1.0 if effect.sign_flip_p is None else effect.sign_flip_p for effect in effects])
        methods.append(_test("sign_flip", p < ALPHA))
        methods.append(_test("supported", np.array([effect.supported for effect in effects])))
        results.append(
            Calibration(
                contrast=name,
                truth=value,
                n_clusters=max(effect.n_clusters for effect in effects),
                n_blocks=max(effect.n_pairs for effect in effects),
                studies=studies,
                assumptions=assumptions,
                methods=tuple(methods),
            )
        )
    return tuple(results)


def _methods(
    sums: FloatArray, sizes: FloatArray, *, truth: float, here: FloatArray, plan: ResamplePlan
) -> tuple[MethodCalibration, ...]:
    """Return every method's summary over columns of cluster sums, shape (n_clusters, studies)."""
    n = len(sizes)
    constant = np.ptp(sums / sizes[:, None], axis=0) <= 1e-12
    limits = {"percentile": percentile_limits(plan.weights(n), sums, sizes)}
    if n <= EXACT_CLUSTERS:
        limits["exact"] = _exact(sums, sizes)
    limits["cr2"] = cr2_limits(sums, sizes)
    limits["studentised"] = _studentised(plan.weights(n), sums, sizes)
    blank = {
        name: (np.where(constant, np.nan, low), np.where(constant, np.nan, high))
        for name, (low, high) in limits.items()
    }
    methods = [_summary(name, pair, truth, here) for name, pair in blank.items()]
    flips = sign_flip_p(sums, rng=np.random.default_rng(plan.seed), draws=2_000) < ALPHA
    low, high = blank["percentile"]
    methods += [_test("sign_flip", flips), _test("supported", flips & (constant | (low > 0) | (high < 0)))]
    return tuple(methods)


def percentile_limits(weights: FloatArray, sums: FloatArray, sizes: FloatArray) -> Limits:
    """Return the published interval of each column of cluster sums, shape (n_clusters, studies)."""
    parts = [np.quantile(resampled_means(weights, part, sizes), (0.025, 0.975), axis=0) for part in _chunks(sums)]
    joined = np.concatenate(parts, axis=1)
    return joined[0], joined[1]


def _exact(sums: FloatArray, sizes: FloatArray) -> Limits:
    counts, probabilities = all_resamples(len(sizes))
    means = resampled_means(counts, sums, sizes)
    order = np.argsort(means, axis=0)
    cumulative = np.cumsum(probabilities[order], axis=0)
    ordered = np.take_along_axis(means, order, axis=0)
    places = [np.minimum((cumulative < q - 1e-12).sum(axis=0), len(means) - 1) for q in (0.025, 0.975)]
    low, high = (np.take_along_axis(ordered, place[None, :], axis=0)[0] for place in places)
    return low, high


def cr2_limits(sums: FloatArray, sizes: FloatArray) -> Limits:
    """Return the CR2 interval of each column."""
    from scipy import special

    estimate = sums.sum(axis=0) / sizes.sum()
    reach = special.stdtrit(cr2_df(sizes), 0.975) * cr2_error(sums, sizes)
    return estimate - reach, estimate + reach


def _studentised(weights: FloatArray, sums: FloatArray, sizes: FloatArray) -> Limits:
    lows, highs = [], []
    for part in _chunks(sums):
        low, high, lost = studentised_limits(weights, part, sizes)
        unsaid = (lost > 0.05) | ~np.isfinite(low) | ~np.isfinite(high)
        lows.append(np.where(unsaid, np.nan, low))
        highs.append(np.where(unsaid, np.nan, high))
    return np.concatenate(lows), np.concatenate(highs)


def _chunks(sums: FloatArray, width: int = 200) -> list[FloatArray]:
    """Return blocks of columns: 10,000 draws of 200 studies take 16 MB."""
    return [sums[:, start : start + width] for start in range(0, sums.shape[1], width)]


def _columns(intervals: Sequence[Interval]) -> Limits:
    low = np.array([np.nan if one.low is None else one.low for one in intervals])
    high = np.array([np.nan if one.high is None else one.high for one in intervals])
    return low, high


def _summary(method: str, limits: Limits, new: float | None, here: FloatArray | float) -> MethodCalibration:
    low, high = limits
    said = ~np.isnan(low)
    return MethodCalibration(
        method=method,
        coverage=None if new is None else covered(limits, new),
        coverage_here=covered(limits, here),
        reject_share=float((said & ((low > 0) | (high < 0))).mean()),
        cannot_say_share=float((~said).mean()),
        mean_width=float((high - low)[said].mean()) if said.any() else None,
    )


def covered(limits: Limits, truth: FloatArray | float) -> Interval:
    """Return the share of the intervals that hold the truth, of those that could be given, with its Wilson interval."""
    low, high = limits
    held = (low <= truth + 1e-12) & (high >= truth - 1e-12)
    return wilson(int(held.sum()), int((~np.isnan(low)).sum()))


def _test(method: str, rejects: np.ndarray[Any, np.dtype[np.bool_]]) -> MethodCalibration:
    return MethodCalibration(method, None, None, float(rejects.mean()), 0.0, None)
