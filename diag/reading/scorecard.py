"""The report's section of studies of grid games: the scorecard, and policies against each other game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from diag.reading.markup import Section, joined, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number


def scorecard_section(files: StudyFiles) -> Section | None:
    """Return the scorecard of every policy and their comparison game by game; None where nothing was analysed."""
    card, pairs = files.own_rows("scorecard.csv"), files.own_rows("policies.csv")
    if not card:
        return None
    names = ("game", "rhae", "levels_completed", "n_levels", "scored_actions", "capped_levels", "reference_midrank")
    head = ("Policy", "Game", "RHAE", "Levels", "of", "Actions", "Levels at the cap", "Reference midrank", "Ended")
    rows = [
        (joined([files.chip(row["arm"]), Markup(" {}{}").format(row["policy"], _who(row))]), row["game"],
         *(_shown(row[name]) for name in names[1:]), row["endings"] or DASH)
        for row in card
    ]  # fmt: skip
    caption = (
        "RHAE as in arc-agi 0.9.9, 0 to 100; a total is the mean over games. Actions count failed attempts and RESETs, "
        f"the opening RESET is free. {_baselines(files.identity('study', 'env'))}"
    )
    parts = [table(head, rows, caption, words=2)]
    if pairs:
        parts.append(_comparisons(pairs))
    return section("scorecard", "Scorecard", *parts)


def _who(row: Mapping[str, str]) -> str:
    return " (simulated)" if row.get("simulated") == "True" else ""


def _baselines(env: Any) -> str:
    if env == "arc":
        return "Baselines are those that the games' metadata.json states; there are no reference players."
    return (
        "Baselines and midrank are from scripted reference players, which are simulated: nothing here can be compared "
        "with published scores, whose baselines are people's."
    )


def _comparisons(pairs: Sequence[dict[str, str]]) -> Markup:
    head = ("Contrast", "Games", "Mean difference", "95 % low", "high", "Leave one out, low", "high", "Better", "Worse",
            "Tied")  # fmt: skip
    names = (
        "games",
        "mean_difference",
        "low",
        "high",
        "leave_one_out_low",
        "leave_one_out_high",
        "better",
        "worse",
        "tied",
    )
    rows = [(pair["contrast"], *(_shown(pair[name]) for name in names)) for pair in pairs]
    return table(head, rows, "Differences in RHAE, paired by game; percentile bootstrap over games.")


def _shown(text: str) -> str:
    return number(float(text)) if text else DASH
