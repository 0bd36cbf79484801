"""One continuation as somebody watches it: what was seen, said, done and answered, frame by frame.

A frame is one screenshot with the decision made on it and the actions that decision led to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from diag.records import Event
from diag.report.arm_changes import Started
from diag.session.grid import FRAME_EVENT
from diag.session.pictures import Fault, PictureStore
from games.contract import JsonObject


@dataclass(frozen=True)
class Mark:
    """Where a pointer action touched the picture; `x2`, `y2` for a drag. Screenshot pixels."""

    label: str
    x: float
    y: float
    x2: float | None = None
    y2: float | None = None
    valid: bool = True


@dataclass(frozen=True)
class ActionLine:
    """One action as text, with the public feedback it got."""

    text: str
    valid: bool
    feedback: str
    clock_s: float


@dataclass(frozen=True)
class Frame:
    """One screenshot and what was done on it."""

    index: int
    clock_s: float
    picture: str | None
    """SHA-256 of the PNG; None when the study ran on rules only."""
    settled: str
    reason: str | None
    """None: no decision was made on this screenshot."""
    stop: bool = False
    late: bool = False
    latency_s: float | None = None
    actions: tuple[ActionLine, ...] = ()
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    """Errors, summaries, probes and controller actions that followed."""
    fault: Fault | None = None
    """What is wrong with the stored picture; None if its bytes are those that were taken."""


@dataclass(frozen=True)
class ProgressPoint:
    """The evaluator's view at one moment; never shown to the agent."""

    clock_s: float
    screen: str
    level: str | None
    state_digest: str | None
    potential: float | None
    won: bool
    moves: tuple[str, ...]
    """Transitions since the last snapshot, as text: `restart`, `move [3, 1]`."""


@dataclass(frozen=True)
class Continuation:
    """A whole event log, arranged for reading."""

    start: JsonObject
    """Data of `episode_start`; empty if the log has none."""
    end: JsonObject
    end_clock_s: float | None
    frames: tuple[Frame, ...]
    progress: tuple[ProgressPoint, ...]

    @property
    def instruction(self) -> str:
        """The instruction the arm's agent started with."""
        return str(dict(self.start.get("context") or {}).get("instruction", ""))

    @property
    def started(self) -> Started:
        """What the arm's agent started with; empty if the log has no start."""
        return Started.of(dict(self.start.get("context") or {}))

    @property
    def actions(self) -> tuple[ActionLine, ...]:
        """All actions in order."""
        return tuple(line for frame in self.frames for line in frame.actions)


@dataclass
class _Open:
    """A frame under construction."""

    clock_s: float
    picture: str | None
    settled: str
    decision: JsonObject | None = None
    actions: list[ActionLine] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_continuation(events: Sequence[Event]) -> Continuation:
    """Arrange an event log. Unknown kinds are kept as notes; nothing is dropped."""
    start: JsonObject = {}
    end: JsonObject = {}
    end_clock_s = None
    frames: list[_Open] = []
    progress: list[ProgressPoint] = []
    for event in events:
        kind, data, clock_s = event.kind, event.data, event.clock_s
        if kind == "episode_start":
            start = data
        elif kind == "episode_end":
            end, end_clock_s = data, clock_s
        elif kind == "observation":
            frames.append(_Open(clock_s, data.get("picture"), str(data.get("settled", "unknown"))))
        elif kind == "snapshot":
            progress.append(_progress(clock_s, data))
        else:
            if not frames:
                frames.append(_Open(clock_s, None, "unknown"))
            _add(frames[-1], kind, clock_s, data)
    return Continuation(start, end, end_clock_s, tuple(_close(i, f) for i, f in enumerate(frames)), tuple(progress))


def with_faults(continuation: Continuation, store: PictureStore) -> Continuation:
    """Return the continuation with every picture checked against the digest the log names it by."""
    frames = (
        frame if frame.picture is None else replace(frame, fault=store.fault(frame.picture))
        for frame in continuation.frames
    )
    return replace(continuation, frames=tuple(frames))


def action_text(action: Any) -> str:
    """Return an action as a person would write it: `click (165, 235)`. Anything malformed is shown as its JSON."""
    if not isinstance(action, dict) or "name" not in action:
        return json.dumps(action)
    name, rest = str(action["name"]), {key: value for key, value in action.items() if key != "name"}
    if "x" in rest and "y" in rest:
        place = f"({rest.pop('x')}, {rest.pop('y')})"
        if "x2" in rest and "y2" in rest:
            place += f" → ({rest.pop('x2')}, {rest.pop('y2')})"
        name = f"{name} {place}"
    return " ".join([name, *(f"{key}={value}" for key, value in rest.items())])


def _add(frame: _Open, kind: str, clock_s: float, data: JsonObject) -> None:
    if kind == "decision" and frame.decision is None:
        frame.decision = data
    elif kind == "action":
        raw = data.get("action")
        valid = bool(data.get("valid", True))
        frame.actions.append(ActionLine(action_text(raw), valid, str(data.get("feedback") or ""), clock_s))
        mark = _mark(str(len(frame.actions)), raw, valid)
        frame.marks.extend([mark] if mark else [])
    elif kind == FRAME_EVENT:
        frame.actions.append(ActionLine(str(data.get("action")), bool(data.get("frames")), "", clock_s))
    elif kind == "summary":
        frame.notes.append(f"summary: {data.get('text', '')}")
    else:
        frame.notes.append(f"{kind}: {json.dumps(data, ensure_ascii=False)}")


def _mark(label: str, action: Any, valid: bool) -> Mark | None:
    if not isinstance(action, dict):
        return None
    numbers = [action.get(name) for name in ("x", "y", "x2", "y2")]
    x, y, x2, y2 = (float(n) if isinstance(n, int | float) and not isinstance(n, bool) else None for n in numbers)
    return None if x is None or y is None else Mark(label, x, y, x2, y2, valid)


def _progress(clock_s: float, data: JsonObject) -> ProgressPoint:
    moves = tuple(
        str(change["kind"]) + (f" {json.dumps(change['move'])}" if change.get("move") is not None else "")
        for change in data.get("transitions") or ()
    )
    return ProgressPoint(
        clock_s,
        str(data.get("screen", "")),
        data.get("level"),
        data.get("state_digest"),
        data.get("potential"),
        bool(data.get("won", False)),
        moves,
    )


def _close(index: int, frame: _Open) -> Frame:
    decision = frame.decision or {}
    return Frame(
        index=index,
        clock_s=frame.clock_s,
        picture=frame.picture,
        settled=frame.settled,
        reason=None if frame.decision is None else str(decision.get("reason") or ""),
        stop=bool(decision.get("stop", False)),
        late=bool(decision.get("late", False)),
        latency_s=decision.get("latency_s"),
        actions=tuple(frame.actions),
        marks=tuple(frame.marks),
        notes=tuple(frame.notes),
    )
