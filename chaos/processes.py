"""What runs: the processes below one, and those that bear a mark in their environment. Linux, from /proc."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "DIAG_CHAOS_MARK"
"""Environment variable that everything a victim starts inherits."""


def below(pid: int) -> tuple[int, ...]:
    """Return the living processes below one, at any depth."""
    parents = dict(_parents())
    found: list[int] = []
    layer = {pid}
    while layer:
        layer = {child for child, parent in parents.items() if parent in layer}
        found += sorted(layer)
    return tuple(found)


def command(pid: int) -> str:
    """Return a process's command line; empty if it is gone."""
    return _read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()


def browsers(pid: int) -> tuple[int, ...]:
    """Return the main processes of the browsers below a process: the driver's flags and no `--type`."""
    return tuple(one for one in below(pid) if _is_browser(command(one)))


def renderers(pid: int) -> tuple[int, ...]:
    """Return the processes that draw pages below a process."""
    return tuple(one for one in below(pid) if "--type=renderer" in command(one))


def marked(mark: str) -> tuple[int, ...]:
    """Return the living processes that inherited a mark."""
    wanted = f"{MARK}={mark}".encode()
    return tuple(pid for pid, _ in _parents() if wanted in _read(pid, "environ").split(b"\0"))


def left_behind(mark: str, *, patience_s: float = 5.0) -> tuple[str, ...]:
    """Return the commands of marked processes that are still there after a while; normally none."""
    deadline = time.monotonic() + patience_s
    while (found := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return tuple(command(pid)[:100] or str(pid) for pid in found)


def _parents() -> Iterator[tuple[int, int]]:
    """Yield (process, parent) of everything alive; a zombie is not alive."""
    for folder in Path("/proc").glob("[0-9]*"):
        fields = _read(int(folder.name), "stat").rpartition(b")")[2].split()
        if fields and fields[0] != b"Z" and int(folder.name) != os.getpid():
            yield int(folder.name), int(fields[1])


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _is_browser(line: str) -> bool:
    return "--remote-debugging-pipe" in line and "--type=" not in line
