"""Counts over the outcome table: by arm, by block, by pair. Pure; every figure keeps its denominator beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from diag.analysis.proportions import wilson
from diag.reading.effect_rows import Bounds
from diag.reading.study_files import StudyFiles, is_yes_no
from diag.records import Unit
from diag.studies.registry import kind_of_record

Contrast = tuple[str, str, str]
"""Cohort, treatment, control."""


@dataclass(frozen=True)
class Rate:
    """`n_yes` of `n`, with its Wilson interval (units taken as independent; None without units)."""

    n_yes: int
    n: int
    wilson: Bounds | None

    @property
    def share(self) -> float | None:
        """Proportion in [0, 1]; None without units."""
        return self.n_yes / self.n if self.n else None


@dataclass(frozen=True)
class Spread:
    """Median and range of a number over the units that have it, out of `n` valid units."""

    median: float | None
    low: float | None
    high: float | None
    n_with: int
    n: int


@dataclass(frozen=True)
class ArmRow:
    """One arm of one cohort."""

    cohort: str
    arm: str
    n_planned: int
    n_valid: int
    cells: dict[str, Rate | Spread | None]
    """By endpoint; None: the endpoint does not apply to the cohort."""
    codes: dict[str, Rate]
    endings: dict[str, int]
    """Counts over every unit of the arm that has an attempt."""
    n_attempts: int
    n_retried: int
    """Units that needed more than one attempt."""
    n_without_valid: int
    """Planned units that never got a valid attempt, never started ones included."""


@dataclass(frozen=True)
class BlockRow:
    """One block: its units by arm."""

    block_id: str
    cohort: str
    cluster: str
    units: dict[str, tuple[str, ...]]
    """Arm -> unit ids in repeat order."""
    missing: tuple[str, ...]
    """Units without a valid outcome."""


@dataclass(frozen=True)
class PairRow:
    """One block's values under one contrast: primary units, replicates averaged; None where an arm has no value."""

    contrast: Contrast
    endpoint: str
    block_id: str
    cluster: str
    control: float | None
    treatment: float | None

    @property
    def difference(self) -> float | None:
        """Treatment minus control."""
        return None if self.control is None or self.treatment is None else self.treatment - self.control


def yes_no_endpoints(files: StudyFiles) -> tuple[str, ...]:
    """Return the endpoints that are truth values."""
    return tuple(name for name in files.endpoints if name in files.yes_no)


def time_endpoints(files: StudyFiles) -> tuple[str, ...]:
    """Return the endpoints that the study's kind declares in seconds and that at least one unit has."""
    kind = kind_of_record(str(files.identity("study", "kind")))
    declared = () if kind is None else tuple(one.name for one in kind.endpoints if one.kind == "seconds")
    return tuple(name for name in files.endpoints if name in declared and files.outcomes[name].notna().any())


def arm_rows(files: StudyFiles) -> tuple[ArmRow, ...]:
    """Return one row per cohort and arm, cohorts and arms in name order."""
    units = files.planned
    applies = {
        str(cohort): {name for name in files.endpoints if rows.loc[rows["counted"], name].notna().any()}
        for cohort, rows in units.groupby("cohort")
    }
    return tuple(
        _arm_row(files, str(cohort), str(arm), rows, applies[str(cohort)])
        for (cohort, arm), rows in units.groupby(["cohort", "arm"], sort=True)
    )


def block_rows(files: StudyFiles) -> tuple[BlockRow, ...]:
    """Return the blocks, cohort by cohort, in planned order of their first unit."""
    members: dict[str, list[Unit]] = {}
    for unit in sorted(files.plan.units, key=lambda unit: unit.order):
        members.setdefault(unit.block_id, []).append(unit)
    return tuple(sorted((_block_row(files, units) for units in members.values()), key=lambda row: row.cohort))


def contrasts(files: StudyFiles) -> tuple[Contrast, ...]:
    """Return the contrasts of the effects in file order; without effects, every arm against its cohort's first."""
    found = dict.fromkeys((row.cohort, row.treatment, row.control) for row in files.effects)
    if found:
        return tuple(found)
    arms: dict[str, list[str]] = {}
    for row in arm_rows(files):
        arms.setdefault(row.cohort, []).append(row.arm)
    return tuple((cohort, arm, names[0]) for cohort, names in arms.items() for arm in names[1:])


def pair_rows(files: StudyFiles) -> tuple[PairRow, ...]:
    """Return every block's values for every contrast and endpoint that applies, blocks in planned order."""
    units = files.planned
    units = units[units["counted"]]
    blocks = block_rows(files)
    rows: list[PairRow] = []
    numeric = [
        name
        for name in files.endpoints
        if is_yes_no(files.outcomes[name]) or pd.api.types.is_numeric_dtype(files.outcomes[name])
    ]
    means = {name: _means(units, name) for name in numeric}
    for contrast in contrasts(files):
        cohort, treatment, control = contrast
        members = [block for block in blocks if block.cohort == cohort]
        for name in numeric:
            values = means[name]
            found = [
                PairRow(
                    contrast,
                    name,
                    b.block_id,
                    b.cluster,
                    values.get((b.block_id, control)),
                    values.get((b.block_id, treatment)),
                )
                for b in members
            ]
            if any(row.control is not None or row.treatment is not None for row in found):
                rows.extend(found)
    return tuple(rows)


def recovery_steps(files: StudyFiles, endpoint: str, cohort: str, arm: str) -> tuple[list[float], list[float], int]:
    """Return times, cumulative shares, and the denominator: every unit of the arm that counts, reached or not."""
    units = files.planned
    rows = units[(units["cohort"] == cohort) & (units["arm"] == arm) & units["counted"]]
    times = sorted(float(value) for value in rows[endpoint].dropna())
    n = len(rows)
    return times, [(place + 1) / n for place in range(len(times))], n


def _block_row(files: StudyFiles, units: Sequence[Unit]) -> BlockRow:
    arms = sorted({unit.arm for unit in units})
    by_arm = {
        arm: tuple(u.unit_id for u in sorted(units, key=lambda unit: unit.repeat) if u.arm == arm) for arm in arms
    }
    missing = tuple(unit.unit_id for unit in units if not files.is_valid(unit.unit_id))
    return BlockRow(units[0].block_id, units[0].cohort, units[0].cluster, by_arm, missing)


def _arm_row(files: StudyFiles, cohort: str, arm: str, rows: pd.DataFrame, applies: set[str]) -> ArmRow:
    counted = rows[rows["counted"]]
    attempts = rows["n_attempts"].fillna(0) if "n_attempts" in rows else pd.Series([0])
    return ArmRow(
        cohort=cohort,
        arm=arm,
        n_planned=len(rows),
        n_valid=int(rows["valid"].sum()),
        cells={
            name: _cell(files.outcomes[name], counted[name]) if name in applies else None for name in files.endpoints
        },
        codes={name: _rate(counted[f"code_{name}"]) for name in files.codes},
        endings={
            str(name): int(count)
            for name, count in rows.loc[rows["counted"] | ~rows["valid"], "ending"].dropna().value_counts().items()
        },
        n_attempts=int(attempts.sum()),
        n_retried=int((attempts > 1).sum()),
        n_without_valid=int((~rows["valid"]).sum()),
    )


def _cell(whole: pd.Series, values: pd.Series) -> Rate | Spread | None:
    if is_yes_no(whole):
        return _rate(values)
    if not pd.api.types.is_numeric_dtype(whole):
        return None
    found = values.dropna().astype(float)
    if found.empty:
        return Spread(None, None, None, 0, len(values))
    return Spread(float(found.median()), float(found.min()), float(found.max()), len(found), len(values))


def _rate(values: pd.Series) -> Rate:
    found = values.dropna()
    n_yes = int(found.astype(bool).sum())
    limits = wilson(n_yes, len(found))
    if limits.low is None or limits.high is None:
        return Rate(n_yes, len(found), None)
    return Rate(n_yes, len(found), Bounds(limits.low, limits.high))


def _means(units: pd.DataFrame, name: str) -> dict[tuple[str, str], float]:
    found = units[["block_id", "arm", name]].dropna()
    means = found.assign(**{name: found[name].astype(float)}).groupby(["block_id", "arm"])[name].mean()
    return {(str(block), str(arm)): float(value) for (block, arm), value in zip(means.index, means, strict=True)}


def rows_as_table(rows: Sequence[PairRow]) -> pd.DataFrame:
    """Return pair rows as a table with one line per block, contrast and endpoint."""
    columns = ("cohort", "contrast", "endpoint", "block_id", "cluster", "control", "treatment", "difference")
    lines: list[tuple[Any, ...]] = []
    for row in rows:
        cohort, treatment, control = row.contrast
        values = (row.control, row.treatment, row.difference)
        lines.append((cohort, f"{treatment}-{control}", row.endpoint, row.block_id, row.cluster, *values))
    return pd.DataFrame(lines, columns=list(columns))
