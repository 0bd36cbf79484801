"""The tables of a playtest study: every round, the course of the pass rate, arms in numbers, judges, pass@k."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from diag.records.csv_text import csv_text
from diag.studies.contract import Rows
from diag.studies.playtest.agreement import agreement, pass_at
from diag.studies.study import Study

Row = Mapping[str, Any]
ALL = "all"
"""The row over all games, each with equal weight, or over all arms."""
LIMITED = 0.10
"""A gain from round 1 to the last build of at most so much is limited, as published; other groups are not known."""
KS = (1, 5, 10, 20)
ROUNDS = (
    "unit_id", "arm", "order", "position", "game", "repeat", "round", "starts", "share", "page_share", "outcome",
    "confidence", "fixed", "brought_back", "failing", "found", "missed", "invented", "picture",
)  # fmt: skip
CURVE = ("arm", "game", "round", "tasks", "running", "mean_share")
ARMS = (
    "arm", "tasks", "pass_share", "best_share", "first_share", "whole", "rounds", "stopped_early", "limited_gain",
    "n_fixed", "n_brought_back", "n_found", "n_missed", "n_invented", "find_rate", "repair_rate", "back_rate",
    "there_at_first", "tokens", "cost",
)  # fmt: skip
JUDGES = ("arm", "pair", "criteria", "raw", "kappa", "builds", "spearman", "pearson")
PASS = ("arm", "game", "rollouts", "whole", "k", "pass_at_k")


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the five tables."""
    return {
        "playtest_rounds.csv": csv_text(ROUNDS, _rounds(rows)),
        "playtest_curve.csv": csv_text(CURVE, curve(rows, study.own.rounds)),
        "playtest_arms.csv": csv_text(ARMS, arms(rows)),
        "playtest_judges.csv": csv_text(JUDGES, judges(rows)),
        "playtest_pass_at_k.csv": csv_text(PASS, passes(rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return a line per arm, and how the judges agree."""
    del study
    lines = [
        f"{one['arm']}: {one['pass_share']:.1%} of criteria at the end ({one['first_share']:.1%} in round 1), "
        f"{one['rounds']:.2f} rounds, {one['n_fixed']} defects fixed, {one['n_brought_back']} brought back"
        for one in arms(rows)
    ]
    lines += [
        f"judges {one['pair']}: {one['raw']:.1%} of {one['criteria']} criteria"
        + ("" if one["kappa"] is None else f", kappa {one['kappa']:.2f}")
        for one in judges(rows)
        if one["arm"] == ALL
    ]
    return tuple(lines)


def _rounds(rows: Rows) -> list[dict[str, Any]]:
    return [
        {
            **{name: row["details"][name] for name in ("order", "position", "game")},
            **{name: row[name] for name in ("unit_id", "arm", "repeat")},
            **{name: " ".join(one[name]) for name in ("fixed", "brought_back", "found", "missed")},
            **{name: one[name] for name in ("round", "starts", "share", "page_share", "outcome", "confidence")},
            "invented": "; ".join(one["invented"]),
            "failing": " ".join(name for name, passed in one["truth"].items() if not passed),
            "picture": one["picture"],
        }
        for row in rows
        for one in row["details"]["rounds"]
    ]


def curve(rows: Rows, most: int) -> list[dict[str, Any]]:
    """Return the mean pass rate of every arm, game and round; a task that stopped keeps its last build."""
    found = []
    for arm, mine in by(rows, lambda row: str(row["arm"])).items():
        games = by(mine, lambda row: str(row["details"]["game"]))
        for number in range(1, most + 1):
            of_games = [{"arm": arm, "game": game, **_at(tasks, number)} for game, tasks in games.items()]
            sums = {name: sum(one[name] for one in of_games) for name in ("tasks", "running")}
            mean = fmean(one["mean_share"] for one in of_games)
            found += [*of_games, {"arm": arm, "game": ALL, "round": number, **sums, "mean_share": mean}]
    return sorted(found, key=lambda one: (one["arm"], one["game"], one["round"]))


def _at(tasks: Sequence[Row], number: int) -> dict[str, Any]:
    courses = [[one["share"] for one in row["details"]["rounds"]] for row in tasks]
    shares = [course[min(number, len(course)) - 1] for course in courses]
    running = sum(len(course) >= number for course in courses)
    return {"round": number, "tasks": len(tasks), "running": running, "mean_share": fmean(shares)}


def arms(rows: Rows) -> list[dict[str, Any]]:
    """Return every arm in numbers. Shares of criteria are means of the games' means, counts are sums."""
    return [{"arm": arm, **_of_arm(mine)} for arm, mine in by(rows, lambda row: str(row["arm"])).items()]


def _of_arm(rows: Sequence[Row]) -> dict[str, Any]:
    courses = [row["details"]["rounds"] for row in rows]
    gains = [course[-1]["share"] - course[0]["share"] for course in courses]
    sums = ("n_fixed", "n_brought_back", "n_found", "n_missed", "n_invented", "tokens", "cost")
    return {
        "tasks": len(rows),
        **{name: macro(rows, name) for name in ("pass_share", "best_share", "first_share")},
        **{name: fmean(float(row[name]) for row in rows) for name in ("whole", "rounds", "stopped_early")},
        "limited_gain": fmean(gain <= LIMITED + 1e-9 for gain in gains),
        **{name: _sum(row[name] for row in rows) for name in sums},
        "find_rate": _rate((len(one["found"]), len(one["found"]) + len(one["missed"])) for one in _played(courses)),
        "repair_rate": _rate(_repairs(courses)),
        "back_rate": _rate(_returns(rows)),
        "there_at_first": _rate(_first(row) for row in rows),
    }


def macro(rows: Sequence[Row], name: str) -> float:
    """Return the mean over games of the means over their tasks."""
    return fmean(fmean(float(row[name]) for row in tasks) for tasks in by(rows, _game).values())


def _game(row: Row) -> str:
    return str(row["details"]["game"])


def _played(courses: Iterable[Sequence[Row]]) -> list[Row]:
    return [one for course in courses for one in course if one["outcome"] not in (None, "could-not-start")]


def _repairs(courses: Iterable[Sequence[Row]]) -> list[tuple[int, int]]:
    """Return, for every round but the last, of how many criteria that its report found the next build passes."""
    return [
        (sum(later["truth"][name] for name in one["found"]), len(one["found"]))
        for course in courses
        for one, later in pairwise(course)
    ]


def _returns(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return, for every round but the last, how many seeded defects that were gone are back in the next build."""
    found = []
    for row in rows:
        for one, later in pairwise(row["details"]["rounds"]):
            gone = [name for name in row["details"]["seeded"] if one["truth"][name]]
            found.append((sum(not later["truth"][name] for name in gone), len(gone)))
    return found


def _first(row: Row) -> tuple[int, int]:
    seeded, truth = row["details"]["seeded"], row["details"]["rounds"][0]["truth"]
    return sum(not truth[name] for name in seeded), len(seeded)


def _rate(parts: Iterable[tuple[int, int]]) -> float | None:
    hits, of = (sum(column) for column in zip(*parts, strict=True)) if (parts := list(parts)) else (0, 0)
    return hits / of if of else None


def _sum(values: Iterable[Any]) -> Any:
    found = list(values)
    return None if any(is_missing(one) for one in found) else sum(found)


def is_missing(value: Any) -> bool:
    """Tell whether a cell of the outcome table is empty."""
    return value is None or value != value  # noqa: PLR0124 - NaN is the one value that is not itself


def judges(rows: Rows) -> list[dict[str, Any]]:
    """Return how the oracle and the judge before the page agree on last builds, by arm and over all; none of one."""
    seen = [row for row in rows if row["details"]["rounds"][-1]["page"] is not None]
    groups = {**by(seen, lambda row: str(row["arm"])), **({ALL: seen} if seen else {})}
    found = []
    for arm, mine in groups.items():
        last = [row["details"]["rounds"][-1] for row in mine]
        one = agreement(*([list(end[name].values()) for end in last] for name in ("truth", "page")))
        found.append(
            {"arm": arm, "pair": "oracle-page", "criteria": one.n_criteria, "raw": one.raw, "kappa": one.kappa,
             "builds": one.n_builds, "spearman": one.spearman, "pearson": one.pearson}
        )  # fmt: skip
    return found


def passes(rows: Rows) -> list[dict[str, Any]]:
    """Return pass@k of a whole last build, by arm and game over orders and repeats, for every k that fits."""
    found = []
    for arm, mine in by(rows, lambda row: str(row["arm"])).items():
        for game, tasks in by(mine, _game).items():
            n, c = len(tasks), sum(bool(row["whole"]) for row in tasks)
            kept = {"arm": arm, "game": game, "rollouts": n, "whole": c}
            found += [{**kept, "k": k, "pass_at_k": pass_at(k, n, c)} for k in KS if k <= n]
    return found


def by(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """Return rows by a key, keys in alphabetical order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return dict(sorted(found.items()))
