"""Before anything is spent: the power of a planned contrast and the least effect it can find.

The test is the one that decides in the report: the exact sign-flip over clusters (above twelve clusters, t on cluster
means, which then agrees with it and costs nothing). Binary outcomes are simulated with stated rates; other kinds in
units of the standard deviation of a block's effect. The figures are as good as the assumptions, which are part of the
result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import stats

from diag.analysis.estimand import Estimand
from diag.analysis.pairs import FloatArray
from diag.analysis.signflip import least_p, sign_flip_p
from diag.analysis.simulate import Assumptions, arm_sums, normal_sums
from diag.records import Unit

EXACT_CLUSTERS = 12
ALPHA = 0.05


@dataclass(frozen=True)
class PlannedPower:
    """What a planned contrast can find."""

    name: str
    cohort: str | None
    treatment: str
    control: str
    n_clusters: int
    n_blocks: int
    alpha: float
    """Level of the test: 0.05, divided by the size of the family where one is declared (Holm's first step)."""
    smallest_p: float
    """The least p the clusters allow, 2 / 2^G."""
    target_power: float
    minimum_detectable: float | None
    """Least true effect found with the target power; None if no possible effect is."""
    unit: Literal["share", "standard deviations of a block's effect"]
    power_at: tuple[tuple[float, float], ...]
    """(true effect, power) for a few effects."""
    assumptions: str
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return asdict(self)


def planned_power(
    units: Sequence[Unit],
    estimands: Sequence[Estimand],
    assumptions: Assumptions,
    *,
    rng: np.random.Generator,
    target_power: float = 0.8,
    studies: int = 2_000,
) -> tuple[PlannedPower, ...]:
    """Return the power of every declared contrast of two arms for the units of a plan.

    Args:
        units: the plan's units.
        estimands: as declared; contrasts of more than two arms are skipped.
        assumptions: a control arm without a stated rate is taken at 50 %, where power is least.
        rng: the only source of randomness.
        target_power: wanted probability to find the effect.
        studies: simulated studies a figure.
    """
    families = Counter(estimand.family for estimand in estimands if estimand.family)
    return tuple(
        contrast_power(
            cluster_sizes(units, estimand),
            estimand,
            assumptions,
            rng=rng,
            alpha=ALPHA / families.get(estimand.family or "", 1),
            target_power=target_power,
            studies=studies,
        )
        for estimand in estimands
        if estimand.weights is None
    )


def cluster_sizes(units: Sequence[Unit], estimand: Estimand) -> tuple[int, ...]:
    """Return the planned complete blocks of each cluster, by cluster label."""
    arms: dict[tuple[str, str], set[str]] = {}
    for unit in units:
        if estimand.cohort in (None, unit.cohort):
            arms.setdefault((unit.cluster, unit.block_id), set()).add(unit.arm)
    complete = [key[0] for key, held in arms.items() if {estimand.treatment, estimand.control} <= held]
    return tuple(count for _, count in sorted(Counter(complete).items()))


def contrast_power(
    sizes: Sequence[int],
    estimand: Estimand,
    assumptions: Assumptions,
    *,
    rng: np.random.Generator,
    alpha: float = 0.05,
    target_power: float = 0.8,
    studies: int = 2_000,
) -> PlannedPower:
    """Return the power of one contrast with the given cluster sizes. Arguments as in `planned_power`."""
    binary = estimand.kind == "binary"
    control = assumptions.rates.get(estimand.control, 0.5)
    stated = replace(assumptions, rates={estimand.control: control} if binary else {})
    upward = control <= 0.5
    top = (1 - control if upward else control) if binary else 4.0
    seed = int(rng.integers(2**63))

    def power(effect: float) -> float:
        again = np.random.default_rng(seed)
        if not binary:
            return _power(normal_sums(effect, stated.icc, sizes, studies=studies, rng=again), sizes, alpha)
        rate = control + effect if upward else control - effect
        rates = {"control": control, "treatment": float(np.clip(rate, 0, 1))}
        sums = arm_sums(replace(stated, rates=rates), sizes, studies=studies, rng=again)
        return _power(sums["treatment"] - sums["control"], sizes, alpha)

    least = _bisect(power, top, target_power) if sizes else None
    steps = tuple(round(top * share, 3) for share in (0.25, 0.5, 0.75, 1.0))
    return PlannedPower(
        name=estimand.name,
        cohort=estimand.cohort,
        treatment=estimand.treatment,
        control=estimand.control,
        n_clusters=len(sizes),
        n_blocks=sum(sizes),
        alpha=alpha,
        smallest_p=least_p(len(sizes)),
        target_power=target_power,
        minimum_detectable=least,
        unit="share" if binary else "standard deviations of a block's effect",
        power_at=tuple((step, power(step)) for step in steps) if sizes else (),
        assumptions=stated.sentence(),
        sentence=_sentence(len(sizes), sum(sizes), least, alpha, target_power, binary=binary, upward=upward),
    )


def _power(sums: FloatArray, sizes: Sequence[int], alpha: float) -> float:
    if len(sizes) <= EXACT_CLUSTERS:
        return float((sign_flip_p(sums) < alpha).mean())
    means = sums / np.asarray(sizes, dtype=float)[:, None]
    error = means.std(axis=0, ddof=1) / np.sqrt(len(sizes))
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.abs(means.mean(axis=0)) / error
    return float((np.nan_to_num(statistic, nan=0.0) > stats.t.ppf(1 - alpha / 2, len(sizes) - 1)).mean())


def _bisect(power: Any, top: float, target: float, *, tolerance: float = 0.005) -> float | None:
    """Return the least effect with the target power, to `tolerance`; None if even the largest has less."""
    if power(top) < target:
        return None
    low, high = 0.0, top
    while high - low > tolerance:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= target else (middle, high)
    return round(high, 3)


def _sentence(
    n_clusters: int, n_blocks: int, least: float | None, alpha: float, target: float, *, binary: bool, upward: bool
) -> str:
    shape = f"{n_blocks} block{'s' if n_blocks != 1 else ''} in {n_clusters} cluster{'s' if n_clusters != 1 else ''}"
    smallest = least_p(n_clusters)
    if n_clusters == 0:
        return "No complete block is planned: nothing can be found."
    if smallest >= alpha:
        if smallest < ALPHA:
            return (
                f"{shape}: the least p is {smallest:.3g}: Holm's first step at {alpha:.3g} is out of reach, "
                f"only the joint test (max-T) at {ALPHA} can find an effect."
            )
        return f"{shape}: the least p is {smallest:.3g}, so the test cannot reach {alpha:.3g}; plan more clusters."
    if least is None:
        return f"{shape}: no possible effect is found with {target:.0%} power at {alpha:.3g}."
    what = f"{'an increase' if upward else 'a decrease'} of {100 * least:.0f} points" if binary else f"{least:.2f} SD"
    return f"{shape}: {what} is found with {target:.0%} power at {alpha:.3g}."
