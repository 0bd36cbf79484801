"""What the suite remembers of one player: an immutable value that the reducer turns into the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.catalogue import Catalogue
from games.contract import Game, JsonObject, LevelId, Table
from games.digest import state_digest
from games.suite.snapshot import Screen, Snapshot, Transition
from games.suite.texts import Instructions, Language

Unlock = Literal["all", "in_order"]
"""Which levels the menu opens: every one, or of an objective those won and the first that is not."""


@dataclass(frozen=True)
class Message:
    """What the message line says: a note of the game in play (`own` false) or one of the suite's own texts."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    tone: str = "plain"
    own: bool = False


@dataclass(frozen=True)
class Play:
    """A level on the board."""

    level: LevelId
    table: Table
    history: tuple[Any, ...] = ()
    """The rules states before each move that undo can take back, oldest first."""
    dialog: bool = False
    """The win dialog is open; the board takes no input."""


@dataclass(frozen=True)
class SuiteState:
    """The suite as it stands, settled. `game` and `difficulty` are what the menus were opened for."""

    language: Language = "en"
    instructions: Instructions = "brief"
    unlock: Unlock = "all"
    screen: Screen = "home"
    game: str | None = None
    difficulty: str | None = None
    play: Play | None = None
    message: Message | None = None
    motion: JsonObject | None = None
    won_levels: tuple[LevelId, ...] = ()
    """In the order of their first win."""
    seq: int = 0
    """Grows by one with every gesture that reached the suite and every placed board."""
    n_transitions: int = 0
    fresh: tuple[Transition, ...] = ()
    """The transitions of the latest gesture."""

    @property
    def on_board(self) -> Play:
        """The level in play. Raises ValueError outside `playing`."""
        if self.play is None:
            raise ValueError(f"no level is in play on the screen {self.screen}")
        return self.play


def game_in_play(catalogue: Catalogue, state: SuiteState) -> Game:
    """Return the game of the level in play. Raises ValueError outside `playing`."""
    return catalogue.games[state.on_board.level.game]


def is_complete(catalogue: Catalogue, state: SuiteState) -> bool:
    """Tell whether a level is in play and won."""
    return state.play is not None and game_in_play(catalogue, state).is_won(state.play.table.state)


def snapshot_of(catalogue: Catalogue, state: SuiteState) -> Snapshot:
    """Return what the evaluator sees."""
    level = state_json = digest = held = potential = None
    if state.play is not None:
        game, table, level = game_in_play(catalogue, state), state.play.table, state.play.level
        state_json = game.state_to_json(table.state)
        digest = state_digest(level, state_json)
        held, potential = table.held, game.potential(table.state)
    return Snapshot(
        screen=state.screen,
        level=level,
        state=state_json,
        state_digest=digest,
        held=held,
        won=is_complete(catalogue, state),
        potential=potential,
        won_levels=state.won_levels,
        n_transitions=state.n_transitions,
    )
