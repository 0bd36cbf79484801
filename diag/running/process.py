"""Worker processes that do not outlive the runner, whatever kills it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from diag.running import quiet_tracker

_PR_SET_PDEATHSIG = 1
_POLL_S = 1.0
_WARNINGS = "PYTHONWARNINGS"
_bound_to: list[int] = []


def die_with_parent(parent_pid: int) -> None:
    """Bind this worker to its parent: when the parent is gone, this process ends and its browser with it.

    On Linux the kernel sends SIGTERM; everywhere a thread also watches the parent. Ctrl-C is left to the parent, which
    ends its workers: the worker leaves the terminal's group, or its browser would end first and cost an attempt. Does
    nothing in the parent itself, nor when this process was bound before.
    """
    if os.getpid() == parent_pid or _bound_to:
        return
    _bound_to.append(parent_pid)
    quiet_tracker.install()
    with contextlib.suppress(ValueError):  # not in a main thread: a thread-based scheduler handles signals itself
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):  # it leads a session already, or there are no groups
        os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == parent_pid:
        threading.Thread(target=_watch, args=(parent_pid,), daemon=True).start()
    else:
        os._exit(1)  # the parent died before the line above


def loky_workers(n_jobs: int) -> dict[str, Any]:
    """Return the settings of `joblib.Parallel` for processes that are bound to this one before they have any work."""
    bound = {"initializer": die_with_parent, "initargs": (os.getpid(),)}
    return {"n_jobs": n_jobs, "backend": "loky", "batch_size": 1, **bound}


@contextlib.contextmanager
def starting_workers() -> Iterator[None]:
    """Start processes here that keep the terminal clean, whatever ends the run.

    They never hear Ctrl-C, not even while they import: a process inherits which signals its maker holds back, and this
    one hears it afterwards. And loky's own helper, which tidies up after a killed runner, does so without a warning.
    """
    held = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if held else set()
    warnings = os.environ.get(_WARNINGS)
    os.environ[_WARNINGS] = ",".join([*([warnings] if warnings else []), "ignore:resource_tracker:UserWarning"])
    try:
        quiet_tracker.install()
        yield
    finally:
        if warnings is None:
            del os.environ[_WARNINGS]
        else:
            os.environ[_WARNINGS] = warnings
        if held:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_bound() -> bool:
    """Tell whether this process is a worker that ends with its parent."""
    return bool(_bound_to)


def alive(pid: int) -> bool:
    """Tell whether a process of this machine runs; one that has ended and waits for its parent's notice does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Where there is no /proc, nobody can tell."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return False


def wait_until_gone(pids: tuple[int, ...], *, timeout_s: float) -> None:
    """Wait until none of the processes exists, at most `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)


def _watch(parent_pid: int) -> None:
    while os.getppid() == parent_pid:
        time.sleep(_POLL_S)
    os._exit(1)
