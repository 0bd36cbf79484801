"""One attempt at one unit, journalled: begun in a `.partial` folder, run, graded, sealed, made visible."""

from __future__ import annotations

import contextlib
import errno
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from checkpoints.store import CheckpointError
from diag.errors import CorruptRecord, DiagError, one_line
from diag.records import Event, InfrastructureFailure, Outcome, Unit
from diag.records.event_log import LogError, read_events
from diag.records.sealed import storage_error
from diag.records.study_folder import AttemptStatus, StudyFolder
from diag.running.process import is_bound

HEARTBEAT_S = 10.0
ENDING_S = 2.0
"""A worker whose browser died waits this long before it says so: when a run is interrupted, the browser goes first and
the worker a moment later, and an attempt that was interrupted is no failure."""


class Executor(Protocol):
    """How one attempt is run and graded; picklable, so that it reaches the workers."""

    @property
    def browser(self) -> bool:
        """False: the attempts run on the rules alone."""

    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log. Raises InfrastructureFailure if it could not begin."""

    def grade(self, events: Sequence[Event], unit: Unit) -> Outcome:
        """Grade a finished log: pure and offline."""


@dataclass(frozen=True)
class Job:
    """What every unit of a study shares on its way to a worker."""

    folder: StudyFolder
    executor: Executor
    plan_hash: str
    parent_pid: int | None
    """Process that workers die with; None where workers belong to a cluster."""


def journalled(job: Job, unit: Unit, attempt: int) -> AttemptStatus:
    """Run one attempt and return how it was sealed. Whatever the apparatus does, a record of it stays.

    Raises:
        StorageError: the disk does not take the record; the study must stop.
        DiagError: something the user has to put right.
    """
    partial = job.folder.begin_attempt(unit.unit_id, attempt, plan_hash=job.plan_hash, browser=job.executor.browser)
    with _heartbeat(job.folder, partial):
        failure = _run(job, unit, attempt, partial)
    outcome = _graded(job, unit, attempt, partial, failure)
    if outcome.failure_kind == "browser" and is_bound():
        time.sleep(ENDING_S)
    message = failure.message if failure else _last_words(partial) if outcome.failure_kind else ""
    return job.folder.finish_attempt(partial, outcome, message)


def failed_outcome(unit: Unit, attempt: int, plan_hash: str, kind: str) -> Outcome:
    """Return the outcome of an attempt that the apparatus ended before there was anything to grade."""
    return Outcome(unit.unit_id, attempt, plan_hash, "infrastructure_failure", "infrastructure", kind, 0.0, 0, 0, {})


def _run(job: Job, unit: Unit, attempt: int, partial: Path) -> InfrastructureFailure | None:
    try:
        job.executor.execute(unit, attempt, log_path=partial / "events.jsonl", pictures=job.folder.pictures)
    except InfrastructureFailure as failure:
        return failure
    except DiagError:
        raise
    except CheckpointError as error:  # a damaged library: no other try and no other unit can be trusted with it
        raise CorruptRecord(one_line(error)) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise storage_error(partial, error) from error
        return _fault(partial, error)
    except Exception as error:  # a fault of the program or of a plug-in is no outcome of the agent
        return _fault(partial, error)
    return None


def _fault(partial: Path, error: Exception) -> InfrastructureFailure:
    """Keep the traceback of a fault beside the log, and name it."""
    _keep_traceback(partial, error)
    return InfrastructureFailure("program", f"{type(error).__name__}: {error}")


def _keep_traceback(partial: Path, error: Exception) -> None:
    (partial / "traceback.txt").write_text("".join(traceback.format_exception(error)))


def _graded(job: Job, unit: Unit, attempt: int, partial: Path, failure: InfrastructureFailure | None) -> Outcome:
    if failure is not None:
        return failed_outcome(unit, attempt, job.plan_hash, failure.kind)
    try:
        return job.executor.grade(read_events(partial / "events.jsonl"), unit)
    except (LogError, OSError) as error:
        _keep_traceback(partial, error)
        return failed_outcome(unit, attempt, job.plan_hash, "record")


def _last_words(partial: Path) -> str:
    """Return why an attempt ended that failed after its start: the reason in its log."""
    try:
        return str(read_events(partial / "events.jsonl")[-1].data.get("reason", ""))
    except (LogError, OSError, IndexError):
        return "the log cannot be read; see traceback.txt"


@contextmanager
def _heartbeat(folder: StudyFolder, partial: Path) -> Iterator[None]:
    """Renew the status file while the attempt runs."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(HEARTBEAT_S):
            with contextlib.suppress(DiagError):  # a sign of life less; the attempt itself meets a disk that is full
                folder.beat(partial)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
