"""What any continuation from a restored board came to: the boards of its level, their certificates, and the win.

Pure and offline. Boards count within the limit and up to the first win, which is latched: what is done to the level
afterwards is not its score. Kinds of study that hand over a restored board add their own endpoints to these.

| endpoint | meaning |
|---|---|
| same_level_win | the assigned level was won within the limit; latched at its first terminal snapshot |
| win_s, win_actions | takeover seconds and executed actions up to and including the win; None without one |
| progress | best potential of the assigned level from takeover on, the starting board included |
| n_restarts, n_moves | native restarts; accepted moves on the assigned level |
| n_undecided | boards whose verdict the solver left open; they count neither as live nor as dead |

A board that cannot be won is `dead` if it carries its game's certificate (Bolt Unscrew: `no_available_hole`), else it
is `doomed`: an exhausted search proves it, moves remain, and the published evaluator knows nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from diag.grading.certifier import Board, Certifier, Verdict, is_certified, verdicts_of
from diag.grading.log import AttemptLog, Value, states_of
from diag.grading.walk import Step


@dataclass(frozen=True)
class Continuation:
    """A log beside the boards of its level and what the solver says of them."""

    log: AttemptLog
    limit_s: float
    boards: tuple[Step, ...]
    verdicts: tuple[Verdict, ...]
    dead: tuple[Step, ...]
    """Boards with a dead-end certificate of their game."""
    doomed: tuple[Step, ...]
    """Boards proven dead by exhausted search where that is no certificate."""

    @classmethod
    def of(cls, log: AttemptLog, certify: Certifier, limit_s: float) -> Continuation:
        """Return the continuation that a log holds, each board certified once."""
        boards = _until_win(tuple(step for step in states_of(log.steps, log.level) if step.clock_s <= limit_s))
        verdicts = verdicts_of(log.level, [Board(step.kind, step.won, step.state) for step in boards], certify)
        lost = [board for board, verdict in zip(boards, verdicts, strict=True) if verdict == "dead_end"]
        dead = tuple(board for board in lost if is_certified(certify, log.level, board.state))
        return cls(log, limit_s, boards, verdicts, dead, tuple(board for board in lost if board not in dead))

    @property
    def pairs(self) -> tuple[tuple[Step, Verdict], ...]:
        """Each board beside its verdict."""
        return tuple(zip(self.boards, self.verdicts, strict=True))

    @property
    def won(self) -> bool:
        """Whether the assigned level was won within the limit."""
        return self.log.won_at_s is not None and self.log.won_at_s <= self.limit_s

    def win(self) -> dict[str, Value]:
        """Return the win, and when it came."""
        log, won = self.log, self.won
        return {
            "same_level_win": won,
            "win_s": log.won_at_s if won else None,
            "win_actions": log.won_at_action + 1 if won and log.won_at_action is not None else None,
        }

    def play(self) -> dict[str, Value]:
        """Return progress and counts."""
        return {
            "progress": max([self.log.start_potential or 0.0, *(board.potential for board in self.boards)]),
            "n_restarts": sum(board.kind == "restart" for board in self.boards),
            "n_moves": sum(board.kind == "move" for board in self.boards),
            "n_undecided": self.verdicts.count("undecided"),
        }


def _until_win(boards: tuple[Step, ...]) -> tuple[Step, ...]:
    end = next((place for place, board in enumerate(boards, start=1) if board.won), len(boards))
    return boards[:end]
