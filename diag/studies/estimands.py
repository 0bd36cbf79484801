"""From a study's contrasts and endpoints to the estimands of the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from diag.analysis.clusters import ResamplePlan
from diag.analysis.endpoint import EVERY_UNIT, Endpoint, EndpointKind
from diag.analysis.estimand import Estimand, Kind
from diag.analysis.pairs import counted
from diag.studies.study import Study

if TYPE_CHECKING:
    import pandas as pd

KINDS: dict[EndpointKind, Kind] = {
    "yes_no": "binary", "share": "proportion", "count": "count", "seconds": "time", "score": "count",
}  # fmt: skip
"""How the analysis treats each kind of endpoint. Seconds are a time to an event: their mean is restricted at the limit
of the takeover clock, where every unit in which the event did not come counts with the limit."""


def estimands_of(study: Study) -> tuple[Estimand, ...]:
    """Return what the study estimates, known before any outcome: its own estimands, else the paired contrasts."""
    return paired_contrasts(study) if study.kind.estimands is None else study.kind.estimands(study)


def paired_contrasts(study: Study) -> tuple[Estimand, ...]:
    """Return cohort x contrast x endpoint. All contrasts of an endpoint in a cohort are one family."""
    return tuple(
        _named(study, str(contrast), cohort, name)
        for cohort in study.cohorts
        for name in study.endpoints
        for contrast in study.contrasts_for(cohort)
    )


def observed(estimands: tuple[Estimand, ...], table: pd.DataFrame) -> tuple[Estimand, ...]:
    """Return the estimands whose endpoint exists for at least one valid unit of their cohort."""
    valid = counted(table)
    valid = valid[valid["validity"] == "valid"]
    return tuple(
        one
        for one in estimands
        if one.outcome in valid and valid.loc[valid["cohort"] == one.cohort, one.outcome].notna().any()
    )


def kind_of(study: Study, name: str) -> Kind:
    """Return how the analysis treats an endpoint; the columns of every outcome table are counts."""
    endpoint: Endpoint | None = study.kind.endpoint(name)
    return "count" if endpoint is None else KINDS[endpoint.kind]


def population_of(study: Study, name: str) -> str:
    """Return for which units an endpoint is defined, in words; empty for all of them."""
    endpoint = study.kind.endpoint(name)
    return "" if endpoint is None or endpoint.population == EVERY_UNIT else endpoint.population


def resample_plan(study: Study) -> ResamplePlan:
    """Return the seeded plan of resamples that all effects of the study share."""
    return ResamplePlan(seed=study.analysis.seed, draws=study.analysis.draws)


def _named(study: Study, contrast: str, cohort: str, endpoint: str) -> Estimand:
    kind = kind_of(study, endpoint)
    treatment, control = contrast.rsplit("-", 1)
    return Estimand(
        name=f"{cohort} {endpoint} {contrast}",
        outcome=endpoint,
        kind=kind,
        treatment=treatment,
        control=control,
        cohort=cohort,
        family=f"{cohort} {endpoint}",
        limit=study.limits.takeover_s if kind == "time" else None,
        population="" if kind == "time" else population_of(study, endpoint),  # every unit counts, with the limit
    )
