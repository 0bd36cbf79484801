"""Paired effects of a study: every declared estimand with its intervals, its test and what may be said of it.

`analyse` is a pure function of the outcome table, the estimands and the resampling plan. Its result is `effects.json`
and the rows of every table and forest plot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from diag.analysis.cluster_intervals import (
    exact_interval,
    nested_interval,
    percentile_interval,
    studentised_interval,
    t_interval,
)
from diag.analysis.clusters import ClusterTotals, ResamplePlan, cluster_totals
from diag.analysis.estimand import Estimand, Kind
from diag.analysis.interval import Interval
from diag.analysis.multiplicity import holm
from diag.analysis.pairs import FloatArray, Pairs, pair
from diag.analysis.proportions import McNemar, mcnemar, newcombe_paired, paired_counts, wilson
from diag.analysis.signflip import SignFlip, sign_flip
from diag.analysis.wording import judge

EFFECTS_VERSION = 1


@dataclass(frozen=True)
class Effect:
    """One estimand, estimated. Rates, effects and limits are in the outcome's own unit (a share, not points)."""

    name: str
    outcome: str
    kind: Kind
    cohort: str | None
    treatment: str
    control: str
    weighting: str
    estimate: float | None
    """Mean paired effect over the complete blocks; None if there is none."""
    n_pairs: int
    n_missing: int
    """Blocks left out because an arm has no valid attempt."""
    n_not_applicable: int
    """Blocks left out because the outcome does not apply in an arm."""
    n_clusters: int
    up: int
    """Blocks whose effect is above zero."""
    down: int
    rate_treatment: float | None
    """Mean outcome under the treatment, over the same complete blocks and with the same weights."""
    rate_control: float | None
    effect_sd: float | None
    """Standard deviation (n-1) of the block effects."""
    effect_min: float | None
    effect_max: float | None
    percentile: Interval
    t_means: Interval
    exact: Interval
    studentised: Interval
    nested: Interval | None
    sign_flip: SignFlip
    loo_low: float | None
    """Least estimate when one cluster is left out."""
    loo_high: float | None
    mcnemar: McNemar | None
    """Binary outcomes only, and descriptive: it ignores the clusters."""
    newcombe: Interval | None
    wilson_treatment: Interval | None
    wilson_control: Interval | None
    bounds: tuple[float, float] | None
    """The estimate if every missing half had come out worst, or best, for the treatment; None if unbounded."""
    family: str | None
    holm_p: float | None
    """Sign-flip p after Holm's correction over the family; None if exploratory or if there is no p."""
    supported: bool
    sentence: str
    """What may be said, in words."""
    estimand: Estimand
    """The whole question, so that a later comparison can ask it again."""

    @property
    def sign_flip_p(self) -> float | None:
        """The exact sign-flip p-value over clusters."""
        return self.sign_flip.p

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {**asdict(self), "sign_flip_p": self.sign_flip_p}


def analyse(
    table: pd.DataFrame, estimands: Sequence[Estimand], *, plan: ResamplePlan | None = None, level: float = 0.95
) -> tuple[Effect, ...]:
    """Return the effect of every estimand, in the order they were declared.

    Raises:
        TableProblem: the table cannot answer an estimand (`diag.analysis.pairs`).
        ValueError: two estimands have the same name.
    """
    names = [estimand.name for estimand in estimands]
    if len(set(names)) != len(names):
        raise ValueError(f"estimand names must differ, got {names}")
    resampling = plan or ResamplePlan()
    return corrected(tuple(effect_of(pair(table, e), plan=resampling, level=level) for e in estimands))


def corrected(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects with Holm's correction inside each family and their sentences written."""
    adjusted: dict[str, float] = {}
    for family in {effect.family for effect in effects if effect.family is not None}:
        members = [effect for effect in effects if effect.family == family]
        values = holm([1.0 if effect.sign_flip_p is None else effect.sign_flip_p for effect in members])
        tested = zip(members, values, strict=True)
        adjusted.update({effect.name: value for effect, value in tested if effect.sign_flip_p is not None})
    finished = []
    for effect in effects:
        size = sum(other.family == effect.family for other in effects) if effect.family else 0
        verdict = judge(
            estimate=effect.estimate,
            percentile=effect.percentile,
            test=effect.sign_flip,
            holm_p=adjusted.get(effect.name),
            family_size=size,
        )
        finished.append(
            replace(effect, holm_p=adjusted.get(effect.name), supported=verdict.supported, sentence=verdict.sentence)
        )
    return tuple(finished)


def effect_of(pairs: Pairs, *, plan: ResamplePlan, level: float = 0.95) -> Effect:
    """Return one effect, not yet corrected for its family."""
    estimand, effects = pairs.estimand, pairs.effects
    totals = cluster_totals(effects, pairs.clusters, weighting=estimand.weighting)
    loo = leave_one_out(totals)
    binary = _binary(pairs) if estimand.kind == "binary" and estimand.weights is None else None
    treated, untreated = _rates(pairs)
    some = len(effects) > 0
    return Effect(
        name=estimand.name,
        outcome=estimand.outcome,
        kind=estimand.kind,
        cohort=estimand.cohort,
        treatment=estimand.treatment,
        control=estimand.control,
        weighting=estimand.weighting,
        estimate=totals.estimate if some else None,
        n_pairs=len(effects),
        n_missing=pairs.n_missing,
        n_not_applicable=pairs.n_not_applicable,
        n_clusters=totals.n_clusters,
        up=int((effects > 1e-12).sum()),
        down=int((effects < -1e-12).sum()),
        rate_treatment=treated,
        rate_control=untreated,
        effect_sd=float(effects.std(ddof=1)) if len(effects) > 1 else None,
        effect_min=float(effects.min()) if some else None,
        effect_max=float(effects.max()) if some else None,
        percentile=percentile_interval(totals, plan, level=level),
        t_means=t_interval(totals, level=level).within(*estimand.effect_range),
        exact=exact_interval(totals, level=level),
        studentised=studentised_interval(totals, plan, level=level).within(*estimand.effect_range),
        nested=_nested(pairs, plan, level),
        sign_flip=sign_flip(totals.sums, rng=np.random.default_rng(plan.seed)),
        loo_low=loo[0] if loo else None,
        loo_high=loo[1] if loo else None,
        mcnemar=binary[0] if binary else None,
        newcombe=binary[1] if binary else None,
        wilson_treatment=binary[2] if binary else None,
        wilson_control=binary[3] if binary else None,
        bounds=missing_bounds(pairs),
        family=estimand.family,
        holm_p=None,
        supported=False,
        sentence="",
        estimand=estimand,
    )


def leave_one_out(totals: ClusterTotals) -> tuple[float, float] | None:
    """Return the least and greatest estimate when each cluster is left out once; None below two clusters."""
    if totals.n_clusters < 2:
        return None
    left = (totals.sums.sum() - totals.sums) / (totals.sizes.sum() - totals.sizes)
    return float(left.min()), float(left.max())


def missing_bounds(pairs: Pairs) -> tuple[float, float] | None:
    """Return the estimate with every missing value at its worst and at its best for the treatment.

    Blocks whose outcome does not apply stay out. Without missing blocks both ends are the estimate.
    """
    span = pairs.estimand.value_range
    if span is None and pairs.n_missing:
        return None
    low, high = span or (0.0, 0.0)
    weights = np.array(list(pairs.estimand.arm_weights.values()))
    ends = []
    for at_positive, at_negative in ((low, high), (high, low)):
        filled = np.where(np.isnan(pairs.incomplete), np.where(weights > 0, at_positive, at_negative), pairs.incomplete)
        effects = np.concatenate([pairs.effects, filled @ weights])
        clusters = pairs.clusters + pairs.incomplete_clusters
        if not len(effects):
            return None
        ends.append(cluster_totals(effects, clusters, weighting=pairs.estimand.weighting).estimate)
    return ends[0], ends[1]


def effects_json(effects: Iterable[Effect], *, plan: ResamplePlan) -> dict[str, Any]:
    """Return the content of `effects.json`."""
    return {
        "schema_version": EFFECTS_VERSION,
        "resampling": asdict(plan),
        "effects": [effect.to_json() for effect in effects],
    }


_ROW_FIELDS = (
    *("name", "outcome", "kind", "cohort", "treatment", "control", "estimate", "n_pairs", "n_missing"),
    *("n_not_applicable", "n_clusters", "up", "down", "rate_treatment", "rate_control", "effect_sd", "effect_min"),
    *("effect_max", "sign_flip_p", "loo_low", "loo_high", "family", "holm_p", "supported", "sentence"),
)


def effect_rows(effects: Iterable[Effect]) -> list[dict[str, Any]]:
    """Return one flat row an effect; an interval becomes `<method>_low`, `<method>_high`, `<method>_reason`."""
    rows = []
    for effect in effects:
        row = {name: getattr(effect, name) for name in _ROW_FIELDS}
        for method in ("percentile", "t_means", "exact", "studentised", "nested", "newcombe"):
            interval: Interval | None = getattr(effect, method)
            row[f"{method}_low"] = interval.low if interval else None
            row[f"{method}_high"] = interval.high if interval else None
            row[f"{method}_reason"] = interval.reason if interval else ""
        row["bounds_low"], row["bounds_high"] = effect.bounds or (None, None)
        rows.append(row)
    return rows


def _rates(pairs: Pairs) -> tuple[float | None, float | None]:
    """Return the mean outcome on the treatment's and on the control's side, as the effect weighs them."""
    if not len(pairs.values):
        return None, None
    weights = np.array(list(pairs.estimand.arm_weights.values()))
    sides = (np.where(weights > 0, weights, 0.0), np.where(weights < 0, -weights, 0.0))
    means = [
        cluster_totals(pairs.values @ side, pairs.clusters, weighting=pairs.estimand.weighting).estimate
        for side in sides
    ]
    return means[0], means[1]


def _binary(pairs: Pairs) -> tuple[McNemar, Interval, Interval, Interval] | None:
    """Return the descriptions of a table of binary pairs; None where repeats were averaged into shares."""
    treatment: FloatArray = pairs.values[:, 0]
    control: FloatArray = pairs.values[:, 1]
    counts = paired_counts(treatment, control)
    if counts is None:
        return None
    n = len(treatment)
    return (
        mcnemar(counts[1], counts[2]),
        newcombe_paired(*counts),
        wilson(int(treatment.sum()), n),
        wilson(int(control.sum()), n),
    )


def _nested(pairs: Pairs, plan: ResamplePlan, level: float) -> Interval | None:
    if pairs.groups is None:
        return None
    rng = np.random.default_rng(plan.seed)
    return nested_interval(pairs.effects, pairs.clusters, pairs.groups, rng=rng, draws=plan.draws, level=level)
