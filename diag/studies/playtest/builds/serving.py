"""Serves a build from a process in the jail, on a port of the loopback interface that is the build's alone.

The host opens the port and hands the listening socket over. The jail has no network of its own and cannot make a
socket, so a build, whoever wrote it, reaches neither the suite nor anything else; it only answers its own page.
"""

from __future__ import annotations

import importlib.util
import json
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from diag.agents.code_execution import sandbox

HOST = "127.0.0.1"
_HERE = Path(__file__).parent
_SYSTEM = ("/usr", "/lib", "/lib64")
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
        self._scratch = Path(tempfile.mkdtemp(prefix="diag-build-"))
        for name in ("root", "job"):
            (self._scratch / name).mkdir()
        self._errors = (self._scratch / "errors").open("w+b")
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            listener.bind((HOST, 0))
            listener.listen(128)
            self.port = listener.getsockname()[1]
            self._process = self._start(listener.fileno())
        try:
            self._wait_until_ready()
        except BuildDoesNotStart:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()  # the jail's child dies with it
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    @property
    def address(self) -> str:
        """Where the build is."""
        return f"http://{HOST}:{self.port}/"

    def _start(self, descriptor: int) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-I",
            str(sandbox.HERE / "jail.py"),
            json.dumps(_job(self.bundle, self._scratch, descriptor)),
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=(descriptor,),
            start_new_session=True,
            env={},
        )

    def _wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        readable, _, _ = select.select([self._process.stdout], [], [], self.start_limit_s)
        if readable and self._process.stdout.readline() == b"ready\n":
            return
        if not readable:
            raise BuildDoesNotStart(f"the build did not start within {self.start_limit_s:g} s")
        time.sleep(0.05)
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:] or ["it ended without a word"]
        raise BuildDoesNotStart(f"the build does not start: {last[0][:300]}")


def _job(bundle: Path, scratch: Path, descriptor: int) -> dict[str, Any]:
    """Return what the jail is told: the Python installation, the packages of the server, the bundle, nothing else."""
    base = Path(sys.base_prefix).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    system = [path for path in _SYSTEM if Path(path).exists()]
    if not any(base.is_relative_to(path) for path in system):
        system.append(str(base))
    hidden = [f"{base}/lib/{version}/site-packages", "/usr/local", "/usr/lib/python3/dist-packages", "/usr/src"]
    given = [
        (str(bundle.resolve()), "/build"),
        (str(_HERE / "serve_build.py"), "/in/serve_build.py"),
        *((str(place), f"/packages/{place.name}") for place in _package_places()),
    ]
    return {
        "root": str(scratch / "root"),
        "job": str(scratch / "job"),
        "read_only": [[path, path] for path in system],
        "hidden": [path for path in hidden if path != str(base)],
        "late_read_only": given,
        "argv": [str(base / "bin" / version), "-I", "-B", "/in/serve_build.py", str(descriptor)],
        "environment": {"HOME": "/job", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        "limits": _LIMITS,
    }


def _package_places() -> list[Path]:
    places = []
    for name in _PACKAGES:
        found = importlib.util.find_spec(name)
        if found is not None and found.origin is not None:
            origin = Path(found.origin).resolve()
            places.append(origin.parent if origin.name == "__init__.py" else origin)
    return places
