"""docs/reliability.md: what was seen, fault by fault. Equal outcomes give equal bytes: no seconds, commits or dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from chaos.cells import HUNG_LIMIT_S, RESUME_LIMIT_S, STOP_S, STRUCK_LIMIT_S
from chaos.phases import EVERY_PHASE

BEGIN, END = "<!-- random: begin -->\n", "<!-- random: end -->\n"

if TYPE_CHECKING:
    from chaos.campaign import Observation

HEAD = """# Reliability

<!-- Written by `make chaos`. Do not edit. -->

What becomes of a study when something breaks, as seen by `make chaos` (`python -m chaos`), which breaks real runs and
writes this page. It exits with 1 if any cell breaks the promise:

- The struck run ends within {struck_s:.0f} s, or {hung_s:.0f} s where something hangs and its deadline has to pass,
  with a documented [exit code](how-to/run.md#exit-codes), one line about it and no traceback, and charges the fault
  only as the kind of [infrastructure failure](how-to/run.md#what-happens-in-order) it is.
- Ctrl-C and SIGTERM end it within {stop_s:.0f} s.
- No worker, driver or browser is left.
- The same command, given again, ends with 0 within {resume_s:.0f} s; every attempt that was finished is still there,
  byte for byte; every unit counts once.
- The outcome table is that of an undisturbed run but for the counters of attempts (`attempt`, `n_attempts`,
  `n_failed`), and `effects.json` is the same byte for byte. Tracked studies have their runs once.

The bounds are for a machine with nothing else to do. The study is RQ2 with `simulated/sol` (a simulation): two
blocks on the rules alone, or four units in Chromium; rows that say RQ6 break eight of its units, whose game is a
process of its own.

## Overview

`ok`: every promise held; `-`: not a fault of this phase; a number: so many set-ups (suite, workers) were tried.

"""

RANDOM = """
## At random

Kills at random times strike the runner, any one of its processes, or everything at once, up to five times before a
study may end; after each, every finished attempt is still there byte for byte, and in the end the tables are those of
an undisturbed run and nothing is left of processes, temporary files, semaphores or shared memory. A corrupt byte is one
byte of one file of a finished study (tracked, with its report); then a mode reads it (`analyse`, `regrade` or `report`;
`report` for a picture, `track` for the database). It refuses with a documented exit code and one line, or shows what it
showed before, or names the file. Of the database only that is promised: no number of a study comes from there.

"""

NOTES = """
## How it is done

- A victim is `python -m diag` as anybody runs it. The program has no hook for faults: `chaos/hook` on the victim's
  `PYTHONPATH` wraps one function of the program in the runner and its workers (`chaos/phases.py`), and the process that
  gets there strikes once (`chaos/strikes.py`).
- Phases up to `attempt visible` are struck in `mode=run`, later ones in the whole flow.
- The suite server is a thread of the worker, not a process of its own: it is ended, or its loop is kept busy.
- The embedded tracker is SQLite in the runner: it dies with the runner. The tracking server is a real MLflow server.
- The disk is a small tmpfs of the campaign's own, filled to the last byte; read-only is a mount over it. Both need root
  or user namespaces.
- The time of day is shifted within the victim's Python; the machine's clock is everybody's. Budgets and deadlines read
  the monotonic clock, which does not jump.
- "An hour" without an endpoint is a shortened schedule: the endpoint stays away until the struck run has given up, with
  a patience (`agent.patience.wait_limit_s`) of 2 s instead of 900 s. The endpoint is a test server and no model; its
  units end by their number of actions, and their seconds are real: columns in seconds are not compared.
- A finished log that was cut stops every offline mode with its name; the remedy is to move that attempt away, and the
  same command makes it anew.
"""


def document(seen: Sequence[Observation], at_random: str = "") -> str:
    """Return the whole page; `at_random` is the section that `chaos.at_random.table` made."""
    bounds = {"struck_s": STRUCK_LIMIT_S, "hung_s": HUNG_LIMIT_S, "resume_s": RESUME_LIMIT_S, "stop_s": STOP_S}
    return HEAD.format(**bounds) + _overview(seen) + _details(seen) + RANDOM + BEGIN + at_random + END + NOTES


def _overview(seen: Sequence[Observation]) -> str:
    phases = [phase.name for phase in EVERY_PHASE if any(one.cell.phase is phase for one in seen)]
    rows = [["fault", *phases], ["---"] * (len(phases) + 1)]
    for fault, cells in _by_fault(seen):
        rows.append([fault, *(_verdict([one for one in cells if one.cell.phase.name == name]) for name in phases)])
    return _table(rows)


def _verdict(cells: Sequence[Observation]) -> str:
    if not cells:
        return "-"
    word = "BROKEN" if any(one.broken for one in cells) else "ok"
    return word if len(cells) == 1 else f"{word} {len(cells)}"


def _details(seen: Sequence[Observation]) -> str:
    rows = [
        ["fault", "phase", "suite, workers", "the run ends with", "charged", "same command again", "promise"],
        ["---"] * 7,
    ]
    rows += [_row(one) for one in seen]
    return "\n## Every cell\n\n" + _table(rows)


def _row(one: Observation) -> list[str]:
    cell = one.cell
    promise = "BROKEN: " + "; ".join(one.broken).replace("|", "/") if one.broken else "held"
    return [
        cell.fault,
        cell.phase.name,
        f"{cell.suite}, {cell.workers}",
        one.ended,
        one.charged,
        one.resumed,
        promise,
    ]


def _by_fault(seen: Sequence[Observation]) -> list[tuple[str, list[Observation]]]:
    faults: dict[str, list[Observation]] = {}
    for one in seen:
        faults.setdefault(one.cell.fault, []).append(one)
    return list(faults.items())


def _table(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
