"""The study's tables: condition values over repetitions, their differences, how much of the gap is recovered, returns.

An evaluation block is the whole collection of targets under one condition, in one setting and repetition. A condition's
value is the mean of its blocks' means. Differences are differences of those values: repetitions are not matched, no
seeds are the same between conditions, and no significance is claimed here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from diag.records.csv_text import csv_text
from diag.studies.continuation.condition import SETTINGS, Condition
from diag.studies.continuation.scores import gap_recovery
from diag.studies.contract import Rows
from diag.studies.study import Study

SCORES = ("rhae", "rhae_60", "rhae_70", "rhae_80")
MEANS = (*SCORES, "solved", "x1_solved", "reached", "step_fraction", "target_actions", "returns", "idle_returns",
         "game_overs", "agent_resets", "controller_resets", "violations", "cost_tokens")  # fmt: skip
CONDITIONS = ("setting", "arm", "condition", "repeat", "targets", *MEANS)
CONTRASTS = (
    "setting",
    "contrast",
    "endpoint",
    "difference",
    "treatment",
    "control",
    "treatment_blocks",
    "control_blocks",
)
RECOVERY = ("setting", "arm", "endpoint", "gap", "recovered")
EXPERIENCE = ("arm", "condition", "endpoint", "single", "curriculum", "difference")
RETURNS = ("unit_id", "setting", "arm", "n", "kind", "told_at_step", "step", "progress", "told", "report")
MEAN = "mean"
"""What stands for the repetition in the row of a condition's value."""
COMPARED = (*SCORES, "x1_solved", "step_fraction", "cost_tokens")


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the five tables."""
    values = condition_rows(study, rows)
    return {
        "conditions.csv": csv_text(CONDITIONS, values),
        "contrasts.csv": csv_text(CONTRASTS, contrast_rows(study, values)),
        "gap_recovery.csv": csv_text(RECOVERY, recovery_rows(study, values)),
        "experience.csv": csv_text(EXPERIENCE, experience_rows(study, values)),
        "returns.csv": csv_text(RETURNS, _returns(rows)),
    }


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return a line per condition and setting, and what share of the gap is recovered."""
    values = condition_rows(study, rows)
    lines = [
        f"{row['setting']} {row['arm']}: RHAE {row['rhae']:.2f}, f = 0.6, 0.7, 0.8: {row['rhae_60']:.2f}, "
        f"{row['rhae_70']:.2f}, {row['rhae_80']:.2f}; x1 {row['x1_solved']:.1%}; {row['returns']:.2f} returns, "
        f"{row['cost_tokens']:.0f} cost tokens a run"
        for row in values
        if row["repeat"] == MEAN
    ]
    lines += [
        f"{row['setting']} {row['arm']}: {row['recovered']:.0%} of the gap of {row['gap']:.2f} points recovered"
        for row in recovery_rows(study, values)
        if row["endpoint"] == "rhae_70" and row["recovered"] is not None
    ]
    return tuple(lines)


def condition_rows(study: Study, rows: Rows) -> list[dict[str, Any]]:
    """Return a row per evaluation block, and one per condition and setting with the mean of its blocks."""
    found: list[dict[str, Any]] = []
    for setting in SETTINGS:
        for arm in sorted(study.arms):
            mine = [row for row in rows if (row["cohort"], row["arm"]) == (setting, arm)]
            repeats = sorted({int(row["repeat"]) for row in mine})
            named = {"setting": setting, "arm": arm, "condition": study.arms[arm].name}
            blocks = [
                {**named, "repeat": repeat, **_block([row for row in mine if int(row["repeat"]) == repeat])}
                for repeat in repeats
            ]
            if blocks:
                means = {name: _mean([block[name] for block in blocks]) for name in MEANS}
                found += [*blocks, {**named, "repeat": MEAN, "targets": blocks[0]["targets"], **means}]
    return found


def _block(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"targets": len(rows), **{name: _mean([row[name] for row in rows]) for name in MEANS}}


def _mean(values: Sequence[Any]) -> float | None:
    known = [float(value) for value in values if value is not None and not math.isnan(float(value))]
    return fmean(known) if known else None


def contrast_rows(study: Study, values: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the difference of two conditions' values for every contrast, setting and score."""
    found = []
    for setting in SETTINGS:
        contrasts = study.contrasts_for(setting) if setting in study.cohorts else ()
        for contrast in contrasts:
            treated, control = (_value(values, setting, arm) for arm in (contrast.treatment, contrast.control))
            if treated is None or control is None:
                continue
            sizes = {"treatment_blocks": _n_blocks(values, setting, contrast.treatment),
                     "control_blocks": _n_blocks(values, setting, contrast.control)}  # fmt: skip
            for name in COMPARED:
                one, other = treated[name], control[name]
                difference = None if one is None or other is None else one - other
                found.append({"setting": setting, "contrast": str(contrast), "endpoint": name, "difference": difference,
                              "treatment": one, "control": other, **sizes})  # fmt: skip
    return found


def recovery_rows(study: Study, values: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return which share of the gap from stop-and-report to textual each condition with managed RESET recovers."""
    arms = {str(one.kind): arm for arm, one in study.arms.items() if isinstance(one, Condition)}
    found = []
    for setting in SETTINGS:
        stop, textual = (_value(values, setting, arms.get(kind, "")) for kind in ("stop_and_report", "textual"))
        for kind in ("controlled_reset", "controlled_reset_oracle"):
            managed = _value(values, setting, arms.get(kind, ""))
            if stop is None or textual is None or managed is None:
                continue
            for name in SCORES:
                share = gap_recovery(managed[name], stop[name], textual[name])
                gap = textual[name] - stop[name]
                found.append({"setting": setting, "arm": arms[kind], "endpoint": name, "gap": gap, "recovered": share})
    return found


def experience_rows(study: Study, values: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what easier levels before the target change, condition by condition."""
    found = []
    for arm in sorted(study.arms):
        single, curriculum = (_value(values, setting, arm) for setting in SETTINGS)
        for name in COMPARED if single is not None and curriculum is not None else ():
            alone, after = (single or {})[name], (curriculum or {})[name]
            found.append({"arm": arm, "condition": study.arms[arm].name, "endpoint": name, "single": alone,
                          "curriculum": after,
                          "difference": None if alone is None or after is None else after - alone})  # fmt: skip
    return found


def _value(values: Sequence[Mapping[str, Any]], setting: str, arm: str) -> Mapping[str, Any] | None:
    for row in values:
        if (row["setting"], row["arm"], row["repeat"]) == (setting, arm, MEAN):
            return row
    return None


def _n_blocks(values: Sequence[Mapping[str, Any]], setting: str, arm: str) -> int:
    return sum((row["setting"], row["arm"]) == (setting, arm) and row["repeat"] != MEAN for row in values)


def _returns(rows: Rows) -> list[dict[str, Any]]:
    return [
        {"unit_id": row["unit_id"], "setting": row["details"]["setting"], "arm": row["arm"], "step": "",
         "progress": "", "report": "", **one}
        for row in rows
        for one in row["details"]["returns"]
    ]  # fmt: skip
