"""Calibration of a planned study: its clusters, its contrasts, stated propensities, with and without an effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from diag.analysis.calibrate import Calibration, calibrate
from diag.analysis.clusters import ResamplePlan
from diag.analysis.estimand import Estimand
from diag.analysis.simulate import Assumptions
from diag.records import Unit


def calibrate_plan(
    units: Sequence[Unit],
    estimands: Sequence[Estimand],
    assumptions: Assumptions,
    *,
    rng: np.random.Generator,
    studies: int = 1_000,
    plan: ResamplePlan | None = None,
) -> tuple[Calibration, ...]:
    """Return two calibrations of every binary contrast: at the stated rates, and with the treatment at the control's.

    The first gives coverage and power, the second (named "..., no effect") the false-positive rate. Contrasts of other
    kinds, of more than two arms, of an arm without a stated rate, or with fewer than two planned clusters are left out.

    Args:
        units: the plan's units.
        estimands: as declared for the study.
        assumptions: rates of every arm, ICC, correlation of arms.
        rng: the only source of randomness.
        studies: simulated studies each.
        plan: the draws of the bootstrap methods.
    """
    results: list[Calibration] = []
    for estimand in estimands:
        treatment, control = estimand.treatment, estimand.control
        sizes = cluster_sizes(units, estimand)
        known = {treatment, control} <= set(assumptions.rates)
        if estimand.kind != "binary" or estimand.weights is not None or not known or len(sizes) < 2:
            continue
        rates = {arm: assumptions.rates[arm] for arm in (treatment, control)}
        for name, stated in (
            (estimand.name, rates),
            (f"{estimand.name}, no effect", {**rates, treatment: rates[control]}),
        ):
            (found,) = calibrate(
                sizes, replace(assumptions, rates=stated), [(treatment, control)], rng=rng, studies=studies, plan=plan
            )
            results.append(replace(found, contrast=name))
    return tuple(results)


def cluster_sizes(units: Sequence[Unit], estimand: Estimand) -> tuple[int, ...]:
    """Return the planned complete blocks of each cluster, by cluster label."""
    arms: dict[tuple[str, str], set[str]] = {}
    for unit in units:
        if estimand.cohort in (None, unit.cohort):
            arms.setdefault((unit.cluster, unit.block_id), set()).add(unit.arm)
    complete = [key[0] for key, held in arms.items() if {estimand.treatment, estimand.control} <= held]
    return tuple(count for _, count in sorted(Counter(complete).items()))
