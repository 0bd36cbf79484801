"""`python -m diag arcade [KEY=VALUE ...]`: serve grid games with the routes of ARC-AGI-3, on 127.0.0.1 alone.

games=rush_hour,maze_paint   names; all by default          levels=5            of each game, spread over its catalogue
loss=stuck                   stuck, deadlock, budget        attempts=2.0        budget: times a level's baseline
catalogue=PACK               levels other than our own      animate=true        show the frames between settled ones
competition=true             one card, one play a game      port=0              0 takes a free one
manifest=FILE                a list of {"id", "levels", "loss", "attempts"} instead of games=, levels=, loss=, attempts=

It prints its address once it can be asked, and ends on Ctrl-C, or when its standard input closes if that is a pipe.
Baselines are from scripted reference players: simulated, and no client is told them.
"""

from __future__ import annotations

import json
import signal
import stat
import sys
import threading
from collections.abc import Mapping, Sequence
from os import fstat
from pathlib import Path
from typing import Any

from diag.errors import ConfigError, one_line
from diag.starts.suite_game import GridGame, LossRule, spread
from diag.terminal import options, say
from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelError, LevelId
from games.grid.arcade import Arcade, ArcadeServer
from games.grid.ports import registered_ports

KEYS = {
    "games": "", "levels": "5", "loss": "stuck", "attempts": "2.0", "catalogue": "", "animate": "false",
    "competition": "false", "port": "0", "manifest": "",
}  # fmt: skip
MANIFEST_KEYS = ("id", "levels", "loss", "attempts")


def main(arguments: Sequence[str]) -> int:
    """Serve until told to stop; return 0. Raises ConfigError."""
    given = options(arguments, KEYS)
    port = _number(given, "port", int, 0, 65_535)
    try:
        arcade = Arcade([game.offer(name) for name, game in _games(given)], competition=_switch(given, "competition"))
        with ArcadeServer(arcade, port) as server:
            say(f"{server.url}  (Ctrl-C ends)")
            _wait()
    except (LevelError, ValueError) as error:
        raise ConfigError(one_line(error)) from error
    except OSError as error:
        raise ConfigError(f"port={port}: {one_line(error)}; wanted a free port, or 0 for any") from error
    return 0


def _games(given: Mapping[str, str]) -> list[tuple[str, GridGame]]:
    """Return the games with their ids; an empty id is made of the game's name and digest."""
    levels = load_catalogue(given["catalogue"] or None)
    animate = _switch(given, "animate")
    if given["manifest"]:
        return [_entry(one, levels, animate) for one in _manifest(given["manifest"])]
    known = [name for name in registered_ports() if name in levels.games]
    rule = LossRule(tuple(filter(None, given["loss"].split(","))), _number(given, "attempts", float, 0, 1_000))
    most = _number(given, "levels", int, 1, 1_000)
    names = list(filter(None, given["games"].split(","))) or known
    for name in names:
        if name not in known:
            raise ConfigError(f"games: found {name!r}, wanted some of {', '.join(known)}")
    return [("", GridGame(name, spread(levels, name, most), rule, animate, levels)) for name in names]


def _manifest(path: str) -> list[Any]:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"manifest {path}: {one_line(error)}") from error
    if not isinstance(found, list):
        raise ConfigError(f"manifest {path}: found {type(found).__name__}, wanted a list of games")
    return found


def _entry(one: Any, levels: Catalogue, animate: bool) -> tuple[str, GridGame]:
    if not isinstance(one, dict) or not isinstance(one.get("levels"), list) or not one["levels"]:
        raise ConfigError(f"manifest: found {one!r:.80}, wanted a game with id and a list of levels")
    if strange := sorted(one.keys() - set(MANIFEST_KEYS)):
        raise ConfigError(f"manifest: found the key {strange[0]!r}, wanted some of {', '.join(MANIFEST_KEYS)}")
    wanted = [LevelId.parse(str(name)) for name in one["levels"]]
    by_id = {entry.id: entry for entry in levels.entries}
    if missing := [str(name) for name in wanted if name not in by_id]:
        raise ConfigError(f"manifest: there is no level {missing[0]}")
    loss, attempts = one.get("loss", ["stuck"]), one.get("attempts", 2.0)
    if not isinstance(loss, list) or isinstance(attempts, bool) or not isinstance(attempts, int | float):
        raise ConfigError(f"manifest: found loss {loss!r:.40}, attempts {attempts!r:.40}, wanted a list and a number")
    rule = LossRule(tuple(map(str, loss)), attempts)
    entries = tuple(by_id[name] for name in wanted)
    return str(one.get("id", "")), GridGame(wanted[0].game, entries, rule, animate, levels)


def _number(given: Mapping[str, str], key: str, kind: Any, low: float, high: float) -> Any:
    try:
        value = kind(given[key])
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        raise ConfigError(f"{key}: found {given[key]!r}, wanted a number from {low:g} to {high:g}")
    return value


def _switch(given: Mapping[str, str], key: str) -> bool:
    if given[key] not in ("true", "false"):
        raise ConfigError(f"{key}: found {given[key]!r}, wanted true or false")
    return given[key] == "true"


def _wait() -> None:
    """Return on Ctrl-C, on SIGTERM, or when standard input is a pipe and closes: then whoever began this is gone."""
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    if sys.stdin is not None and stat.S_ISFIFO(fstat(sys.stdin.fileno()).st_mode):
        threading.Thread(target=_end_with_input, args=(ended,), daemon=True).start()
    try:
        ended.wait()
    except KeyboardInterrupt:
        say("")


def _end_with_input(ended: threading.Event) -> None:
    sys.stdin.buffer.read()
    ended.set()
