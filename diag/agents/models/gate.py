"""Adaptive concurrency per endpoint, shared by all workers of a machine: additive increase, multiplicative decrease.

Places are lock files, so a worker that dies gives its place back. A rate limit halves the number of places and makes
every worker wait as long as the endpoint asks; each answer widens it again, by one place per round of answers.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from diag.agents.models.clients.contract import CallFailed

POLL_S = 0.05
LONGEST_PAUSE_S = 120.0
LOCK_TIMEOUT_S = 30.0
_FIRST = count()


@dataclass
class SharedGate:
    """The gate of one endpoint; every worker has its own object over the same folder."""

    folder: Path
    max_places: int
    now: Callable[[], float] = time.time
    """Time of day: the one clock that processes share."""
    sleep: Callable[[float], None] = time.sleep
    _place: FileLock | None = field(default=None, init=False)
    _first: int = field(default_factory=lambda: next(_FIRST), init=False)
    """The place that is tried first: the last one it had, which is most often free. Trying them all from the first one
    costs a file each, and with 96 seats most of a core."""

    def enter(self, limit_s: float) -> bool:
        """Wait for a place, at most `limit_s`; False if there was none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        until = self.now() + limit_s
        while True:
            places, not_before = self.state()
            if self.now() >= not_before and self._take(int(places)):
                return True
            if self.now() >= until:
                return False
            self.sleep(POLL_S)

    def leave(self, failure: CallFailed | None) -> None:
        """Give the place back; narrow the gate after a rate limit, widen it after an answer."""
        if self._place is not None:
            self._place.release()
            self._place = None
        with self._lock():
            places, not_before = self._read()
            if failure is None:
                places = min(float(self.max_places), places + 1.0 / places)
            elif failure.trouble == "rate_limit":
                if self.now() >= not_before:  # one storm halves once, not once per worker
                    places = max(1.0, places / 2.0)
                pause_s = min(failure.retry_after_s if failure.retry_after_s is not None else 1.0, LONGEST_PAUSE_S)
                not_before = max(not_before, self.now() + pause_s)
            else:
                return
            self._write(places, not_before)

    def state(self) -> tuple[float, float]:
        """Return the number of places and the time of day before which nobody enters."""
        with self._lock():
            return self._read()

    def _take(self, n_places: int) -> bool:
        n_places = max(1, n_places)
        for step in range(n_places):
            number = (self._first + step) % n_places
            place = FileLock(self.folder / f"place-{number}.lock")
            with contextlib.suppress(Timeout):
                place.acquire(timeout=0)
                self._place, self._first = place, number
                return True
        return False

    def _lock(self) -> FileLock:
        return FileLock(self.folder / "state.lock", timeout=LOCK_TIMEOUT_S)

    def _read(self) -> tuple[float, float]:
        """Return the state; a fresh or unreadable one is a wide gate."""
        try:
            data = json.loads((self.folder / "state.json").read_text())
            places, not_before = float(data["places"]), float(data["not_before"])
        except (OSError, ValueError, KeyError, TypeError):
            return float(self.max_places), 0.0
        return min(max(places, 1.0), float(self.max_places)), min(not_before, self.now() + LONGEST_PAUSE_S)

    def _write(self, places: float, not_before: float) -> None:
        (self.folder / "state.json").write_text(json.dumps({"places": places, "not_before": not_before}))
