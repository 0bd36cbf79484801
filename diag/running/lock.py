"""One runner per study folder, and an error that says who the other one is."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from diag.errors import StudyLocked
from diag.records.sealed import storage_error, write_whole
from diag.records.study_folder import StudyFolder, utc_now


@contextmanager
def study_lock(folder: StudyFolder) -> Iterator[None]:
    """Hold the study's lock. The kernel frees it when the process dies, however it dies.

    Raises:
        StudyLocked: another process holds it; the message names its process, host and start.
        StorageError: the folder cannot be written.
    """
    holder_path = folder.root / "study.holder.json"
    try:
        folder.root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.lock_path, timeout=0)
        lock.acquire()
    except Timeout as error:
        raise StudyLocked(f"{folder.root} is being run by {_holder(holder_path)}; wait for it or stop it") from error
    except OSError as error:
        raise storage_error(folder.root, error) from error
    try:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since_utc": utc_now()}
        write_whole(holder_path, json.dumps(holder).encode())
        yield
    finally:
        holder_path.unlink(missing_ok=True)
        lock.release()


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_text())
        return f"process {holder['pid']} on {holder['host']} since {holder['since_utc']}"
    except (OSError, ValueError, KeyError):
        return "another process (it has just started or just ended)"
