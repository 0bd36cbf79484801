"""From a study's contrasts and endpoints to the estimands of the analysis, and from effects to `tables/effects.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import Effect
from diag.analysis.estimand import Estimand, Kind
from diag.errors import ConfigError
from diag.studies.takeover import TakeoverStudy


_PROPORTIONS: dict[str, Kind] = {"progress": "proportion", "progress_after_recovery": "proportion"}


def estimands_of(study: TakeoverStudy, table: pd.DataFrame) -> tuple[Estimand, ...]:
    """Return cohort x contrast x endpoint; an endpoint that does not exist in a cohort gives none there.

    All contrasts of an endpoint in a cohort are one family for Holm's correction.

    Raises:
        ConfigError: an endpoint is no column of the outcome table.
    """
    found = []
    for cohort in study.cohorts:
        rows = table[(table["cohort"] == cohort) & (table["validity"] == "valid")]
        for endpoint in study.endpoints:
            if len(rows) and endpoint not in table.columns:
                raise ConfigError(f"study.endpoints: found {endpoint!r}, wanted one of {', '.join(_endpoints(table))}")
            if rows.empty or endpoint not in table.columns or rows[endpoint].isna().all():
                continue
            found += [
                _estimand(study, str(contrast), cohort, endpoint, table) for contrast in study.contrasts_for(cohort)
            ]
    return tuple(found)


def resample_plan(study: TakeoverStudy) -> ResamplePlan:
    """Return the seeded plan of resamples that all effects of the study share."""
    return ResamplePlan(seed=study.analysis.seed, draws=study.analysis.draws)


def effects_file(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    """Return the content of `tables/effects.json`: every field of every effect, and the short names readers use."""
    return [
        {
            **effect.to_json(),
            "endpoint": effect.outcome,
            "t": effect.t_means.to_json(),
            "p_signflip": effect.sign_flip_p,
            "p_holm": effect.holm_p,
            "leave_one_out": {"low": effect.loo_low, "high": effect.loo_high},
            "n_up": effect.up,
            "n_down": effect.down,
            "cannot_say": effect.percentile.reason or None,
        }
        for effect in effects
    ]


def _estimand(study: TakeoverStudy, contrast: str, cohort: str, endpoint: str, table: pd.DataFrame) -> Estimand:
    treatment, control = contrast.rsplit("-", 1)
    kind: Kind = "binary" if str(table[endpoint].dtype) == "boolean" else _PROPORTIONS.get(endpoint, "count")
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
