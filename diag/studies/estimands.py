"""From a study's contrasts and endpoints to the records and estimands of the analysis, fixed before any outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from diag.analysis.clusters import ResamplePlan
from diag.analysis.endpoint import Endpoint, EndpointKind
from diag.analysis.estimand import Estimand, EstimandError, Kind
from diag.analysis.pairs import counted
from diag.errors import ConfigError
from diag.studies.settings import Contrast

if TYPE_CHECKING:
    import pandas as pd

    from diag.studies.study import Study

KINDS: dict[EndpointKind, Kind] = {
    "yes_no": "binary", "share": "proportion", "count": "count", "seconds": "time", "score": "count",
}  # fmt: skip
"""How the analysis treats each kind of endpoint. Seconds are a time to an event: their mean is restricted at the limit
of the takeover clock, where every unit in which the event did not come counts with the limit."""


def endpoint_records(study: Study) -> tuple[Endpoint, ...]:
    """Return what is declared of every contrasted endpoint: by the study, else by its kind. One of them is primary.

    Without a declaration that is the first that every unit has.

    Raises:
        ConfigError: two are declared primary, or one that only some units have.
    """
    said = {one.endpoint: one for one in study.declared}
    found = []
    for name in study.endpoints:
        record = study.kind.endpoint(name) or Endpoint(name, "count")  # the columns of every outcome table are counts
        record = replace(record, limit_s=study.limits.takeover_s if record.kind == "seconds" else None)
        if own := said.get(name):
            for field in ("smallest_effect", "equivalence"):
                if (value := getattr(own, field)) is not None:
                    record = replace(record, **{field: value})
            record = replace(record, family=own.family)
        found.append(record)
    return _one_primary(found, [one.endpoint for one in study.declared if one.primary])


def _one_primary(records: Sequence[Endpoint], declared: Sequence[str]) -> tuple[Endpoint, ...]:
    primary = list(declared) or [one.name for one in records if one.primary]
    if len(primary) > 1:
        raise ConfigError(f"study.declared: found {len(primary)} primary endpoints ({', '.join(primary)}), wanted one")
    by_name = {one.name: one for one in records}
    if declared and by_name[declared[0]].is_conditional:
        only = by_name[declared[0]].population
        raise ConfigError(
            f"study.declared: found primary endpoint {declared[0]!r}, which only {only} have: arms would differ in who "
            "is compared; wanted one that every unit has"
        )
    for_all = [one.name for one in records if not one.is_conditional]
    chosen = next(iter([*primary, *for_all, *by_name]), "")
    return tuple(replace(one, primary=one.name == chosen) for one in records)


def estimands_of(study: Study) -> tuple[Estimand, ...]:
    """Return what the study estimates, known before any outcome: its own estimands, else the paired contrasts.

    Raises:
        ConfigError: what is declared of an endpoint contradicts its kind, or nothing would ever read it.
    """
    try:
        found = paired_contrasts(study) if study.kind.estimands is None else study.kind.estimands(study)
    except EstimandError as error:
        raise ConfigError(f"study.declared: {error}") from error
    return found


def paired_contrasts(study: Study) -> tuple[Estimand, ...]:
    """Return cohort x endpoint x contrast. The contrasts of an endpoint, or of a family of them, are one family."""
    return tuple(
        _of_contrast(study, contrast, cohort, record)
        for cohort in study.cohorts
        for record in study.records
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


def declared(record: Endpoint, cohort: str) -> dict[str, Any]:
    """Return the fields of an estimand that follow from its endpoint's record."""
    return {
        "kind": KINDS[record.kind],
        "unit": record.unit,
        "limit": record.limit_s,
        "family": f"{cohort} {record.family or record.name}",
        "population": record.population if record.is_conditional else "",
        "role": "primary" if record.primary else "secondary",
        "smallest_effect": record.smallest_effect,
    }


def resample_plan(study: Study) -> ResamplePlan:
    """Return the seeded plan of resamples that all effects of the study share."""
    return ResamplePlan(seed=study.analysis.seed, draws=study.analysis.draws)


def _of_contrast(study: Study, contrast: Contrast, cohort: str, record: Endpoint) -> Estimand:
    return Estimand(
        name=f"{cohort} {record.name} {contrast}",
        outcome=record.name,
        treatment=contrast.treatment,
        control=contrast.control,
        cohort=cohort,
        equivalence=record.equivalence if contrast.equivalence else None,
        **declared(record, cohort),
    )
