"""One line to whoever waits at the terminal: written at once, also into a pipe."""

from __future__ import annotations

import sys


def say(line: object) -> None:
    """Write a line to standard output and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
