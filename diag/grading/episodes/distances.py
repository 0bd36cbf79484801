"""Verdicts and exact distances of stored boards, from the registered solvers.

What a solver says of a board depends on the board alone and is kept for the whole process. What follows from it along
a trajectory (every board on a shortest solution has a known distance; a move lowers the distance by at most one) is
kept per episode, so that grading does not depend on what was graded before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from diag.grading.certifier import SolverCertifier, Verdict, is_certified
from games.catalogue import Catalogue
from games.contract import JsonObject, LevelId
from games.digest import state_digest
from games.registry import game_named
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.certificate_json import certificate_from_json
from solvers.maze_paint import distances
from solvers.registry import solver_for

STATE_LIMITS: Mapping[str, int] = {"bolt_unscrew": 1_000, "maze_paint": 1_000_000}
"""States that a search for an exact distance may store; Maze Paint enumerates a level once. Part of the identity."""
STATE_LIMIT = 50_000
"""The same for every other game."""
VERDICT_LIMIT = 200_000
"""For verdicts that the search for a distance leaves open."""


def search_limits() -> dict[str, int]:
    """Return every limit above by the name it has in a plan's identity."""
    return {**STATE_LIMITS, "other_games": STATE_LIMIT, "verdict": VERDICT_LIMIT}


@dataclass(frozen=True)
class _Known:
    """What the solver says of one board."""

    verdict: Verdict
    low: int
    """Proven lower bound of d."""
    high: int | None
    """Length of a solution; None without one."""
    solution: tuple[Any, ...] = ()
    """A shortest solution, if low == high."""


class SolverBook:
    """Raw answers of the solvers for a catalogue, each worked out once a process."""

    def __init__(self, levels: Catalogue) -> None:
        self.levels = levels
        self._known: dict[str, _Known] = {}
        self._certify = SolverCertifier(levels.layout, state_limit=VERDICT_LIMIT)
        self._table = lru_cache(maxsize=40)(self._maze_table)

    def known(self, level: LevelId, state: JsonObject) -> _Known:
        """Return what is known of a board. Raises ValueError if it is not a state of that level."""
        name = state_digest(level, state)
        if name not in self._known:
            self._known[name] = self._ask(level, state)
        return self._known[name]

    def is_certified(self, level: LevelId, state: JsonObject) -> bool:
        """Tell whether a dead board carries its game's certificate, not only a verdict of the search."""
        return is_certified(self._certify, level, state)

    def board(self, level: LevelId, state: JsonObject) -> Any:
        """Return the rules state."""
        return game_named(level.game).state_from_json(self.levels.layout(level), state)

    def stored_solution(self, level: LevelId) -> tuple[Any, ...] | None:
        """Return the catalogue's shortest solution of a level, if it has an exact one."""
        stored = self.levels.level(level)
        if stored.certificate is None or not stored.exact:
            return None
        claim = certificate_from_json(game_named(level.game), stored.certificate)
        return claim.solution if isinstance(claim, Solvable) and claim.exact else None

    def _ask(self, level: LevelId, state: JsonObject) -> _Known:
        board = self.board(level, state)
        if level.game == "maze_paint" and (table := self._table(level)) is not None:
            found = table.distance(board)
            return _Known("dead_end", 0, None) if found is None else _Known("solvable", found, found)
        limit = STATE_LIMITS.get(level.game, STATE_LIMIT)
        claim = solver_for(level.game).certify(board, state_limit=limit, optimal=True)
        if isinstance(claim, Solved):
            return _Known("solved", 0, 0)
        if isinstance(claim, DeadEnd):
            return _Known("dead_end", 0, None)
        if isinstance(claim, Solvable):
            low = claim.distance if claim.exact else claim.lower_bound
            return _Known("solvable", low, claim.distance, claim.solution if claim.exact else ())
        return _Known(self._certify(level, state), 0, None)

    def _maze_table(self, level: LevelId) -> Any:
        start = game_named(level.game).initial_state(self.levels.layout(level))
        table = distances(start, state_limit=STATE_LIMITS["maze_paint"])
        return None if isinstance(table, Undecided) else table


class EpisodeDistances:
    """`regret.Distances` for one episode."""

    def __init__(self, book: SolverBook) -> None:
        self._book = book
        self._exact: dict[str, int] = {}
        self._seeded: set[LevelId] = set()

    def verdict(self, level: LevelId, state: JsonObject) -> Verdict:
        """Return whether a board can be won."""
        return self._book.known(level, state).verdict

    def is_certified(self, level: LevelId, state: JsonObject) -> bool:
        """Tell whether a board carries its game's dead-end certificate."""
        return self._book.is_certified(level, state)

    def distance(self, level: LevelId, state: JsonObject, *, at_least: int = 0) -> int | None:
        """Return the exact d of a solvable board; None if it is not known within the limits."""
        self._seed(level)
        name = state_digest(level, state)
        if name not in self._exact:
            known = self._book.known(level, state)
            low = max(known.low, at_least)
            if known.high is None or low != known.high:
                return None
            self._exact[name] = known.high
            self._follow(level, self._book.board(level, state), known.solution)
        return self._exact[name]

    def _seed(self, level: LevelId) -> None:
        """Take over the catalogue's own shortest solution of a level."""
        if level in self._seeded:
            return
        self._seeded.add(level)
        solution = self._book.stored_solution(level)
        if solution is not None:
            self._follow(level, game_named(level.game).initial_state(self._book.levels.layout(level)), solution)

    def _follow(self, level: LevelId, board: Any, solution: tuple[Any, ...]) -> None:
        """Note the distances of all boards along a shortest solution."""
        game = game_named(level.game)
        for left in range(len(solution), 0, -1):
            self._exact.setdefault(state_digest(level, game.state_to_json(board)), left)
            board = game.step(board, solution[len(solution) - left])
