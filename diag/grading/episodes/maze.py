"""Maze Paint counters: productive, zero-progress and invalid moves, revisits, by fifth of coverage.

Source: first source document, "Maze Paint counters" (Table 11, Figure 4c). Productive moves paint at least one new
cell; with the zero-progress ones they partition the valid moves; a swipe or arrow key that does not shift the ball is
invalid. A state is the ball with the painted cells; each attempt's initial state counts as one observation, and the
revisit rate is revisited / (unique + revisited) within attempts. A move belongs to the fifth of paintable cells that
was covered before it, the start cell among them: fifth k holds coverage in [k/5, (k+1)/5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from diag.grading.episodes.attempts import LevelAttempt
from diag.grading.episodes.log import Input
from games.contract import BOARD, DRAG_THRESHOLD_PX, JsonObject, LevelId
from games.digest import canonical_json
from games.maze_paint import rules

GAME = "maze_paint"
N_BINS = 5
SWIPES = ("drag", "swipe")
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")

Coverage = Callable[[LevelId, JsonObject], tuple[int, int]]
"""(level, state) -> painted and paintable cells, the start cell in both."""


def coverage_with(layout: Callable[[LevelId], Any]) -> Coverage:
    """Return the coverage by the rules; `layout` gives a level's parsed layout."""

    def coverage(level: LevelId, data: JsonObject) -> tuple[int, int]:
        state = rules.state_from_json(layout(level), data)
        return len(state.painted), len(state.layout.floor)

    return coverage


@dataclass
class MoveCounts:
    """Counts of one bin."""

    productive: int = 0
    zero_progress: int = 0
    invalid: int = 0

    @property
    def valid(self) -> int:
        """Moves that shifted the ball."""
        return self.productive + self.zero_progress

    def to_json(self) -> list[int]:
        """Return [productive, zero_progress, invalid]."""
        return [self.productive, self.zero_progress, self.invalid]


def _bins() -> list[MoveCounts]:
    return [MoveCounts() for _ in range(N_BINS)]


@dataclass
class MazeCounters:
    """Pooled over the attempts of one episode."""

    n_attempts: int = 0
    n_won: int = 0
    n_unique: int = 0
    n_revisits: int = 0
    solved: list[MoveCounts] = field(default_factory=_bins)
    """Per coverage fifth, in attempts that completed their level."""
    unsolved: list[MoveCounts] = field(default_factory=_bins)

    @property
    def total(self) -> MoveCounts:
        """All moves."""
        bins = [*self.solved, *self.unsolved]
        return MoveCounts(
            sum(one.productive for one in bins),
            sum(one.zero_progress for one in bins),
            sum(one.invalid for one in bins),
        )

    @property
    def revisit_rate(self) -> float | None:
        """Revisited / (unique + revisited); None without an observation."""
        seen = self.n_unique + self.n_revisits
        return self.n_revisits / seen if seen else None

    def to_json(self) -> dict[str, Any]:
        """Return the counters as plain JSON."""
        return {
            "attempts": self.n_attempts,
            "won": self.n_won,
            "unique": self.n_unique,
            "revisits": self.n_revisits,
            "solved": [one.to_json() for one in self.solved],
            "unsolved": [one.to_json() for one in self.unsolved],
        }


def maze_counters(attempts: Sequence[LevelAttempt], inputs: Sequence[Input], coverage: Coverage) -> MazeCounters | None:
    """Return the counters of an episode; None if no Maze Paint board was in play."""
    own = [attempt for attempt in attempts if attempt.level.game == GAME]
    if not own:
        return None
    counters = MazeCounters(n_attempts=len(own), n_won=sum(attempt.won for attempt in own))
    missed = [item for item in inputs if _is_invalid_move(item)]
    for attempt in own:
        bins = counters.solved if attempt.won else counters.unsolved
        _count_moves(attempt, bins, coverage)
        _count_visits(attempt, counters)
        members = {board.index for board in attempt.boards}
        for item in missed:
            if item.board is not None and item.board.index in members:
                bins[coverage_bin(*coverage(item.board.level, item.board.state))].invalid += 1
    return counters


def coverage_bin(painted: int, paintable: int) -> int:
    """Return the fifth of paintable cells that is painted, 0 to 4; a full board is in the last."""
    return min(N_BINS - 1, painted * N_BINS // paintable)


def _count_moves(attempt: LevelAttempt, bins: list[MoveCounts], coverage: Coverage) -> None:
    for before, after in zip(attempt.boards, attempt.boards[1:], strict=False):
        if after.kind == "move":
            counts = bins[coverage_bin(*coverage(before.level, before.state))]
            if after.potential > before.potential:
                counts.productive += 1
            else:
                counts.zero_progress += 1


def _count_visits(attempt: LevelAttempt, counters: MazeCounters) -> None:
    seen: set[str] = set()
    for board in attempt.boards:
        name = canonical_json(board.state)
        counters.n_revisits += name in seen
        counters.n_unique += name not in seen
        seen.add(name)


def _is_invalid_move(item: Input) -> bool:
    """Tell whether an input asked for a move on a board in play and none followed; a press on a button asks none."""
    board, action = item.board, item.action
    if item.moved or board is None or board.level.game != GAME or board.won:
        return False
    if action.get("name") == "key":
        return action.get("key") in ARROWS
    return action.get("name") in SWIPES and _starts_on_board(action)


def _starts_on_board(action: Any) -> bool:
    path = (*action.get("via", ()), (action["x2"], action["y2"]))
    long_enough = max(math.dist((action["x"], action["y"]), point) for point in path) >= DRAG_THRESHOLD_PX
    return BOARD.contains(action["x"], action["y"]) and long_enough
