"""What follows a recovery, by cohort and arm: when it came, whether the dead end recurs, and with how much time left.

Source: first source document, "Paired effects" and "After recovery". Every continuation stays in the denominator of the
recoveries, every recovered one in that of the recurrences. Medians are over the continuations that have the event.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diag.records.csv_text import csv_text
from diag.studies.contract import Rows
from diag.studies.study import Study

Row = Mapping[str, Any]
COUNTS = ("continuations", "recovered", "recovered_late", "recurred", "recurred_after_progress", "search_dead_end")
MEDIANS = ("recurrence_after_s", "recurrence_after_actions", "recurrence_after_moves", "recurrence_left_s")
WITHOUT = ("not_recurred", "not_recurred_won", "median_recovery_left_s")
COLUMNS = ("cohort", "arm", *COUNTS, *(f"median_{name}" for name in MEDIANS), *WITHOUT)


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return `after_recovery.csv`."""
    del study
    return {"after_recovery.csv": csv_text(COLUMNS, after_recovery_lines(rows))}


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the same in words, for the arms in which something was recovered."""
    del study
    return tuple(_words(line) for line in after_recovery_lines(rows) if line["recovered"])


def after_recovery_lines(rows: Rows) -> list[dict[str, Any]]:
    """Return a line per cohort and arm in which recovery applies."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if _is_known(row["verified_recovery"]):
            groups.setdefault((str(row["cohort"]), str(row["arm"])), []).append(row)
    return [{"cohort": cohort, "arm": arm, **_line(found)} for (cohort, arm), found in sorted(groups.items())]


def _line(found: Sequence[Row]) -> dict[str, Any]:
    recovered = _with(found, "verified_recovery")
    recurred = _with(recovered, "recurrence")
    others = [row for row in recovered if row not in recurred]
    counts = (
        len(found), len(recovered), len(_with(recovered, "recovery_late")), len(recurred),
        len(_with(recurred, "recurrence_after_progress")), len(_with(recovered, "search_dead_end")),
    )  # fmt: skip
    return {
        **dict(zip(COUNTS, counts, strict=True)),
        **{f"median_{name}": _median(row[name] for row in recurred) for name in MEDIANS},
        "not_recurred": len(others),
        "not_recurred_won": len(_with(others, "same_level_win")),
        "median_recovery_left_s": _median(row["recovery_left_s"] for row in others),
    }


def _with(rows: Iterable[Row], name: str) -> list[Row]:
    return [row for row in rows if _is_known(row[name]) and bool(row[name])]


def _median(values: Iterable[Any]) -> float | None:
    known = [float(value) for value in values if _is_known(value)]
    return statistics.median(known) if known else None


def _is_known(value: Any) -> bool:
    import pandas as pd

    return value is not None and not pd.isna(value)


def _words(line: Mapping[str, Any]) -> str:
    text = (
        f"after recovery, {line['cohort']} {line['arm']}: {line['recovered']} of {line['continuations']} recover "
        f"({line['recovered_late']} outside the window), {line['recurred']} recur "
        f"({line['recurred_after_progress']} after progress)"
    )
    if line["recurred"]:
        text += (
            f", median {line['median_recurrence_after_s']:.1f} s and {line['median_recurrence_after_actions']:g} "
            f"actions after recovery with {line['median_recurrence_left_s']:.1f} s left"
        )
    if line["not_recurred"]:
        text += (
            f"; {line['not_recurred']} do not ({line['not_recurred_won']} won), median "
            f"{line['median_recovery_left_s']:.1f} s available"
        )
    return text
