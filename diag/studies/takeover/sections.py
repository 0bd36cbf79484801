"""The report's section on what follows a recovery."""

from __future__ import annotations

import pandas as pd

from diag.reading.markup import Section, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number


def after_recovery(files: StudyFiles) -> Section | None:
    """Return how often a new dead end follows the first verified recovery, and how soon."""
    if "recurrence_after_s" not in files.valid:
        return None
    rows = [
        (str(cohort), files.chip(str(arm)), *_recurred(found))
        for (cohort, arm), found in files.valid.groupby(["cohort", "arm"])
        if found["verified_recovery"].notna().any()
    ]
    if not rows:
        return None
    caption = (
        "A recurrence is a new certificate on the level after the first verified recovery (Bolt Unscrew: no relocation "
        "remains). Every continuation stays in the denominator of the recoveries, every recovered one in that of the "
        "recurrences. Medians are over the continuations that recur; an action is an accepted GUI action. By search: "
        "recovered ones with a board that still has moves and, by exhausted search, no win."
    )
    head = (
        *("Cohort", "Arm", "Continuations", "Recovered", "Recur", "Median after (s)", "Median after (actions)"),
        *("Median after (moves)", "Lost by search"),
    )
    return section("recurrence", "After the recovery", table(head, rows, caption, words=2), leads=False)


def _recurred(found: pd.DataFrame) -> tuple[str, ...]:
    recovered = found[found["verified_recovery"].astype("boolean").fillna(value=False).astype(bool)]
    recurred = recovered[recovered["recurrence"].astype("boolean").fillna(value=False).astype(bool)]
    medians = (_median(recurred[f"recurrence_after_{name}"]) for name in ("s", "actions", "moves"))
    n_lost = int(recovered["search_dead_end"].sum())
    counts = (f"{n} of {of}" for n, of in ((len(recovered), len(found)), (len(recurred), len(recovered))))
    return (str(len(found)), *counts, *medians, f"{n_lost} of {len(recovered)}")


def _median(values: pd.Series) -> str:
    known = values.dropna()
    return DASH if known.empty else number(float(known.median()))
