"""How far a run is: a live bar on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

from diag.study_folder import AttemptStatus

PLAIN_EVERY_S = 10.0


class Progress(Protocol):
    """Told of every sealed attempt."""

    def attempt(self, status: AttemptStatus) -> None:
        """Count one."""


class Silent:
    """Shows nothing."""

    def attempt(self, status: AttemptStatus) -> None:
        """Do nothing."""


class _Bar:
    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task, self._failed = bar, task, 0

    def attempt(self, status: AttemptStatus) -> None:
        valid = status.validity == "valid"
        self._failed += not valid
        self._bar.update(self._task, advance=int(valid), failed=self._failed, unit=status.unit_id)


class _Lines:
    """One line at the start, every ten seconds, and at the end."""

    def __init__(self, total: int, done: int, out: TextIO) -> None:
        self._total, self._done, self._first, self._failed, self._out = total, done, done, 0, out
        self._began = self._shown = time.monotonic()

    def attempt(self, status: AttemptStatus) -> None:
        self._done += status.validity == "valid"
        self._failed += status.validity != "valid"
        now = time.monotonic()
        if now - self._shown >= PLAIN_EVERY_S or self._done == self._total:
            self._shown = now
            print(self._line(now - self._began), file=self._out, flush=True)

    def _line(self, spent_s: float) -> str:
        finished = self._done - self._first
        left = f"{spent_s / finished * (self._total - self._done):.0f} s left" if finished else "no estimate yet"
        return f"units {self._done}/{self._total} done, {self._failed} infrastructure failures, {spent_s:.0f} s, {left}"


@contextmanager
def progress(total: int, done: int, *, shown: bool, out: TextIO | None = None) -> Iterator[Progress]:
    """Show units done, infrastructure failures and the time left; on a pipe or a file as plain lines."""
    out = out or sys.stderr
    if not shown:
        yield Silent()
    elif not out.isatty():
        yield _Lines(total, done, out)
    else:
        with _live(out) as bar:
            yield _Bar(bar, bar.add_task("units", total=total, completed=done, failed=0, unit=""))


def _live(out: TextIO) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    return RichProgress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[red]{task.fields[failed]} failed[/]"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[unit]}"),
        console=Console(file=out),
    )
