"""Somebody else's games as blocks of a study: the same session, records and scores as the suite's on the grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from diag.agents.grid.baselines import References
from diag.errors import ConfigError
from games.grid.contract import Environment
from games.grid.local import LocalGame, LocalGameError, local_games


@dataclass(frozen=True)
class FolderGame:
    """One game of a folder. It has no rules state, so only players that see frames alone can play it."""

    game: LocalGame
    references: tuple[References, ...] = ()
    """None: nobody's plays are known beside the baselines of its author."""
    budgets: None = None
    """What loses an attempt is in its code."""
    baseline_source: str = "metadata.json"

    @property
    def name(self) -> str:
        """Its id."""
        return self.game.game_id

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels in order of play; they have numbers alone."""
        return tuple(f"{self.name}/{number}" for number in range(1, len(self.baselines) + 1))

    @property
    def certificate(self) -> dict[str, Any]:
        """What the plan prints of it."""
        return {"kind": "grid game"}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over its code and its baselines."""
        return self.game.digest

    @property
    def baselines(self) -> tuple[int, ...]:
        """Actions that every level is scored against."""
        return self.game.baselines

    def open(self) -> Environment:
        """Return the game at its first level, opened by a free RESET. Raises LocalGameError."""
        return self.game.open()


def folder_games(folder: str) -> dict[str, FolderGame]:
    """Return the games of a folder by id; each has been begun once, so what cannot is refused before anything runs.

    Raises:
        ConfigError: no such folder, no game, or one that cannot be played.
    """
    try:
        found = {game.game_id: FolderGame(game) for game in local_games(Path(folder))}
        for one in found.values():
            one.open()
    except LocalGameError as error:
        raise ConfigError(f"study.folder: {error}") from error
    return found
