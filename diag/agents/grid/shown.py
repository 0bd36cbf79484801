"""What a model is shown of a frame: facts as JSON, the grid as 64 lines of hexadecimal digits, as a picture, or both.

These are the three files that the source keeps of every turn (`turn_NNN.json`, `.txt`, `.png`).
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from PIL import Image

from diag.agents.models.conversation import Part, Picture, Text
from games.grid.actions import CLICK, NAMES, RESET, GridAction
from games.grid.arcade.wire import STATES
from games.grid.contract import Observation
from games.grid.frame import PALETTE, SIDE, Frame, frame_text

View = Literal["text", "picture", "both"]
VIEWS: tuple[View, ...] = get_args(View)
CELL_PX = 8
"""Side of a cell in the picture, in pixels: 512 x 512 in all."""
_RGB = np.array([[int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in PALETTE], dtype=np.uint8)


def picture(frame: Frame, cell_px: int = CELL_PX) -> bytes:
    """Return a frame as a PNG in the colours of ARC-AGI-3, so many pixels a cell."""
    cells = _RGB[frame].repeat(cell_px, axis=0).repeat(cell_px, axis=1)
    buffer = io.BytesIO()
    Image.fromarray(cells).save(buffer, "PNG")
    return buffer.getvalue()


def facts(seen: Observation, turn: int, action: GridAction | None, offered: Sequence[int]) -> str:
    """Return what is known beside the frame as a line of JSON: level, turn, the action that led here, state, offer."""
    clicked = action is not None and action.number == CLICK
    return json.dumps(
        {
            "level": min(seen.levels_completed + 1, seen.n_levels),
            "levels": seen.n_levels,
            "turn": turn,
            "action": None if action is None else action.name,
            "row": action.y if action is not None and clicked else None,
            "col": action.x if action is not None and clicked else None,
            "state": STATES[seen.status],
            "available": [NAMES[number] for number in offered],
            "frames_before": max(0, len(seen.frames) - 1),
        }
    )


def offered(seen: Observation, attempt_actions: int) -> tuple[int, ...]:
    """Return the numbers of the actions that may be taken now; RESET only where it begins the level again."""
    if seen.status != "playing":
        return (RESET,)
    return (RESET, *seen.available_actions) if attempt_actions else seen.available_actions


def parts(frame: Frame, view: View, title: str) -> tuple[Part, ...]:
    """Return a frame as it is shown: a line of what it is, then the grid, the picture, or both."""
    text = f"{title} ({SIDE} rows of {SIDE} cells, the top row first):\n{frame_text(frame)}"
    shown = Text(f"{title}:" if view == "picture" else text)
    if view == "text":
        return (shown,)
    png = picture(frame)
    return shown, Picture(hashlib.sha256(png).hexdigest(), png, (SIDE * CELL_PX, SIDE * CELL_PX))
