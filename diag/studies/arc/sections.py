"""The report's sections: the scorecard, and a viewer that steps through the frames of any play.

The frames lie beside the report, a script per play that is loaded when it is chosen, so that the page stays small.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from diag.reading.markup import Section, joined, note, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number
from diag.records import Event
from diag.records.sealed import write_whole
from diag.studies.arc.record import KIND_OF_EVENT
from games.grid.frame import PALETTE

FOLDER = "frames"
"""Folder beside the report that holds the plays' frames."""
_HERE = Path(__file__).parent


def scorecard_section(files: StudyFiles) -> Section | None:
    """Return the scorecard of every policy and their comparison game by game; None where nothing was analysed."""
    card, pairs = files.own_rows("scorecard.csv"), files.own_rows("policies.csv")
    if not card:
        return None
    names = ("game", "rhae", "levels_completed", "n_levels", "scored_actions", "capped_levels", "reference_midrank")
    head = ("Policy", "Game", "RHAE", "Levels", "of", "Actions", "Levels at the cap", "Reference midrank", "Ended")
    rows = [
        (joined([files.chip(row["arm"]), Markup(" {}").format(row["policy"])]), row["game"],
         *(_shown(row[name]) for name in names[1:]), row["endings"] or DASH)
        for row in card
    ]  # fmt: skip
    caption = (
        "RHAE as in arc-agi 0.9.9, 0 to 100; a total is the mean over games. Actions count failed attempts and RESETs, "
        "the opening RESET is free. Baselines and midrank are from scripted reference players, which are simulated: "
        "nothing here can be compared with published scores, whose baselines are people's."
    )
    parts = [table(head, rows, caption, words=2)]
    if pairs:
        parts.append(_comparisons(pairs))
    return section("scorecard", "Scorecard", *parts)


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


def frames_section(files: StudyFiles) -> Section | None:
    """Return the viewer of frames, and write the frames of every play beside the report; None without a play."""
    plays = [(unit.unit_id, events) for unit in files.plan.units if (events := files.events(unit.unit_id))]
    plays = [(unit_id, events) for unit_id, events in plays if any(event.kind == KIND_OF_EVENT for event in events)]
    if not plays:
        return None
    for unit_id, events in plays:
        text = (
            f"(window.arcPlays ??= {{}})[{json.dumps(unit_id)}] = {json.dumps(_play(events), separators=(',', ':'))};\n"
        )
        path = files.folder / FOLDER / f"{unit_id}.js"
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text.encode())
    options = joined(Markup('<option value="{0}">{0}</option>').format(unit_id) for unit_id, _ in plays)
    page = (_HERE / "viewer.html").read_text()
    script = (
        (_HERE / "viewer.js").read_text().replace("PALETTE", json.dumps(PALETTE)).replace("FOLDER", json.dumps(FOLDER))
    )
    body = Markup(page.replace("OPTIONS", str(options)).replace("SCRIPT", script))  # noqa: S704 - own files, escaped ids
    words = note("Frames as players saw them. Marked cells are those that the step changed.")
    return section("frames", "Frame by frame", words, body, leads=False)


def _play(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return one entry per action: what was done, how things stand, and its frames as rows that changed."""
    return [
        {"a": one.data["action"], "s": one.data["status"], "l": one.data["levels_completed"], "f": one.data["frames"]}
        for one in events
        if one.kind == KIND_OF_EVENT
    ]


def _shown(text: str) -> str:
    return number(float(text)) if text else DASH
