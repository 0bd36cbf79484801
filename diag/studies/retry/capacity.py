"""Bolt Unscrew capacity over retries: what moves do when few holes are free, and what the fatal ones were made for.

Source: first source document, "Bolt Unscrew capacity" (Figure 4a-b), which uses these retries: each starts on a level's
solvable initial board. For every decision the last settled board before it; consecutive distinct ones are a move, so
that a batch counts once. A fatal move, after which the board carries the certificate, predicts a release if the reason
of the decision that made it does (`diag.studies.retry.release`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from diag.grading.episodes.bolt import GAME, CapacityTable, Measure
from diag.grading.log import AttemptLog
from diag.grading.walk import Stated, Step
from diag.studies.retry.release import predicts_release
from games.contract import JsonObject


def capacity_record(
    log: AttemptLog, boards: Sequence[Step], measure: Measure, *, end_seq: float
) -> dict[str, Any] | None:
    """Return the table of one retry as plain JSON, as `CapacityTable` with `predicts_release` beside `deadlocks`.

    Args:
        log: of the retry.
        boards: settled boards of its level up to its end.
        measure: free holes, boards out and certificate of a board.
        end_seq: event number of what ended it; later decisions are not its own. Infinite: the log's end did.

    Returns:
        None for another game, or without a starting board.
    """
    if log.level.game != GAME or log.start_state is None:
        return None
    decided = [said for said in log.stated if not said.late and said.seq < end_seq]
    met = [_board_before(log, said) for said in decided]
    table = CapacityTable()
    fatal: dict[int, int] = {}
    for state in met:
        if state is not None:
            table.count_decision(measure(log.level, state))
    is_first = True
    left = boards[-1].state if boards else log.start_state
    for said, before, after in zip(decided, met, [*met[1:], left], strict=True):
        if before is None or after is None or before == after:
            continue
        old, new = measure(log.level, before), measure(log.level, after)
        table.count_move(old, new, is_first=is_first)
        is_first = False
        fatal[old.free_holes] = fatal.get(old.free_holes, 0) + (new.deadlocked and predicts_release(said.reason))
    moves = table.to_json()["moves"]
    for free, row in moves.items():
        row["predicts_release"] = fatal[int(free)]
    return {**table.to_json(), "moves": moves}


def _board_before(log: AttemptLog, said: Stated) -> JsonObject | None:
    """Return the last settled board before a decision; None where another level or a menu was on the screen."""
    place = bisect_left(log.steps, said.seq, key=lambda step: step.seq)
    if place == 0:
        return log.start_state
    step = log.steps[place - 1]
    return step.state if step.level == log.level and step.kind != "leave" else None
