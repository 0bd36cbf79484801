"""How a SQLite tracker comes to be: built beside its place and renamed in, so that nobody ever meets half a one.

A kill while MLflow runs its migrations once left a database that no later run could open. What an earlier version left
so is set aside, never deleted; a database that holds a run is never taken for half-made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

NEW = ".new"
_BESIDE = ("", "-wal", "-shm", "-journal")


class DamagedDatabase(Exception):
    """The file is no database that SQLite can read whole."""


def born(database: Path, build: Callable[[Path], None]) -> Path | None:
    """See that a whole database lies at its place; return where half a one was set aside, None if there was none.

    Args:
        database: its place. The caller holds the lock on it.
        build: makes a database at the path it is given, and lets go of it.

    Raises:
        DamagedDatabase: what lies there cannot be read.
    """
    aside = _set_aside(database) if database.exists() and is_half_made(database) else None
    if not database.exists():
        new = database.with_name(database.name + NEW)
        for end in _BESIDE:
            _beside(new, end).unlink(missing_ok=True)
            _beside(database, end).unlink(missing_ok=True)  # a log of a database that is gone is no log of the new one
        build(new)
        _fold(new)
        new.replace(database)
    return aside


def is_half_made(database: Path) -> bool:
    """Tell whether MLflow never finished making it: its tables are not those of a whole one, and no run is in it.

    Raises:
        DamagedDatabase: it cannot be read.
    """
    try:
        with closing(sqlite3.connect(database, timeout=10)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise DamagedDatabase(verdict)
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            if "runs" in tables and connection.execute("SELECT 1 FROM runs LIMIT 1").fetchone():
                return False
            if not {"experiments", "runs", "alembic_version"} <= tables:
                return True
            versions = [str(name) for (name,) in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.OperationalError:
        raise  # locked, or no permission: nothing is wrong with the database
    except sqlite3.DatabaseError as error:
        raise DamagedDatabase(str(error)) from error
    return versions != [_head()] or any(name.startswith("_alembic_tmp_") for name in tables)


def _head() -> str:
    """Return the schema version that this MLflow makes."""
    from mlflow.store.db import utils

    made: Any = utils
    return str(made._get_latest_schema_revision())


def _set_aside(database: Path) -> Path:
    number = 1
    while database.with_name(f"{database.name}.half-made-{number}").exists():
        number += 1
    aside = database.with_name(f"{database.name}.half-made-{number}")
    for end in _BESIDE:
        if _beside(database, end).exists():
            _beside(database, end).replace(_beside(aside, end))
    return aside


def _fold(database: Path) -> None:
    """Bring the log into the file and both to the disk: only the file itself is renamed."""
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    for end in _BESIDE[1:]:
        _beside(database, end).unlink(missing_ok=True)


def _beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)
