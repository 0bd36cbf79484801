"""The bridge from grading to the solvers: verdicts and distances of stored states, each worked out once a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from games.contract import JsonObject, LevelId
from games.digest import state_digest
from games.registry import game_named
from solvers.certificate import DeadEnd, Mechanism, Solvable, Solved
from solvers.registry import certifying_mechanisms, has_solver, solver_for

Verdict = Literal["solved", "solvable", "dead_end", "undecided"]
Certify = Callable[[LevelId, JsonObject], Verdict]
"""(level, state) -> verdict on a stored state."""


class Board(NamedTuple):
    """A settled board of an attempt, as far as a verdict needs it."""

    kind: str
    """What led to it from the board before: move, undo, restart, enter, placed or start."""
    won: bool
    state: JsonObject


def verdicts_of(level: LevelId, boards: Sequence[Board], certify: Certify) -> tuple[Verdict, ...]:
    """Return the verdict of each board of one level, in the order of time.

    Whatever leads by one move to a board that can be won can be won itself, so the boards are read from the last to
    the first and the solver is asked for the others alone.
    """
    found: list[Verdict] = []
    leads_to_win = False
    for board in reversed(boards):
        if board.won:
            verdict: Verdict = "solved"
        else:
            verdict = "solvable" if leads_to_win else certify(level, board.state)
        found.append(verdict)
        leads_to_win = board.kind == "move" and verdict in ("solved", "solvable")
    return tuple(reversed(found))


class Certifier(Protocol):
    """What grading asks a solver (`SolverCertifier`)."""

    def __call__(self, level: LevelId, state: JsonObject) -> Verdict:
        """Return the verdict on a stored state."""

    def mechanism(self, level: LevelId, state: JsonObject) -> Mechanism | None:
        """Return why no win follows; None if the state is not proven dead."""


def is_certified(certifier: Certifier, level: LevelId, state: JsonObject) -> bool:
    """Tell whether a stored state carries a dead-end certificate of its game, not only a verdict of the search."""
    return certifier.mechanism(level, state) in certifying_mechanisms(level.game)


class SolverCertifier:
    """`Certify` over the registered solvers, with a cache by state digest.

    Args:
        layout: parsed layout of a level, for instance `Catalogue.layout`.
        state_limit: states a search may close before it says `undecided`.
    """

    def __init__(self, layout: Callable[[LevelId], object], *, state_limit: int = 200_000) -> None:
        self._layout = layout
        self._state_limit = state_limit
        self._verdicts: dict[str, Verdict] = {}
        self._mechanisms: dict[str, Mechanism] = {}
        self._distances: dict[str, int | None] = {}

    def __call__(self, level: LevelId, state: JsonObject) -> Verdict:
        """Return the verdict on a stored state. Raises ValueError if it is not a state of that level."""
        name = state_digest(level, state)
        if name not in self._verdicts:
            self._verdicts[name] = self._certify(level, state)
        return self._verdicts[name]

    def mechanism(self, level: LevelId, state: JsonObject) -> Mechanism | None:
        """Return why no win follows from a stored state; None if it is not proven dead."""
        self(level, state)
        return self._mechanisms.get(state_digest(level, state))

    def distance(self, level: LevelId, state: JsonObject) -> int | None:
        """Return the exact least number of moves to a win; None if there is no win or the search hit its limit."""
        name = state_digest(level, state)
        if name not in self._distances:
            board = game_named(level.game).state_from_json(self._layout(level), state)
            found = solver_for(level.game).distance(board, state_limit=self._state_limit)
            self._distances[name] = found if isinstance(found, int) else None
        return self._distances[name]

    def _certify(self, level: LevelId, state: JsonObject) -> Verdict:
        if not has_solver(level.game):
            return "undecided"
        board = game_named(level.game).state_from_json(self._layout(level), state)
        certificate = solver_for(level.game).certify(board, state_limit=self._state_limit)
        if isinstance(certificate, Solved):
            return "solved"
        if isinstance(certificate, Solvable):
            return "solvable"
        if isinstance(certificate, DeadEnd):
            self._mechanisms[state_digest(level, state)] = certificate.mechanism
            return "dead_end"
        return "undecided"
