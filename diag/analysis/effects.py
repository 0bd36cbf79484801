"""Paired effects of a study: every declared estimand with its intervals, its test and what may be said of it.

`analyse` is a pure function of the outcome table, the estimands and the resampling plan. Its result is `effects.json`
and the rows of every table and forest plot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from diag.analysis.cluster_intervals import (
    cr2_df,
    cr2_interval,
    exact_interval,
    inverted_interval,
    nested_interval,
    percentile_interval,
    studentised_interval,
)
from diag.analysis.clusters import ClusterTotals, ResamplePlan, cluster_totals
from diag.analysis.coverage import percentile_coverage
from diag.analysis.equivalence import Equivalence, judged, two_one_sided
from diag.analysis.estimand import Estimand, Kind
from diag.analysis.interval import Interval
from diag.analysis.multiplicity import holm
from diag.analysis.pairs import FloatArray, Pairs, pair
from diag.analysis.proportions import McNemar, mcnemar, newcombe_paired, paired_counts, wilson
from diag.analysis.signflip import SignFlip, sign_flip, step_down_max_t
from diag.analysis.states import NEW_LEVELS, StatesTest, block_parts, states_test
from diag.analysis.wording import UNKNOWN, judge

if TYPE_CHECKING:
    import pandas as pd

EFFECTS_VERSION = 1
NO_DIFFERENCE = 1e-12
"""Block effects up to this size count as none: they are sums of rounded shares."""


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
    n_lost_repeats: int
    """Repeats without a valid attempt in arms that have a valid one; they widen the bounds."""
    n_missing: int
    """Blocks left out because an arm has no valid attempt."""
    n_not_applicable: int
    """Blocks left out because the outcome does not apply in an arm."""
    n_clusters: int
    """What test and intervals take as independent: clusters, or the groups that they lie in."""
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
    cr2: Interval
    """The declared interval: t with the CR2 standard error, around the printed effect."""
    cr2_df: float | None
    """Its Satterthwaite degrees of freedom; None below two clusters."""
    inverted: Interval
    """The effects that the sign-flip test does not refuse."""
    percentile_coverage: float | None
    """What percentile intervals of these cluster sizes cover, measured on simulated studies; None: none, or nominal."""
    exact: Interval
    studentised: Interval
    nested: Interval | None
    sign_flip: SignFlip
    loo_low: float | None
    """Least estimate when one cluster is left out."""
    loo_high: float | None
    mcnemar: McNemar | None
    """Binary outcomes only: valid for these states, however they lie in clusters; it says nothing of new levels."""
    newcombe: Interval | None
    wilson_treatment: Interval | None
    wilson_control: Interval | None
    bounds: tuple[float, float] | None
    """The estimate if every missing half had come out worst, or best, for the treatment; None if unbounded."""
    family: str | None
    holm_p: float | None
    """Sign-flip p after Holm's correction over the family; None if exploratory or if there is no p."""
    adjusted_p: float | None
    """The p that decides: step-down max-T over the family, clusters flipped in all its contrasts at once."""
    least_p: float
    """The least `adjusted_p` that its clusters could have given, had they all moved alike and the rest of its family
    come out as it did; from 0.05 on the verdict is about the design."""
    by_cluster: tuple[tuple[str, float, float], ...]
    """(cluster, sum of its block effects, its weight): what test and intervals are made of."""
    by_block: tuple[tuple[str, float], ...]
    """(block, what it adds to the estimate, up to one factor): what the test of these states is made of."""
    these_states: StatesTest
    """The other target: the sharp null in the blocks that were played."""
    equivalence: Equivalence | None
    """Two one-sided tests against the declared margin; None where the contrast asks for a difference alone."""
    supported: bool
    sentence: str
    """What may be said, in words."""
    estimand: Estimand
    """The whole question, so that a later comparison can ask it again."""
    interim: str = ""
    """How far the study was when it was looked at before its end; empty for a study that had ended."""

    @property
    def label(self) -> str:
        """The contrast in a word: `B-A`, or the name of a sum over several arms, `main K`."""
        return self.estimand.label

    @property
    def sign_flip_p(self) -> float | None:
        """The exact sign-flip p-value over clusters."""
        return self.sign_flip.p

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {**asdict(self), "sign_flip_p": self.sign_flip_p, "new_levels": self.new_levels}

    @property
    def new_levels(self) -> dict[str, Any]:
        """The target that `supported` is about: its question, its test and its p, beside `these_states`."""
        return {
            "question": NEW_LEVELS,
            "test": "sign-flip over clusters",
            "p": self.sign_flip_p,
            "adjusted_p": self.adjusted_p,
            "n_clusters": self.n_clusters,
        }


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
    """Return the effects with their family's corrections and their sentences written."""
    families = dict.fromkeys(effect.family for effect in effects if effect.family is not None)
    in_family = {family: [effect for effect in effects if effect.family == family] for family in families}
    by_holm = _tested(pair for members in in_family.values() for pair in _holm(members))
    by_max_t = _tested(pair for members in in_family.values() for pair in _max_t(members))
    least = {effect.name: p for members in in_family.values() for effect, p in _least_adjusted(members)}
    in_states = {effect.name: p for members in in_family.values() for effect, p in _max_t(members, "by_block")}
    equivalent = {effect.name: p for members in in_family.values() for effect, p in _holm_of_equivalence(members)}
    finished = []
    for effect in effects:
        missing = (effect.bounds or UNKNOWN) if effect.n_missing or effect.n_lost_repeats else None
        verdict = judge(
            estimate=effect.estimate,
            percentile=effect.percentile,
            test=effect.sign_flip,
            adjusted_p=by_max_t.get(effect.name),
            least_p=least.get(effect.name, effect.sign_flip.smallest_p),
            family_size=len(in_family.get(effect.family, ())) if effect.family else 0,
            missing=missing,
            smallest_effect=effect.estimand.smallest_effect,
        )
        states = effect.these_states
        of_states = None  # never below the p of one contrast alone, which is exact where patterns are drawn
        if states.p is not None and effect.name in in_states:
            of_states = max(states.p, in_states[effect.name])
        same = effect.equivalence
        finished.append(
            replace(
                effect,
                holm_p=by_holm.get(effect.name),
                adjusted_p=by_max_t.get(effect.name),
                least_p=least.get(effect.name, effect.sign_flip.smallest_p),
                supported=verdict.supported,
                sentence=verdict.sentence + _of_these_states(states, of_states) + _conditional(effect),
                these_states=replace(states, adjusted_p=of_states),
                equivalence=same
                and judged(
                    same,
                    equivalent.get(effect.name, same.p),
                    missing,
                    in_points=effect.kind in ("binary", "proportion"),
                ),
            )
        )
    return tuple(finished)


def _of_these_states(states: StatesTest, adjusted_p: float | None) -> str:
    """Return the p of the other target, named, to follow the verdict on new levels."""
    if states.p is None:
        return ""
    after = "" if adjusted_p is None else f", {adjusted_p:.3g} after max-T"
    mid = "" if states.mid_p is None else f"; mid-p McNemar {states.mid_p:.3g}"
    return f" These states alone: exact p = {states.p:.3g}{after}{mid}."


def _conditional(effect: Effect) -> str:
    """Return for whom an effect is, where the outcome is not defined for every unit; empty where it is.

    Who is left in is decided after assignment, so such a difference can be one of the units that are left in.
    """
    population, n_out = effect.estimand.population, effect.n_not_applicable
    if not population and not n_out:
        return ""
    who = population or "blocks in which the outcome applies in every arm"
    left_out = f"{n_out} block{'' if n_out == 1 else 's'} left out"
    return f" CONDITIONAL on {who} ({left_out}): the arms may differ in who is compared."


def interim_effects(effects: Sequence[Effect], share: str) -> tuple[Effect, ...]:
    """Return effects of a study that has not ended (`40 of 96 units`): marked, and without a verdict."""
    before = f"INTERIM ({share}), no verdict"
    return tuple(
        replace(
            one,
            interim=share,
            supported=False,
            sentence=f"{before}: {_no_verdict(one)}",
            equivalence=one.equivalence and replace(one.equivalence, shown=False, sentence=f"{before} on equivalence."),
        )
        for one in effects
    )


def _no_verdict(effect: Effect) -> str:
    """Return an effect's sentence without the claim that begins it."""
    claim, colon, rest = effect.sentence.partition(": ")
    return rest if colon and claim.startswith(("Supported", "Not supported")) else effect.sentence


def _tested(values: Iterable[tuple[Effect, float]]) -> dict[str, float]:
    """Return p by name, for the effects that have a test."""
    return {effect.name: p for effect, p in values if effect.sign_flip_p is not None}


def _holm(members: Sequence[Effect]) -> list[tuple[Effect, float]]:
    values = holm([1.0 if effect.sign_flip_p is None else effect.sign_flip_p for effect in members])
    return list(zip(members, values, strict=True))


def _holm_of_equivalence(members: Sequence[Effect]) -> list[tuple[Effect, float]]:
    """Return the p of equivalence after Holm's correction, of the family's contrasts that ask for it."""
    asking = [(effect, effect.equivalence.p) for effect in members if effect.equivalence is not None]
    values = holm([1.0 if p is None else p for _, p in asking])
    return [(effect, value) for (effect, _), value in zip(asking, values, strict=True)]


def _max_t(members: Sequence[Effect], of: str = "by_cluster") -> list[tuple[Effect, float]]:
    """Return the step-down max-T p of a family; its contrasts meet in the clusters (or blocks) that they share."""
    adjusted = step_down_max_t(_family_sums(members, of), rng=np.random.default_rng(0))
    return [(effect, float(p)) for effect, p in zip(members, adjusted, strict=True)]


def _least_adjusted(members: Sequence[Effect]) -> list[tuple[Effect, float]]:
    """Return, for each contrast, its max-T p if every cluster in which it differs from zero had moved alike."""
    sums = _family_sums(members)
    found = []
    for place, effect in enumerate(members):
        best = sums.copy()
        best[:, place] = np.abs(sums[:, place]) > NO_DIFFERENCE
        found.append((effect, float(step_down_max_t(best, rng=np.random.default_rng(0))[place])))
    return found


def _family_sums(members: Sequence[Effect], of: str = "by_cluster") -> FloatArray:
    """Return shape (n_clusters, n_contrasts): the cluster sums of a family, zero where a contrast has no block."""
    parts = [dict(one[:2] for one in getattr(effect, of)) for effect in members]
    labels = sorted({label for held in parts for label in held})
    return np.array([[held.get(label, 0.0) for held in parts] for label in labels]).reshape(-1, len(members))


def effect_of(pairs: Pairs, *, plan: ResamplePlan, level: float = 0.95) -> Effect:
    """Return one effect, not yet corrected for its family."""
    estimand = pairs.estimand
    totals = cluster_totals(pairs.effects, pairs.clusters, weighting=estimand.weighting, groups=pairs.groups)
    asked = ("outcome", "kind", "cohort", "treatment", "control", "weighting", "family")
    return Effect(
        name=estimand.name,
        **{name: getattr(estimand, name) for name in asked},
        **_counted(pairs, totals),
        **_spread(pairs.effects),
        **_intervals(pairs, totals, plan, level),
        **_described(pairs, totals, plan.seed),
        sign_flip=sign_flip(totals.sums, rng=np.random.default_rng(plan.seed)),
        bounds=missing_bounds(pairs),
        holm_p=None,
        adjusted_p=None,
        least_p=1.0,
        by_cluster=tuple(zip(totals.labels, totals.sums.tolist(), totals.sizes.tolist(), strict=True)),
        by_block=tuple(zip(pairs.blocks, block_parts(pairs).tolist(), strict=True)),
        supported=False,
        sentence="",
        estimand=estimand,
    )


def _counted(pairs: Pairs, totals: ClusterTotals) -> dict[str, Any]:
    """Return the estimate, the rates it is the difference of, and every denominator."""
    treated, untreated = _rates(pairs)
    left_out = leave_one_out(totals) or (None, None)
    return {
        "estimate": totals.estimate if len(pairs.effects) else None,
        "rate_treatment": treated,
        "rate_control": untreated,
        "n_pairs": len(pairs.effects),
        "n_lost_repeats": pairs.n_lost_repeats,
        "n_missing": pairs.n_missing,
        "n_not_applicable": pairs.n_not_applicable,
        "n_clusters": totals.n_clusters,
        "loo_low": left_out[0],
        "loo_high": left_out[1],
    }


def _spread(effects: FloatArray) -> dict[str, Any]:
    """Return what the block effects are like: directions, standard deviation, range."""
    return {
        "up": int((effects > NO_DIFFERENCE).sum()),
        "down": int((effects < -NO_DIFFERENCE).sum()),
        "effect_sd": float(effects.std(ddof=1)) if len(effects) > 1 else None,
        "effect_min": float(effects.min()) if len(effects) else None,
        "effect_max": float(effects.max()) if len(effects) else None,
    }


def _intervals(pairs: Pairs, totals: ClusterTotals, plan: ResamplePlan, level: float) -> dict[str, Any]:
    """Return the effect's interval by every method; those that may leave the outcome's range are cut to it."""
    ends = pairs.estimand.effect_range
    return {
        "percentile": percentile_interval(totals, plan, level=level),
        "percentile_coverage": percentile_coverage(tuple(totals.sizes.tolist())) if level == 0.95 else None,
        "cr2": cr2_interval(totals, level=level).within(*ends),
        "cr2_df": cr2_df(totals.sizes) if totals.n_clusters > 1 else None,
        "inverted": inverted_interval(totals, seed=plan.seed, level=level).within(*ends),
        "exact": exact_interval(totals, level=level),
        "studentised": studentised_interval(totals, plan, level=level).within(*ends),
        "nested": _nested(pairs, plan, level),
    }


def _described(pairs: Pairs, totals: ClusterTotals, seed: int) -> dict[str, Any]:
    """Return the test of these states, that of equivalence, and what describes a binary outcome in two arms."""
    estimand = pairs.estimand
    plain = estimand.kind == "binary" and estimand.weights is None
    counts = paired_counts(pairs.values[:, 0], pairs.values[:, 1]) if plain else None
    n, table = len(pairs.values), None if counts is None else mcnemar(counts[1], counts[2])
    margin = estimand.equivalence
    return {
        "mcnemar": table,
        "newcombe": counts and newcombe_paired(*counts),
        "wilson_treatment": counts and wilson(counts[0] + counts[1], n),
        "wilson_control": counts and wilson(counts[0] + counts[2], n),
        "these_states": states_test(pairs, table, seed=seed),
        "equivalence": None if margin is None else two_one_sided(totals, margin, counts=counts, seed=seed),
    }


def leave_one_out(totals: ClusterTotals) -> tuple[float, float] | None:
    """Return the least and greatest estimate when each cluster is left out once; None below two clusters."""
    if totals.n_clusters < 2:
        return None
    left = (totals.sums.sum() - totals.sums) / (totals.sizes.sum() - totals.sizes)
    return float(left.min()), float(left.max())


def missing_bounds(pairs: Pairs) -> tuple[float, float] | None:
    """Return the estimate with every missing value, lost repeats too, at its worst and best for the treatment.

    Blocks whose outcome does not apply stay out. Without missing blocks both ends are the estimate.
    """
    span = pairs.estimand.value_range
    if span is None and (pairs.n_missing or pairs.lost.any()):
        return None
    low, high = span or (0.0, 0.0)
    weights = np.array(list(pairs.estimand.arm_weights.values()))
    ends = []
    for at_positive, at_negative in ((low, high), (high, low)):
        ends_of_arm = np.where(weights > 0, at_positive, at_negative)
        known = np.concatenate([pairs.values, pairs.incomplete])
        lost = np.where(np.isnan(known), 1.0, np.concatenate([pairs.lost, pairs.incomplete_lost]))
        effects = (np.nan_to_num(known) * (1.0 - lost) + ends_of_arm * lost) @ weights
        clusters = pairs.clusters + pairs.incomplete_clusters
        groups = None if pairs.groups is None else pairs.groups + (pairs.incomplete_groups or ())
        if not len(effects):
            return None
        ends.append(cluster_totals(effects, clusters, weighting=pairs.estimand.weighting, groups=groups).estimate)
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
    "n_lost_repeats",
    *("n_not_applicable", "n_clusters", "up", "down", "rate_treatment", "rate_control", "effect_sd", "effect_min"),
    *("effect_max", "sign_flip_p", "loo_low", "loo_high", "family", "holm_p"),
    *("adjusted_p", "least_p", "cr2_df", "percentile_coverage", "supported", "sentence", "interim"),
)


def effect_rows(effects: Iterable[Effect]) -> list[dict[str, Any]]:
    """Return one flat row an effect; an interval becomes `<method>_low`, `<method>_high`, `<method>_reason`."""
    rows = []
    for effect in effects:
        row = {name: getattr(effect, name) for name in _ROW_FIELDS}
        for method in ("percentile", "cr2", "inverted", "exact", "studentised", "nested", "newcombe"):
            interval: Interval | None = getattr(effect, method)
            row[f"{method}_low"] = interval.low if interval else None
            row[f"{method}_high"] = interval.high if interval else None
            row[f"{method}_reason"] = interval.reason if interval else ""
        row["bounds_low"], row["bounds_high"] = effect.bounds or (None, None)
        row["these_states_p"], row["these_states_mid_p"] = effect.these_states.p, effect.these_states.mid_p
        rows.append(row)
    return rows


def _rates(pairs: Pairs) -> tuple[float | None, float | None]:
    """Return the mean outcome on the treatment's and on the control's side, as the effect weighs them."""
    if not len(pairs.values):
        return None, None
    weights = np.array(list(pairs.estimand.arm_weights.values()))
    sides = (np.where(weights > 0, weights, 0.0), np.where(weights < 0, -weights, 0.0))
    means = [
        cluster_totals(
            pairs.values @ side, pairs.clusters, weighting=pairs.estimand.weighting, groups=pairs.groups
        ).estimate
        for side in sides
    ]
    return means[0], means[1]


def _nested(pairs: Pairs, plan: ResamplePlan, level: float) -> Interval | None:
    if pairs.groups is None:
        return None
    rng = np.random.default_rng(plan.seed)
    return nested_interval(pairs.effects, pairs.clusters, pairs.groups, rng=rng, draws=plan.draws, level=level)
