"""Before anything is spent: what each planned contrast can find, by simulating the analysis that will be run.

Every family is simulated as planned (`diag.analysis.planned`) and decided as the report decides. Yes/no outcomes are
simulated with stated rates; other kinds in standard deviations of the outcome. The figures are as good as the
assumptions, which are part of the result, and have the Monte Carlo error of their number of studies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from diag.analysis.estimand import Estimand
from diag.analysis.pairs import FloatArray
from diag.analysis.planned import PlannedContrast, PlannedFamily, planned_family, supported_studies
from diag.analysis.signflip import least_p
from diag.analysis.simulate import Assumptions
from diag.analysis.wording import ALPHA

if TYPE_CHECKING:
    import pandas as pd

UNKNOWN_RATE = 0.5
"""Rate of a contrast's control arm that nobody stated: there power is least."""
LARGEST = 4.0
"""Greatest effect that is tried of an outcome that is no yes/no, in its standard deviations."""


@dataclass(frozen=True)
class PlannedPower:
    """What a planned contrast can find; the same for all endpoints whose families have the same shape."""

    name: str
    """The contrast in a word: `B-A`, `main K`."""
    endpoints: tuple[str, ...]
    cohort: str | None
    treatment: str
    control: str
    family_size: int
    """Contrasts corrected together; 1 for an exploratory one."""
    n_clusters: int
    """What is independent: clusters, or the groups that they lie in."""
    n_blocks: int
    smallest_p: float
    """The least p that any outcome can have, after max-T too: 2 / 2^G."""
    target_power: float
    minimum_detectable: float | None
    """Least true effect found with the target power; None if no possible effect is."""
    unit: Literal["share", "standard deviations of the outcome"]
    power_at: tuple[tuple[float, float], ...]
    """(true effect, power) for a few effects."""
    assumptions: str
    sentence: str

    @property
    def can_support(self) -> bool:
        """Tell whether some outcome would be supported at all."""
        return self.n_blocks > 0 and self.smallest_p < ALPHA

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return asdict(self)


def planned_power(
    table: pd.DataFrame,
    estimands: Sequence[Estimand],
    assumptions: Assumptions,
    *,
    rng: np.random.Generator,
    target_power: float = 0.8,
    studies: int = 2_000,
) -> tuple[PlannedPower, ...]:
    """Return the power of every declared estimand; endpoints whose families have the same shape share one record.

    Args:
        table: one row a planned unit (`diag.analysis.planned.planned_family`).
        estimands: as the study declares them.
        assumptions: a control arm without a stated rate is taken at 50 %, where power is least. A third arm without one
            is as the treatment if the family compares it with the treatment alone, else as the control.
        rng: the only source of randomness.
        target_power: wanted probability to find the effect.
        studies: simulated studies a figure; its standard error is at most `0.5 / sqrt(studies)`.
    """
    seed = int(rng.integers(2**63))
    found: dict[tuple[Any, ...], PlannedPower] = {}
    for members in families(estimands):
        family = planned_family(table, members)
        for place, one in enumerate(members):
            key = (_shape(members), place)
            if key in found:
                found[key] = replace(found[key], endpoints=(*found[key].endpoints, one.outcome))
            else:
                found[key] = contrast_power(
                    family, place, assumptions, seed=seed, target_power=target_power, studies=studies
                )
    return tuple(found.values())


def families(estimands: Sequence[Estimand]) -> tuple[tuple[Estimand, ...], ...]:
    """Return the estimands that are corrected together; an exploratory one is alone."""
    found: dict[str, list[Estimand]] = {}
    for one in estimands:
        found.setdefault(f"family {one.family}" if one.family else f"alone {one.name}", []).append(one)
    return tuple(tuple(members) for members in found.values())


def contrast_power(
    family: PlannedFamily,
    place: int,
    assumptions: Assumptions,
    *,
    seed: int,
    target_power: float = 0.8,
    studies: int = 2_000,
) -> PlannedPower:
    """Return the power of the contrast at `place` of its family. Other arguments as in `planned_power`."""
    contrast = family.contrasts[place]
    estimand = contrast.estimand
    binary, size = estimand.kind == "binary", len(family.contrasts)
    scenario = _Scenario.of(family, contrast, assumptions)
    smallest = least_p(contrast.n_clusters) if contrast.n_blocks else 1.0

    def power(effect: float) -> float:
        if smallest >= ALPHA:
            return 0.0
        means = scenario.means(effect)
        again = np.random.default_rng(seed)
        return float(supported_studies(family, place, means, assumptions, studies=studies, rng=again).mean())

    steps = tuple(round(scenario.top * share, 3) for share in (0.25, 0.5, 0.75, 1.0))
    power_at = tuple((step, power(step)) for step in steps) if contrast.n_blocks else ()
    least = _least_effect(power, power_at, target_power)
    return PlannedPower(
        name=estimand.label,
        endpoints=(estimand.outcome,),
        cohort=estimand.cohort,
        treatment=estimand.treatment,
        control=estimand.control,
        family_size=size,
        n_clusters=contrast.n_clusters,
        n_blocks=contrast.n_blocks,
        smallest_p=smallest,
        target_power=target_power,
        minimum_detectable=least,
        unit="share" if binary else "standard deviations of the outcome",
        power_at=power_at,
        assumptions=scenario.sentence(),
        sentence=_sentence(contrast, size, least, target_power, binary=binary, upward=scenario.upward),
    )


@dataclass(frozen=True)
class _Scenario:
    """A true effect on one contrast, and on no other where that can be."""

    family: PlannedFamily
    contrast: PlannedContrast
    assumptions: Assumptions
    base: FloatArray
    """Shape (n_arms,): mean of every arm where there is no effect."""
    direction: FloatArray
    """Shape (n_arms,): by how much each arm moves for an effect of one."""
    upward: bool
    top: float
    """Greatest effect that is possible, or tried."""

    @classmethod
    def of(cls, family: PlannedFamily, contrast: PlannedContrast, assumptions: Assumptions) -> _Scenario:
        one, binary = contrast.estimand, contrast.estimand.kind == "binary"
        control = assumptions.rates.get(one.control, UNKNOWN_RATE)
        if one.weights is None:
            stated = {arm: rate for arm, rate in assumptions.rates.items() if binary}
            moves = [_moves_along(arm, one, family, stated) for arm in family.arms]
            direction = np.array(moves, dtype=float)
            still = [stated.get(arm, control) for arm in family.arms]
            base = np.where(moves, control, still)
        else:
            direction = contrast.weights / (contrast.weights**2).sum()
            base = np.array([assumptions.rates.get(arm, UNKNOWN_RATE) for arm in family.arms])
        if not binary:
            return cls(family, contrast, assumptions, np.zeros(len(family.arms)), direction, upward=True, top=LARGEST)
        up, down = _room(base, direction), _room(base, -direction)
        return cls(family, contrast, assumptions, base, direction, upward=up >= down, top=max(up, down))

    def means(self, effect: float) -> dict[str, FloatArray]:
        """Return the true means by outcome: the effect is on the contrast's own outcome, the others have none."""
        moved = self.base + (effect if self.upward else -effect) * self.direction
        own = self.contrast.estimand
        kinds = {one.estimand.outcome: one.estimand.kind for one in self.family.contrasts}
        means = {name: np.full(len(moved), UNKNOWN_RATE if kind == "binary" else 0.0) for name, kind in kinds.items()}
        return {**means, own.outcome: np.clip(moved, 0.0, 1.0) if own.kind == "binary" else moved}

    def sentence(self) -> str:
        """Return what is assumed, in words."""
        held = zip(self.family.arms, self.base, self.direction, strict=True)
        still = {arm: float(rate) for arm, rate, move in held if not move}
        binary = self.contrast.estimand.kind == "binary" and self.contrast.estimand.weights is None
        return replace(self.assumptions, rates=still if binary else {}).sentence()


def _moves_along(arm: str, contrast: Estimand, family: PlannedFamily, stated: Mapping[str, float]) -> bool:
    """Tell whether an arm is as the treatment: it is the treatment, or is compared with it and not with the control."""
    if arm in (contrast.treatment, contrast.control):
        return arm == contrast.treatment
    partners = {
        other
        for one in family.contrasts
        if arm in one.estimand.arm_weights
        for other in one.estimand.arm_weights
        if other != arm
    }
    return arm not in stated and contrast.treatment in partners and contrast.control not in partners


def _room(base: FloatArray, direction: FloatArray) -> float:
    """Return how far rates can move before one of them leaves [0, 1]."""
    ends = [(1.0 - rate if step > 0 else rate) / abs(step) for rate, step in zip(base, direction, strict=True) if step]
    return float(min(ends))


def _least_effect(
    power: Callable[[float], float], known: Sequence[tuple[float, float]], target: float, *, tolerance: float = 0.01
) -> float | None:
    """Return the least effect with the target power, to `tolerance`; None if even the largest has less."""
    enough = [effect for effect, found in known if found >= target]
    if not enough or known[-1][1] < target:
        return None
    high = enough[0]
    low = max((effect for effect, _ in known if effect < high), default=0.0)
    while high - low > tolerance:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= target else (middle, high)
    return round(high, 3)


def _shape(members: Sequence[Estimand]) -> tuple[Any, ...]:
    """Return what the power of a family depends on: everything but the names of its endpoints."""
    outcomes = list(dict.fromkeys(one.outcome for one in members))
    return tuple(
        (
            *(outcomes.index(one.outcome), one.kind == "binary", tuple(one.arm_weights.items()), one.weights is None),
            *(one.cohort, one.weighting, one.cluster, one.group),
        )
        for one in members
    )


def _sentence(
    contrast: PlannedContrast, size: int, least: float | None, target: float, *, binary: bool, upward: bool
) -> str:
    n_blocks, n_clusters = contrast.n_blocks, contrast.n_clusters
    of_what = "group" if contrast.estimand.group else "cluster"
    shape = f"{n_blocks} block{'s' if n_blocks != 1 else ''} in {n_clusters} {of_what}{'s' if n_clusters != 1 else ''}"
    smallest = least_p(n_clusters)
    if n_blocks == 0:
        return "No complete block is planned: nothing can be found."
    if smallest >= ALPHA:
        return f"{shape}: the least p is {smallest:.3g}, so the test cannot reach {ALPHA}; plan more clusters."
    together = f" (corrected over {size} contrasts)" if size > 1 else ""
    if smallest * size >= ALPHA:
        together = f" (corrected over {size} contrasts together: Holm's correction could never find one)"
    if least is None:
        return f"{shape}: no possible effect is found with {target:.0%} power{together}."
    what = f"{'an increase' if upward else 'a decrease'} of {100 * least:.0f} points" if binary else f"{least:.2f} SD"
    return f"{shape}: {what} is found with {target:.0%} power{together}."
