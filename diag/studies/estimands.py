"""From a study's contrasts and endpoints to the estimands of the analysis."""

from __future__ import annotations

import pandas as pd

from diag.analysis.clusters import ResamplePlan
from diag.analysis.estimand import Estimand, Kind
from diag.errors import ConfigError
from diag.studies.matched import MatchedStudy

_PROPORTIONS: dict[str, Kind] = dict.fromkeys(
    ("progress", "progress_after_recovery", "best_progress", "lc", "fgp", "reach", "completion_if_reached"),
    "proportion",
)
_MEASURES = ("_s", "_actions", "_moves", "_restarts")
"""Endings of endpoint names that are seconds or counts."""


def estimands_of(study: MatchedStudy, table: pd.DataFrame) -> tuple[Estimand, ...]:
    """Return cohort x contrast x endpoint; an endpoint that does not exist in a cohort gives none there.

    All contrasts of an endpoint in a cohort are one family for Holm's correction.

    Raises:
        ConfigError: an endpoint is no column of the outcome table.
    """
    own = study.own_estimands(table)
    if own is not None:
        return own
    found = []
    for cohort in study.cohorts:
        rows = table[(table["cohort"] == cohort) & (table["validity"] == "valid")]
        for endpoint in study.endpoints:
            if len(rows) and endpoint not in table.columns:
                raise ConfigError(f"study.endpoints: found {endpoint!r}, wanted one of {', '.join(_endpoints(table))}")
            if rows.empty or endpoint not in table.columns or rows[endpoint].isna().all():
                continue
            kind: Kind = "binary" if str(table[endpoint].dtype) == "boolean" else _PROPORTIONS.get(endpoint, "count")
            found += [_named(str(contrast), cohort, endpoint, kind) for contrast in study.contrasts_for(cohort)]
    return tuple(found)


def planned_estimands(study: MatchedStudy) -> tuple[Estimand, ...]:
    """Return the contrasts of yes/no endpoints as they are known before any outcome: for planning the sample size."""
    return tuple(
        _named(contrast, cohort, endpoint, "binary")
        for cohort in study.cohorts
        for endpoint in study.endpoints
        if endpoint not in _PROPORTIONS and not endpoint.endswith(_MEASURES)
        for contrast in map(str, study.contrasts_for(cohort))
    )


def resample_plan(study: MatchedStudy) -> ResamplePlan:
    """Return the seeded plan of resamples that all effects of the study share."""
    return ResamplePlan(seed=study.analysis.seed, draws=study.analysis.draws)


def _named(contrast: str, cohort: str, endpoint: str, kind: Kind) -> Estimand:
    treatment, control = contrast.rsplit("-", 1)
    return Estimand(
        name=f"{cohort} {endpoint} {contrast}",
        outcome=endpoint,
        kind=kind,
        treatment=treatment,
        control=control,
        cohort=cohort,
        family=f"{cohort} {endpoint}",
    )


def _endpoints(table: pd.DataFrame) -> list[str]:
    first = list(table.columns).index("n_invalid_actions") + 1
    return [name for name in table.columns[first:] if not name.startswith("code_")]
