"""Sections of a playtest study (docs/studies/playtest.md): arms in numbers, rounds side by side, the judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from diag.reading.markup import Section, abreast, folded, joined, section, table, titled
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH

PUBLISHED = (
    "Published (Play2Code, 200 games): judge against people 87.9 % of criteria, kappa .66, Spearman .89, Pearson .89; "
    "people among themselves 91.4 %, .68, .92, .93."
)
WIDTH = 260
"""Pixels of a round's screenshot."""
Row = Mapping[str, str]


def arms_in_numbers(files: StudyFiles) -> Section | None:
    """Return every arm in numbers, and the course of its pass rate over the rounds."""
    rows = files.own_rows("playtest_arms.csv")
    if not rows:
        return None
    names = ("tasks", "first_share", "pass_share", "best_share", "rounds", "stopped_early", "limited_gain", "n_fixed",
             "n_brought_back", "n_found", "n_missed", "n_invented", "tokens", "cost")  # fmt: skip
    head = ("Arm", "Tasks", "Round 1", "Last build", "Best build", "Rounds", "Stopped early", "Limited gain", "Fixed",
            "Brought back", "Found", "Missed", "Invented", "Tokens", "Cost")  # fmt: skip
    cells = [(files.chip(row["arm"]), *(_short(row[name]) for name in names)) for row in rows]
    caption = (
        "Shares of rubric criteria are means over games of the means over their tasks. A gain of at most 10 points "
        "from round 1 to the last build is limited. Defects are counted by the verdicts on their criteria."
    )
    return section("playtest-arms", "Rounds, repairs and reports by arm", table(head, cells, caption), _course(files))


def _course(files: StudyFiles) -> Markup:
    rows = [row for row in files.own_rows("playtest_curve.csv") if row["game"] == "all"]
    numbers = sorted({int(row["round"]) for row in rows})
    arms = list(dict.fromkeys(row["arm"] for row in rows))
    shares = {(row["arm"], int(row["round"])): row["mean_share"] for row in rows}
    cells = [(files.chip(arm), *(_short(shares[arm, number]) for number in numbers)) for arm in arms]
    caption = "Mean share of criteria after each round, games with equal weight. A stopped task keeps its last build."
    return table(("Arm", *(f"Round {number}" for number in numbers)), cells, caption)


def rounds_side_by_side(files: StudyFiles) -> Section | None:
    """Return every task's rounds side by side: screenshot, score, what was found, missed, invented, fixed."""
    rows = files.own_rows("playtest_rounds.csv")
    if not rows:
        return None
    parts = []
    for game, of_game in by(rows, "game").items():
        units = [_task(files, unit) for unit in by(of_game, "unit_id").values()]
        parts.append(folded(f"{game}: {len(units)} tasks", joined(units)))
    return section("playtest-rounds", "Builds round by round", joined(parts))


def _task(files: StudyFiles, rounds: Sequence[Row]) -> Markup:
    first = rounds[0]
    place = Markup(" order {}, task {}, r{}").format(first["order"], first["position"], first["repeat"])
    head = Markup("<h3>{}{}</h3>").format(files.chip(first["arm"]), place)
    return head + abreast(_round(row) for row in rounds)


def _round(row: Row) -> Markup:
    lines = (
        ("fails", row["failing"]), ("found", row["found"]), ("missed", row["missed"]), ("invented", row["invented"]),
        ("fixed", row["fixed"]), ("brought back", row["brought_back"]),
    )  # fmt: skip
    said = Markup().join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, words.replace("_", " ")) for name, words in lines if words
    )
    played = f"{row['outcome']}, {row['confidence']} confidence" if row["outcome"] else "not played"
    text = Markup("<p>{}: {} of criteria</p><dl>{}</dl>").format(played, _percent(row["share"]), said)
    return titled(f"Round {row['round']}", _picture(row["picture"], f"round {row['round']}") + text)


def _picture(name: str, what: str) -> Markup:
    if not name:
        return Markup("")
    return Markup('<img src="pictures/{}/{}.png" width="{}" loading="lazy" alt="level 1 in {}">').format(
        name[:2], name, WIDTH, what
    )


def judges_agree(files: StudyFiles) -> Section | None:
    """Return how far the judge before the page agrees with the oracle."""
    rows = files.own_rows("playtest_judges.csv")
    if not rows:
        return None
    names = ("criteria", "raw", "kappa", "builds", "spearman", "pearson")
    cells = [(row["arm"], row["pair"], *(_short(row[name]) for name in names)) for row in rows]
    head = ("Arm", "Judges", "Criteria", "Raw", "Kappa", "Builds", "Spearman", "Pearson")
    caption = (
        "On last builds. Kappa by each judge's own marginals; correlations of scores need both to vary. The judge "
        f"before the page cannot read and has not seen the game as it is meant. {PUBLISHED}"
    )
    return section("playtest-judges", "The judges", table(head, cells, caption, words=2), leads=False)


def by(rows: Sequence[Row], name: str) -> dict[str, list[Row]]:
    """Return rows by a column, in the order of first sight."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


def _percent(text: str) -> str:
    return f"{float(text):.0%}"


def _short(text: str) -> str:
    """Return a number of a table with at most three decimals."""
    return DASH if not text else f"{float(text):.3f}".rstrip("0").rstrip(".")
