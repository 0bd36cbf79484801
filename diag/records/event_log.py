"""The record of an attempt: `events.jsonl`, one event a line, append-only, flushed line by line.

A line is an `Event` as canonical JSON after a `check`, the SHA-256 over the previous line's check and the event's own
bytes. So one damaged byte, a lost line or two lines in the wrong order are found when the log is read, and nothing is
read around.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from diag.records import SCHEMA_VERSION, Event, EventKind, is_event_kind
from games.digest import canonical_json


class LogError(ValueError):
    """A log cannot be trusted as a whole; the message names the file, the line and what was wrong."""


class TruncatedLog(LogError):
    """The last line is incomplete: the writer was killed while it wrote."""


class TimeSource(Protocol):
    """Where the times of record lines come from (never the times that are graded)."""

    def monotonic_s(self) -> float:
        """Return seconds on a clock that never goes back."""

    def utc(self) -> str:
        """Return the time of day, ISO 8601, UTC."""


class SystemTime:
    """The machine's clocks."""

    def monotonic_s(self) -> float:
        """Return `time.monotonic`."""
        return time.monotonic()

    def utc(self) -> str:
        """Return the current UTC time to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")


class ClockTime:
    """Times derived from the attempt's own clock, for logs that must be byte-identical between runs."""

    def __init__(self, elapsed_s: Callable[[], float]) -> None:
        self._elapsed_s = elapsed_s

    def monotonic_s(self) -> float:
        """Return the seconds of the attempt's clock."""
        return self._elapsed_s()

    def utc(self) -> str:
        """Return the epoch plus the attempt's clock."""
        return datetime.fromtimestamp(self._elapsed_s(), UTC).isoformat(timespec="milliseconds")


class EventLog:
    """Appends events to a new file. Use it as a context manager; it refuses a file that exists."""

    def __init__(self, path: Path, time_source: TimeSource | None = None) -> None:
        self._file = path.open("xb")
        self._time = time_source or SystemTime()
        self._seq = 0
        self._check = ""

    def append(self, kind: EventKind, clock_s: float, data: dict[str, Any]) -> Event:
        """Write one event and flush it. Raises ValueError if `data` is no JSON."""
        event = Event(self._seq, kind, clock_s, self._time.monotonic_s(), self._time.utc(), data)
        text = canonical_json(asdict(event)).encode()
        check = _check(self._check, text)
        self._file.write(_HEAD + check.encode() + _NECK + text[1:] + b"\n")
        self._file.flush()
        self._seq, self._check = self._seq + 1, check
        return event

    def close(self) -> None:
        """Bring the file to the disk and close it."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_events(path: Path) -> tuple[Event, ...]:
    """Read a whole log.

    Raises:
        TruncatedLog: the last line has no end.
        LogError: a line is no event of this schema version, out of order, or does not match its check.
        OSError: the file cannot be read.
    """
    raw = path.read_bytes()
    if not raw.endswith(b"\n"):
        raise TruncatedLog(f"{path}: the last line is incomplete" if raw else f"{path}: the log is empty")
    events: list[Event] = []
    check = ""
    for number, line in enumerate(raw[:-1].split(b"\n"), start=1):
        event, check = _read_line(line, check, f"{path}, line {number}")
        if event.seq != number - 1:
            raise LogError(f"{path}, line {number}: seq {event.seq}, wanted {number - 1}")
        if events and event.clock_s < events[-1].clock_s:
            raise LogError(f"{path}, line {number}: the clock runs back from {events[-1].clock_s} to {event.clock_s}")
        events.append(event)
    return tuple(events)


_FIELDS = {field.name for field in fields(Event)}
_HEAD, _NECK = b'{"check":"', b'",'
_NECK_END = len(_HEAD) + hashlib.sha256().digest_size * 2 + len(_NECK)
"""Where the event begins in its line: `check` is the first of its sorted keys."""


def _read_line(line: bytes, previous_check: str, where: str) -> tuple[Event, str]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise LogError(f"{where}: no JSON: {error}") from error
    if not isinstance(data, dict) or set(data) != _FIELDS | {"check"}:
        raise LogError(f"{where}: wanted the fields {sorted(_FIELDS | {'check'})}, got {str(data)[:200]}")
    if data["schema_version"] != SCHEMA_VERSION:
        raise LogError(f"{where}: schema version {data['schema_version']!r}, this program reads {SCHEMA_VERSION}")
    check = data.pop("check")
    if check != _check(previous_check, b"{" + line[_NECK_END:]):
        raise LogError(f"{where}: the line does not match its check; it was changed, moved, or one before it is lost")
    if not is_event_kind(data["kind"]):
        raise LogError(f"{where}: unknown kind {data['kind']!r}")
    return Event(**data), check


def _check(previous: str, event: bytes) -> str:
    return hashlib.sha256(previous.encode() + b"\n" + event).hexdigest()
