"""Serves a build on a socket it was given. A program by itself, run in the jail: `python serve_build.py FD`.

It prints `ready`, and is ended from outside. The process cannot make a socket of its own: the one it is given is all it
has of the network, so it reaches nothing that it is not asked by. The event loop, which wakes itself through a pair of
sockets, is given a pipe instead.
"""

from __future__ import annotations

import functools
import os
import socket
import sys
import threading


class PipeEnd:
    """One end of a pipe with the few methods that an event loop calls of a socket."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def setblocking(self, flag: bool) -> None:
        """Set whether reading and writing wait."""
        os.set_blocking(self._descriptor, flag)

    def recv(self, size: int) -> bytes:
        """Read."""
        return os.read(self._descriptor, size)

    def send(self, data: bytes) -> int:
        """Write."""
        return os.write(self._descriptor, data)

    def close(self) -> None:
        """Close."""
        os.close(self._descriptor)


def pipe_pair() -> tuple[PipeEnd, PipeEnd]:
    """Return the reading and the writing end of a pipe."""
    reading, writing = os.pipe()
    return PipeEnd(reading), PipeEnd(writing)


def main(descriptor: int) -> None:
    """Serve the bundle at /build for as long as the process is let live."""
    sys.path[:0] = ["/build", "/packages"]
    sys.dont_write_bytecode = True
    socket.socketpair = pipe_pair  # type: ignore[assignment]
    from games.catalogue import load_catalogue
    from games.suite import server as suite

    given = socket.socket(fileno=descriptor)

    def listen(port: int) -> socket.socket:
        del port
        return given

    suite._listen = listen
    server = suite.SuiteServer(load_catalogue(), front_door=True)
    server.open = functools.partial(server.open, animate=False)  # type: ignore[method-assign]
    with server:
        os.write(1, b"ready\n")
        threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
