"""Sections of studies that hand over a restored board: what follows a recovery, and what an action branch changes."""

from __future__ import annotations

import pandas as pd

from diag.report.markup import Section, section, table
from diag.report.study_files import StudyFiles
from diag.report.style import DASH, number


def after_recovery(files: StudyFiles) -> Section | None:
    """Return how often a new dead end follows the first verified recovery, and how soon."""
    if "recurrence" not in files.valid:
        return None
    rows = [
        (str(cohort), files.chip(str(arm)), *_recurred(found))
        for (cohort, arm), found in files.valid.groupby(["cohort", "arm"])
        if found["verified_recovery"].notna().any()
    ]
    if not rows:
        return None
    caption = (
        "A recurrence is a new certificate on the level after the first verified recovery. Every continuation stays in "
        "the denominator of the recoveries, every recovered one in that of the recurrences. Medians are over the "
        "continuations that recur."
    )
    head = ("Cohort", "Arm", "Continuations", "Recovered", "Recur", "Median after (s)", "Median after (moves)")
    return section("recurrence", "After the recovery", table(head, rows, caption, words=2), leads=False)


def branches_by_state(files: StudyFiles) -> Section:
    """Return the completions from each state by branch, with what the observed action costs there."""
    arms = sorted(files.valid["arm"].unique())
    rows = [
        (
            str(state),
            number(found["distance_before"].iloc[0], 0),
            number(found["extra_cost"].max(), 0),
            *_won(found, arms),
        )
        for state, found in files.valid.groupby("checkpoint_id")
    ]
    caption = (
        "From each state one branch performs a shortest action, the other a costly one that was observed there; then "
        "the agent plays on. Both boards are certified as solvable. Distance: least number of moves to a win before "
        "the branch. Completion of the same level, over the repeats."
    )
    head = ("State", "Distance", "Extra moves of the costly action", *(f"{arm} completes" for arm in arms))
    return section("branches", "Completion by state and branch", table(head, rows, caption))


def _recurred(found: pd.DataFrame) -> tuple[str, ...]:
    recovered = found[found["verified_recovery"].fillna(value=False).astype(bool)]
    recurred = recovered[recovered["recurrence"].fillna(value=False).astype(bool)]
    medians = (_median(recurred[name]) for name in ("recurrence_after_s", "recurrence_after_moves"))
    return (str(len(found)), f"{len(recovered)} of {len(found)}", f"{len(recurred)} of {len(recovered)}", *medians)


def _median(values: pd.Series) -> str:
    known = values.dropna()
    return DASH if known.empty else number(float(known.median()))


def _won(found: pd.DataFrame, arms: list[str]) -> tuple[str, ...]:
    by_arm = {arm: found.loc[found["arm"] == arm, "same_level_win"] for arm in arms}
    return tuple(f"{int(won.sum())} of {len(won)}" for won in by_arm.values())
