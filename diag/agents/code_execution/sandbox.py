"""The host's side of the jail: what is mounted, what is limited, and a refusal where it cannot be had.

Guaranteed where `require` passes (each is a test): no network, not even loopback; no file of the host but the Python
installation, read-only; nothing of this repository or of the suite; no child process; limits of CPU, memory, file size
and wall time; nothing of a run alive when it is over. Not guaranteed: protection against a fault of the kernel, or
against timing side channels.
"""

from __future__ import annotations

import io
import json
import secrets
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from diag.agents.code_execution.held import MAX_THREADS, TOO_MANY_THREADS, HeldRun
from diag.errors import ConfigError
from games.contract import JsonObject

HERE = Path(__file__).parent
LONGEST_OUTPUT = 8_000
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
    """What a run came to."""

    output: str
    """What it printed, cut in the middle."""
    actions: tuple[JsonObject, ...]
    """GUI actions it asked for; none if it did not end by itself."""
    took_s: float


@dataclass
class Sandbox:
    """The folder of one attempt and the jail around it. Use as a context manager, or `close` it."""

    limits: SandboxLimits = field(default_factory=SandboxLimits)
    _scratch: Path | None = field(default=None, init=False)

    def run(self, code: str, png: bytes) -> Ran:
        """Run code on a screenshot. Raises ConfigError where there is no jail."""
        require()
        return self._run(code, png)

    def _run(self, code: str, png: bytes) -> Ran:
        scratch = self._folder()
        given = Path(tempfile.mkdtemp(dir=scratch, prefix="in-"))
        try:
            (given / "code.py").write_text(code, encoding="utf-8", errors="replace")
            (given / "screenshot.npy").write_bytes(_array(png))
            for name in ("worker.py", "kept.py"):
                shutil.copy(HERE / name, given / name)
            return self._jailed(scratch, given)
        finally:
            shutil.rmtree(given, ignore_errors=True)

    def _jailed(self, scratch: Path, given: Path) -> Ran:
        token = secrets.token_hex(16)
        arguments = ("-I", "/in/worker.py", str(MAX_THREADS))
        ended = _run_python(scratch, ((str(given), "/in"),), arguments, self.limits, f"{token}\n")
        return _read(ended.text, token, ended.why, ended.took_s)

    def _folder(self) -> Path:
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="diag-code-"))
            for name in ("root", "job"):
                (self._scratch / name).mkdir()
        return self._scratch

    def close(self) -> None:
        """Remove the attempt's folder."""
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def __del__(self) -> None:
        self.close()


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
    return _run_python(scratch, given, arguments, limits, first_line)


def _run_python(
    scratch: Path, given: Sequence[tuple[str, str]], arguments: Sequence[str], limits: SandboxLimits, first_line: str
) -> Ended:
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
    began = time.monotonic()
    with tempfile.TemporaryFile() as printed:
        run = HeldRun.start(command, ours, theirs, printed)
        try:
            why = run.wait(first_line, wall_s=limits.wall_s, memory_mb=limits.memory_mb)
        finally:
            status = run.end()
        printed.seek(0)
        text = printed.read(limits.file_mb << 20).decode("utf-8", errors="replace")
    if why is None and status != 0:
        why = TOO_MANY_THREADS if status == THREADS else f"ended by a limit or a signal (status {status})"
    return Ended(text, why, time.monotonic() - began)


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


def _read(text: str, token: str, why: str | None, took_s: float) -> Ran:
    """Return what a run came to. One that was ended, or whose status is not 0, asks for nothing."""
    printed, found, last = text.rpartition(token)
    if not found or why is not None:
        why = why or "ended without its last line"
        return Ran(_cut(f"{text.replace(token, '').strip()}\n[{why}; no action was asked for]"), (), took_s)
    try:
        actions = json.loads(last)
    except (ValueError, RecursionError):
        actions = []
    return Ran(_cut(printed.strip()), tuple(one for one in actions if isinstance(one, dict)), took_s)


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
