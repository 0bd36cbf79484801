"""Processes that a run starts: deaf to Ctrl-C, quiet, gone when they are zombies; signals become exit codes."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from diag.app.signals import Interrupted, interruptions
from diag.running.process import alive, starting_workers, wait_until_gone

HEARS = "import os, signal, sys; sys.exit(3 if signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []) else 0)"


MAKER = f"""
import os, signal, subprocess, sys, time
from diag.running.process import starting_workers
heard = []
signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
def worker():
    return subprocess.run([sys.executable, "-c", {HEARS!r}]).returncode
with starting_workers():
    assert worker() == 3
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    assert heard == [], heard
assert heard == [signal.SIGINT], heard
assert worker() == 0
"""


def test_a_worker_never_hears_ctrl_c_and_its_maker_does_afterwards():
    """In a process of its own: with other threads about, the signal of this test would find one that hears it."""
    assert subprocess.run([sys.executable, "-c", MAKER], check=False).returncode == 0


def test_the_warning_of_a_killed_run_is_not_shown_and_others_are(monkeypatch):
    monkeypatch.setenv("PYTHONWARNINGS", "error:mine:UserWarning")
    warn = "import warnings; warnings.warn('resource_tracker: leaked'); warnings.warn('theirs')"
    with starting_workers():
        shown = subprocess.run([sys.executable, "-c", warn], capture_output=True, text=True, check=True).stderr
    assert "theirs" in shown
    assert "leaked" not in shown.replace(warn, "")
    assert os.environ["PYTHONWARNINGS"] == "error:mine:UserWarning"


TRACKED = """
import os, signal
from joblib.externals.loky.backend import resource_tracker
from diag.running.process import starting_workers
with starting_workers():
    resource_tracker.ensure_running()
    resource_tracker.register("/sem-of-this-test", "semlock")
    killed = resource_tracker._resource_tracker._pid
    os.kill(killed, signal.SIGKILL)
    os.waitid(os.P_PID, killed, os.WEXITED | os.WNOWAIT)
    resource_tracker.unregister("/sem-of-this-test", "semlock")
    resource_tracker.register("name", "no such type")
    tracker = resource_tracker._resource_tracker
    assert tracker._pid != killed
    os.close(tracker._fd)
    os.waitpid(tracker._pid, 0)
"""


def test_a_helper_started_anew_prints_no_traceback_for_what_the_killed_one_knew():
    """A fault that is not of this kind is still printed."""
    done = subprocess.run([sys.executable, "-c", TRACKED], capture_output=True, text=True, check=True)
    assert "sem-of-this-test" not in done.stderr
    assert done.stderr.count("Traceback") == 1
    assert "Resource type should be one of" in done.stderr


def test_a_process_that_has_ended_and_was_not_waited_for_is_gone():
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    began = time.monotonic()
    wait_until_gone((process.pid,), timeout_s=20.0)
    assert time.monotonic() - began < 15
    assert not alive(process.pid)
    assert process.wait() == 0


@pytest.fixture
def not_ignored(number: int) -> Iterator[None]:
    """Have the signal end this process as it does by default: `nohup` has SIGHUP ignored."""
    before = signal.signal(number, signal.SIG_DFL)
    yield
    signal.signal(number, before)


@pytest.mark.usefixtures("not_ignored")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_is_an_interruption_with_its_exit_code_and_the_next_ends_the_process(number, code):
    with interruptions():
        with pytest.raises(Interrupted) as caught:
            os.kill(os.getpid(), number)
        assert caught.value.exit_code == code
        assert signal.getsignal(number) is signal.SIG_DFL
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_signal_that_the_caller_has_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptions():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


STARTING = """
import time
from joblib import Parallel, delayed
from diag.running.process import loky_workers, starting_workers
with starting_workers():
    Parallel(**loky_workers(2))(delayed(time.sleep)(0.01) for _ in range(2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_whose_runner_is_killed_before_it_has_work_does_not_stay():
    def group() -> list[str]:
        found = [path.parent for path in Path("/proc").glob("[0-9]*/stat") if _group_of(path) == runner.pid]
        return [name for path in found if "popen_loky" in (name := _read(path / "cmdline"))]

    runner = subprocess.Popen([sys.executable, "-c", STARTING], start_new_session=True)
    try:
        while not group():
            assert runner.poll() is None
        runner.kill()
        runner.wait()
        deadline = time.monotonic() + 30
        while group() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert group() == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(runner.pid, signal.SIGKILL)


def _group_of(stat: Path) -> int | None:
    """Return the session of a process, which outlives its leader."""
    fields = _read(stat).rpartition(")")[2].split()
    return int(fields[3]) if fields and fields[0] != "Z" else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
