"""One episode's event log, checked by the same walk as every attempt's, with what the observational measures need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diag.grading.log import CheckedLog, checked_fields, walked
from diag.grading.walk import MalformedLog, Step, field_of, framed
from diag.records import Event
from games.contract import JsonObject, LevelId


@dataclass(frozen=True)
class Input:
    """One executed GUI action of the agent and the board it met."""

    seq: int
    clock_s: float
    action: JsonObject
    board: Step | None
    """The last settled board in play before it; None on a menu."""
    moved: bool
    """It made an accepted move."""


@dataclass(frozen=True)
class DecisionPoint:
    """One decision of the agent and the board it was made on."""

    seq: int
    clock_s: float
    board: Step | None
    usage: JsonObject


@dataclass(frozen=True)
class EpisodeLog(CheckedLog):
    """What grading needs of an episode."""

    levels: tuple[LevelId, ...]
    """The target levels of the objective, in catalogue order."""
    budget_s: float
    inputs: tuple[Input, ...]
    decisions: tuple[DecisionPoint, ...]

    @classmethod
    def read(cls, events: Sequence[Event], *, plan_hash: str | None = None) -> EpisodeLog:
        """Check the events and return the log.

        Raises:
            LogError: as `AttemptLog.read`; a log without an objective is malformed.
        """
        start, _ = framed(events, plan_hash)
        walk = walked(events, None)
        steps = tuple(walk.steps)
        return cls(
            **checked_fields(events, walk),
            levels=_objective(start),
            budget_s=float(field_of(start, "limits")["time_s"]),
            inputs=_inputs(events, steps),
            decisions=_decisions(events, steps),
        )


def _objective(start: Event) -> tuple[LevelId, ...]:
    levels = field_of(start, "objective")
    if not isinstance(levels, list | tuple) or not levels:
        raise MalformedLog(f"event {start.seq}: objective {levels!r:.80}, wanted a list of levels")
    try:
        return tuple(LevelId.parse(str(level)) for level in levels)
    except ValueError as error:
        raise MalformedLog(f"event {start.seq}: objective: {error}") from error


def _inputs(events: Sequence[Event], steps: tuple[Step, ...]) -> tuple[Input, ...]:
    boards = _BoardsBefore(steps)
    movers = {step.seq for step in steps if step.kind == "move"}
    return tuple(
        Input(event.seq, event.clock_s, event.data["action"], boards.at(event.seq), event.seq in movers)
        for event in events
        if event.kind == "action" and event.data.get("valid")
    )


def _decisions(events: Sequence[Event], steps: tuple[Step, ...]) -> tuple[DecisionPoint, ...]:
    boards = _BoardsBefore(steps)
    return tuple(
        DecisionPoint(event.seq, event.clock_s, boards.at(event.seq), dict(event.data.get("usage") or {}))
        for event in events
        if event.kind == "decision"
    )


class _BoardsBefore:
    """The board in play before an event; asked in log order."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps
        self._next = 0
        self._board: Step | None = None

    def at(self, seq: int) -> Step | None:
        while self._next < len(self._steps) and self._steps[self._next].seq < seq:
            step = self._steps[self._next]
            self._board = None if step.kind == "leave" else step
            self._next += 1
        return self._board
