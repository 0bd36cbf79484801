"""Bolt Unscrew capacity: what moves do when few holes are free.

Source: first source document, "Bolt Unscrew capacity" (Figure 4a-b). For every decision the last settled board before
it: free holes, boards out, certificate. For every move the free holes before it and what it did: it frees a board if
boards out increase, fills a hole if free holes decrease without a board going out, deadlocks if the board after it
carries the certificate that no hole is available. The published table is made of RQ3's retries, which count from here
too; that of whole episodes, where every move of the rules is one, is our addition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from diag.grading.episodes.attempts import LevelAttempt
from diag.grading.episodes.log import DecisionPoint
from games.bolt_unscrew import rules
from games.contract import JsonObject, LevelId

GAME = "bolt_unscrew"


@dataclass(frozen=True)
class Capacity:
    """What is counted of one board."""

    free_holes: int
    boards_out: int
    deadlocked: bool
    """No admissible relocation remains, and the board is not won (certificate `no_available_hole`)."""


Measure = Callable[[LevelId, JsonObject], Capacity]


def measure_with(layout: Callable[[LevelId], Any]) -> Measure:
    """Return the measure by the rules; `layout` gives a level's parsed layout."""

    def measure(level: LevelId, data: JsonObject) -> Capacity:
        state = rules.state_from_json(layout(level), data)
        free = len(rules.free_anchors(state))
        return Capacity(free, state.boards_out, not rules.is_won(state) and not rules.legal_moves(state))

    return measure


@dataclass
class MoveRow:
    """Moves made with one number of free holes."""

    n: int = 0
    frees: int = 0
    fills: int = 0
    deadlocks: int = 0
    first: int = 0
    """Of them, the first moves of their attempt."""
    first_deadlocks: int = 0


@dataclass
class CapacityTable:
    """Pooled over the attempts of one episode, by free holes."""

    moves: dict[int, MoveRow] = field(default_factory=dict)
    decisions: dict[int, list[int]] = field(default_factory=dict)
    """Free holes -> [decisions made on such a board, of them on a deadlocked one]."""

    def count_decision(self, found: Capacity) -> None:
        """Count a decision made on a board."""
        row = self.decisions.setdefault(found.free_holes, [0, 0])
        row[0] += 1
        row[1] += found.deadlocked

    def count_move(self, old: Capacity, new: Capacity, *, is_first: bool) -> None:
        """Count a move from one board to another; `is_first`: of its attempt."""
        row = self.moves.setdefault(old.free_holes, MoveRow())
        frees = new.boards_out > old.boards_out
        row.n += 1
        row.frees += frees
        row.fills += new.free_holes < old.free_holes and not frees
        row.deadlocks += new.deadlocked
        row.first += is_first
        row.first_deadlocks += is_first and new.deadlocked

    def to_json(self) -> dict[str, Any]:
        """Return the table as plain JSON."""
        moves = {str(free): dict(vars(row)) for free, row in sorted(self.moves.items())}
        return {"moves": moves, "decisions": {str(free): row for free, row in sorted(self.decisions.items())}}


def capacity_table(
    attempts: Sequence[LevelAttempt], decisions: Sequence[DecisionPoint], measure: Measure
) -> CapacityTable | None:
    """Return the table of an episode; None if no Bolt Unscrew board was in play."""
    own = [attempt for attempt in attempts if attempt.level.game == GAME]
    if not own:
        return None
    table = CapacityTable()
    for attempt in own:
        _count_moves(table, attempt, measure)
    for point in decisions:
        if point.board is not None and point.board.level.game == GAME and not point.board.won:
            table.count_decision(measure(point.board.level, point.board.state))
    return table


def _count_moves(table: CapacityTable, attempt: LevelAttempt, measure: Measure) -> None:
    is_first = True
    for before, after in zip(attempt.boards, attempt.boards[1:], strict=False):
        if after.kind != "move":
            continue
        old, new = measure(before.level, before.state), measure(after.level, after.state)
        table.count_move(old, new, is_first=is_first)
        is_first = False
