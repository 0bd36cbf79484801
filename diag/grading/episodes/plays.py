"""From recorded sessions to plays: what a person or an agent did at a level, ready for checkpoints.

A play is the accepted moves of one attempt at one level, from its initial board up to the first undo, the end of the
attempt, or its win. Its GUI actions are those by which the moves are made again from the home screen; the moves and the
states are the recorded ones, and a play whose moves do not lead through its recorded states is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from checkpoints.harvest import Play, play_solution
from diag.errors import CorruptRecord, DiagError
from diag.grading.episodes.attempts import LevelAttempt, level_attempts
from diag.grading.episodes.log import EpisodeLog
from diag.records import Event
from diag.records.study_folder import StudyFolder
from games.catalogue import Catalogue
from games.registry import game_named


def plays_of_study(folder: Path, catalogue: Catalogue) -> Iterator[Play]:
    """Yield the plays of every valid episode of a recorded episode study, in plan order.

    Raises:
        DiagError: the folder holds no study.
        CorruptRecord: a log is not what was finished, or does not replay.
    """
    study = StudyFolder(folder)
    if not study.has_plan():
        raise DiagError(f"{folder} holds no study; record one with +experiment=rq1")
    plan = study.read_plan()
    for unit in plan.units:
        status = study.primary(unit.unit_id)
        if status is not None:
            source = {"study": plan.study, "plan_hash": plan.plan_hash, "unit_id": unit.unit_id}
            yield from plays_of(study.read_events(status), catalogue, source)


def plays_of(events: Sequence[Event], catalogue: Catalogue, source: dict[str, Any]) -> Iterator[Play]:
    """Yield the plays of one session. Raises LogError, CorruptRecord."""
    log = EpisodeLog.read(events)
    agent = dict(events[0].data.get("agent") or {})
    for place, attempt in enumerate(level_attempts(log.steps)):
        moves, states = _until_undo(attempt)
        if not moves or attempt.boards[0].kind == "placed":
            continue
        provenance = {
            "player": str(agent.get("name")),
            "simulated": bool(agent.get("simulated", False)),
            "recorded": {**source, "attempt_at_level": place},
        }
        play = _replayed(catalogue, attempt, moves, provenance)
        if list(play.states) != states:
            raise CorruptRecord(
                f"{source}: attempt {place} at {attempt.level} does not lead through its recorded states"
            )
        yield play


def _until_undo(attempt: LevelAttempt) -> tuple[list[Any], list[Any]]:
    states = [attempt.boards[0].state]
    moves: list[Any] = []
    for board in attempt.boards[1:]:
        if board.kind != "move" or board.move is None:
            break
        moves.append(board.move)
        states.append(board.state)
    return moves, states


def _replayed(catalogue: Catalogue, attempt: LevelAttempt, moves: list[Any], provenance: dict[str, Any]) -> Play:
    game = game_named(attempt.level.game)
    return play_solution(catalogue, attempt.level, [game.move_from_json(move) for move in moves], provenance)
