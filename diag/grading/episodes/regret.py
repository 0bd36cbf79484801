"""Regret of every move of an episode, and its points of no return.

e(s, a) = 1 + d(T(s, a)) - d(s), d the exact least number of moves to a win; infinite when T(s, a) is a dead end.
Source: first source document, "Same-state action intervention"; here for every game. A move whose distances the solver
left open is counted as undecided, never as zero. A move made in a dead end has no regret and is counted apart. The
point of no return of an attempt is its first move from a solvable board to a dead end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from diag.grading.certifier import Verdict
from diag.grading.episodes.attempts import LevelAttempt
from diag.grading.walk import Step
from games.contract import JsonObject, LevelId


class Distances(Protocol):
    """Exact knowledge of boards."""

    def verdict(self, level: LevelId, state: JsonObject) -> Verdict:
        """Return whether a board can be won."""

    def is_certified(self, level: LevelId, state: JsonObject) -> bool:
        """Tell whether a board carries its game's dead-end certificate."""

    def distance(self, level: LevelId, state: JsonObject, *, at_least: int = 0) -> int | None:
        """Return the exact d of a solvable board, None if it is not known; `at_least` is a proven lower bound."""


@dataclass(frozen=True)
class MoveRegret:
    """One judged move that was not a shortest one."""

    level: str
    attempt: int
    move: int
    """0-based among the accepted moves of the attempt."""
    regret: int | None
    """Extra moves; None: infinite, the board became a dead end."""
    distance: int | None
    """d before the move; None if it is not known (a fatal move is fatal from any solvable board)."""


@dataclass(frozen=True)
class Regrets:
    """All moves of an episode."""

    n_moves: int
    n_shortest: int
    """e = 0."""
    costly: tuple[MoveRegret, ...]
    """0 < e < infinity."""
    fatal: tuple[MoveRegret, ...]
    """e infinite: points of no return, and later ones after an undo."""
    n_in_dead_end: int
    n_undecided: int

    @property
    def total_finite(self) -> int:
        """Extra moves of all costly moves."""
        return sum(one.regret or 0 for one in self.costly)

    @property
    def mean_finite(self) -> float | None:
        """Mean regret over the moves whose regret is finite; None without one."""
        n = self.n_shortest + len(self.costly)
        return self.total_finite / n if n else None

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain JSON."""
        return {
            "moves": self.n_moves,
            "shortest": self.n_shortest,
            "in_dead_end": self.n_in_dead_end,
            "undecided": self.n_undecided,
            "costly": [[m.level, m.attempt, m.move, m.regret, m.distance] for m in self.costly],
            "fatal": [[m.level, m.attempt, m.move, m.distance] for m in self.fatal],
        }


def regrets(attempts: Sequence[LevelAttempt], known: Distances) -> Regrets:
    """Return the regret of every accepted move of an episode."""
    tally = _Tally(known)
    for place, attempt in enumerate(attempts):
        n = 0
        for before, after in zip(attempt.boards, attempt.boards[1:], strict=False):
            if after.kind == "move":
                tally.judge(place, n, before, after)
                n += 1
    return tally.result()


class _Tally:
    """Counts while judging; never leaves this file."""

    def __init__(self, known: Distances) -> None:
        self.known = known
        self.n_moves = self.n_shortest = self.n_in_dead_end = self.n_undecided = 0
        self.costly: list[MoveRegret] = []
        self.fatal: list[MoveRegret] = []

    def judge(self, place: int, n: int, before: Step, after: Step) -> None:
        self.n_moves += 1
        was, level = self.known.verdict(before.level, before.state), str(before.level)
        now: Verdict = "solved" if after.won else self.known.verdict(after.level, after.state)
        if was == "dead_end":
            self.n_in_dead_end += 1
            return
        if "undecided" in (was, now):
            self.n_undecided += 1
            return
        distance = self.known.distance(before.level, before.state)
        if now == "dead_end":
            self.fatal.append(MoveRegret(level, place, n, None, distance))
            return
        left = 0 if after.won else self.known.distance(after.level, after.state, at_least=max(0, (distance or 1) - 1))
        if distance is None or left is None:
            self.n_undecided += 1
        elif 1 + left == distance:
            self.n_shortest += 1
        else:
            self.costly.append(MoveRegret(level, place, n, 1 + left - distance, distance))

    def result(self) -> Regrets:
        return Regrets(
            self.n_moves,
            self.n_shortest,
            tuple(self.costly),
            tuple(self.fatal),
            self.n_in_dead_end,
            self.n_undecided,
        )
