"""What a game fulfils to be played as a grid, and what every grid environment is.

A **port** belongs to one of our games: the same rules and levels, another surface. A **board** is a port with one level
laid out; it holds what can be computed once. Rules never see a frame: a board turns an action into a move and a table
into a frame, as a stage does with pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from games.contract import Reaction, Table
from games.grid.actions import GridAction
from games.grid.frame import Frame

Status = Literal["playing", "won", "lost"]
"""`won`: the last level is complete. `lost`: only RESET goes on. ARC-AGI-3: NOT_FINISHED, WIN, GAME_OVER."""


class GridBoard(Protocol):
    """One level as a grid. Pure: equal tables give equal frames and equal reactions."""

    def draw(self, table: Table) -> Frame:
        """Return a frame of its own, rows 0 to 62 drawn; tables that differ give frames that differ."""

    def react(self, table: Table, action: GridAction) -> Reaction:
        """Turn an action other than RESET and undo into a move or a selection (`held`); never raises."""

    def actions_for(self, table: Table, move: Any) -> tuple[GridAction, ...]:
        """Return the actions that make a legal move: one or two, three if something else must be put down first."""

    def animation(self, table: Table, move: Any) -> tuple[Frame, ...]:
        """Return the frames between the table and the settled one after the move; empty if nothing is shown."""


class GridPort(Protocol):
    """One game as a grid; `games.grid.ports` finds them."""

    actions: tuple[int, ...]
    """Numbers of the actions that mean something here, ascending, RESET not among them."""

    def board(self, layout: Any) -> GridBoard:
        """Return the board of a level. Raises LevelError if it does not fit into 64 x 63 cells."""


@dataclass(frozen=True)
class Observation:
    """What an environment answers to one action."""

    frames: tuple[Frame, ...]
    """The last one is settled, those before are animation, and, when a level other than the last was completed, the
    one before the last is the finished level's last frame. Empty: the action was refused because the game is over."""
    status: Status
    levels_completed: int
    n_levels: int
    available_actions: tuple[int, ...]
    full_reset: bool = False
    """A RESET began a new play at the first level."""

    @property
    def is_refused(self) -> bool:
        """True if the action did nothing and is not counted: the game was over."""
        return not self.frames

    @property
    def frame(self) -> Frame:
        """The settled frame. Raises IndexError if the action was refused."""
        return self.frames[-1]


@dataclass(frozen=True)
class Capabilities:
    """What an environment can do; a study checks these, never a name."""

    can_be_lost: bool
    has_solver_state: bool
    """Its rules state is known (`rules_state`), so a solver can judge it."""
    has_undo: bool
    loss: tuple[str, ...] = ()
    """What ends an attempt as lost, in words for a table: "stuck", "deadlock", "budget"; empty where nobody knows."""
    can_be_copied: bool = False
    """It is `Restorable`: a state is kept by copying it."""


class Environment(Protocol):
    """A game of several levels in play."""

    @property
    def name(self) -> str:
        """What it is called in records."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""

    @property
    def level_index(self) -> int:
        """Zero-based number of the level in play."""

    @property
    def attempt_actions(self) -> int:
        """Actions since this attempt at the level began; at 0 a RESET is a full reset."""

    @property
    def observation(self) -> Observation:
        """The answer to the last action that was not refused."""

    def reset(self) -> Observation:
        """Take the action RESET: restart the level, or the whole game if the attempt has no action yet or is won."""

    def step(self, action: GridAction) -> Observation:
        """Take one action, RESET included. Raises ActionError if it is not available."""


class Restorable(Environment, Protocol):
    """An environment whose copies are independent; those of the suite's games cost less than 0.2 ms."""

    def copy(self) -> Self:
        """Return an independent environment in the same state: restoring is copying."""
