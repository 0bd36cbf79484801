"""Repairs the embedded tracker after outputs/ was moved: MLflow stores absolute artifact paths.

    python -m diag relocate [OUTPUTS]

Without this the metrics are there and the artifact list is silently empty (mlflow#3144).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from diag import terminal
from diag.errors import DiagError
from diag.terminal import Words

DATABASE, ARTIFACTS = "mlflow.db", "mlartifacts"
_COLUMNS = (("experiments", "experiment_id", "artifact_location"), ("runs", "run_uuid", "artifact_uri"))


@dataclass(frozen=True)
class Relocation:
    """What was repaired."""

    outputs: Path
    n_changed: int
    """Artifact locations rewritten, of experiments and runs."""
    old_roots: tuple[str, ...]
    """Where the artifacts had been."""
    n_missing: int
    """Runs whose artifact folder is not there even so."""

    def __str__(self) -> str:
        """Say it in one line."""
        lost = f"; {self.n_missing} runs have no artifact folder there" if self.n_missing else ""
        if not self.n_changed:
            return f"{self.outputs}: every artifact location is right{lost}"
        where = ", ".join(self.old_roots)
        return f"{self.outputs} had been moved from {where}: {self.n_changed} artifact locations repaired{lost}"


def relocate(outputs: Path) -> Relocation:
    """Point every artifact location below an `mlartifacts` folder to the one beside the database. Idempotent.

    Locations elsewhere (a bucket, a server) are left alone. All changes are one transaction.

    Raises:
        DiagError: there is no database, or it is none of MLflow's, or it is locked.
    """
    database = outputs / DATABASE
    if not database.is_file():
        raise DiagError(f"{database}: there is no tracking database here; nothing to relocate")
    try:
        with closing(sqlite3.connect(database, timeout=10)) as connection, connection:
            return _repair(connection, outputs.absolute())
    except sqlite3.Error as error:
        raise DiagError(f"{database}: cannot be repaired: {error}") from error


def _repair(connection: sqlite3.Connection, outputs: Path) -> Relocation:
    root, old, n_changed = outputs / ARTIFACTS, set(), 0
    for table, key, column in _COLUMNS:
        if not _has_table(connection, table):
            continue
        rows = connection.execute(f"SELECT {key}, {column} FROM {table}").fetchall()  # noqa: S608 - names from above
        for name, location in rows:
            moved = moved_location(location, root)
            if moved is not None:
                old.add(moved[0])
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (moved[1], name))  # noqa: S608
                n_changed += 1
    return Relocation(outputs, n_changed, tuple(sorted(old)), _n_missing(connection))


def moved_location(location: str | None, root: Path) -> tuple[str, str] | None:
    """Return the old root and the new location of one that lies in another `mlartifacts`; None if nothing is to do."""
    path = _local_path(location)
    if path is None or ARTIFACTS not in path.parts or path.is_relative_to(root):
        return None
    place = len(path.parts) - 1 - path.parts[::-1].index(ARTIFACTS)
    return str(Path(*path.parts[:place])), str(root.joinpath(*path.parts[place + 1 :]))


def _local_path(location: str | None) -> Path | None:
    if not location:
        return None
    if location.startswith("file://"):
        return Path(unquote(location.removeprefix("file://")))
    return Path(location) if location.startswith("/") else None


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(query, (name,)).fetchone() is not None


def _n_missing(connection: sqlite3.Connection) -> int:
    """Count the finished studies whose artifacts are not on disk."""
    if not _has_table(connection, "runs"):
        return 0
    query = (
        "SELECT r.artifact_uri FROM runs r JOIN tags t ON t.run_uuid = r.run_uuid "
        "WHERE t.key = 'role' AND t.value = 'study' AND r.lifecycle_stage = 'active'"
    )
    paths = (_local_path(location) for (location,) in connection.execute(query))
    return sum(path is not None and not path.is_dir() for path in paths)


def main(arguments: Sequence[str], say: Callable[[str], object] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = Words("relocate", "Repair MLflow after moving outputs/")
    parser.add_argument("outputs", nargs="?", type=Path, default=Path("outputs"))
    outputs = parser.parse_args(list(arguments)).outputs.absolute()
    tell = say or terminal.say
    tell(str(relocate(outputs)))
    return 0
