"""The tracker's database is whole or not there; half a one is set aside, a damaged one named."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from diag.tracking.birth import DamagedDatabase, born, is_half_made
from diag.tracking.projection import project
from diag.tracking.store import TrackingError

_MAKE = """
import sys
from pathlib import Path
from diag.tracking.store import open_tracker
with open_tracker(Path(sys.argv[1]), None):
    pass
"""


def half_made(database: Path, *statements: str) -> None:
    """Leave what a killed migration leaves: some tables, no run, no final version."""
    with closing(sqlite3.connect(database)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    "statements",
    [
        (),
        pytest.param(("CREATE TABLE experiments (experiment_id INTEGER)",), marks=pytest.mark.slow),
        ("CREATE TABLE _alembic_tmp_endpoints (id INTEGER)", "CREATE TABLE runs (run_uuid TEXT)"),
        pytest.param(
            (
                "CREATE TABLE experiments (id INTEGER)",
                "CREATE TABLE runs (run_uuid TEXT)",
                "CREATE TABLE alembic_version (version_num TEXT)",
                "INSERT INTO alembic_version VALUES ('451aebb31d03')",
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_half_a_database_is_set_aside_with_a_line_and_the_study_is_tracked(
    folder: Path, settings, statements: tuple[str, ...]
):
    database = folder.parent.parent / "mlflow.db"
    database.unlink()
    half_made(database, *statements)
    if not statements:
        database.touch()
    kept = database.read_bytes()
    said = str(project(folder, settings))
    assert "set aside as mlflow.db.half-made-1" in said
    assert database.with_name("mlflow.db.half-made-1").read_bytes() == kept
    assert "half-made" not in str(project(folder, settings))


def test_a_left_over_temporary_table_in_a_whole_database_is_half_a_migration(empty_database: Path, tmp_path: Path):
    database = Path(shutil.copy(empty_database, tmp_path / "mlflow.db"))
    assert not is_half_made(database)
    half_made(database, "CREATE TABLE _alembic_tmp_endpoints (id INTEGER)")
    assert is_half_made(database)


def test_a_database_with_a_run_in_it_is_never_set_aside(tmp_path: Path):
    database = tmp_path / "mlflow.db"
    half_made(database, "CREATE TABLE runs (run_uuid TEXT)", "INSERT INTO runs VALUES ('a')")
    assert not is_half_made(database)


@pytest.mark.parametrize("content", [b"no database at all" * 99, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_database_is_named_with_what_to_do(folder: Path, settings, content: bytes):
    database = folder.parent.parent / "mlflow.db"
    database.write_bytes(content)
    with pytest.raises(TrackingError, match=r"mlflow\.db is damaged .*move it away first"):
        project(folder, settings)
    assert database.read_bytes() == content
    with pytest.raises(DamagedDatabase):
        is_half_made(database)


def test_a_builder_that_dies_leaves_no_database_and_the_next_one_starts_anew(tmp_path: Path):
    database = tmp_path / "mlflow.db"

    def dies(place: Path) -> None:
        half_made(place, "CREATE TABLE experiments (id INTEGER)")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        born(database, dies)
    assert not database.exists()
    born(database, lambda place: half_made(place, "CREATE TABLE runs (run_uuid TEXT)"))
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("runs",)]
    assert [path.name for path in tmp_path.iterdir()] == ["mlflow.db"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_kill_while_it_is_born_harms_no_later_run(folder: Path, settings, how: signal.Signals):
    outputs = folder.parent.parent
    (outputs / "mlflow.db").unlink()
    builder = subprocess.Popen(
        [sys.executable, "-c", _MAKE, str(outputs)], stderr=subprocess.DEVNULL, env=dict(os.environ)
    )
    deadline = time.monotonic() + 120
    while not (outputs / "mlflow.db.new").exists():
        assert builder.poll() is None, "it ended before its database was seen"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.3)
    builder.send_signal(how)
    builder.wait()
    assert not (outputs / "mlflow.db").exists()
    assert "1 study" in str(project(folder, settings))
    assert not (outputs / "mlflow.db.new").exists()


_ON_A_FULL_DISK = """
import sys
from pathlib import Path
from types import SimpleNamespace
from sqlalchemy import event
from sqlalchemy.engine import Engine
from diag.tracking.projection import project
from diag.tracking.store import TrackingError


@event.listens_for(Engine, "connect")
def full(connection, _record):
    connection.execute("PRAGMA max_page_count=1")  # SQLite takes no page more than it has: "disk is full"


try:
    project(Path(sys.argv[1]), SimpleNamespace(uri=None, experiment=None, traces=0))
except TrackingError as error:
    print(error)
"""


def test_a_full_disk_is_one_error_without_the_librarys_traceback(folder: Path):
    ran = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK, str(folder)], capture_output=True, text=True, check=True
    )
    assert "disk is full" in ran.stdout
    assert len(ran.stdout.strip().splitlines()) == 1
    assert "Traceback" not in ran.stderr
    assert "ERROR" not in ran.stderr
