"""What the program promises about every fault, as checks on a study's files."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from diag.records.study_folder import AttemptStatus, StudyFolder

COUNTERS = ("attempt", "n_attempts", "n_failed")
"""Columns of the outcome table that tell of the attempts a fault cost."""


@dataclass(frozen=True)
class Tables:
    """What a study came to: equal whatever happened on the way."""

    outcomes: str
    """The outcome table without the attempt counters."""
    effects: bytes
    n_tracked: int
    """Live runs in the tracker; 0 without one."""


def tables_of(outputs: Path, *, seconds: bool = True) -> Tables:
    """Read the tables of the one study below `outputs`, with or without the columns in seconds.

    Raises:
        FileNotFoundError: there are none.
    """
    tables = study_folder(outputs).tables
    return Tables(
        without_counters((tables / "outcomes.csv").read_text(), seconds=seconds),
        (tables / "effects.json").read_bytes(),
        tracked_runs(outputs / "mlflow.db"),
    )


def study_folder(outputs: Path) -> StudyFolder:
    """Return the one study below `outputs`. Raises FileNotFoundError: there is none."""
    for plan in sorted(outputs.glob("*/*/plan.json")):
        return StudyFolder(plan.parent)
    raise FileNotFoundError(f"{outputs} holds no study")


def without_counters(table: str, *, seconds: bool = True) -> str:
    """Return a CSV table without the attempt counters, and without seconds where they are not wanted."""
    rows = list(csv.DictReader(io.StringIO(table)))
    out = io.StringIO()
    names = [
        name for name in (rows[0] if rows else ()) if name not in COUNTERS and (seconds or not name.endswith("_s"))
    ]
    writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def tracked_runs(database: Path) -> int:
    """Return how many live runs a tracker's database holds; 0 if there is none."""
    if not database.is_file():
        return 0
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("select count(*) from runs where lifecycle_stage = 'active'").fetchone()
    return int(found[0])


def attempts(outputs: Path) -> tuple[AttemptStatus, ...]:
    """Return every complete attempt of the study; none before it was planned."""
    try:
        folder = study_folder(outputs)
    except FileNotFoundError:
        return ()
    units = folder.root / "units"
    names = sorted(path.name for path in units.iterdir()) if units.is_dir() else []
    return tuple(status for name in names for status in folder.attempts(name))


def failures(outputs: Path) -> dict[str, int]:
    """Return how many attempts the apparatus is charged with, by kind."""
    return dict(Counter(one.failure_kind or "" for one in attempts(outputs) if one.validity != "valid"))


def finished_files(outputs: Path) -> dict[Path, bytes]:
    """Return every byte of every finished attempt."""
    found: dict[Path, bytes] = {}
    for status in attempts(outputs):
        folder = study_folder(outputs).attempt_folder(status.unit_id, status.attempt)
        found |= {path: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    return found


def broken_promises(before: Mapping[Path, bytes], outputs: Path, wanted: Tables, *, seconds: bool = True) -> list[str]:
    """Return what a study, finished after a fault, does not hold of what was promised."""
    broken = [f"{path.parent.parent.name}: lost or changed" for path, data in before.items() if not _holds(path, data)]
    valid = Counter(one.unit_id for one in attempts(outputs) if one.validity == "valid")
    broken += [f"{unit} counts {n} times" for unit, n in valid.items() if n != 1]
    try:
        found = tables_of(outputs, seconds=seconds)
    except FileNotFoundError as error:
        return [*broken, f"no tables: {error}"]
    broken += ["the outcome table differs"] if found.outcomes != wanted.outcomes else []
    broken += ["the effects differ"] if found.effects != wanted.effects else []
    broken += [f"{found.n_tracked} tracked runs"] if found.n_tracked != wanted.n_tracked else []
    return list(dict.fromkeys(broken))


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
