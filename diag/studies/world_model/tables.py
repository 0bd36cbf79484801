"""The tables of a world-model study: the scorecard, diagnostics by condition, matched levels, budget curves, plans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from diag.records.csv_text import csv_text
from diag.starts.grid_games import COHORT
from diag.studies import scorecard
from diag.studies.contract import Rows
from diag.studies.study import Study

DIAGNOSTICS = (
    "execution_rate", "accepted_match", "strict_match", "coverage", "known_cell", "terminal_recall", "terminal_false",
)  # fmt: skip
ENDS = ("end_accepted", "end_coverage")
USED = ("calls", "tokens", "builder_calls", "model_versions", "plans_found", "recommended", "followed", "paused")
CONDITIONS = (
    "arm", "condition", "games", "rhae", "levels_completed", "completed_actions", "unfinished_actions", *DIAGNOSTICS,
    *ENDS, "end_exact_levels", "end_evaluable_levels", *USED,
)  # fmt: skip
MATCHED = ("contrast", "levels", "treatment_actions", "control_actions", "reduction", "fewer", "more", "tied")
CURVE = ("arm", "of", "share", "limit", "rhae", "levels_completed", "actions", "crossed")
TURNS = ("unit_id", "arm", "game", "number", "level", "version", "executes", "graded", "accepted", "coverage", "wanted",
         "outcome")  # fmt: skip
DIVERGENCES = ("unit_id", "arm", "game", "level", "turn", "action", "fault", "n_wrong", "predicted", "seen")
PLANS = ("unit_id", "arm", "game", "level", "turn", "planned", "played", "stopped")


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return all tables."""
    return {
        **scorecard.tables(study, rows),
        "conditions.csv": csv_text(CONDITIONS, conditions(study, rows)),
        "matched_levels.csv": csv_text(MATCHED, matched(study, rows)),
        "budget_curves.csv": csv_text(CURVE, curves(rows)),
        "foreseen.csv": csv_text(TURNS, _each(rows, "foreseen")),
        "divergences.csv": csv_text(DIVERGENCES, _each(rows, "divergences")),
        "plans.csv": csv_text(PLANS, [_plan(one) for one in _each(rows, "plans")]),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the scorecard's lines, and match, coverage and recall of every condition that has a model."""
    lines = [
        f"{row['arm']}: accepted match {_share(row['accepted_match'])} at coverage {_share(row['coverage'])}, "
        f"terminal recall {_share(row['terminal_recall'])}, {row['calls']:g} calls, {row['builder_calls']:g} builds"
        for row in conditions(study, rows)
        if row["execution_rate"]
    ]
    return (*scorecard.summary(study, rows), *lines)


def conditions(study: Study, rows: Rows) -> list[dict[str, Any]]:
    """Return a row per condition: sums over plays; scores and diagnostics are means over the plays that have them."""
    found = []
    for arm, mine in _by_arm(rows).items():
        sums = ("levels_completed", "completed_actions", "unfinished_actions", *USED)
        found.append(
            {
                "arm": arm,
                "condition": study.arms[arm].name,
                "games": len({row["checkpoint_id"] for row in mine}),
                "rhae": fmean(float(row["rhae"]) for row in mine),
                **{name: sum(int(row[name]) for row in mine) for name in sums},
                **{name: _mean(mine, name) for name in (*DIAGNOSTICS, *ENDS)},
                **{name: _sum(mine, name) for name in ("end_exact_levels", "end_evaluable_levels")},
            }
        )
    return found


def matched(study: Study, rows: Rows) -> list[dict[str, Any]]:
    """Return, for every contrast, the actions on the levels that both conditions completed."""
    by_arm = {arm: _levels(mine) for arm, mine in _by_arm(rows).items()}
    found = []
    for contrast in study.contrasts_for(COHORT):
        treated, control = by_arm.get(contrast.treatment, {}), by_arm.get(contrast.control, {})
        pairs = [(treated[key], control[key]) for key in treated if key in control]
        ours, theirs = sum(one for one, _ in pairs), sum(other for _, other in pairs)
        found.append(
            {
                "contrast": str(contrast),
                "levels": len(pairs),
                "treatment_actions": ours,
                "control_actions": theirs,
                "reduction": 1 - ours / theirs if theirs else None,
                "fewer": sum(one < other for one, other in pairs),
                "more": sum(one > other for one, other in pairs),
                "tied": sum(one == other for one, other in pairs),
            }
        )
    return found


def curves(rows: Rows) -> list[dict[str, Any]]:
    """Return the mean score and the sums of every condition at every share of the budgets."""
    found = []
    for arm, mine in _by_arm(rows).items():
        by_point: dict[tuple[str, float], list[Mapping[str, Any]]] = {}
        for row in mine:
            for point in row["details"]["curve"]:
                by_point.setdefault((point["of"], point["share"]), []).append(point)
        for (of, share), points in by_point.items():
            found.append(
                {
                    "arm": arm,
                    "of": of,
                    "share": share,
                    "limit": points[0]["limit"],
                    "rhae": fmean(one["rhae"] for one in points),
                    **{name: sum(one[name] for one in points) for name in ("levels_completed", "actions", "crossed")},
                }
            )
    return found


def _by_arm(rows: Rows) -> dict[str, list[Mapping[str, Any]]]:
    arms = sorted({str(row["arm"]) for row in rows})
    return {arm: [row for row in rows if row["arm"] == arm] for arm in arms}


def _levels(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, str], int]:
    """Return the actions of every completed level, by game, repeat and level."""
    return {
        (str(row["checkpoint_id"]), str(row["repeat"]), level["level"]): level["actions"]
        for row in rows
        for level in row["details"]["levels"]
        if level["actions"] is not None
    }


def _each(rows: Rows, name: str) -> list[dict[str, Any]]:
    return [
        {"unit_id": row["unit_id"], "arm": row["arm"], "game": row["checkpoint_id"], **one}
        for row in rows
        for one in row["details"][name]
    ]


def _plan(one: Mapping[str, Any]) -> dict[str, Any]:
    return {**one, "planned": ", ".join(one["planned"]), "played": ", ".join(one["played"])}


def _mean(rows: Sequence[Mapping[str, Any]], name: str) -> float | None:
    known = [float(row[name]) for row in rows if _is_known(row[name])]
    return fmean(known) if known else None


def _sum(rows: Sequence[Mapping[str, Any]], name: str) -> int | None:
    known = [int(row[name]) for row in rows if _is_known(row[name])]
    return sum(known) if known else None


def _is_known(value: Any) -> bool:
    return value is not None and not math.isnan(float(value))


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.1%}"
