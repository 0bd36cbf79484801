"""A study on disk: the one object that knows where everything lies, writes it whole and reads it back checked.

    plan.json  config.yaml  manifest.json  study.lock
    blocks/<block_id>.json                       what each arm adds to the block's context
    units/<unit_id>/attempt-N/                   status.json, events.jsonl, outcome.json: complete; only regraded
    units/<unit_id>/attempt-N/discarded.json     its evaluation unit failed (`diag.running.wholes`): not counted
    units/<unit_id>/attempt-N.partial/           running now, or left by a killed process
    units/<unit_id>/attempt-N.interrupted-K/     the same, set aside by the next run: never counted
    pictures/<ab>/<sha256>.png   tables/   figures/   report.html

Deciding what to resume reads status files only. A file that is not what was written raises `CorruptRecord` naming it.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from diag.errors import CorruptRecord
from diag.records import Event, Outcome, Plan, Validity
from diag.records.event_log import LogError, read_events
from diag.records.plan import plan_from_json, plan_to_json
from diag.records.sealed import (
    file_sha256,
    read_sealed,
    read_text,
    sealed_text,
    storage_error,
    write_sealed,
    write_whole,
)

CONFIG, MANIFEST = "config.yaml", "manifest.json"
_COMPLETE = re.compile(r"attempt-(\d+)")
_PARTIAL = re.compile(r"attempt-(\d+)\.partial")


@dataclass(frozen=True)
class AttemptStatus:
    """What deciding about an attempt needs, without opening its log."""

    unit_id: str
    attempt: int
    plan_hash: str
    state: str
    """running or complete."""
    validity: Validity | None
    failure_kind: str | None
    message: str
    browser: bool
    """False: played on the rules alone."""
    host: str
    pid: int
    started_utc: str
    heartbeat_utc: str
    events_sha256: str | None
    """Digest of the finished log; the log never changes afterwards."""


class StudyFolder:
    """One study of one agent on disk. Cheap to make, picklable, holds nothing but its path."""

    def __init__(self, root: Path) -> None:
        self.root = root

    # --- the study -------------------------------------------------------------------------------------------------

    @property
    def plan_path(self) -> Path:
        """Where the plan is."""
        return self.root / "plan.json"

    @property
    def pictures(self) -> Path:
        """Root of the content-addressed pictures."""
        return self.root / "pictures"

    @property
    def tables(self) -> Path:
        """Where the tables are."""
        return self.root / "tables"

    @property
    def lock_path(self) -> Path:
        """The lock that a running study holds."""
        return self.root / "study.lock"

    def has_plan(self) -> bool:
        """Tell whether the study was planned."""
        return self.plan_path.is_file()

    def has_outcomes(self) -> bool:
        """Tell whether any unit has a valid attempt. From then on the plan is fixed."""
        units = self.root / "units"
        return units.is_dir() and any(self.primary(path.name) for path in units.iterdir())

    def void_units(self) -> None:
        """Move the attempts of a plan that never had an outcome out of the way; they are kept."""
        units = self.root / "units"
        if units.is_dir():
            units.rename(self.root / f"units.void-{1 + sum(1 for _ in self.root.glob('units.void-*'))}")

    def write_plan(self, plan: Plan) -> None:
        """Write the plan, once and whole, before anything runs."""
        write_sealed(self.plan_path, plan_to_json(plan))

    def read_plan(self) -> Plan:
        """Read the plan. Raises CorruptRecord if a byte of it differs from what was written."""
        data = read_sealed(self.plan_path)
        return plan_from_json({**data, "schema_version": 1}, str(self.plan_path))

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the study by its name below the folder."""
        write_whole(self.root / name, text.encode())

    def write_config(self, text: str) -> None:
        """Write the resolved configuration under its seal."""
        write_whole(self.root / CONFIG, sealed_text(text).encode())

    def has_config(self) -> bool:
        """Tell whether the configuration is there and is what was written."""
        try:
            return read_text(self.root / CONFIG)[1]
        except (CorruptRecord, OSError):
            return False

    def write_record(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a sealed record by its name below the folder."""
        write_sealed(self.root / name, content)

    def read_record(self, name: str) -> dict[str, Any]:
        """Read a sealed record. Raises CorruptRecord."""
        return read_sealed(self.root / name)

    # --- attempts --------------------------------------------------------------------------------------------------

    def unit_folder(self, unit_id: str) -> Path:
        """Return where a unit's attempts lie."""
        return self.root / "units" / unit_id

    def attempt_folder(self, unit_id: str, attempt: int) -> Path:
        """Return where a complete attempt lies."""
        return self.unit_folder(unit_id) / f"attempt-{attempt}"

    def attempts(self, unit_id: str) -> tuple[AttemptStatus, ...]:
        """Return the complete attempts of a unit in order, read from their status files.

        Raises:
            CorruptRecord: a status file is damaged.
        """
        folder = self.unit_folder(unit_id)
        if not folder.is_dir():
            return ()
        numbers = sorted(int(match[1]) for path in folder.iterdir() if (match := _COMPLETE.fullmatch(path.name)))
        return tuple(self.status(unit_id, number) for number in numbers)

    def status(self, unit_id: str, attempt: int) -> AttemptStatus:
        """Read one attempt's status file. Raises CorruptRecord: it is damaged, or another attempt's."""
        path = self.attempt_folder(unit_id, attempt) / "status.json"
        status = _status(path)
        if (status.unit_id, status.attempt) != (unit_id, attempt):
            raise CorruptRecord(
                f"{path} is of attempt {status.attempt} at {status.unit_id}, wanted attempt {attempt} at {unit_id}"
            )
        if status.validity == "valid" and self.is_discarded(unit_id, attempt):
            why = read_sealed(self._discarded(unit_id, attempt))["why"]
            return replace(status, validity="infrastructure_failure", failure_kind="discarded", message=why)
        return status

    def is_discarded(self, unit_id: str, attempt: int) -> bool:
        """Tell whether an attempt was discarded with its evaluation unit."""
        return self._discarded(unit_id, attempt).is_file()

    def discard(self, unit_id: str, attempt: int, why: str) -> None:
        """Discard a complete attempt for a failure elsewhere; it stays on disk, and its status says why."""
        write_sealed(self._discarded(unit_id, attempt), {"why": why})

    def _discarded(self, unit_id: str, attempt: int) -> Path:
        return self.attempt_folder(unit_id, attempt) / "discarded.json"

    def primary(self, unit_id: str) -> AttemptStatus | None:
        """Return the first valid attempt; None if there is none."""
        return next((status for status in self.attempts(unit_id) if status.validity == "valid"), None)

    def begin_attempt(self, unit_id: str, attempt: int, *, plan_hash: str, browser: bool) -> Path:
        """Make the folder of a running attempt. Raises StorageError if the disk does not take it."""
        folder = self.unit_folder(unit_id) / f"attempt-{attempt}.partial"
        try:
            if folder.exists():
                self._set_aside(folder)
            folder.mkdir(parents=True)
        except OSError as error:
            raise storage_error(folder, error) from error
        now = utc_now()
        status = AttemptStatus(
            unit_id,
            attempt,
            plan_hash,
            state="running",
            validity=None,
            failure_kind=None,
            message="",
            browser=browser,
            host=socket.gethostname(),
            pid=os.getpid(),
            started_utc=now,
            heartbeat_utc=now,
            events_sha256=None,
        )
        write_sealed(folder / "status.json", asdict(status), durable=False)
        return folder

    def beat(self, folder: Path) -> None:
        """Renew the heartbeat of a running attempt; a folder that is gone is no error."""
        path = folder / "status.json"
        if path.is_file():
            write_sealed(path, asdict(replace(_status(path), heartbeat_utc=utc_now())), durable=False)

    def finish_attempt(self, folder: Path, outcome: Outcome, message: str = "") -> AttemptStatus:
        """Seal a running attempt and make it visible: outcome, then status, then the rename."""
        write_sealed(folder / "outcome.json", asdict(outcome))
        status = replace(
            _status(folder / "status.json"),
            state="complete",
            validity=outcome.validity,
            failure_kind=outcome.failure_kind,
            message=message,
            heartbeat_utc=utc_now(),
            events_sha256=file_sha256(folder / "events.jsonl"),
        )
        write_sealed(folder / "status.json", asdict(status))
        try:
            folder.rename(self.attempt_folder(status.unit_id, status.attempt))
        except OSError as error:
            raise storage_error(folder, error) from error
        return status

    def partials(self, unit_id: str) -> tuple[Path, ...]:
        """Return the folders of attempts that were begun and are not complete."""
        folder = self.unit_folder(unit_id)
        return tuple(sorted(p for p in folder.iterdir() if _PARTIAL.fullmatch(p.name))) if folder.is_dir() else ()

    def partial_pids(self, unit_id: str) -> tuple[int, ...]:
        """Return the processes that began the unit's incomplete attempts, where their status says so."""
        paths = [folder / "status.json" for folder in self.partials(unit_id)]
        return tuple(_status(path).pid for path in paths if path.is_file())

    def set_aside_partials(self, unit_ids: tuple[str, ...]) -> tuple[str, ...]:
        """Set aside what killed processes left; return the units concerned. The caller holds the study's lock."""
        left = [(unit_id, path) for unit_id in unit_ids for path in self.partials(unit_id)]
        for _, path in left:
            self._set_aside(path)
        return tuple(dict.fromkeys(unit_id for unit_id, _ in left))

    def _set_aside(self, folder: Path) -> None:
        stem = folder.name.removesuffix(".partial")
        number = 1 + sum(path.name.startswith(f"{stem}.interrupted-") for path in folder.parent.iterdir())
        folder.rename(folder.parent / f"{stem}.interrupted-{number}")

    # --- what attempts hold ----------------------------------------------------------------------------------------

    def check_log(self, status: AttemptStatus) -> Path:
        """Return where the log of a complete attempt is, checked against the digest it was sealed with.

        Raises:
            CorruptRecord: the log is missing or a byte of it changed; the message names the unit.
        """
        path = self.attempt_folder(status.unit_id, status.attempt) / "events.jsonl"
        if file_sha256(path) != status.events_sha256:
            raise CorruptRecord(
                f"unit {status.unit_id}: {path} is not the log that was finished; no number is computed"
            )
        return path

    def read_events(self, status: AttemptStatus) -> tuple[Event, ...]:
        """Read the log of a complete attempt; empty if the attempt failed before its first event.

        Raises:
            CorruptRecord: the log is missing, cut, changed or out of order; the message names the unit.
        """
        path = self.check_log(status)
        if not path.is_file():
            return ()
        try:
            return read_events(path)
        except LogError as error:
            if status.validity == "infrastructure_failure":
                return ()
            raise CorruptRecord(f"unit {status.unit_id}: {error}") from error

    def read_outcome(self, status: AttemptStatus) -> Outcome:
        """Read the outcome of a complete attempt. Raises CorruptRecord."""
        path = self.attempt_folder(status.unit_id, status.attempt) / "outcome.json"
        data = read_sealed(path)
        try:
            outcome = Outcome(**data)
        except TypeError as error:
            raise CorruptRecord(f"{path}: not an outcome: {error}") from error
        if (outcome.unit_id, outcome.attempt) != (status.unit_id, status.attempt):
            raise CorruptRecord(
                f"{path} is of attempt {outcome.attempt} at {outcome.unit_id}, "
                f"wanted attempt {status.attempt} at {status.unit_id}"
            )
        return outcome

    def write_outcome(self, status: AttemptStatus, outcome: Outcome) -> None:
        """Replace the outcome of a complete attempt (regrading)."""
        write_sealed(self.attempt_folder(status.unit_id, status.attempt) / "outcome.json", asdict(outcome))


def _status(path: Path) -> AttemptStatus:
    data = read_sealed(path)
    try:
        return AttemptStatus(**data)
    except TypeError as error:
        raise CorruptRecord(f"{path}: not a status: {error}") from error


def utc_now() -> str:
    """Return the time of day, ISO 8601, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
