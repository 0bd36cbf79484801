"""The certificate over time: what the report draws under a continuation's strip of screenshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diag.grading.certifier import Certify, Verdict
from diag.grading.log import AttemptLog, states_of
from diag.records import Event
from games.contract import JsonObject, LevelId

Distance = Callable[[LevelId, JsonObject], int | None]


@dataclass(frozen=True)
class TrackPoint:
    """One settled board of the assigned level."""

    clock_s: float
    action: int | None
    """Index of the executed action that led here; None for the starting board."""
    kind: str
    """start, move, undo, restart, enter or placed."""
    potential: float
    verdict: Verdict
    distance: int | None
    """Exact moves to a win, where asked for and known."""


def certificate_track(
    events: Sequence[Event], certify: Certify, *, distance: Distance | None = None
) -> tuple[TrackPoint, ...]:
    """Return every settled board of the assigned level in order, the starting board first if the log holds it.

    Raises:
        LogError: the log cannot be read as an attempt.
    """
    log = AttemptLog.read(events)
    boards: list[tuple[float, int | None, str, float, bool, JsonObject]] = []
    if log.start_state is not None:
        boards.append((0.0, None, "start", log.start_potential or 0.0, False, log.start_state))
    boards += [
        (step.clock_s, step.action, step.kind, step.potential, step.won, step.state)
        for step in states_of(log.steps, log.level)
    ]
    return tuple(
        TrackPoint(
            clock_s=clock_s,
            action=action,
            kind=kind,
            potential=potential,
            verdict="solved" if won else certify(log.level, state),
            distance=0 if won else distance(log.level, state) if distance else None,
        )
        for clock_s, action, kind, potential, won, state in boards
    )
