"""What the overview page shows: the study's facts, and every table's rows as plain values for the template."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from diag.analysis.calibrate import WHICH_QUESTION
from diag.errors import CorruptRecord
from diag.reading.effect_rows import EffectRow, grouped
from diag.reading.markup import Section
from diag.reading.standing import Standing
from diag.reading.study_files import StudyFiles
from diag.reading.style import DASH, MATCHED_BY_RULES, arm_colour, number, words
from diag.records.looks import looks_sentence
from diag.records.plan import flatten
from diag.report.arm_changes import BlockRecord, Started
from diag.report.arm_views import ArmViews
from diag.report.block_lists import block_list, in_pages
from diag.report.calibration import CalibrationRow, read_calibration
from diag.report.figures import forest_rows
from diag.report.plan_sections import aa_section, lost_calibration, power_section
from diag.report.tallies import ArmRow, arm_rows, block_rows


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
    standing: Standing
    looks: str
    """What a reader must know of looks at the outcomes before the end; empty without any."""
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
        units = files.planned
        arms = tuple(sorted(units["arm"].unique()))
        names = {arm: str(files.identity("study", "arms", arm, "name") or "") for arm in arms}
        return cls(
            title=files.title,
            question=files.described("question"),
            agent=files.agent,
            simulated=files.simulated,
            oracle=files.privilege == "solver_oracle",
            rules_only=files.identity("suite", "browser") is False,
            standing=files.standing,
            looks=looks_sentence(files.looks),
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
    files: StudyFiles, facts: Facts, starts: Mapping[str, Started], records: Mapping[str, BlockRecord]
) -> dict[str, Any]:
    """Return the values of `report.html.j2`, figures and assets left out.

    Args:
        files: the study.
        facts: its facts.
        starts: unit id -> what it started with; units that never ran are absent or empty.
        records: block id -> what was written of it; a block without a file is absent.
    """
    arms, blocks = arm_rows(files), block_rows(files)
    listed = block_list(files, blocks, (*files.shown, *files.hidden), files.shown)
    calibration, lost = _calibration(files.folder)
    views = ArmViews(files, blocks, records, starts)
    design = views.design()
    return {
        "facts": facts,
        "effects": _effect_lines(grouped(files.effects)),
        "missing_pairs": any(row.n_missing for row in forest_rows(files)),
        "percentile_covers": min(filter(None, (row.percentile_coverage for row in files.effects)), default=None),
        "arms": [_ArmView(row) for row in arms],
        "shown": files.shown,
        "hidden": files.hidden,
        "listed": listed,
        "pages": in_pages(listed),
        "endings": sorted({ending for row in arms for ending in row.endings}),
        "codes": files.codes,
        "matched_by_rules": MATCHED_BY_RULES,
        "legend": views.legend(),
        "arm_texts": design,
        "what_differs": views.what_differs(design),
        "instruction": views.ordinary(),
        "calibration": calibration,
        "which_question": WHICH_QUESTION,
        "plan_sections": (power_section(files), aa_section(files, calibration), *lost),
        "manifest": [(key, _plain(value)) for key, value in flatten(files.manifest).items() if key],
        "config": files.config_text,
        "unsealed": files.unsealed,
    }


def _calibration(folder: Path) -> tuple[tuple[CalibrationRow, ...], tuple[Section, ...]]:
    """Return the calibration of a study, or what is said in its place: only `mode=calibrate` can make it again."""
    try:
        return read_calibration(folder), ()
    except CorruptRecord as error:
        return (), (lost_calibration(str(error)),)


def cell_marks(files: StudyFiles, unit_id: str) -> dict[str, Any]:
    """Return one unit's row as text for the head of its page."""
    row = files.rows.get(unit_id, {})
    return {
        "ending": words(str(row["ending"])) if row.get("ending") is not None else "never run",
        "elapsed": number(_float(row.get("elapsed_s"))),
        "n_actions": _integer(row.get("n_actions")),
        "n_invalid": _integer(row.get("n_invalid_actions")),
        "attempt": _integer(row.get("attempt")),
        "n_attempts": _integer(row.get("n_attempts")),
        "valid": row.get("validity") == "valid",
        "endpoints": _named_values(files, row, files.shown),
        "further": _named_values(files, row, files.hidden),
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
