"""Stability over repeated valid attempts: how often a unit keeps its endpoint when it is run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from diag.analysis.interval import Interval
from diag.analysis.proportions import wilson


@dataclass(frozen=True)
class Stability:
    """Counts over the units that were run more than once."""

    endpoint: str
    n_units: int
    n_kept: int
    """Units whose later valid attempts all gave the endpoint of the primary one."""
    share: Interval
    """Wilson interval of the kept share; the units are taken as independent."""


def stability(primary: pd.DataFrame, repeats: pd.DataFrame, endpoints: Sequence[str]) -> tuple[Stability, ...]:
    """Return the stability of each endpoint.

    Args:
        primary: the outcome table, one row a unit.
        repeats: later valid attempts (`OutcomeTable.repeats`), same columns.
        endpoints: columns to compare; a missing value equals a missing value.

    Raises:
        KeyError: an endpoint or a repeated unit is not in the table.
    """
    units = primary["unit_id"].tolist()
    return tuple(
        _stability(dict(zip(units, primary[endpoint].tolist(), strict=True)), repeats, endpoint)
        for endpoint in endpoints
    )


def _stability(first: Mapping[str, object], repeats: pd.DataFrame, endpoint: str) -> Stability:
    kept = []
    for unit_id, rows in repeats.groupby("unit_id"):
        before = first[str(unit_id)]
        kept.append(all(_same(before, value) for value in rows[endpoint]))
    return Stability(endpoint, len(kept), sum(kept), wilson(sum(kept), len(kept)))


def _same(one: object, other: object) -> bool:
    if pd.isna(one) or pd.isna(other):  # type: ignore[call-overload]  # scalars of a table cell
        return bool(pd.isna(one) and pd.isna(other))  # type: ignore[call-overload]  # the same
    return bool(one == other)
