"""Assembles raw pointer and key events of the page into gestures. One assembler per connection; no time involved."""

from __future__ import annotations

import math
from dataclasses import dataclass

from games.contract import DRAG_THRESHOLD_PX, Drag, Gesture, KeyPress, Tap

NAMED_KEYS = frozenset(
    ("Enter", "Tab", "Escape", "Space", "Backspace", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
)
LIMIT_PX = 10_000.0
"""A drag may end outside the viewport, but not farther than this."""


class MalformedEvent(ValueError):
    """The page sent something that is not an event; the message says what was found."""


@dataclass
class PointerAssembler:
    """Turns down, move, up, cancel and key events into at most one gesture each."""

    _start: tuple[float, float] | None = None
    _dragging: bool = False

    def feed(self, event: object) -> Gesture | None:
        """Return the gesture an event completes, or None. Raises MalformedEvent."""
        if not isinstance(event, dict):
            raise MalformedEvent(f"wanted an object, got {event!r:.80}")
        kind = event.get("type")
        if kind == "key":
            return _key(event.get("key"))
        if kind not in ("down", "move", "up", "cancel"):
            raise MalformedEvent(f"type: wanted down, move, up, cancel or key, got {kind!r:.80}")
        return self._pointer(kind, _pixel(event, "x"), _pixel(event, "y"))

    def _pointer(self, kind: str, x: float, y: float) -> Gesture | None:
        if kind == "down":
            self._start, self._dragging = (x, y), False
            return None
        if self._start is None:
            return None
        x0, y0 = self._start
        self._dragging = self._dragging or math.hypot(x - x0, y - y0) >= DRAG_THRESHOLD_PX
        if kind == "move":
            return Drag(x0, y0, x, y, finished=False) if self._dragging else None
        self._start = None
        if kind == "cancel":
            return Drag(x0, y0, x0, y0) if self._dragging else None
        return Drag(x0, y0, x, y) if self._dragging else Tap(x0, y0)


def _key(key: object) -> KeyPress | None:
    """Return a key of the action set; other keys of a real keyboard do nothing."""
    if not isinstance(key, str):
        raise MalformedEvent(f"key: wanted a string, got {key!r:.80}")
    name = key.lower() if len(key) == 1 else key
    return KeyPress(name) if name in NAMED_KEYS or (len(name) == 1 and "a" <= name <= "z") else None


def _pixel(event: dict[str, object], name: str) -> float:
    value = event.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LIMIT_PX:
        raise MalformedEvent(f"{name}: wanted a number of pixels, got {value!r:.80}")
    return float(value)
