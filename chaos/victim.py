"""One command line of the program, run to its end within bounds, with or without orders for a strike."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from chaos.hooking import Orders
from chaos.processes import MARK, left_behind, marked

REPOSITORY = Path(__file__).parent.parent
HOOK = Path(__file__).parent / "hook"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int | None
    """Exit code, negative for a signal; None: it did not end in time and was killed."""
    took_s: float
    errors: str
    """What it wrote to stderr."""
    left_behind: tuple[str, ...]
    """Commands of processes that outlived it."""


def run_victim(
    words: Sequence[str],
    *,
    mark: str,
    folder: Path,
    limit_s: float,
    orders: Orders | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    temporary: Path | None = None,
) -> Ended:
    """Run `python -m diag words` as the leader of its own session and wait for its end.

    Args:
        words: the command line.
        mark: what everything it starts inherits, so that nothing is overlooked afterwards.
        folder: where its output goes.
        limit_s: the longest it may take.
        orders: what strikes it.
        meanwhile: called once while it runs.
        temporary: its folder for temporary files; the machine's if not given.
    """
    began = time.monotonic()
    errors = folder / "stderr.txt"
    said_before = errors.stat().st_size if errors.exists() else 0  # what earlier runs said stays for who looks
    with (folder / "stdout.txt").open("ab") as out, errors.open("ab") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "diag", *words],
            cwd=REPOSITORY,
            env=_environment(mark, orders) | ({"TMPDIR": str(temporary)} if temporary else {}),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            meanwhile()
            code: int | None = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            took_s = time.monotonic() - began
            left = left_behind(mark) if process.poll() is not None else ()
            _end_all(process, mark)
    return Ended(code, took_s, errors.read_bytes()[said_before:].decode(errors="replace"), left)


def hear_signals() -> None:
    """Let victims hear the signals that this process was told to ignore, as a shell's background jobs are."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _environment(mark: str, orders: Orders | None) -> dict[str, str]:
    """Return the environment of a victim; HYDRA_FULL_ERROR would ask for tracebacks."""
    paths = [str(HOOK), str(REPOSITORY)] if orders else [str(REPOSITORY)]
    kept = {name: value for name, value in os.environ.items() if name not in ("HYDRA_FULL_ERROR", "PYTHONPATH")}
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), MARK: mark, **(orders.to_environment() if orders else {})}


def _end_all(process: subprocess.Popen[bytes], mark: str) -> None:
    """End the victim and what is left of it, in whatever group that is."""
    for pid in (process.pid, *marked(mark)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
