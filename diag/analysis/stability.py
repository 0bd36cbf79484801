"""Stability over repeated valid attempts: how often a unit keeps its endpoint when it is run again.

Repeats serve this alone (first source document, "Validity"): the first valid attempt of a cell is its observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diag.analysis.interval import Interval
from diag.analysis.proportions import wilson

if TYPE_CHECKING:
    import pandas as pd

STABILITY_COLUMNS = ("arm", "endpoint", "n_repeated", "n_kept", "share", "low", "high")


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


def stability_table(
    primary: pd.DataFrame, repeats: pd.DataFrame, *, ending: Sequence[str], endpoints: Sequence[str]
) -> list[dict[str, object]]:
    """Return the rows of `tables/stability.csv`: by arm, then over all, for the ending and each endpoint.

    Args:
        primary: the outcome table.
        repeats: later valid attempts (`OutcomeTable.repeats`).
        ending: the columns that together tell how a unit ended.
        endpoints: further columns; those that the table lacks are left out.
    """
    if repeats.empty:
        return []
    first, later = (
        one.assign(ending=one[list(ending)].astype(str).agg(" ".join, axis=1)) for one in (primary, repeats)
    )
    names = ("ending", *(name for name in endpoints if name in primary))
    parts = [*((str(arm), rows) for arm, rows in later.groupby("arm")), ("all", later)]
    return [
        {"arm": arm, "endpoint": one.endpoint, "n_repeated": one.n_units, "n_kept": one.n_kept,
         "share": one.share.estimate, "low": one.share.low, "high": one.share.high}
        for arm, rows in parts
        for one in stability(first, rows, names)
    ]  # fmt: skip


def _same(one: object, other: object) -> bool:
    import pandas as pd

    if pd.isna(one) or pd.isna(other):  # type: ignore[call-overload]  # scalars of a table cell
        return bool(pd.isna(one) and pd.isna(other))  # type: ignore[call-overload]  # the same
    return bool(one == other)
