"""A planned family of contrasts, and thousands of simulated studies of it that are decided as the report decides.

Blocks, arms, repeats, clusters and groups are the plan's own; only outcomes are invented, with a stated truth. Whether
a contrast is supported is then worked out for all studies at once by the rule of `diag.analysis.wording`: step-down
max-T over the family, and a percentile interval without zero. A test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from diag.analysis.cluster_intervals import FEWEST_RESAMPLED
from diag.analysis.clusters import ResamplePlan, cluster_totals, resampled_means
from diag.analysis.estimand import Estimand
from diag.analysis.pairs import FloatArray
from diag.analysis.signflip import step_down_max_t
from diag.analysis.simulate import Assumptions, block_outcomes
from diag.analysis.wording import ALPHA

if TYPE_CHECKING:
    import pandas as pd

BoolArray = npt.NDArray[np.bool_]

PATTERNS = 1_000
"""Random sign patterns of a simulated study with more than ten clusters; a real one has more, to no other end."""
EXACT_UP_TO = 10
DRAWS = ResamplePlan(draws=400)
"""Percentile draws of a simulated study, fewer than a real one has: only a rare verdict hangs on them."""


@dataclass(frozen=True)
class PlannedContrast:
    """One estimand of a plan: how block effects become what is tested."""

    estimand: Estimand
    weights: FloatArray
    """Shape (n_arms,), over the arms of the family."""
    to_sums: FloatArray
    """Shape (n_independent, n_blocks): block effects -> the sums of the analysis; zero for blocks without all arms."""
    sizes: FloatArray
    """Shape (n_independent,); zero where there is no complete block."""

    @property
    def n_clusters(self) -> int:
        """Clusters (or groups) with a complete block."""
        return int((self.sizes > 0).sum())

    @property
    def n_blocks(self) -> int:
        """Complete blocks."""
        return int((self.to_sums != 0).any(axis=0).sum())


@dataclass(frozen=True)
class PlannedFamily:
    """Contrasts that are corrected together, over the blocks that they share. One outcome, or several."""

    contrasts: tuple[PlannedContrast, ...]
    arms: tuple[str, ...]
    independent: tuple[int, ...]
    """Which cluster or group each block belongs to, as a place in `to_sums`."""
    repeats: FloatArray
    """Shape (n_blocks, n_arms): planned repeats; zero where an arm is not in the block."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The endpoints of the family, in order."""
        return tuple(dict.fromkeys(one.estimand.outcome for one in self.contrasts))


def planned_family(table: pd.DataFrame, estimands: Sequence[Estimand]) -> PlannedFamily:
    """Return the shape of a family; all its estimands are of one cohort, cluster, group and weighting.

    Args:
        table: one row a planned unit, with the columns of the outcome table that say where it belongs.
        estimands: of one family, or a single exploratory one.
    """
    first = estimands[0]
    arms = tuple(dict.fromkeys(arm for one in estimands for arm in one.arm_weights))
    rows = table[table["arm"].isin(arms)]
    if first.cohort is not None:
        rows = rows[rows["cohort"] == first.cohort]
    where = rows.groupby("block_id", sort=True).first()
    counts = rows.groupby(["block_id", "arm"]).size().unstack("arm")
    repeats = counts.reindex(index=where.index, columns=list(arms)).fillna(0).to_numpy(dtype=float)
    clusters = where[first.cluster].astype(str).tolist() if len(where) else []
    groups = where[first.group].astype(str).tolist() if first.group and len(where) else None
    labels = sorted(set(groups or clusters))
    place = {label: at for at, label in enumerate(labels)}
    return PlannedFamily(
        contrasts=tuple(_contrast(one, arms, repeats, clusters, groups, place) for one in estimands),
        arms=arms,
        independent=tuple(place[label] for label in (groups or clusters)),
        repeats=repeats,
    )


def _contrast(
    estimand: Estimand,
    arms: tuple[str, ...],
    repeats: FloatArray,
    clusters: Sequence[str],
    groups: Sequence[str] | None,
    place: Mapping[str, int],
) -> PlannedContrast:
    weights = np.array([estimand.arm_weights.get(arm, 0.0) for arm in arms])
    complete = np.flatnonzero((repeats[:, weights != 0] > 0).all(axis=1)).tolist()
    to_sums, sizes = np.zeros((len(place), len(repeats))), np.zeros(len(place))
    own_clusters = [clusters[block] for block in complete]
    own_groups = None if groups is None else [groups[block] for block in complete]
    for at, block in enumerate(complete):
        alone = np.zeros(len(complete))
        alone[at] = 1.0
        totals = cluster_totals(alone, own_clusters, weighting=estimand.weighting, groups=own_groups)
        rows = [place[label] for label in totals.labels]
        to_sums[rows, block] = totals.sums
        sizes[rows] = totals.sizes
    return PlannedContrast(estimand, weights, to_sums, sizes)


def supported_studies(
    family: PlannedFamily,
    place: int,
    means: Mapping[str, FloatArray],
    assumptions: Assumptions,
    *,
    studies: int,
    rng: np.random.Generator,
) -> BoolArray:
    """Return in which simulated studies one contrast of a family is supported, shape (studies,).

    Args:
        family: as planned.
        place: of the contrast in its family.
        means: true mean of each outcome in each arm, shape (n_arms,): a rate for yes/no outcomes, else in standard
            deviations of the outcome.
        assumptions: ICC and correlation of arms.
        studies: how many.
        rng: the only source of randomness.
    """
    kinds = {one.estimand.outcome: one.estimand.kind for one in family.contrasts}
    outcomes = {
        name: block_outcomes(
            means[name], family.independent, family.repeats, assumptions,
            binary=kinds[name] == "binary", studies=studies, rng=rng,
        )
        for name in family.outcomes
    }  # fmt: skip
    return decide(family, place, outcomes)


def decide(family: PlannedFamily, place: int, outcomes: Mapping[str, FloatArray]) -> BoolArray:
    """Return which studies support the contrast at `place`, shape (studies,).

    Args:
        family: as planned.
        place: of the contrast in its family.
        outcomes: by name, shape (n_blocks, n_arms, studies).
    """
    sums = np.stack(
        [one.to_sums @ np.einsum("bas,a->bs", outcomes[one.estimand.outcome], one.weights) for one in family.contrasts],
        axis=1,
    )
    found = step_down_max_t(sums, exact_up_to=EXACT_UP_TO, draws=PATTERNS)[place] < ALPHA
    found[found] = _without_zero(sums[:, place, found], family.contrasts[place].sizes)
    return np.asarray(found)


def _without_zero(sums: FloatArray, sizes: FloatArray) -> BoolArray:
    """Tell in which studies the percentile interval leaves zero out, or cannot be given for lack of variation."""
    held = sizes > 0
    sums, sizes = sums[held], sizes[held]
    if len(sizes) < FEWEST_RESAMPLED or not sums.shape[1]:
        return np.ones(sums.shape[1], dtype=bool)
    constant = np.ptp(sums / sizes[:, None], axis=0) <= 1e-12
    low, high = np.quantile(resampled_means(DRAWS.weights(len(sizes)), sums, sizes), (0.025, 0.975), axis=0)
    return np.asarray(constant | (low > 0) | (high < 0))
