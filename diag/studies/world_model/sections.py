"""Sections of a study of world models: conditions, budget curves, match by turn, first divergences, plans."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from diag.reading.markup import Section, folded, joined, section, table
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, number
from diag.studies.world_model.evidence import picture
from diag.studies.world_model.history import Grid
from diag.studies.world_model.inside.machine import grid_of
from games.grid.frame import GREY, RED, WHITE

MOST_SHOWN = 24
"""First divergences, and plans, that the report shows; the tables hold all."""
_LEFT_OUT = 4
"""Pixels of a turn's cell that stand for no coverage at all."""
_HEIGHT, _WIDTH = 24, 6
WARNING = (
    "Match is not play: a model may foresee every frame and miss what completes a level. One play a condition and "
    "game: resampling games says nothing of how a second play would go."
)


def condition_section(files: StudyFiles) -> Section | None:
    """Return what every condition's models were worth and what was used."""
    rows = files.own_rows("conditions.csv")
    if not rows:
        return None
    names = (
        "rhae", "levels_completed", "execution_rate", "accepted_match", "coverage", "terminal_recall", "terminal_false",
        "end_accepted", "end_coverage", "calls", "builder_calls", "recommended", "followed", "paused",
    )  # fmt: skip
    head = ("Condition", "RHAE", "Levels", "Model ran", "Accepted", "Coverage", "Ends foreseen", "False ends",
            "Accepted, at the end", "Coverage, at the end", "Calls", "Builder", "Recommended", "Followed",
            "Paused")  # fmt: skip
    cells = [
        (
            _named(files, row),
            *(_shown(row[name]) for name in names),
        )
        for row in rows
    ]
    caption = (
        "From 'Model ran' to 'False ends': the version in use before each action, on the preceding history alone. 'At "
        f"the end': the last version against everything, after the play. {WARNING}"
    )
    return section("conditions", "Conditions and their models", table(head, cells, caption))


def budget_section(files: StudyFiles) -> Section | None:
    """Return the score at shares of the budgets."""
    rows = files.own_rows("budget_curves.csv")
    if not rows:
        return None
    head = ("Condition", "Of", "Share", "Limit", "RHAE", "Levels", "Actions", "Plays that reached it")
    names = ("share", "limit", "rhae", "levels_completed", "actions", "crossed")
    cells = [(files.chip(row["arm"]), row["of"], *(_shown(row[name]) for name in names)) for row in rows]
    caption = (
        "Finished plays, cut after the action whose cycle crosses the limit, and scored again. Nothing was played "
        "again, and no agent was told of these limits."
    )
    return section(
        "budget-curves", "Score by budget", folded("Budget curves", table(head, cells, caption, words=2)), leads=False
    )


def turn_section(files: StudyFiles) -> Section | None:
    """Return match and coverage of every action of every play as a strip."""
    rows = files.own_rows("foreseen.csv")
    if not any(row["executes"] == "True" for row in rows):
        return None
    strips = []
    for (game, arm, unit), mine in _by(rows, "game", "arm", "unit_id").items():
        if any(row["version"] for row in mine):
            strips.append((unit, files.chip(arm), game, _strip(mine)))
    caption = (
        "One bar an action: green accepted, red not, grey not graded or no model that ran; its height is the coverage. "
        "Blue: an end of an attempt that was foreseen; black: one that was not."
    )
    head = ("Unit", "Condition", "Game", "Actions in order")
    return section(
        "match-by-turn",
        "Match against coverage by turn",
        folded("By turn", table(head, strips, caption, words=4)),
        leads=False,
    )


def divergence_section(files: StudyFiles) -> Section | None:
    """Return the first divergence of each level at the end of each play: predicted, seen, difference."""
    rows = files.own_rows("divergences.csv")
    if not rows:
        return None
    cells = []
    for row in rows[:MOST_SHOWN]:
        seen = grid_of(row["seen"])
        said = grid_of(row["predicted"]) if row["predicted"] else np.full(seen.shape, -1, dtype=np.int16)
        where = f"{row['game']}, level {row['level']}, turn {row['turn']}, {row['action']}"
        what = row["fault"] or f"{row['n_wrong']} cells"
        cells.append((files.chip(row["arm"]), where, what, _image(said), _image(seen), _image(_difference(said, seen))))
    head = ("Condition", "Where", "What", "Predicted", "Seen", "Difference")
    caption = (
        f"{min(len(rows), MOST_SHOWN)} of {len(rows)}; the last model of each play. Striped grey: the model abstains. "
        "In the difference, red cells are wrong and grey ones unknown."
    )
    return section("divergences", "First divergences", table(head, cells, caption, words=6), leads=False)


def plan_section(files: StudyFiles) -> Section | None:
    """Return plans that were found beside what was played."""
    rows = files.own_rows("plans.csv")
    if not rows:
        return None
    names = ("level", "turn", "planned", "played")
    cells = [
        (row["unit_id"], files.chip(row["arm"]), *(row[name] or DASH for name in names), row["stopped"] or "followed")
        for row in rows[:MOST_SHOWN]
    ]
    head = ("Unit", "Condition", "Level", "Turn", "Planned", "Played", "Until")
    caption = f"{min(len(rows), MOST_SHOWN)} of {len(rows)}; mismatch: a frame was not the one that the plan expects."
    return section(
        "plans", "Plans against what was played", folded("Plans", table(head, cells, caption, words=7)), leads=False
    )


def _strip(rows: Sequence[Mapping[str, str]]) -> Markup:
    bars = Markup().join(_bar(place, row) for place, row in enumerate(rows))
    return Markup('<svg width="{}" height="{}" role="img">{}</svg>').format(_WIDTH * len(rows), _HEIGHT, bars)


def _bar(place: int, row: Mapping[str, str]) -> Markup:
    ran, ends = row["executes"] == "True", row["wanted"] not in ("", "ongoing")
    colour = "#bbb"
    if ends:
        colour = "#3b6ea5" if ran and row["outcome"] == row["wanted"] else "#000"
    elif ran and row["graded"] == "True":
        colour = "#2e7d32" if row["accepted"] == "True" else "#c62828"
    coverage = float(row["coverage"] or 0)
    height = _LEFT_OUT + coverage * (_HEIGHT - _LEFT_OUT)
    return Markup(
        '<rect x="{}" y="{:.1f}" width="{}" height="{:.1f}" fill="{}"><title>action {}, level {}</title></rect>'
    ).format(place * _WIDTH, _HEIGHT - height, _WIDTH - 1, height, colour, row["number"], row["level"])


def _difference(said: Grid, seen: Grid) -> Grid:
    found: Grid = np.where(said < 0, GREY, np.where(said != seen, RED, WHITE)).astype(np.int16)
    return found


def _image(grid: Grid) -> Markup:
    rows, columns = np.indices(grid.shape)
    striped = np.where((rows + columns) % 2 == 0, GREY, WHITE)
    shown: Grid = np.where(grid < 0, striped, grid).astype(np.int16)
    data = base64.b64encode(picture(shown)).decode()
    return Markup('<img alt="" width="128" height="128" src="data:image/png;base64,{}">').format(data)


def _by(rows: Sequence[Mapping[str, str]], *names: str) -> dict[tuple[str, ...], list[Mapping[str, str]]]:
    found: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def _named(files: StudyFiles, row: Mapping[str, str]) -> Markup:
    return joined([files.chip(row["arm"]), Markup(" {}").format(row["condition"])])


def _shown(text: str) -> str:
    return number(float(text)) if text else DASH
