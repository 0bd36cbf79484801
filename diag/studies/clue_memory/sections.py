"""Sections of a study of clue memory (docs/studies/clue_memory.md): clue timelines, gaps, the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from diag.reading.markup import Section, folded, joined, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH

PUBLISHED = "Published (FlashAdventure): agreement 94.00 % of 300, mean human gap 251.1 actions."
WIDTH = 320
"""Pixels of a timeline's bar."""
MOMENTS = (("seen", "#3b6ea5"), ("stored", "#b8860b"), ("used", "#2e7d32"))


def clue_timelines(files: StudyFiles) -> Section | None:
    """Return, for every clue that was used or seen, when it was first seen, stored, used."""
    rows = files.own_rows("clue_timelines.csv")
    if not rows:
        return None
    last = max(int(row[name]) for row in rows for name, _ in MOMENTS if row[name])
    head = ("Level", "Arm", "Card", "Timeline", "Seen", "Stored", "Used", "Gap")
    caption = (
        "Steps are counted GUI actions. Blue: the card was first on the screen. Ochre: what is remembered in words "
        "first named it. Green: its door opened. Gap: from first sight to use; a door that was opened by guessing, its "
        "card unseen, has none. Cards of other emblems open nothing."
    )
    parts = []
    for level, found in _by(rows, "level").items():
        cells = [_cells(files, row, max(last, 1)) for row in found]
        parts.append(folded(f"{level}: {len(found)} clues", table(head, cells, caption, words=4)))
    return section("clue-timelines", "Clue timelines: seen, stored, used", joined(parts))


def gap_spread(files: StudyFiles) -> Section | None:
    """Return successes and the distribution of gaps by arm and distance."""
    rows = files.own_rows("clue_gaps.csv")
    if not rows:
        return None
    columns = ("plays", "successes", "gaps", "mean", "median", "least", "most")
    cells = [(files.chip(row["arm"]), row["distance"], *(_short(row[name]) for name in columns)) for row in rows]
    head = ("Arm", "Distance", "Plays", "Won", "Gaps", "Mean", "Median", "Least", "Most")
    caption = f"Observation-behaviour gap in counted GUI actions, of the clues that were used. {PUBLISHED}"
    return section("clue-gaps", "From seeing to using", table(head, cells, caption, words=2))


def judge_agreement(files: StudyFiles) -> Section | None:
    """Return how far the judge agrees with the evaluator."""
    rows = files.own_rows("judge_agreement.csv")
    if not rows:
        return None
    columns = ("episodes", "accuracy", "spearman", "pearson", "judge_mean", "truth_mean")
    cells = [(row["arm"], *(_short(row[name]) for name in columns)) for row in rows]
    head = ("Arm", "Plays", "Same K", "Spearman", "Pearson", "Judge: mean K/N", "Evaluator: mean K/N")
    caption = (
        "The judge plays on from a copy of the final state; the evaluator's record is the truth. Correlations are of "
        f"K/N and need both sides to vary. {PUBLISHED}"
    )
    return section("judge", "The judge against the evaluator", table(head, cells, caption), leads=False)


def _cells(files: StudyFiles, row: Mapping[str, str], last: int) -> tuple[str | Markup, ...]:
    moments = (row[name] or DASH for name, _ in MOMENTS)
    return ("r" + row["repeat"], files.chip(row["arm"]), row["emblem"], _bar(row, last), *moments, row["gap"] or DASH)


def _bar(row: Mapping[str, str], last: int) -> Markup:
    """Return the three moments as marks on a line from the first action to the study's last."""
    marks = Markup().join(
        Markup('<circle cx="{:.1f}" cy="7" r="4" fill="{}"><title>{} {}</title></circle>').format(
            6 + (WIDTH - 12) * int(row[name]) / last, colour, name, row[name]
        )
        for name, colour in MOMENTS
        if row[name]
    )
    line = Markup('<line x1="6" x2="{}" y1="7" y2="7" stroke="#bbb"/>').format(WIDTH - 6)
    return Markup('<svg width="{}" height="14" role="img">{}{}</svg>').format(WIDTH, line, marks)


def _by(rows: Sequence[Mapping[str, str]], name: str) -> dict[str, list[Mapping[str, str]]]:
    found: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


def _short(text: str) -> str:
    """Return a number of a table with at most three decimals."""
    return DASH if not text else f"{float(text):.3f}".rstrip("0").rstrip(".")
