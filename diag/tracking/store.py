"""Opening a tracker without its traps: the embedded database is made once under a lock, a server has bounded time.

MLflow is imported here and nowhere else at module level of the program; it takes more than a second.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from diag.errors import DiagError, one_line
from diag.proxies import spare_loopback, way_to
from diag.tracking.birth import DamagedDatabase, born
from diag.tracking.relocate import Relocation, relocate

PROBE_S = 5.0
REQUEST_S = 10
LOCK_S = 120.0
DATABASE, ARTIFACTS, LOCK = "mlflow.db", "mlartifacts", "mlflow.lock"
SQLITE = "sqlite:///"


class TrackingError(DiagError):
    """The tracker did not take the study. Its files are complete; `mode=track` projects them again."""

    exit_code = 6


@dataclass(frozen=True)
class Tracker:
    """An open tracker."""

    client: Any
    """`mlflow.MlflowClient`."""
    uri: str
    artifacts: Path | None
    """Where artifacts go, absolute: beside a SQLite database; None for a server, which decides for itself."""
    relocation: Relocation | None
    """What was repaired because outputs/ had been moved; None if nothing was."""
    set_aside: Path | None = None
    """Where a half-made database was put; None if there was none."""


@contextmanager
def open_tracker(outputs: Path, uri: str | None) -> Iterator[Tracker]:
    """Open the tracker at `uri`, or the embedded one in `outputs` (an absolute folder) for None. One writer at a time.

    Raises:
        TrackingError: the server does not answer, the database cannot be opened, or another process holds it.
    """
    with ExitStack() as stack:
        stack.enter_context(_bounded_requests())
        if uri is None:
            yield _embedded(outputs, stack)
        elif uri.startswith(SQLITE):
            database = Path(uri.removeprefix(SQLITE)).absolute()
            _lock(database.with_name(f"{database.name}.lock"), stack)
            yield _sqlite(database, database.parent / ARTIFACTS)
        else:
            if urllib.parse.urlsplit(uri).scheme in ("http", "https"):
                _probe(uri)
            yield Tracker(import_mlflow().MlflowClient(tracking_uri=uri), uri, None, None)


def import_mlflow() -> Any:
    """Import MLflow with its telemetry off, its migrations quiet, and its database errors ours alone to tell."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("mlflow.store.db.utils").setLevel(logging.CRITICAL)  # it logs what it raises, with a traceback
    import mlflow

    return mlflow


def database_uri(outputs: Path) -> str:
    """Return the tracking URI of the embedded tracker."""
    return f"{SQLITE}{outputs / DATABASE}"


def _embedded(outputs: Path, stack: ExitStack) -> Tracker:
    _lock(outputs / LOCK, stack)
    stack.callback(_checkpoint, outputs / DATABASE)
    tracker = _sqlite(outputs / DATABASE, outputs / ARTIFACTS)
    repaired = relocate(outputs)
    return replace(tracker, relocation=repaired) if repaired.n_changed else tracker


def _lock(path: Path, stack: ExitStack) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        stack.enter_context(FileLock(path, timeout=LOCK_S))
    except Timeout as error:
        raise TrackingError(f"{path} is held by another process for over {LOCK_S:.0f} s") from error


def _sqlite(database: Path, artifacts: Path) -> Tracker:
    """Make the database if there is none whole, and open it. The client alone would put artifacts elsewhere."""
    mlflow = import_mlflow()
    _fast_sqlite()
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    make: Any = SqlAlchemyStore

    def build(place: Path) -> None:
        make(f"{SQLITE}{place}", str(artifacts / "default")).engine.dispose()

    try:
        aside = born(database, build)
    except DamagedDatabase as error:
        raise TrackingError(
            f"the tracking database {database} is damaged ({one_line(error)}): move it away first, then "
            "mode=track of each study fills a new one"
        ) from error
    uri = f"{SQLITE}{database}"
    make(uri, str(artifacts / "default"))
    return Tracker(mlflow.MlflowClient(tracking_uri=uri), uri, artifacts, None, aside)


def _checkpoint(database: Path) -> None:
    """Bring the write-ahead log into the database file, so that the file alone is complete, for who copies it."""
    if database.is_file():
        with closing(sqlite3.connect(database, timeout=10)) as connection, suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_HOOKED = False


def _fast_sqlite() -> None:
    """Set WAL and `synchronous=NORMAL` on every SQLite connection of this process: a commit is then no fsync."""
    global _HOOKED  # noqa: PLW0603 - a listener on the engine class is process-wide by nature; it is added once
    if _HOOKED:
        return
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    @event.listens_for(Engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        if type(connection).__module__.startswith("sqlite3"):
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")

    _HOOKED = True


@contextmanager
def _bounded_requests() -> Iterator[None]:
    """Let one request take `REQUEST_S` and be tried twice, unless the user's environment says otherwise."""
    wanted = {"MLFLOW_HTTP_REQUEST_TIMEOUT": str(REQUEST_S), "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1"}
    added = {name: value for name, value in wanted.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _probe(uri: str) -> None:
    """Ask the server for a sign of life. Any HTTP answer is one."""
    spare_loopback(uri)
    request = urllib.request.Request(f"{uri.rstrip('/')}/health")  # noqa: S310 - http and https only, checked by the caller
    try:
        with urllib.request.urlopen(request, timeout=PROBE_S):  # noqa: S310 - as above
            return
    except urllib.error.HTTPError:
        return
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise TrackingError(
            f"the tracking server {uri} does not answer within {PROBE_S:.0f} s{way_to(uri)}: {reason}"
        ) from error
