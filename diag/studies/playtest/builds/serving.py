"""Serves a build from a process in the jail, on a port of the loopback interface that is the build's alone.

The host opens the port and hands the listening socket over. The jail has no network of its own and cannot make a
socket, so a build, whoever wrote it, reaches neither the suite nor anything else; it only answers its own page.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import socket
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from diag.agents.code_execution import sandbox
from diag.agents.code_execution.held import POLL_S, HeldRun

HOST = "127.0.0.1"
_HERE = Path(__file__).parent
_PACKAGES = ("uvicorn", "starlette", "websockets", "anyio", "h11", "click", "idna", "sniffio", "typing_extensions")
_LIMITS = {"CPU": 600, "AS": 2 << 30, "FSIZE": 1 << 20, "NOFILE": 256, "CORE": 0}


class BuildDoesNotStart(RuntimeError):
    """A build's process did not come to serve; for a study this is an outcome of the build, not of the machine."""


@dataclass
class BuildServer:
    """A context manager that serves one bundle.

    Args:
        bundle: the folder of `write_bundle`; the jailed process sees it read-only.
        start_limit_s: the longest start that is accepted, in seconds.

    Raises:
        BuildDoesNotStart: on entering.
        ConfigError: on entering, where there is no jail on this machine.
    """

    bundle: Path
    start_limit_s: float = 30.0
    port: int = field(default=0, init=False)

    def __enter__(self) -> Self:
        sandbox.require()
        self._open = contextlib.ExitStack()
        try:
            self._run = self._start()
            self._wait_until_ready()
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    @property
    def address(self) -> str:
        """Where the build is."""
        return f"http://{HOST}:{self.port}/"

    def _start(self) -> HeldRun:
        scratch = Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="diag-build-")))
        for name in ("root", "job"):
            (scratch / name).mkdir()
        self._printed = self._open.enter_context((scratch / "printed").open("w+b"))
        ours, theirs = socket.socketpair()
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            listener.bind((HOST, 0))
            listener.listen(128)
            self.port = listener.getsockname()[1]
            job = {**_job(self.bundle, scratch, listener.fileno()), "control": theirs.fileno()}
            command = [sys.executable, "-I", str(sandbox.HERE / "jail.py"), json.dumps(job)]
            run = HeldRun.start(command, ours, theirs, self._printed, given=(listener.fileno(),))
        self._open.callback(run.end)
        return run

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self.start_limit_s
        if self._run.begin("", deadline):
            self._run.hear_no_more()
            while time.monotonic() < deadline:
                if b"ready" in self._said():
                    return
                if self._run.is_over(POLL_S):
                    break
            else:
                raise BuildDoesNotStart(f"the build did not start within {self.start_limit_s:g} s")
        last = [line.decode(errors="replace") for line in self._said() if line.strip()][-1:]
        raise BuildDoesNotStart(f"the build does not start: {(last or ['it ended without a word'])[0].strip()[:300]}")

    def _said(self) -> list[bytes]:
        self._printed.seek(0)
        return self._printed.read().splitlines()


def _job(bundle: Path, scratch: Path, descriptor: int) -> dict[str, Any]:
    """Return what the jail is told: the Python installation, the packages of the server, the bundle, nothing else."""
    given = (
        (str(bundle.resolve()), "/build"),
        (str(_HERE / "serve_build.py"), "/in/serve_build.py"),
        *((str(place), f"/packages/{place.name}") for place in _package_places()),
    )
    return sandbox.python_job(scratch, given, ("-I", "-B", "/in/serve_build.py", str(descriptor)), limits=_LIMITS)


def _package_places() -> list[Path]:
    places = []
    for name in _PACKAGES:
        found = importlib.util.find_spec(name)
        if found is not None and found.origin is not None:
            origin = Path(found.origin).resolve()
            places.append(origin.parent if origin.name == "__init__.py" else origin)
    return places
