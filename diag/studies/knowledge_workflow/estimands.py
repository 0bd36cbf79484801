"""K x P: the effects of rule knowledge and of the workflow controller, and their interaction (protocol 5).

Delta_K(p) = Y(K1, p) - Y(K0, p); Delta_P(k) = Y(k, P1) - Y(k, P0); a main effect is the mean of its two;
the interaction is Y11 - Y10 - Y01 + Y00. All are weighted sums of the four cells of one block.
"""

from __future__ import annotations

from collections.abc import Sequence

from diag.analysis.estimand import Estimand, Kind, Weighting

CELLS = ("K0P0", "K0P1", "K1P0", "K1P1")


def workflow_estimands(
    outcome: str,
    kind: Kind,
    *,
    cells: Sequence[str] = CELLS,
    cohort: str | None = None,
    cluster: str = "cluster",
    group: str | None = None,
    weighting: Weighting = "block",
    limit: float | None = None,
    upper: float | None = None,
    family: str | None = None,
) -> tuple[Estimand, ...]:
    """Return the seven contrasts of one outcome.

    Args:
        outcome: column of the outcome table.
        kind: its kind.
        cells: arm names in the order K0P0, K0P1, K1P0, K1P1.
        cohort: as in `Estimand`, like every argument below.
        cluster: what to resample (the objective).
        group: what is independent (the game): game means are tested, and drawn first by the nested bootstrap.
        weighting: of blocks.
        limit: for times.
        upper: for counts.
        family: for Holm's correction.
    """
    k0p0, k0p1, k1p0, k1p1 = cells
    contrasts: tuple[tuple[str, str, str, dict[str, float]], ...] = (
        ("Delta_K(P0)", k1p0, k0p0, {k1p0: 1, k0p0: -1}),
        ("Delta_K(P1)", k1p1, k0p1, {k1p1: 1, k0p1: -1}),
        ("Delta_P(K0)", k0p1, k0p0, {k0p1: 1, k0p0: -1}),
        ("Delta_P(K1)", k1p1, k1p0, {k1p1: 1, k1p0: -1}),
        ("main K", "K1", "K0", {k1p0: 0.5, k1p1: 0.5, k0p0: -0.5, k0p1: -0.5}),
        ("main P", "P1", "P0", {k0p1: 0.5, k1p1: 0.5, k0p0: -0.5, k1p0: -0.5}),
        ("interaction", f"{k1p1} + {k0p0}", f"{k1p0} + {k0p1}", {k1p1: 1, k0p0: 1, k1p0: -1, k0p1: -1}),
    )
    return tuple(
        Estimand(
            name=f"{outcome}: {name}",
            outcome=outcome,
            kind=kind,
            treatment=treatment,
            control=control,
            cohort=cohort,
            weighting=weighting,
            cluster=cluster,
            group=group,
            limit=limit,
            upper=upper,
            family=family,
            weights=weights,
        )
        for name, treatment, control, weights in contrasts
    )
