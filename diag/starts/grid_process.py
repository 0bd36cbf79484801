"""A grid server in a process of its own, for studies whose player and environment must not share one."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from games.contract import JsonObject


class ServerProcessError(RuntimeError):
    """The process ended before it could be asked; one line, with its own words."""


@contextmanager
def served_apart(games: Sequence[JsonObject], *options: str) -> Iterator[str]:
    """Serve games from another process until the block is left; it ends too if this process dies.

    Args:
        games: as in the manifest of `python -m diag arcade`: id, levels, loss, attempts.
        options: further words of that command, as `competition=true`.

    Yields:
        The address, `http://127.0.0.1:PORT`.

    Raises:
        ServerProcessError: a level, a loss or an option is not as it should be.
    """
    with tempfile.TemporaryDirectory(prefix="grid-games-") as folder:
        manifest = Path(folder) / "games.json"
        manifest.write_text(json.dumps(games), encoding="utf-8")
        words = [sys.executable, "-m", "diag", "arcade", f"manifest={manifest}", *options]
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                assert process.stderr is not None
                line = process.stdout.readline()
                if not line.startswith("http://"):
                    raise ServerProcessError(" ".join(process.stderr.read().split()) or "the grid server ended at once")
                yield line.split()[0]
            finally:
                process.terminate()
