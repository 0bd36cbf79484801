"""The certificate over time: what the report draws under a continuation's strip of screenshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diag.grading.certifier import Board, Certify, Verdict, verdicts_of
from diag.grading.log import AttemptLog, states_of
from diag.records import Event


@dataclass(frozen=True)
class VerdictPoint:
    """What the solver says of the board from this moment on."""

    clock_s: float
    verdict: Verdict


def certificate_track(events: Sequence[Event], certify: Certify) -> tuple[VerdictPoint, ...]:
    """Return every settled board of the assigned level in order, the starting board first if the log holds it.

    Raises:
        LogError: the log cannot be read as an attempt.
    """
    log = AttemptLog.read(events)
    steps = states_of(log.steps, log.level)
    boards = [Board(step.kind, step.won, step.state) for step in steps]
    times = [step.clock_s for step in steps]
    if log.start_state is not None:
        boards.insert(0, Board("start", False, log.start_state))
        times.insert(0, 0.0)
    return tuple(map(VerdictPoint, times, verdicts_of(log.level, boards, certify)))
