"""The report's section on action branches: completion by state and branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from diag.reading.markup import Section, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import number

if TYPE_CHECKING:
    import pandas as pd


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


def _won(found: pd.DataFrame, arms: list[str]) -> tuple[str, ...]:
    by_arm = {arm: found.loc[found["arm"] == arm, "same_level_win"] for arm in arms}
    return tuple(f"{int(won.sum())} of {len(won)}" for won in by_arm.values())
