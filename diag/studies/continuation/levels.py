"""Which levels a run plays, what it may take at each, what ends an attempt: a course, in a form that can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.agi_maze.game import GAME as MAZE
from games.agi_maze.game import PACK
from games.catalogue import Catalogue, load_catalogue
from games.contract import LevelId
from games.grid.environment import GridEnvironment, Loss, level_set
from games.once import once
from solvers.deadlock import deadlock_of

DEADLOCK_STATES = 10_000
"""States searched for the proof that no win is reachable."""


@dataclass(frozen=True)
class Course:
    """The levels of one run in order; the last one is the target."""

    levels: tuple[str, ...]
    budgets: tuple[int, ...]
    """Actions of each level, failed attempts and RESETs included, after which the run ends."""
    loss: tuple[str, ...]
    """What loses an attempt: stuck, deadlock."""
    invalid_in_a_row: int
    pack: str | None = None
    """Folder of the configured level pack; None for the shipped levels."""
    language: str = "en"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Course:
        """Invert `to_json`."""
        lists = {name: tuple(data[name]) for name in ("levels", "budgets", "loss")}
        return cls(**{**data, **lists})

    def to_json(self) -> dict[str, Any]:
        """Return the course as JSON."""
        return asdict(self)


@once(maxsize=4)
def catalogue(levels: Path | None) -> Catalogue:
    """Return a level pack, read once a process."""
    return load_catalogue(levels)


def played_catalogue(configured: Catalogue, game: str) -> Catalogue:
    """Return the catalogue that holds a game's levels: the configured one, or the maze's own pack."""
    return catalogue(PACK) if game == MAZE.name and game not in configured.games else configured


def loss_of(game: str, words: tuple[str, ...]) -> Loss:
    """Return what loses an attempt at a game."""
    deadlock = deadlock_of(game, state_limit=DEADLOCK_STATES) if "deadlock" in words else None
    return Loss(stuck="stuck" in words, deadlock=deadlock)


def opened(course: Course) -> GridEnvironment:
    """Return the course's game at its first level. A RESET restarts a level, never the course."""
    ids = [LevelId.parse(name) for name in course.levels]
    configured = catalogue(None if course.pack is None else Path(course.pack))
    levels = level_set(played_catalogue(configured, ids[0].game), ids)
    return GridEnvironment(levels, loss_of(ids[0].game, course.loss), resets_levels_only=True)
