"""One of our games as a grid environment with the semantics of ARC-AGI-3.

A position is an immutable value, so a copy shares it and costs microseconds. What a player must know to foresee the
next frame is on the frame, with one exception: how far undo reaches back, as on the screen of the suite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from games.catalogue import Catalogue
from games.contract import Game, LevelId, Table
from games.grid.actions import NAMES, RESET, UNDO, ActionError, GridAction
from games.grid.budget import LARGEST_BUDGET, draw_budget
from games.grid.contract import Capabilities, GridBoard, GridPort, Observation
from games.grid.frame import Frame, sealed
from games.grid.ports import port_of

Deadlock = Callable[[Any], bool]
"""Tells of a rules state whether no win is reachable from it. It must be proven: `solvers.deadlock` makes one."""


@dataclass(frozen=True)
class Loss:
    """What ends an attempt as lost. Declared by the study, stated in its tables, the same in every arm."""

    stuck: bool = False
    """No legal move is left: somebody who reads the frame can tell."""
    deadlock: Deadlock | None = None
    """No win is reachable, proven: may tell what the frame does not show."""
    budgets: tuple[int, ...] | None = None
    """Actions of one attempt, per level; what is left stands in the last row of the frame."""

    @property
    def names(self) -> tuple[str, ...]:
        """The causes in words, for a table."""
        causes = {"stuck": self.stuck, "deadlock": self.deadlock is not None, "budget": self.budgets is not None}
        return tuple(name for name, is_set in causes.items() if is_set)


@dataclass(frozen=True)
class LevelSet:
    """The levels of one grid game, laid out once and shared by all copies."""

    game: Game
    port: GridPort
    ids: tuple[LevelId, ...]
    layouts: tuple[Any, ...]
    boards: tuple[GridBoard, ...]


def level_set(catalogue: Catalogue, levels: Sequence[LevelId]) -> LevelSet:
    """Lay out levels of one game, in the order given.

    Raises:
        KeyError: there is no such level, or its game has no grid port.
        ValueError: no level, or levels of several games.
        LevelError: a level does not fit into a frame.
    """
    names = sorted({level.game for level in levels})
    if len(names) != 1:
        raise ValueError(f"levels of {len(names)} games ({', '.join(names)}), wanted levels of one game")
    port = port_of(names[0])
    layouts = tuple(catalogue.layout(level) for level in levels)
    boards = tuple(port.board(layout) for layout in layouts)
    return LevelSet(catalogue.games[names[0]], port, tuple(levels), layouts, boards)


@dataclass(frozen=True)
class _Past:
    """The rules states that undo goes back through, the latest first."""

    state: Any
    before: _Past | None


@dataclass(frozen=True)
class _Position:
    """Everything that decides what comes next."""

    level_index: int
    table: Table
    past: _Past | None
    attempt_actions: int
    observation: Observation


class GridEnvironment:
    """A game of several levels in play; see `games.grid.contract.Restorable`.

    Args:
        levels: the levels in order of play.
        loss: what ends an attempt as lost.
        name: what the environment is called in records; the game's name if not given.
        resets_levels_only: a RESET never goes back to the first level unless the game is won.
        animate: whether an observation has the frames between two settled ones.

    Raises:
        ValueError: the number of budgets is not the number of levels, or the bar cannot show one.
    """

    def __init__(
        self,
        levels: LevelSet,
        loss: Loss = Loss(),
        *,
        name: str | None = None,
        resets_levels_only: bool = False,
        animate: bool = False,
    ) -> None:
        self.levels, self.loss = levels, loss
        self.name = name or levels.game.name
        self.resets_levels_only, self.animate = resets_levels_only, animate
        self.actions = levels.port.actions
        if loss.budgets is not None and (len(loss.budgets) != len(levels.ids) or not _all_can_be_shown(loss.budgets)):
            wanted = f"{len(levels.ids)} numbers of actions from 1 to {LARGEST_BUDGET}"
            raise ValueError(f"budgets {loss.budgets}: wanted {wanted}")
        self.capabilities = Capabilities(bool(loss.names), True, UNDO in self.actions, loss.names, can_be_copied=True)
        self._position = self._opened(0)

    @property
    def observation(self) -> Observation:
        """The answer to the last action that was not refused."""
        return self._position.observation

    @property
    def level_index(self) -> int:
        """Zero-based number of the level in play."""
        return self._position.level_index

    @property
    def level(self) -> LevelId:
        """The level in play."""
        return self.levels.ids[self._position.level_index]

    @property
    def attempt_actions(self) -> int:
        """Actions since this attempt at the level began."""
        return self._position.attempt_actions

    @property
    def table(self) -> Table:
        """The rules state and what the hand holds. For evaluators: an agent sees frames."""
        return self._position.table

    @property
    def rules_state(self) -> Any:
        """The rules state. For evaluators: an agent sees frames."""
        return self._position.table.state

    def copy(self) -> Self:
        """Return an independent environment in the same state; only the reference to the position is copied."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def reset(self) -> Observation:
        """Take the action RESET."""
        return self.step(GridAction(RESET))

    def step(self, action: GridAction) -> Observation:
        """Take one action.

        Raises:
            ActionError: the action is not one of this game's.
        """
        if action.number == RESET:
            self._position = self._reset()
        elif action.number not in self.actions:
            names = ", ".join(NAMES[number] for number in (RESET, *self.actions))
            raise ActionError(f"{self.name}: got {action.name}, wanted one of {names}")
        elif self.observation.status != "playing":
            return replace(self.observation, frames=(), full_reset=False)
        else:
            self._position = self._acted(action)
        return self._position.observation

    def plan(self, move: Any) -> tuple[GridAction, ...]:
        """Return the actions that make a legal move of the rules from here."""
        return self.levels.boards[self.level_index].actions_for(self.table, move)

    def _reset(self) -> _Position:
        last = self._position
        if last.observation.status == "won" or not (last.attempt_actions or self.resets_levels_only):
            return self._opened(0)
        return self._at_start(last.level_index, last.observation.levels_completed)

    def _opened(self, level_index: int) -> _Position:
        fresh = self._at_start(level_index, 0)
        return replace(fresh, observation=replace(fresh.observation, full_reset=True))

    def _at_start(self, level_index: int, levels_completed: int) -> _Position:
        table = Table(self.levels.game.initial_state(self.levels.layouts[level_index]))
        frame = self._frame(level_index, table, 0)
        return _Position(level_index, table, None, 0, self._observed((frame,), "playing", levels_completed))

    def _acted(self, action: GridAction) -> _Position:
        last, game = self._position, self.levels.game
        board, taken = self.levels.boards[last.level_index], last.attempt_actions + 1
        between: tuple[Frame, ...] = ()
        table, past = last.table, last.past
        if action.number == UNDO:
            if past is not None:
                table, past = Table(past.state), past.before
        else:
            reaction = board.react(table, action)
            if reaction.move is not None:
                between = board.animation(table, reaction.move) if self.animate else ()
                past = _Past(table.state, past) if UNDO in self.actions else None
                table = Table(game.step(table.state, reaction.move), reaction.held)
            else:
                table = Table(table.state, reaction.held)
        frame = self._frame(last.level_index, table, taken)
        frames = (*(self._with_budget(each, last.level_index, taken) for each in between), frame)
        return self._judged(_Position(last.level_index, table, past, taken, replace(last.observation, frames=frames)))

    def _judged(self, position: _Position) -> _Position:
        """Return the position with its status, or the next level's start."""
        completed, frames = position.observation.levels_completed, position.observation.frames
        if self.levels.game.is_won(position.table.state):
            if position.level_index + 1 == len(self.levels.ids):
                return replace(position, observation=self._observed(frames, "won", completed + 1))
            fresh = self._at_start(position.level_index + 1, completed + 1)
            shown = (*frames, *fresh.observation.frames)
            return replace(fresh, observation=self._observed(shown, "playing", completed + 1))
        status = "lost" if self._is_lost(position) else "playing"
        return replace(position, observation=self._observed(frames, status, completed))

    def _is_lost(self, position: _Position) -> bool:
        loss, state = self.loss, position.table.state
        if loss.budgets is not None and position.attempt_actions >= loss.budgets[position.level_index]:
            return True
        if state == self._position.table.state:
            return False
        if loss.stuck and not self.levels.game.legal_moves(state):
            return True
        return loss.deadlock is not None and loss.deadlock(state)

    def _observed(self, frames: tuple[Frame, ...], status: Any, levels_completed: int) -> Observation:
        return Observation(frames, status, levels_completed, len(self.levels.ids), self.actions)

    def _frame(self, level_index: int, table: Table, taken: int) -> Frame:
        return self._with_budget(self.levels.boards[level_index].draw(table), level_index, taken)

    def _with_budget(self, frame: Frame, level_index: int, taken: int) -> Frame:
        if self.loss.budgets is not None:
            draw_budget(frame, self.loss.budgets[level_index], taken)
        return sealed(frame)


def _all_can_be_shown(budgets: tuple[int, ...]) -> bool:
    return all(1 <= budget <= LARGEST_BUDGET for budget in budgets)
