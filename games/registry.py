"""Finds the games: every folder beside this file with a `game.py`, and every entry point of the group `diag.games`."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from games.contract import Game


@cache
def registered_games() -> dict[str, Game]:
    """Return all games by name, in alphabetical order. Adding a game is adding a folder; no list to edit."""
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py"))
    games: dict[str, Game] = {name: importlib.import_module(f"games.{name}.game").GAME for name in folders}
    games.update({entry.name: entry.load() for entry in entry_points(group="diag.games")})
    return dict(sorted(games.items()))


_GUESTS: dict[str, Game] = {}


def admit(game: Game) -> None:
    """Make a game known by its name to this process that has no folder here: a page of the user's."""
    _GUESTS[game.name] = game


def game_named(name: str) -> Game:
    """Return one game. Raises KeyError naming the games there are."""
    games = {**registered_games(), **_GUESTS}
    if name not in games:
        raise KeyError(f"no game is called {name!r}; there are {', '.join(games)}")
    return games[name]
