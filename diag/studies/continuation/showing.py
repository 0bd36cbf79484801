"""What the environment gives of one step: the files of an observation. The same for every game."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import numpy as np

from games.contract import Game, Table
from games.grid.actions import NAMES
from games.grid.contract import Observation
from games.grid.frame import PALETTE, Frame, frame_text

STATES = {"playing": "NOT_FINISHED", "won": "WIN", "lost": "GAME_OVER"}
SCALE = 8
"""Pixels of a PNG per cell of a frame; even, for two of them share a byte."""
_AS_IT_IS, _AS_ABOVE = 0, 2
"""Filters of a PNG's lines."""


def files_of(seen: Observation, table: Table, game: Game, facts: dict[str, Any], language: str) -> dict[str, Any]:
    """Return name -> text, or base64 in an object, of everything one step shows.

    Args:
        seen: the answer to the action.
        table: the board now, for games that tell in words what happened.
        game: the game; one whose scene has `events` also gives `scene.json` and `feedback.txt`.
        facts: step index, action and counts, for `metadata.txt`.
        language: of the feedback.
    """
    metadata = {
        **facts,
        "state": STATES[seen.status],
        "levels_completed": seen.levels_completed,
        "levels": seen.n_levels,
        "available_actions": [NAMES[number] for number in (0, *seen.available_actions)],
    }
    found: dict[str, Any] = {"metadata.txt": json.dumps(metadata, indent=1)}
    for place, frame in enumerate(seen.frames[:-1]):
        found.update(_drawn(f"intermediate_{place:02d}", frame))
    found.update(_drawn("final", seen.frames[-1]))
    scene = game.scene(table)
    if "events" in scene:
        notes = game.texts("zh" if language == "zh" else "en")["notes"]
        found["scene.json"] = json.dumps(scene)
        found["feedback.txt"] = "\n".join(str(notes[event]) for event in scene["events"])
    return found


def _drawn(name: str, frame: Frame) -> dict[str, Any]:
    png = base64.b64encode(frame_png(frame)).decode()
    return {f"{name}.txt": frame_text(frame), f"{name}.png": {"base64": png}}


def frame_png(frame: Frame) -> bytes:
    """Return a frame as a PNG with a palette of sixteen colours; equal frames give equal bytes."""
    rows, columns = frame.shape
    lines = np.zeros((rows, SCALE, 1 + columns * SCALE // 2), np.uint8)  # each line begins with its filter
    lines[:, 0, 0], lines[:, 1:, 0] = _AS_IT_IS, _AS_ABOVE
    lines[:, 0, 1:] = np.repeat(frame.astype(np.uint8) * 0x11, SCALE // 2, axis=1)
    size = struct.pack(">IIBBBBB", columns * SCALE, rows * SCALE, 4, 3, 0, 0, 0)
    colours = b"".join(bytes.fromhex(colour[1:]) for colour in PALETTE)
    parts = ((b"IHDR", size), (b"PLTE", colours), (b"IDAT", zlib.compress(lines.tobytes(), 1)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
              for kind, data in parts)  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
