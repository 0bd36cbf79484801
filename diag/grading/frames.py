"""Reads the frames of a play back: one event per action, with the rows of every frame that changed.

`grid.frame` has `action`, `frames` (each a mapping of row number to 64 hexadecimal digits, relative to the frame
before; the last one is settled, none means that the action was refused), `status`, `levels_completed` and `full_reset`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diag.grading.walk import MalformedLog, field_of
from diag.records import Event
from diag.session.grid import FRAME_EVENT
from games.grid.actions import ActionError, GridAction, action_from_text
from games.grid.contract import Observation
from games.grid.frame import SIDE, Frame, FrameError, blank, sealed

_HEX = "0123456789abcdef"


@dataclass(frozen=True)
class Shown:
    """One action of a play and what it was answered with."""

    seq: int
    action: GridAction
    seen: Observation


def shown(events: Sequence[Event]) -> Iterator[Shown]:
    """Read the frames of a play back. Raises MalformedLog."""
    last = blank(0)
    n_levels = len(field_of(events[0], "levels")) if events else 0
    for event in events:
        if event.kind == FRAME_EVENT:
            frames = []
            for rows in field_of(event, "frames"):
                last = _patched(last, rows, event.seq)
                frames.append(last)
            yield Shown(event.seq, _action(event), _observation(event, tuple(frames), n_levels))


def _action(event: Event) -> GridAction:
    try:
        return action_from_text(str(field_of(event, "action")))
    except ActionError as error:
        raise MalformedLog(f"event {event.seq}: {error}") from error


def _observation(event: Event, frames: tuple[Frame, ...], n_levels: int) -> Observation:
    status, completed = field_of(event, "status"), field_of(event, "levels_completed")
    if status not in ("playing", "won", "lost") or type(completed) is not int or not 0 <= completed <= n_levels:
        raise MalformedLog(f"event {event.seq}: status {status!r} with {completed!r} of {n_levels} levels completed")
    return Observation(frames, status, completed, n_levels, (), bool(field_of(event, "full_reset")))


def _patched(frame: Frame, rows: Mapping[str, Any], seq: int) -> Frame:
    new = frame.copy()
    try:
        for row, line in rows.items():
            if len(line) != SIDE or not 0 <= int(row) < SIDE:
                raise FrameError(f"row {row} of {len(line)} cells, wanted 64 rows of 64")
            new[int(row)] = [_HEX.index(mark) for mark in line]
    except (ValueError, TypeError, AttributeError) as error:
        raise MalformedLog(f"event {seq}: a frame cannot be read: {error}") from error
    return sealed(new)
