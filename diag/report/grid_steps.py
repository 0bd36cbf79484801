"""What the page of a continuation needs to step through the frames of a grid play."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from diag.records import Event
from diag.session.grid import FRAME_EVENT
from games.grid.frame import PALETTE


def grid_play(events: Sequence[Event]) -> Markup | None:
    """Return the play as JSON that may stand inside a `script` element; None if no frame was recorded."""
    steps = _steps(events)
    if not any(step["f"] for step in steps):
        return None
    text = json.dumps({"palette": PALETTE, "steps": steps}, separators=(",", ":"), ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no "<" is left, so it cannot end its element


def _steps(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return one entry per action: what was done, why, how things stand, and its frames as rows that changed."""
    found: list[dict[str, Any]] = []
    status, completed, reason = "playing", 0, ""
    for event in events:
        data = event.data
        if event.kind == "decision":
            reason = str(data.get("reason") or "")
        elif event.kind == FRAME_EVENT:
            status, completed = data["status"], data["levels_completed"]
            found.append({"a": data["action"], "s": status, "l": completed, "f": data["frames"], "r": reason, "w": ""})
            reason = ""
        elif event.kind == "action" and found:
            name = str(dict(data.get("action") or {}).get("name"))
            note = str(data.get("feedback") or "")
            found.append({"a": name, "s": status, "l": completed, "f": [], "r": reason, "w": note})
            reason = ""
    return found
