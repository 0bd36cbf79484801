"""The report's section on what follows a recovery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diag.reading.markup import Section, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number
from diag.studies.takeover.tables import MEDIANS


def after_recovery(files: StudyFiles) -> Section | None:
    """Return how often a new dead end follows the first verified recovery, how soon, and with how much time left."""
    found = files.own_rows("after_recovery.csv")
    if not found:
        return None
    caption = (
        "Every continuation stays in the denominator of the recoveries, every recovered one in that of recurrences. "
        "Late: the recovery came outside the timely window. A recurrence is a new certificate on the level after the "
        "first verified recovery (Bolt Unscrew: no relocation remains); after progress: a better board than the "
        "recovered one came before it. Medians are over the continuations that recur; an action is an accepted GUI "
        "action, left is the time to the limit. Lost by search: recovered ones with a board that still had moves and, "
        "by exhausted search, no win. Available: median time from recovery to the limit where nothing recurs."
    )
    head = (
        *("Cohort", "Arm", "Continuations", "Recovered", "of them late", "Recur", "of them after progress"),
        *("Median after (s)", "after (actions)", "after (moves)", "left (s)", "Lost by search"),
        *("Do not recur", "of them won", "Available (s)"),
    )
    rows = [(row["cohort"], files.chip(row["arm"]), *_cells(row)) for row in found]
    return section("recurrence", "After the recovery", table(head, rows, caption, words=2), leads=False)


def _cells(row: Mapping[str, str]) -> tuple[Any, ...]:
    n, recovered, recurred = (row[name] for name in ("continuations", "recovered", "recurred"))
    return (
        *(n, f"{recovered} of {n}", f"{row['recovered_late']} of {recovered}", f"{recurred} of {recovered}"),
        f"{row['recurred_after_progress']} of {recurred}",
        *(_number(row[f"median_{name}"]) for name in MEDIANS),
        *(f"{row['search_dead_end']} of {recovered}", f"{row['not_recurred']} of {recovered}"),
        *(row["not_recurred_won"], _number(row["median_recovery_left_s"])),
    )


def _number(text: str) -> str:
    return number(float(text)) if text else DASH
