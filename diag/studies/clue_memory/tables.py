"""The tables of a clue-memory study: every clue's timeline, the gaps, and how far the judge and the evaluator agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, median
from typing import Any

from diag.records.csv_text import csv_text
from diag.studies.clue_memory.judge import Agreement, Completion, agreement
from diag.studies.contract import Rows
from diag.studies.study import Study

TIMELINE_COLUMNS = ("unit_id", "arm", "level", "distance", "repeat", "emblem", "seen", "stored", "used", "gap")
GAP_COLUMNS = ("arm", "distance", "plays", "successes", "gaps", "mean", "median", "least", "most")
AGREEMENT_COLUMNS = ("arm", "episodes", "accuracy", "spearman", "pearson", "judge_mean", "truth_mean")
ALL = "all"
"""The row over all arms."""


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the three tables."""
    del study
    return {
        "clue_timelines.csv": csv_text(TIMELINE_COLUMNS, _timelines(rows)),
        "clue_gaps.csv": csv_text(GAP_COLUMNS, _gaps(rows)),
        "judge_agreement.csv": csv_text(AGREEMENT_COLUMNS, _agreements(rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return successes and gaps by arm, and the judge's agreement over all."""
    del study
    lines = []
    for arm in _arms(rows):
        found = [row for row in rows if row["arm"] == arm]
        gaps = _gap_values(found)
        gap = f", median gap {median(gaps):g} actions" if gaps else ""
        lines.append(f"{arm}: {sum(bool(row['success']) for row in found)} of {len(found)} levels won{gap}")
    if rows:
        whole = _agreement(rows)
        lines.append(f"judge: same K as the evaluator in {whole.accuracy:.1%} of {whole.n_episodes} plays")
    return tuple(lines)


def _timelines(rows: Rows) -> list[dict[str, Any]]:
    return [
        {**line, "unit_id": row["unit_id"], "arm": row["arm"], "distance": row["details"]["distance"],
         "repeat": row["repeat"]}
        for row in rows
        for line in row["details"]["timelines"]
    ]  # fmt: skip


def _gaps(rows: Rows) -> list[dict[str, Any]]:
    found = []
    for arm in _arms(rows):
        mine = [row for row in rows if row["arm"] == arm]
        for distance in sorted({row["details"]["distance"] for row in mine}, key=lambda name: (len(name), name)):
            these = [row for row in mine if row["details"]["distance"] == distance]
            found.append({"arm": arm, "distance": distance, **_spread(these)})
    return found


def _spread(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    gaps = _gap_values(rows)
    size = {"plays": len(rows), "successes": sum(bool(row["success"]) for row in rows), "gaps": len(gaps)}
    if not gaps:
        return {**size, "mean": None, "median": None, "least": None, "most": None}
    return {**size, "mean": mean(gaps), "median": median(gaps), "least": min(gaps), "most": max(gaps)}


def _gap_values(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    return [line["gap"] for row in rows for line in row["details"]["timelines"] if line["gap"] is not None]


def _agreements(rows: Rows) -> list[dict[str, Any]]:
    groups = {arm: [row for row in rows if row["arm"] == arm] for arm in _arms(rows)}
    groups = {**groups, **({ALL: list(rows)} if rows else {})}
    return [{"arm": arm, **_agreement_row(found)} for arm, found in groups.items()]


def _agreement_row(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found = _agreement(rows)
    return {
        "episodes": found.n_episodes,
        "accuracy": found.accuracy,
        "spearman": found.spearman,
        "pearson": found.pearson,
        "judge_mean": mean(float(row["judge_completion"]) for row in rows),
        "truth_mean": mean(float(row["completion"]) for row in rows),
    }


def _agreement(rows: Sequence[Mapping[str, Any]]) -> Agreement:
    return agreement([_completion(row, "judge") for row in rows], [_completion(row, "truth") for row in rows])


def _completion(row: Mapping[str, Any], whose: str) -> Completion:
    return Completion(tuple(row["details"][whose]), row["details"]["n_milestones"])


def _arms(rows: Rows) -> list[str]:
    return sorted({str(row["arm"]) for row in rows})
