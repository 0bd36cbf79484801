"""One run that the host holds by a pidfd: waiting for it, counting what it holds, ending it for certain.

The pidfd is of the init of the run's pid namespace. It turns readable only when that process and everything else in
the namespace is gone, whatever the code did to its session, its group or its parent.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

POLL_S = 0.05
END_S = 20.0
MAX_THREADS = 64
TOO_MANY_THREADS = f"ended by a limit: more than {MAX_THREADS} threads"


class StillAlive(RuntimeError):
    """A run that was killed has not ended: the kernel holds it. Nothing can be promised any more."""


@dataclass
class HeldRun:
    """A jail that was started. `end` it, whatever happens."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    held: int | None = None
    """pidfd of the namespace's init; None if the jail failed before it had one."""
    pid: int = 0

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        control: socket.socket,
        theirs: socket.socket,
        printed: IO[bytes],
        given: Sequence[int] = (),
    ) -> HeldRun:
        """Start the jail's outer process in a session of its own.

        It has its end of the control socket, and of what the host has open the descriptors `given` alone.
        """
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True, env={},
            pass_fds=(theirs.fileno(), *given),
        )  # fmt: skip
        theirs.close()
        return cls(process, control)

    def wait(self, first_line: str, *, wall_s: float, memory_mb: int) -> str | None:
        """Let the program begin and wait for it; return why it has to be ended, None if it ended by itself."""
        deadline = time.monotonic() + wall_s
        if not self.begin(first_line, deadline):
            return None
        self.hear_no_more()
        return self.watch(deadline, memory_mb) or (None if self.is_over(0.0) else f"stopped after {wall_s:g} s")

    def watch(self, deadline: float, memory_mb: int, asks: int | None = None) -> str | None:
        """Wait until the program is over, beyond a limit, late, or writes to `asks`; return the limit it is beyond."""
        while (left_s := deadline - time.monotonic()) > 0 and not self.is_over(min(POLL_S, left_s), asks):
            if why := self._beyond(memory_mb):
                return why
        return None

    def begin(self, first_line: str, deadline: float) -> bool:
        """Take hold of the program and let it begin; False if the jail failed before it had one."""
        if not self._take_hold(deadline):
            return False
        with contextlib.suppress(BrokenPipeError):
            self.control.sendall(b"g")
            self.say(first_line)
        return True

    def say(self, line: str) -> None:
        """Write a line to the program's standard input, which takes some thousand without being read."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()

    def hear_no_more(self) -> None:
        """Close the program's standard input."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()

    def pause(self) -> None:
        """Stop every thread of the program, whatever it does about signals, until it may `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the program run again."""
        self._signal(signal.SIGCONT)

    def end(self) -> int:
        """Kill whatever is left of the run, wait until it is gone, and return the exit status.

        Raises:
            StillAlive: it is not gone within `END_S`.
        """
        if self.held is not None:
            self._signal(signal.SIGKILL)
            gone = self.is_over(END_S)
            os.close(self.held)
            self.held = None
            if not gone:
                raise StillAlive(f"process {self.pid} of the jail was killed and is still there after {END_S:g} s")
        self.control.close()
        self.hear_no_more()
        try:
            return self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def _take_hold(self, deadline: float) -> bool:
        self.control.settimeout(max(deadline - time.monotonic(), 0.1))
        try:
            said, fds, _, _ = socket.recv_fds(self.control, 32, 1)
        except OSError:
            said, fds = b"", []
        if not fds:
            return False
        self.held, self.pid = fds[0], int(said)
        return True

    def is_over(self, within_s: float, asks: int | None = None) -> bool:
        """Wait for the program's end, or until it has written to `asks`; tell whether either came."""
        poll = select.poll()
        assert self.held is not None
        for one in (self.held, *([] if asks is None else [asks])):
            poll.register(one, select.POLLIN)
        return bool(poll.poll(within_s * 1_000))

    def _signal(self, number: signal.Signals) -> None:
        assert self.held is not None
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.held, number)

    def _beyond(self, memory_mb: int) -> str | None:
        """Return the limit that the process is beyond by the kernel's count, beside those that the kernel enforces."""
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        except OSError:
            return None
        found = {
            name: int(words.split()[0]) for name, _, words in (line.partition(":") for line in lines) if name in _COUNTS
        }
        if (found.get("VmRSS", 0) + found.get("VmSwap", 0)) >> 10 > memory_mb:
            return f"ended by a limit: more than {memory_mb} MB of memory"
        if found.get("Threads", 0) > MAX_THREADS:
            return TOO_MANY_THREADS
        return None


_COUNTS = ("VmRSS", "VmSwap", "Threads")
