"""What a killed run leaves on the machine, and who takes it away: the next start of any run.

A run keeps its temporary files, those of its workers and the profiles of its browsers in a folder of its own, which it
holds by a lock that the kernel frees when the process dies, however it dies. A folder that nobody holds is taken away,
and with it the semaphores and the shared memory that bear the number of its process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import tempfile
import time
from itertools import chain
from pathlib import Path

from filelock import FileLock, Timeout

from diag.running.process import alive

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - where the kernel has it
_PREFIX = "diag-run-"
_HELD = "held"
_NEVER_HELD_S = 3600.0
"""A folder without a lock is being made, or its maker died over it: it did after so long, in seconds."""
_ROOM = 2**30
"""Bytes that shared memory must have free before files are put there."""
_held: dict[int, FileLock] = {}


def own_temporary_folder() -> Path | None:
    """Give this process a temporary folder of its own, and take away what dead runs left; once in a process.

    It is in `TMPDIR`, so what this process starts uses it too, and goes when the process ends. None: the machine takes
    no folder; then there are only the machine's.
    """
    if os.getpid() in _held:
        return Path(tempfile.gettempdir())
    root = Path(tempfile.gettempdir())
    remove_leavings(root)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=root))
        lock = FileLock(folder / "new")
        lock.acquire(timeout=0)
        (folder / "new").rename(folder / _HELD)
    except (OSError, Timeout):
        return None
    _held[os.getpid()] = lock
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    atexit.register(_leave, os.getpid(), folder, str(root))
    return folder


def folder_in_memory(name: str) -> Path:
    """Make a folder for many small files: in shared memory where that has room, else among the temporary ones.

    A disk's file system takes milliseconds of processor time for a few files in a folder of their own.
    """
    run = Path(tempfile.gettempdir()).name
    with contextlib.suppress(OSError):
        if run.startswith(_PREFIX) and shutil.disk_usage(SHARED_MEMORY).free > _ROOM:
            return Path(tempfile.mkdtemp(prefix=f"{run}-{name}-", dir=SHARED_MEMORY))
    return Path(tempfile.mkdtemp(prefix=f"diag-{name}-"))


def remove_leavings(root: Path, shared_memory: Path = SHARED_MEMORY) -> tuple[Path, ...]:
    """Remove what dead runs left in a folder for temporary files and in shared memory; return their folders."""
    dead = tuple(path for path in sorted(root.glob(f"{_PREFIX}*")) if _is_dead(path))
    for folder in dead:
        _remove_shared(int(folder.name.split("-")[2]), shared_memory)
        shutil.rmtree(folder, ignore_errors=True)
    return dead


def _is_dead(folder: Path) -> bool:
    """Tell whether a folder is a run's of this user that no process holds any more."""
    try:
        if not re.fullmatch(rf"{_PREFIX}\d+-\w+", folder.name) or folder.is_symlink() or not folder.is_dir():
            return False
        if folder.stat().st_uid != os.getuid():
            return False
        if not (folder / _HELD).is_file():
            return time.time() - folder.stat().st_mtime > _NEVER_HELD_S
        with FileLock(folder / _HELD, timeout=0):
            return True
    except (OSError, Timeout):
        return False


def _remove_shared(pid: int, shared_memory: Path) -> None:
    """Remove what a process left: loky's semaphores, joblib's arrays, folders; not if its number is in use again."""
    if alive(pid):
        return
    for path in chain.from_iterable(
        shared_memory.glob(name)
        for name in (f"sem.loky-{pid}-*", f"joblib_memmapping_folder_{pid}_*", f"{_PREFIX}{pid}-*")
    ):
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == os.getuid():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _leave(pid: int, folder: Path, before: str) -> None:
    if os.getpid() != pid:  # a fork of the process that made it
        return
    tempfile.tempdir = before
    os.environ["TMPDIR"] = before
    for path in (folder, *SHARED_MEMORY.glob(f"{folder.name}-*")):
        shutil.rmtree(path, ignore_errors=True)
    _held.pop(pid).release()
