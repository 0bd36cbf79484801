"""Dead ends: how long an attempt goes on in a position that cannot be won, and how it leaves it.

Source: first source document, "Dead-end certification". A visit begins with the move that makes the board unsolvable.
Its delay counts moves from that one (included) until an undo restores a solvable board or the attempt ends. An attempt
reached a dead end if it has a visit; its delay and its exit are those of its first one, from the first unsolvable
board on. Later visits of an attempt are kept in `details` and counted, and enter no delay. Boards that the solver left
undecided neither begin nor end a visit. Attempts that came to a board with its game's certificate (Bolt Unscrew:
no relocation remains) are counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from diag.grading.certifier import Board, Certify, Verdict, verdicts_of
from diag.grading.episodes.attempts import Exit, LevelAttempt
from games.contract import JsonObject, LevelId

Way = Literal["undo"] | Exit
IsCertified = Callable[[LevelId, JsonObject], bool]


@dataclass(frozen=True)
class DeadEndVisit:
    """One stay in unsolvable positions."""

    level: str
    attempt: int
    """0-based place among the episode's attempts at any level."""
    first_of_attempt: bool
    after_moves: int
    """Accepted moves of the attempt up to and including the fatal one."""
    clock_s: float
    """When the fatal move had taken effect."""
    delay_moves: int
    delay_s: float
    exit: Way

    def to_json(self) -> dict[str, Any]:
        """Return the visit as plain JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class DeadEnds:
    """All visits of an episode, and over how many attempts."""

    visits: tuple[DeadEndVisit, ...]
    n_attempts: int
    n_undecided: int
    """Boards without a verdict."""
    n_certified: int
    """Attempts with a board that carries its game's certificate."""

    @property
    def first(self) -> tuple[DeadEndVisit, ...]:
        """The first visit of every attempt that reached a dead end."""
        return tuple(visit for visit in self.visits if visit.first_of_attempt)

    @property
    def n_attempts_reached(self) -> int:
        """Attempts that reached a dead end."""
        return len(self.first)

    @property
    def mean_delay_moves(self) -> float | None:
        """Mean delay over the attempts that reached a dead end; None without one."""
        return sum(visit.delay_moves for visit in self.first) / len(self.first) if self.first else None


def dead_ends(
    attempts: Sequence[LevelAttempt], certify: Certify, is_certified: IsCertified, *, end_s: float
) -> DeadEnds:
    """Return the dead ends of an episode.

    Args:
        attempts: in order.
        certify: verdict on a board; asked once per board, so it should remember.
        is_certified: whether a dead board carries its game's certificate.
        end_s: clock at the end of the episode.
    """
    visits: list[DeadEndVisit] = []
    n_undecided = n_certified = 0
    for place, attempt in enumerate(attempts):
        boards = [Board(step.kind, step.won, step.state) for step in attempt.boards]
        verdicts = verdicts_of(attempt.level, boards, certify)
        n_undecided += verdicts.count("undecided")
        dead = (board for board, verdict in zip(attempt.boards, verdicts, strict=True) if verdict == "dead_end")
        n_certified += any(is_certified(board.level, board.state) for board in dead)
        ended_s = end_s if attempt.end_s is None else attempt.end_s
        visits += _visits(place, attempt, verdicts, ended_s)
    return DeadEnds(tuple(visits), len(attempts), n_undecided, n_certified)


def _visits(place: int, attempt: LevelAttempt, verdicts: Sequence[Verdict], ended_s: float) -> list[DeadEndVisit]:
    found: list[DeadEndVisit] = []
    begun: int | None = None
    for k, verdict in enumerate(verdicts):
        if begun is None and verdict == "dead_end":
            begun = k
        elif begun is not None and verdict in ("solvable", "solved") and attempt.boards[k].kind == "undo":
            found.append(_visit(place, attempt, begun, k, "undo", attempt.boards[k].clock_s, first=not found))
            begun = None
    if begun is not None:
        n = len(attempt.boards)
        found.append(_visit(place, attempt, begun, n, attempt.exit, ended_s, first=not found))
    return found


def _visit(
    place: int, attempt: LevelAttempt, begun: int, end: int, way: Way, ended_s: float, *, first: bool
) -> DeadEndVisit:
    boards = attempt.boards
    return DeadEndVisit(
        level=str(attempt.level),
        attempt=place,
        first_of_attempt=first,
        after_moves=sum(board.kind == "move" for board in boards[: begun + 1]),
        clock_s=boards[begun].clock_s,
        delay_moves=sum(board.kind == "move" for board in boards[begun:end]),
        delay_s=ended_s - boards[begun].clock_s,
        exit=way,
    )
