"""Sections of a continuation study (docs/studies/continuation.md): conditions, differences, every return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from diag.reading.markup import Section, folded, joined, note, quote, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, counted, number
from diag.studies.continuation.tables import MEAN

PUBLISHED = (
    "Published ranges (EnvTraverse), of its agents and environments: stop-and-report minus baseline +1.37 to +7.29 "
    "points on ARC-AGI-3, +0.37 to +4.95 on AGI Maze (RHAE70), -1.50 to +2.25 on Terminal-Bench; gap recovery 34 to "
    "60 %."
)
OURS = "rhae_60 to rhae_80 are our budgeted form: the published RHAE70 formula is not known. RHAE is ARC-AGI-3's."


def condition_section(files: StudyFiles) -> Section | None:
    """Return the value of every condition in every setting, score and cost side by side."""
    rows = files.own_rows("conditions.csv")
    if not rows:
        return None
    names = ("targets", "rhae", "rhae_60", "rhae_70", "rhae_80", "x1_solved", "step_fraction", "returns", "cost_tokens")
    head = ("Setting", "Arm", "Repetition", "Targets", "RHAE", "f = 0.6", "f = 0.7", "f = 0.8", "x1 solved",
            "Step fraction", "Returns a run", "Cost tokens a run")  # fmt: skip
    cells = [
        (row["setting"], files.chip(row["arm"]), row["repeat"], *(_short(name, row[name]) for name in names))
        for row in rows
    ]
    caption = (
        f"A row per evaluation block (all targets under one condition, setting and repetition); {MEAN}: mean of the "
        f"blocks. {OURS} More inference may be what helps: read cost beside score."
    )
    return section("continuation-conditions", "Conditions", table(head, cells, caption, words=3))


def contrast_section(files: StudyFiles) -> Section | None:
    """Return the differences of condition values, the share of the gap recovered, and what easier levels change."""
    contrasts, recovery = files.own_rows("contrasts.csv"), files.own_rows("gap_recovery.csv")
    experience = files.own_rows("experience.csv")
    if not contrasts:
        return None
    head = ("Setting", "Contrast", "Score", "Difference", "Treatment", "Control")
    names = ("difference", "treatment", "control")
    cells = [
        (row["setting"], row["contrast"], row["endpoint"], *(_short(row["endpoint"], row[name]) for name in names))
        for row in contrasts
    ]
    caption = f"Differences of means over repetitions, which are not matched; no significance is claimed. {PUBLISHED}"
    parts = [table(head, cells, caption, words=3)]
    if recovery:
        cells = [(row["setting"], files.chip(row["arm"]), row["endpoint"], _short(row["endpoint"], row["gap"]),
                  f"{number(float(row['recovered']), 0, 100)} %" if row["recovered"] else DASH)
                 for row in recovery]  # fmt: skip
        caption = "(controlled - stop and report) / (textual - stop and report); no share where textual is not ahead."
        parts.append(table(("Setting", "Arm", "Score", "Gap", "Recovered"), cells, caption, words=3))
    if experience:
        names = ("single", "curriculum", "difference")
        cells = [
            (files.chip(row["arm"]), row["endpoint"], *(_short(row["endpoint"], row[name]) for name in names))
            for row in experience
        ]
        caption = "The target alone, after easier levels, and the difference. Only targets score."
        parts.append(table(("Arm", "Score", "Single", "Curriculum", "Difference"), cells, caption, words=2))
    return section("continuation-contrasts", "Differences between conditions", *parts)


def return_section(files: StudyFiles) -> Section | None:
    """Return every prompt, where the environment stood, and what the agent came back with."""
    rows = files.own_rows("returns.csv")
    if not rows:
        return None
    runs: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        runs.setdefault(row["unit_id"], []).append(row)
    parts = [folded(f"{unit}: {counted(len(found), 'return')}", _run(found)) for unit, found in runs.items()]
    words = note("What was said to the agent, the step index, its report.")
    return section("continuation-returns", "Every return", words, joined(parts), leads=False)


def _run(rows: Sequence[Mapping[str, str]]) -> Markup:
    head = ("Return", "Prompt", "At step", "Back at step", "Progress", "What was said", "Report")
    cells = [
        (row["n"], row["kind"], row["told_at_step"], row["step"] or DASH, _SAID.get(row["progress"], DASH),
         folded(f"{len(row['told'])} characters", quote(row["told"])), row["report"] or DASH)
        for row in rows
    ]  # fmt: skip
    return table(head, cells, "Progress: at least one new step since the agent was resumed.", words=7)


_SAID = {"True": "yes", "False": "no"}
_DIGITS = {"x1_solved": 2, "step_fraction": 2, "targets": 0, "cost_tokens": 0}


def _short(name: str, text: str) -> str:
    return number(float(text), _DIGITS.get(name, 1)) if text else DASH
