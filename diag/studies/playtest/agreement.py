"""How far two judges agree, and pass@k.

Criteria: raw agreement p_o and Cohen's kappa = (p_o - p_e) / (1 - p_e), with p_e from each judge's own marginals.
Builds: Spearman and Pearson of the scores. pass@k over n rollouts of which c succeed: 1 - C(n-c, k) / C(n, k).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean


@dataclass(frozen=True)
class Agreement:
    """Two judges; what cannot be computed is None: kappa where both say one thing only, correlations without spread."""

    n_criteria: int
    raw: float
    kappa: float | None
    n_builds: int
    spearman: float | None
    pearson: float | None


def agreement(one: Sequence[Sequence[bool]], other: Sequence[Sequence[bool]]) -> Agreement:
    """Compare two judges' verdicts, a sequence of criteria for each build.

    Raises:
        ValueError: there are none, or the judges did not judge the same criteria.
    """
    from scipy import stats

    shapes = [[len(build) for build in judge] for judge in (one, other)]
    if shapes[0] != shapes[1] or not sum(shapes[0]):
        raise ValueError(f"judges: found {shapes[0]} and {shapes[1]} verdicts, wanted equally many and at least one")
    first = [verdict for build in one for verdict in build]
    second = [verdict for build in other for verdict in build]
    scores = [[fmean(build) for build in judge] for judge in (one, other)]
    varies = all(len(set(values)) > 1 for values in scores)
    return Agreement(
        len(first),
        fmean(a == b for a, b in zip(first, second, strict=True)),
        kappa(first, second),
        len(one),
        float(stats.spearmanr(*scores).statistic) if varies else None,
        float(stats.pearsonr(*scores).statistic) if varies else None,
    )


def kappa(one: Sequence[bool], other: Sequence[bool]) -> float | None:
    """Return Cohen's kappa of two sequences of verdicts; None where chance alone agrees in all."""
    observed = fmean(a == b for a, b in zip(one, other, strict=True))
    passed = fmean(one), fmean(other)
    expected = passed[0] * passed[1] + (1 - passed[0]) * (1 - passed[1])
    return None if expected == 1 else (observed - expected) / (1 - expected)


def pass_at(k: int, n: int, c: int) -> float:
    """Return the chance that at least one of k rollouts succeeds, drawn from n of which c do.

    Raises:
        ValueError: k or c is not within n.
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"pass@k: found k = {k}, n = {n}, c = {c}; wanted 1 <= k <= n and 0 <= c <= n")
    return 1 - comb(n - c, k) / comb(n, k)
