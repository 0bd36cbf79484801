"""Where one attempt happens: a workspace for the agent, an environment in the server's process, and its journal."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diag.records import InfrastructureFailure
from diag.running.leavings import folder_in_memory
from diag.studies.continuation import client as client_module
from diag.studies.continuation.client import OWN, Client
from diag.studies.continuation.levels import Course


class ServerProcess:
    """The process with the games; started when it is first needed, and again when it has died.

    A fork of the process that started it starts one of its own: two must not talk into one pipe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = os.getpid()
        atexit.register(self.stop)

    def open(self, settings: dict[str, Any]) -> int:
        """Open an environment, in another process if one dies, and return its port. Raises InfrastructureFailure."""
        with self._lock:
            try:
                answer = self._asked(settings)
            except (OSError, ValueError) as error:
                raise InfrastructureFailure("suite", f"the game's process does not answer: {error}") from error
        if "error" in answer:
            raise InfrastructureFailure("suite", answer["error"])
        return int(answer["port"])

    def _asked(self, settings: dict[str, Any], *, tries: int = 2) -> dict[str, Any]:
        """Return the process's answer; one that does not answer is ended, and another is asked."""
        process = self._running()
        try:
            self._say(process, settings)
            return self._heard(process)
        except (OSError, ValueError):
            process.kill()
            process.wait()
            if tries == 1:
                raise
        return self._asked(settings, tries=tries - 1)

    def close(self, alias: str) -> None:
        """Let an environment go; a process that has died has let it go already."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            if self._process is not None and self._process.poll() is None:
                self._say(self._process, {"close": alias})
                self._heard(self._process)

    @property
    def pid(self) -> int | None:
        """Number of the process; None before the first environment."""
        return None if self._process is None else self._process.pid

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            if self._process is not None:
                _close_pipes(self._process)
            self._owner = os.getpid()
            command = [sys.executable, "-m", "diag.studies.continuation.server"]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        return self._process

    @staticmethod
    def _say(process: subprocess.Popen[str], line: dict[str, Any]) -> None:
        if process.stdin is not None:
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()

    @staticmethod
    def _heard(process: subprocess.Popen[str]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(process.stdout.readline() if process.stdout is not None else "")
        return found

    def stop(self) -> None:
        """End the process; the next environment starts another."""
        with self._lock:
            if self._process is not None and self._owner == os.getpid():
                _close_pipes(self._process)
                self._process.kill()
                self._process.wait()
                self._process = None


def _close_pipes(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


SERVER = ServerProcess()
"""The server of this worker process. It ends with it: its standard input closes."""


@dataclass
class Place:
    """One attempt's workspace, client and journal."""

    client: Client
    alias: str
    _journal: Path
    _read: int = field(default=0)
    """Bytes of the journal that were read."""

    def news(self) -> list[dict[str, Any]]:
        """Return what the game's process has noted since the last call; a line still being written waits."""
        with self._journal.open("rb") as handle:
            handle.seek(self._read)
            lines = handle.read().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        self._read += sum(map(len, whole))
        return [json.loads(line) for line in whole]


@contextmanager
def place_for(course: Course, description: str, server: ServerProcess = SERVER) -> Iterator[Place]:
    """Give one attempt its place and take it away afterwards. Raises InfrastructureFailure.

    The workspace holds the client and nothing of the game; the journal lies in another folder.
    """
    folder = folder_in_memory("continuation")
    workspace, alias = folder / "workspace", secrets.token_hex(8)
    client = Client(workspace)
    try:
        (workspace / OWN).mkdir(parents=True)
        journal = folder / "journal.jsonl"
        journal.touch()
        shutil.copy(str(client_module.__file__), workspace / "client.py")
        settings = {"alias": alias, "course": course.to_json(), "description": description, "journal": str(journal)}
        port = server.open(settings)
        (workspace / OWN / "address.json").write_text(json.dumps({"host": "127.0.0.1", "port": port}))
        yield Place(client, alias, journal)
    finally:
        client.close()
        server.close(alias)
        shutil.rmtree(folder, ignore_errors=True)
