"""Serves a build on a socket it was given. A program by itself, run in the jail: `python serve_build.py FD`.

It prints `ready`, and ends when its standard input does. The process cannot make a socket of its own: the one it is
given is all it has of the network, so it reaches nothing that it is not asked by.
"""

from __future__ import annotations

import functools
import socket
import sys


def main(descriptor: int) -> None:
    """Serve the bundle at /build until standard input ends."""
    sys.path[:0] = ["/build", "/packages"]
    sys.dont_write_bytecode = True
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
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
