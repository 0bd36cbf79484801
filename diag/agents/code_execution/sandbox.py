"""The host's side of the jail: what is mounted, what is limited, and a refusal where it cannot be had.

Guaranteed where `require` passes (each is a test): no network, not even loopback; no file of the host but the Python
installation, read-only; nothing of this repository or of the suite; no child process; limits of CPU, memory, file size
and wall time; nothing of a run alive when it is over. Not guaranteed: protection against a fault of the kernel, or
against timing side channels.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from diag.agents.code_execution.held import MAX_THREADS, TOO_MANY_THREADS, HeldRun
from diag.errors import ConfigError
from games.contract import JsonObject

HERE = Path(__file__).parent
LONGEST_OUTPUT = 8_000
LONGEST_ASKED = 1 << 20
"""Bytes of the actions that come before one screenshot."""
MOST_SCREENS = 100
"""Of one run."""
THREADS = 4
"""Exit status by which the worker tells of one thread too many."""
_ENVIRONMENT = {
    "HOME": "/job", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # else each thread takes 64 MB of the address space, and the limit of memory comes first
}  # fmt: skip
_SYSTEM = ("/usr", "/lib", "/lib64")
_PACKAGES = ("numpy", "numpy.libs")


@dataclass(frozen=True)
class SandboxLimits:
    """What one run may use."""

    wall_s: float = 20.0
    cpu_s: int = 15
    memory_mb: int = 1_024
    file_mb: int = 16


@dataclass(frozen=True)
class Ran:
    """What a run came to, or one part of it: from its start or its last screenshot to the next one or the end."""

    output: str
    """What it printed, cut in the middle."""
    actions: tuple[JsonObject, ...]
    """GUI actions it asked for; none if it did not end by itself."""
    took_s: float
    waits: bool = False
    """It asked for a screenshot after these actions and is stopped until `Sandbox.go_on`."""


@dataclass
class Sandbox:
    """The folder of one attempt and the jail around it. Use as a context manager, or `close` it."""

    limits: SandboxLimits = field(default_factory=SandboxLimits)
    _scratch: Path | None = field(default=None, init=False)
    _waiting: _Run | None = field(default=None, init=False)

    def run(self, code: str, png: bytes) -> Ran:
        """Run code on a screenshot; a run that waits is ended first. Raises ConfigError where there is no jail."""
        require()
        return self._run(code, png)

    def go_on(self, png: bytes) -> Ran:
        """Give the run that waits its screenshot and return what it comes to next."""
        assert self._waiting is not None
        return self._came_to(self._waiting, lambda run: run.go_on(png))

    def _run(self, code: str, png: bytes) -> Ran:
        self._end_waiting()
        return self._came_to(_Run(self._folder(), self.limits), lambda run: run.begin(code, png))

    def _came_to(self, run: _Run, work: Callable[[_Run], Ran]) -> Ran:
        self._waiting = None
        try:
            ran = work(run)
        except BaseException:
            run.end()
            raise
        self._waiting = run if ran.waits else None
        return ran

    def _folder(self) -> Path:
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="diag-code-"))
            for name in ("root", "job"):
                (self._scratch / name).mkdir()
        return self._scratch

    def _end_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.end()
            self._waiting = None

    def close(self) -> None:
        """End a run that waits and remove the attempt's folder."""
        self._end_waiting()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def __del__(self) -> None:
        self.close()


class _Run:
    """A run of an agent's code. It is given the screen as often as it asks, and is stopped by the kernel until then."""

    def __init__(self, scratch: Path, limits: SandboxLimits) -> None:
        self._limits, self._token = limits, secrets.token_hex(16)
        self._given = Path(tempfile.mkdtemp(dir=scratch, prefix="in-"))
        self._took_s, self._n_read, self._n_screens = 0.0, 0, 0
        self._asks, theirs = os.pipe()
        with contextlib.ExitStack() as opening:
            opening.callback(shutil.rmtree, self._given, ignore_errors=True)
            opening.callback(os.close, self._asks)
            with os.fdopen(theirs, "wb"):
                arguments = ("-I", "/in/worker.py", str(MAX_THREADS), str(theirs))
                self._jailed = _Jailed(scratch, ((str(self._given), "/in"),), arguments, limits, given_fds=(theirs,))
            opening.callback(self._jailed.close)
            self._open = opening.pop_all()

    def begin(self, code: str, png: bytes) -> Ran:
        """Run code on a screenshot."""
        (self._given / "code.py").write_text(code, encoding="utf-8", errors="replace")
        for name in ("worker.py", "kept.py"):
            shutil.copy(HERE / name, self._given / name)
        self._show(png)
        return self._watched(lambda deadline: self._jailed.run.begin(f"{self._token}\n", deadline))

    def go_on(self, png: bytes) -> Ran:
        """Let it go on with the screenshot that it asked for."""
        self._show(png)
        self._jailed.run.go_on()
        self._jailed.run.say(f"{self._n_screens}\n")
        return self._watched(lambda deadline: True)

    def _show(self, png: bytes) -> None:
        (self._given / f"screenshot-{self._n_screens}.npy").unlink(missing_ok=True)
        self._n_screens += 1
        (self._given / f"screenshot-{self._n_screens}.npy").write_bytes(_array(png))

    def _watched(self, begin: Callable[[float], bool]) -> Ran:
        """Wait until it asks for a screenshot or is over; the time it may take does not run while it waits."""
        began = time.monotonic()
        deadline = began + self._limits.wall_s - self._took_s
        why, asked = self._heard(deadline) if begin(deadline) else (None, ())
        if asked:
            self._jailed.run.pause()
            return Ran(_cut(self._printed().strip()), asked, self._lap(began), waits=True)
        why = self._jailed.end(why)
        text = self._printed()
        self._open.close()
        return _read(text, self._token, why, self._lap(began), further="further " * (self._n_screens > 1))

    def _heard(self, deadline: float) -> tuple[str | None, tuple[JsonObject, ...]]:
        """Return the limit that it is beyond, and the actions that come before the screenshot it asks for."""
        run, line = self._jailed.run, b""
        while not line.endswith(b"\n"):
            if why := run.watch(deadline, self._limits.memory_mb, self._asks):
                return why, ()
            if run.is_over(0.0):
                return None, ()
            if time.monotonic() >= deadline:
                return f"stopped after {self._limits.wall_s:g} s", ()
            line += os.read(self._asks, LONGEST_ASKED)
            if len(line) > LONGEST_ASKED:
                return f"ended by a limit: more than {LONGEST_ASKED} bytes of actions before a screenshot", ()
        if self._n_screens >= MOST_SCREENS:
            return f"ended by a limit: more than {MOST_SCREENS} screenshots", ()
        asked = _actions(line)
        return (None, asked) if asked else ("ended: what it asked for before a screenshot cannot be read", ())

    def _lap(self, began: float) -> float:
        took_s = time.monotonic() - began
        self._took_s += took_s
        return took_s

    def _printed(self) -> str:
        """Return what it has printed since this was asked last."""
        data = self._jailed.printed(self._n_read)
        self._n_read += len(data)
        return data.decode("utf-8", errors="replace")

    def end(self) -> None:
        """End it, whatever it is doing; harmless afterwards."""
        self._open.close()


@dataclass(frozen=True)
class Ended:
    """How a run in the jail ended."""

    text: str
    """What it wrote to its output, whole."""
    why: str | None
    """Why it was ended, or ended otherwise than by itself with status 0; None if it did."""
    took_s: float


def run_python(
    scratch: Path,
    given: Sequence[tuple[str, str]],
    arguments: Sequence[str],
    limits: SandboxLimits,
    *,
    first_line: str = "",
) -> Ended:
    """Run Python in the jail with numpy below `/packages`; nothing of the run is alive afterwards.

    Args:
        scratch: a folder with the empty folder `root`, and `job`, which is all that can be written to.
        given: (path on the host, path inside), read-only.
        arguments: of the interpreter.
        limits: what it may use.
        first_line: what it reads from its standard input.

    Raises:
        ConfigError: there is no jail on this machine.
    """
    require()
    began = time.monotonic()
    with contextlib.closing(_Jailed(scratch, given, arguments, limits)) as jailed:
        why = jailed.end(jailed.run.wait(first_line, wall_s=limits.wall_s, memory_mb=limits.memory_mb))
        return Ended(jailed.printed().decode("utf-8", errors="replace"), why, time.monotonic() - began)


class _Jailed:
    """Python in the jail with numpy below `/packages`, not yet let run. `close` it, whatever happens."""

    def __init__(
        self,
        scratch: Path,
        given: Sequence[tuple[str, str]],
        arguments: Sequence[str],
        limits: SandboxLimits,
        given_fds: Sequence[int] = (),
    ) -> None:
        ours, theirs = socket.socketpair()
        packages = _site_packages()
        inside = [(str(packages / name), f"/packages/{name}") for name in _PACKAGES if (packages / name).is_dir()]
        bounds = {
            "CPU": limits.cpu_s,
            "AS": limits.memory_mb << 20,
            "FSIZE": limits.file_mb << 20,
            "NOFILE": 128,
            "CORE": 0,
        }
        job = {**python_job(scratch, (*inside, *given), arguments, limits=bounds), "control": theirs.fileno()}
        command = [sys.executable, "-I", str(HERE / "jail.py"), json.dumps(job)]
        self._most = limits.file_mb << 20
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`
        self.run = HeldRun.start(command, ours, theirs, self._printed, given_fds)

    def end(self, why: str | None) -> str | None:
        """End it; return `why`, or what its status says where there is no reason yet."""
        status = self.run.end()
        if why is None and status != 0:
            return TOO_MANY_THREADS if status == THREADS else f"ended by a limit or a signal (status {status})"
        return why

    def close(self) -> None:
        """End it, if it is there, and forget what it wrote."""
        try:
            self.run.end()
        finally:
            self._printed.close()

    def printed(self, since: int = 0) -> bytes:
        """Return what it has written to its output, from a byte on."""
        return os.pread(self._printed.fileno(), max(self._most - since, 0), since)


def python_job(
    scratch: Path, given: Sequence[tuple[str, str]], arguments: Sequence[str], *, limits: Mapping[str, int]
) -> dict[str, Any]:
    """Return what `jail.py` is told to run Python on: this installation, what is given, and nothing else.

    Args:
        scratch: a folder with the empty folders `root` and `job`; the second is all that can be written to.
        given: (path on the host, path inside), read-only.
        arguments: of the interpreter.
        limits: name of an RLIMIT to its value.
    """
    base = Path(sys.base_prefix).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    system = [path for path in _SYSTEM if Path(path).exists()]
    if not any(base.is_relative_to(path) for path in system):
        system.append(str(base))
    hidden = ["/usr/local", "/usr/src", *_package_folders((*system, str(base)))]
    return {
        "root": str(scratch / "root"),
        "job": str(scratch / "job"),
        "read_only": [[path, path] for path in system],
        "hidden": [path for path in hidden if not base.is_relative_to(path)],
        "late_read_only": list(given),
        "argv": [str(base / "bin" / version), *arguments],
        "environment": _ENVIRONMENT,
        "limits": dict(limits),
    }


def _read(text: str, token: str, why: str | None, took_s: float, *, further: str) -> Ran:
    """Return what a run came to. One that was ended, or whose status is not 0, asks for nothing, or nothing further."""
    printed, found, last = text.rpartition(token)
    if not found or why is not None:
        why = why or "ended without its last line"
        return Ran(_cut(f"{text.replace(token, '').strip()}\n[{why}; no {further}action was asked for]"), (), took_s)
    return Ran(_cut(printed.strip()), _actions(last), took_s)


def _actions(text: str | bytes) -> tuple[JsonObject, ...]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = []
    return tuple(one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()


def _cut(text: str) -> str:
    half = LONGEST_OUTPUT // 2
    return text if len(text) <= LONGEST_OUTPUT else f"{text[:half]}\n[... cut ...]\n{text[-half:]}"


def _array(png: bytes) -> bytes:
    """Return a screenshot as a .npy file of shape (height, width, 3), uint8 RGB; (0, 0, 3) without a picture."""
    import numpy as np
    from PIL import Image

    buffer = io.BytesIO()
    pixels = np.zeros((0, 0, 3), np.uint8) if not png else np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    np.save(buffer, pixels)
    return buffer.getvalue()


@lru_cache(maxsize=4)
def _package_folders(roots: tuple[str, ...]) -> tuple[str, ...]:
    """Return every folder below `roots` that Python or its tools take third-party packages from."""
    names = ("lib*/python3*/site-packages", "lib*/python3*/dist-packages", "python3*/site-packages",
             "python3*/dist-packages", "lib*/python3*/ensurepip/_bundled", "python3*/ensurepip/_bundled",
             "share/python-wheels", "lib/node_modules")  # fmt: skip
    found = {str(path) for root in roots for name in names for path in Path(root).glob(name)}
    return tuple(sorted(path for path in found if not Path(path).is_symlink()))


def _site_packages() -> Path:
    import numpy as np

    return Path(np.__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def require() -> None:
    """Check once a process that the jail holds here: it runs code, and code in it sees no network and no home.

    Raises:
        ConfigError: there is no such isolation on this machine; the setting is refused.
    """
    if sys.platform != "linux":
        raise ConfigError("the code-execution setting needs Linux namespaces; there are none on this system")
    probe = Sandbox(SandboxLimits(wall_s=60.0))
    try:
        ran = probe._run(_PROBE.replace("FOREIGN", repr(str(HERE))), b"")
    finally:
        probe.close()
    if "jail holds" not in ran.output.splitlines():
        raise ConfigError(
            f"the code-execution setting is refused, no isolation here: {' '.join(ran.output.split())[:300]}"
        )


_PROBE = """
import os, socket
problems = []
try:
    socket.socket()
    problems.append("network")
except OSError:
    pass
if os.path.exists(FOREIGN):
    problems.append("files")
print("jail holds" if not problems else "open: " + ", ".join(problems))
"""
