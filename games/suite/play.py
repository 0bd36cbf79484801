"""Serves the suite for people: every visitor of the address gets a session of their own.

python -m games.suite.play [--port 8900] [--catalogue PACK] [--language zh]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from games.catalogue import load_catalogue
from games.contract import LevelError
from games.suite.server import ServerError, SuiteServer
from games.suite.texts import LANGUAGES, Language


def play(
    catalogue: Path | None = None,
    port: int = 0,
    language: Language = "en",
    *,
    say: Callable[[str], None],
    wait: Callable[[], None],
) -> None:
    """Serve until `wait` returns.

    Args:
        catalogue: a level pack, or None for our own levels.
        port: of the loopback interface; 0 takes a free one.
        language: what visitors see first.
        say: gets the one line that names the address.
        wait: blocks for as long as people shall play.

    Raises:
        LevelError: the pack is faulty.
        ServerError: the port is occupied.
    """
    with SuiteServer(load_catalogue(catalogue), port=port, front_door=True, front_language=language) as server:
        say(f"Puzzle Workshop is open at http://127.0.0.1:{server.port}/  (Ctrl+C closes it)")
        wait()


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m games.suite.play", description="Play the suite in a browser.")
    parser.add_argument("--port", type=int, default=0, help="a port of 127.0.0.1; a free one by default")
    parser.add_argument("--catalogue", type=Path, help="a level pack instead of our own levels")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    chosen = parser.parse_args(arguments)
    try:
        play(chosen.catalogue, chosen.port, chosen.language, say=_say, wait=_until_interrupted)
    except (LevelError, ServerError) as error:
        _say(str(error))
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _until_interrupted() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        _say("")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
