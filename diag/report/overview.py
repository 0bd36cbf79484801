"""What the overview page shows: the study's facts, and every table's rows as plain values for the template."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from diag.plan import flatten
from diag.report.arm_changes import Started
from diag.report.arm_views import ArmViews
from diag.report.calibration import read_calibration
from diag.report.effect_rows import EffectRow, grouped
from diag.report.figures import forest_rows
from diag.report.plan_sections import aa_section, power_section
from diag.report.study_files import StudyFiles
from diag.report.style import DASH, arm_colour, contrast_words, number, words
from diag.report.tallies import (
    ArmRow,
    Contrast,
    PairRow,
    arm_rows,
    block_rows,
    contrasts,
    pair_rows,
    planned_units,
)

FEW_CLUSTERS = 10
_MANY = 6


@dataclass(frozen=True)
class Facts:
    """What every page of a report says of its study."""

    title: str
    question: str
    agent: str
    simulated: bool
    oracle: bool
    rules_only: bool
    """Played without a browser: no pixels were seen."""
    plan_hash: str
    arms: tuple[str, ...]
    arms_of: dict[str, tuple[str, ...]]
    """Cohort -> its arms."""
    colours: dict[str, str]
    arm_names: dict[str, str]
    n_units: int
    n_valid: int
    n_blocks: int
    blocks_by_cohort: tuple[tuple[str, int], ...]
    clusters_by_cohort: tuple[tuple[str, int], ...]
    cluster: str
    """What the bootstrap resamples, in words."""

    @classmethod
    def of(cls, files: StudyFiles) -> Facts:
        """Collect the facts of a study."""
        units = planned_units(files)
        arms = tuple(sorted(units["arm"].unique()))
        names = {arm: str(files.identity("study", "arms", arm, "name") or "") for arm in arms}
        return cls(
            title=files.title,
            question=files.described("question"),
            agent=files.agent,
            simulated=files.simulated,
            oracle=files.privilege == "solver_oracle",
            rules_only=files.identity("suite", "browser") is False,
            plan_hash=files.plan.plan_hash,
            arms=arms,
            arms_of={str(cohort): tuple(sorted(rows["arm"].unique())) for cohort, rows in units.groupby("cohort")},
            colours={arm: arm_colour(arm, arms) for arm in arms},
            arm_names={arm: words(name) for arm, name in names.items()},
            n_units=len(units),
            n_valid=int(units["valid"].sum()),
            n_blocks=int(units["block_id"].nunique()),
            blocks_by_cohort=_distinct(units, "block_id"),
            clusters_by_cohort=_distinct(units, "cluster"),
            cluster=words(str(files.identity("study", "cluster") or "source_level")),
        )


def overview(
    files: StudyFiles, facts: Facts, starts: Mapping[str, Started], records: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the values of `report.html.j2`, figures and assets left out.

    Args:
        files: the study.
        facts: its facts.
        starts: unit id -> what it started with; units that never ran are absent or empty.
        records: block id -> its file; a block without one is absent.
    """
    arms, blocks = arm_rows(files), block_rows(files)
    shown, hidden = shown_endpoints(files)
    grid = tuple(name for name in (*shown, *hidden) if name in files.yes_no)
    calibration = read_calibration(files.folder)
    views = ArmViews(files, blocks, records, starts)
    design = views.design()
    return {
        "effects": _effect_lines(grouped(files.effects)),
        "missing_pairs": any(row.n_missing for row in forest_rows(files)),
        "few_clusters": any(row.n_clusters < FEW_CLUSTERS for row in files.effects),
        "arms": [_ArmView(row) for row in arms],
        "shown": shown,
        "hidden": hidden,
        "blocks": blocks,
        "grid_endpoints": grid,
        "cells": {unit.unit_id: _cell(files, unit.unit_id, grid) for unit in files.plan.units},
        "pair_tables": _pair_tables(files, shown),
        "endings": sorted({ending for row in arms for ending in row.endings}),
        "codes": files.codes,
        "legend": views.legend(),
        "arm_texts": design,
        "what_differs": views.what_differs(design),
        "instruction": views.ordinary(),
        "incomplete": [block for block in blocks if block.missing],
        "why": {unit.unit_id: _why(files, unit.unit_id) for unit in files.plan.units},
        "calibration": calibration,
        "plan_sections": (power_section(files), aa_section(files, calibration)),
        "unit_endings": {unit.unit_id: _ending(files, unit.unit_id) for unit in files.plan.units},
        "manifest": [(key, _plain(value)) for key, value in flatten(files.manifest).items() if key],
        "config": files.config_text,
    }


def cell_marks(files: StudyFiles, unit_id: str) -> dict[str, Any]:
    """Return one unit's row as text for the head of its page."""
    row = files.rows.get(unit_id, {})
    shown, hidden = shown_endpoints(files)
    return {
        "ending": words(str(row["ending"])) if row.get("ending") is not None else "never run",
        "elapsed": number(_float(row.get("elapsed_s"))),
        "n_actions": _integer(row.get("n_actions")),
        "n_invalid": _integer(row.get("n_invalid_actions")),
        "attempt": _integer(row.get("attempt")),
        "n_attempts": _integer(row.get("n_attempts")),
        "valid": row.get("validity") == "valid",
        "endpoints": _named_values(files, row, shown),
        "further": _named_values(files, row, hidden),
    }


def _named_values(files: StudyFiles, row: Mapping[str, Any], names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [
        (words(name), _value(row[name], yes_no=name in files.yes_no)) for name in names if row.get(name) is not None
    ]


def unit_line(files: StudyFiles, unit_id: str) -> str:
    """Return one unit's outcome as a line."""
    row = cell_marks(files, unit_id)
    yes = [name for name, value in row["endpoints"] if value == "yes"]
    return f"{row['ending']} after {row['elapsed']} s and {row['n_actions']} actions; " + (
        ", ".join(yes) or "no endpoint reached"
    )


class _ArmView:
    """An arm's row with the number of units that ran, for the template."""

    def __init__(self, row: ArmRow) -> None:
        self.row = row
        self.n_run = sum(row.endings.values())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)


def _distinct(units: pd.DataFrame, column: str) -> tuple[tuple[str, int], ...]:
    return tuple((str(cohort), int(count)) for cohort, count in units.groupby("cohort")[column].nunique().items())


def shown_endpoints(files: StudyFiles) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the endpoints the effects are about, and the rest; without effects, the first few and the rest."""
    declared = tuple(name for name in dict.fromkeys(row.endpoint for row in files.effects) if name in files.endpoints)
    shown = declared or files.endpoints[:_MANY]
    return shown, tuple(name for name in files.endpoints if name not in shown)


def _effect_lines(effects: tuple[EffectRow, ...]) -> list[dict[str, Any]]:
    lines, before = [], ""
    for row in effects:
        group = f"{row.cohort} {row.contrast}"
        lines.append(
            {
                "row": row,
                "contrast": row.label,
                "first": group != before,
                "scale": 100.0 if row.is_share else 1.0,
                "digits": 1,
                "reasons": _new_reasons(row),
                "unit": "" if row.is_share else {"time": "seconds", "count": "in count"}.get(row.kind, row.kind),
            }
        )
        before = group
    return lines


def _new_reasons(row: EffectRow) -> tuple[str, ...]:
    """Return the reasons that the effect's sentence does not already give."""
    return tuple(reason for reason in row.reasons if reason.split(": ", 1)[1] not in row.sentence)


def _cell(files: StudyFiles, unit_id: str, endpoints: tuple[str, ...]) -> dict[str, str]:
    """Return one grid cell: a letter per endpoint (1 yes, 0 no, n does not apply, x no valid outcome)."""
    row = files.rows.get(unit_id, {})
    if files.is_valid(unit_id):
        letters = "".join("n" if row[name] is None else str(int(row[name])) for name in endpoints)
    else:
        letters = "x" * len(endpoints)
    word = {"x": "no valid outcome", "n": "does not apply", "1": "yes", "0": "no"}
    kind = {"x": "lost", "n": "na", "1": "yes", "0": "no"}
    first = letters[:1] or "n"
    title = "; ".join(f"{words(name)}: {word[letter]}" for name, letter in zip(endpoints, letters, strict=True))
    ending = "never run" if row.get("ending") is None else words(str(row["ending"]))
    return {"v": letters, "cls": kind[first], "word": word[first], "title": f"{ending}. {title}"}


def _pair_tables(files: StudyFiles, shown: tuple[str, ...]) -> list[dict[str, Any]]:
    by_contrast: dict[Contrast, list[PairRow]] = {contrast: [] for contrast in contrasts(files)}
    for row in pair_rows(files):
        if row.endpoint in shown and row.contrast in by_contrast:
            by_contrast[row.contrast].append(row)
    return [_pair_table(files, contrast, rows) for contrast, rows in by_contrast.items() if rows]


def _pair_table(files: StudyFiles, contrast: Contrast, rows: list[PairRow]) -> dict[str, Any]:
    cohort, treatment, control = contrast
    endpoints = tuple(dict.fromkeys(row.endpoint for row in rows))
    blocks: dict[str, dict[str, PairRow]] = {}
    for row in rows:
        blocks.setdefault(row.block_id, {})[row.endpoint] = row
    return {
        "cohort": cohort,
        "treatment": treatment,
        "control": control,
        "contrast": contrast_words(treatment, control),
        "endpoints": endpoints,
        "counts": [_pair_counts(name, rows) for name in endpoints if name in files.yes_no],
        "rows": [
            {
                "block_id": block_id,
                "cluster": next(iter(found.values())).cluster,
                "pairs": [_pair_text(found.get(name)) for name in endpoints],
            }
            for block_id, found in blocks.items()
        ],
    }


def _pair_counts(endpoint: str, rows: list[PairRow]) -> dict[str, Any]:
    """Count pairs of a yes/no endpoint; with repeats a share of one half or more counts as yes."""
    kinds = Counter(
        (row.treatment >= 0.5, row.control >= 0.5)
        for row in rows
        if row.endpoint == endpoint and row.treatment is not None and row.control is not None
    )
    return {
        "endpoint": endpoint,
        "n": sum(kinds.values()),
        "both": kinds[True, True],
        "up": kinds[True, False],
        "down": kinds[False, True],
        "neither": kinds[False, False],
    }


def _pair_text(row: PairRow | None) -> str:
    if row is None or (row.control is None and row.treatment is None):
        return DASH
    difference = row.difference
    sign = "" if difference is None else " ▲" if difference > 0 else " ▼" if difference < 0 else " ="
    ends = [DASH if value is None else f"{value:.2f}".rstrip("0").rstrip(".") for value in (row.control, row.treatment)]
    return f"{ends[0]} → {ends[1]}{sign}"


def _why(files: StudyFiles, unit_id: str) -> str:
    row = files.rows.get(unit_id, {})
    if files.is_valid(unit_id):
        return ""
    if row.get("ending") is None:
        return "never run"
    kind = row.get("failure_kind")
    return words(str(row["ending"])) + (f" ({kind})" if kind is not None else "")


def _ending(files: StudyFiles, unit_id: str) -> str:
    ending = files.rows.get(unit_id, {}).get("ending")
    return "never_run" if ending is None else str(ending)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _integer(value: Any) -> str:
    return DASH if value is None else str(int(value))


def _value(value: Any, *, yes_no: bool) -> str:
    if yes_no:
        return "yes" if bool(value) else "no"
    if isinstance(value, str):
        return value
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
