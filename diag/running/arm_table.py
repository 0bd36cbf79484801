"""The live table of a running study on a terminal: a row per cohort and arm, the pace, and no outcome."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TextIO

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from diag.console import console
from diag.records.study_folder import AttemptStatus
from diag.running.arm_counts import ArmCounts

BAR_WIDTH = 28
REFRESH_PER_S = 4
BLIND = "Outcomes are not shown while a study runs: no one should stop it for what it seems to find."


class LiveTable:
    """What is on the screen now; `rich` asks for it a few times a second, so the clock moves between attempts."""

    def __init__(self, counts: ArmCounts) -> None:
        self._counts = counts

    def attempt(self, status: AttemptStatus) -> None:
        """Count one."""
        self._counts.attempt(status, time.monotonic())

    def __rich__(self) -> RenderableType:
        """Return the table as it stands."""
        return arm_table(self._counts, time.monotonic())


def arm_table(counts: ArmCounts, now_s: float) -> RenderableType:
    """Return the table of the arms with the line of totals below it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("cohort", "arm", ""):
        table.add_column(name)
    for name in ("valid", "to run", "infrastructure failures"):
        table.add_column(name, justify="right", no_wrap=True)
    before = ""
    for one in counts.arms:
        table.add_row(
            one.cohort if one.cohort != before else "",
            f"[bold]{one.arm}[/]",
            ProgressBar(
                total=one.n_units, completed=one.n_valid, width=BAR_WIDTH, complete_style="cyan", finished_style="cyan"
            ),
            f"{one.n_valid}/{one.n_units}",
            str(one.n_units - one.n_valid),
            f"[red]{one.n_failures}[/]" if one.n_failures else "[dim]0[/]",
        )
        before = one.cohort
    return Group(table, Text(_totals(counts, now_s)), Text(BLIND, style="dim"))


def _totals(counts: ArmCounts, now_s: float) -> str:
    left_s = counts.left_s(now_s)
    parts = [
        f"{counts.n_valid}/{counts.n_units} units valid",
        f"{counts.n_failures} infrastructure failures",
        f"{_clock(now_s - counts.began_s)} gone",
        "no estimate yet" if left_s is None else f"about {_clock(left_s)} left",
    ]
    if counts.last_unit:
        parts.append(f"last {counts.last_unit}, {now_s - counts.last_s:.0f} s ago")
    return ", ".join(parts)


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


@contextmanager
def live_table(counts: ArmCounts, out: TextIO) -> Iterator[LiveTable]:
    """Show the table on a terminal and keep it current."""
    table = LiveTable(counts)
    with Live(table, console=console(out), refresh_per_second=REFRESH_PER_S):
        yield table
