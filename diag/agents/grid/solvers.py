"""Players that know the rules state: greedy on progress, the oracle, and reference players who follow it with slips."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from diag.agents.grid.contract import Sight
from diag.session.contract import Privilege
from games.grid.actions import RESET, GridAction
from games.grid.environment import GridEnvironment
from solvers.certificate import Solvable
from solvers.registry import solver_for

STATE_LIMIT = 200_000
"""States a solver may search for a player's plan from the start of a level."""
SLIPPED_LIMIT = 20_000
"""States it may search from a board after a slip."""
NOTICES = 0.3
"""Chance, per move, that a reference player on a board without a solution begins it again."""
PRACTICE = 0.7
"""What a reference player's slip is multiplied by each time it begins the same level again."""


@dataclass(frozen=True)
class Greedy:
    """Takes the move to the board with most progress among those not yet met in this attempt, ties at random."""

    privilege: Privilege = "evaluator_state"

    def build(self, rng: np.random.Generator) -> GreedyPlay:
        """Return a player for one play."""
        return GreedyPlay(rng)


@dataclass(frozen=True)
class Follower:
    """Follows the solver's solution; with `slip` above 0 it makes that share of its moves at random, and replans.

    With slip 0 it is the oracle. A reference player is no person: its slips are uniform, fewer with practice.
    """

    slip: float = 0.0
    privilege: Privilege = "solver_oracle"

    def __post_init__(self) -> None:
        if not 0 <= self.slip < 1:
            raise ValueError(f"slip: got {self.slip}, wanted a share from 0 to below 1")

    def build(self, rng: np.random.Generator) -> Following:
        """Return a player for one play."""
        return Following(rng, self.slip)


@dataclass
class _Mover:
    """Turns moves of the rules into actions, one at a time, and begins again after a loss."""

    rng: np.random.Generator
    _actions: deque[GridAction] = field(default_factory=deque, init=False)

    def choose(self, sight: Sight) -> GridAction:
        """Return the next action of the move under way, or the first of the next move."""
        game = sight.game
        if game is None:
            raise ValueError(f"{type(self).__name__} needs a game with a rules state")
        if sight.attempt_actions == 0:
            self.begins(game)
        if sight.seen.status == "playing" and not self._actions:
            move = self.move(game)
            self._actions.extend(() if move is None else game.plan(move))
        if sight.seen.status != "playing" or not self._actions:
            self._actions.clear()
            return GridAction(RESET)
        return self._actions.popleft()

    def begins(self, game: GridEnvironment) -> None:
        """Take note that an attempt at a level begins."""
        del game
        self._actions.clear()

    def move(self, game: GridEnvironment) -> Any:
        """Return the next move; None to begin the level again."""
        raise NotImplementedError


@dataclass
class GreedyPlay(_Mover):
    """A greedy player in one play."""

    _visited: set[Any] = field(default_factory=set, init=False)

    def begins(self, game: GridEnvironment) -> None:
        """Forget the boards of the last attempt."""
        super().begins(game)
        self._visited = set()

    def move(self, game: GridEnvironment) -> Any:
        """Return the move with most progress to a new board; None if there is none."""
        rules, state = game.levels.game, game.rules_state
        self._visited.add(state)
        after = [(move, rules.step(state, move)) for move in rules.legal_moves(state)]
        fresh = [(rules.potential(board), move) for move, board in after if board not in self._visited]
        if not fresh:
            return None
        most = max(potential for potential, _ in fresh)
        best = [move for potential, move in fresh if potential == most]
        return best[int(self.rng.integers(len(best)))]


@dataclass
class Following(_Mover):
    """A follower in one play."""

    slip: float = 0.0
    _plan: deque[Any] = field(default_factory=deque, init=False)
    _expected: Any = field(default=None, init=False)
    """The board on which the plan goes on."""
    _level: int | None = field(default=None, init=False)
    _slip_now: float = field(default=0.0, init=False)
    _hopeless: bool = field(default=False, init=False)
    """The solver found no solution from this attempt's board, so the player takes it for lost."""

    def begins(self, game: GridEnvironment) -> None:
        """Hope again; at a level that was begun before, slip less."""
        super().begins(game)
        again = game.level_index == self._level
        self._slip_now = self._slip_now * PRACTICE if again else self.slip
        self._level, self._hopeless = game.level_index, False

    def move(self, game: GridEnvironment) -> Any:
        """Return the next move of the plan, or a slip; None on a board without a solution that it gives up."""
        rules, state = game.levels.game, game.rules_state
        moves = rules.legal_moves(state)
        if not moves:
            return None
        if self.slip and self.rng.random() < self._slip_now:
            return moves[int(self.rng.integers(len(moves)))]
        if self._expected != state and not self._hopeless:
            limit = SLIPPED_LIMIT if game.attempt_actions else STATE_LIMIT
            self._plan = deque(_solution(rules.name, state, limit))
            self._hopeless = not self._plan
        if self._plan and not self._hopeless:
            move = self._plan.popleft()
            self._expected = rules.step(state, move)
            return move
        if game.attempt_actions and self.rng.random() < NOTICES:
            return None
        return moves[int(self.rng.integers(len(moves)))]


@lru_cache(maxsize=16_384)
def _solution(game: str, state: Any, state_limit: int) -> tuple[Any, ...]:
    """Return the moves of a verified solution; none if the solver finds none, which the player takes for proof."""
    found = solver_for(game).certify(state, state_limit=state_limit)
    return tuple(found.solution) if isinstance(found, Solvable) else ()
