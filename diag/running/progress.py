"""How far a run is: a live table of the arms on a terminal, plain lines anywhere else.

Neither shows an outcome. Who sees an arm lead is tempted to stop there, and a study that is stopped when it looks good
finds effects that are not there (docs/how-to/run.md, "What is shown while it runs").
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TextIO

from diag.records import Unit
from diag.records.study_folder import AttemptStatus
from diag.running.arm_counts import ArmCounts
from diag.running.arm_table import live_table
from diag.terminal import complain

PLAIN_EVERY_S = 10.0


class Progress(Protocol):
    """Told of every sealed attempt."""

    def attempt(self, status: AttemptStatus) -> None:
        """Count one."""


class Silent:
    """Shows nothing."""

    def attempt(self, status: AttemptStatus) -> None:
        """Do nothing."""


class _Lines:
    """One line at the start, every ten seconds, and at the end."""

    def __init__(self, counts: ArmCounts, out: TextIO) -> None:
        self._counts, self._out = counts, out
        self._shown = time.monotonic()

    def attempt(self, status: AttemptStatus) -> None:
        now = time.monotonic()
        self._counts.attempt(status, now)
        if now - self._shown >= PLAIN_EVERY_S or self._counts.n_left == 0:
            self._shown = now
            complain(self._line(now), self._out)

    def _line(self, now_s: float) -> str:
        counts, left_s = self._counts, self._counts.left_s(now_s)
        left = "no estimate yet" if left_s is None else f"{left_s:.0f} s left"
        return (
            f"units {counts.n_valid}/{counts.n_units} done, {counts.n_failures} infrastructure failures, "
            f"{now_s - counts.began_s:.0f} s, {left}"
        )


@contextmanager
def progress(
    units: Sequence[Unit], incomplete: Collection[str], *, shown: bool, out: TextIO | None = None
) -> Iterator[Progress]:
    """Show units done, infrastructure failures and the time left; on a pipe or a file as plain lines.

    Args:
        units: the plan.
        incomplete: ids of the units that have no valid attempt yet.
        shown: False for nothing at all.
        out: where to; stderr if not given.
    """
    out = out or sys.stderr
    counts = ArmCounts(units, incomplete, began_s=time.monotonic())
    if not shown:
        yield Silent()
    elif not out.isatty():
        yield _Lines(counts, out)
    else:
        with live_table(counts, out) as table:
            yield table
