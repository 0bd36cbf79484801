"""Attempts at a level: what lies between an entry or restart and the next one, the win, the exit or the end.

Source: first source document, "Dead-end certification" and "Maze Paint counters": level changes and resets delimit
attempts; what happens after an attempt's first win is not part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from diag.grading.walk import Step
from games.contract import LevelId

Exit = Literal["won", "restart", "leave", "episode_end"]
_STARTS = ("enter", "restart", "placed")


@dataclass(frozen=True)
class LevelAttempt:
    """One attempt at one level."""

    level: LevelId
    boards: tuple[Step, ...]
    """Every settled board in order; the first is the one the attempt began on."""
    exit: Exit
    end_s: float | None
    """Clock of the win, or of the step that ended it otherwise; None: it was open when the episode ended."""

    @property
    def won(self) -> bool:
        """Tell whether the attempt completed the level."""
        return self.exit == "won"

    @property
    def n_moves(self) -> int:
        """Accepted moves."""
        return sum(board.kind == "move" for board in self.boards)


def level_attempts(steps: Sequence[Step]) -> tuple[LevelAttempt, ...]:
    """Cut the steps of a session into attempts, in order."""
    found: list[LevelAttempt] = []
    boards: list[Step] = []
    for step in steps:
        if step.kind in _STARTS or step.kind == "leave":
            _close(found, boards, "leave" if step.kind == "leave" else _how(boards, step), step.clock_s)
            boards = [] if step.kind == "leave" else [step]
        elif boards:
            boards.append(step)
    _close(found, boards, "episode_end", None)
    return tuple(found)


def _how(boards: list[Step], start: Step) -> Exit:
    return "restart" if boards and start.kind == "restart" and boards[0].level == start.level else "leave"


def _close(found: list[LevelAttempt], boards: list[Step], way: Exit, end_s: float | None) -> None:
    if not boards:
        return
    win = next((place for place, board in enumerate(boards) if board.won), None)
    if win is None:
        found.append(LevelAttempt(boards[0].level, tuple(boards), way, end_s))
    else:
        found.append(LevelAttempt(boards[0].level, tuple(boards[: win + 1]), "won", boards[win].clock_s))
