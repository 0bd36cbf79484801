"""Bolt Unscrew at a glance: which screw could go into which hole, read off the scene alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from games.contract import Gesture, JsonObject, Option, Tap

_IDLE_APPEAL = 0.05
"""Of a screw that holds no board."""
_REPIN_FACTOR = 0.6
"""How much less it looks like progress to put a screw through a board again."""


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return every (screw, whole hole) pair, by screw, then hole; a screw that alone holds a board appeals most."""
    lifted = next((screw["id"] for screw in scene["screws"] if screw["lifted"]), None)
    holes = [hole for hole in scene["holes"] if hole["whole"] and hole["id"] != lifted]
    if not scene["boards"]:
        return ()
    screws_of = {board["id"]: sum(_lies_on(board, screw) for screw in scene["screws"]) for board in scene["boards"]}
    return tuple(
        Option([screw["id"], hole["id"]], _gestures(screw, hole), _appeal(scene, screws_of, screw, hole))
        for screw in scene["screws"]
        for hole in holes
    )


def _gestures(screw: Mapping[str, Any], hole: Mapping[str, Any]) -> tuple[Gesture, ...]:
    target = Tap(hole["x"], hole["y"])
    return (target,) if screw["lifted"] else (Tap(screw["x"], screw["y"]), target)


def _appeal(
    scene: JsonObject, screws_of: Mapping[int, int], screw: Mapping[str, Any], hole: Mapping[str, Any]
) -> float:
    held = [screws_of[board["id"]] for board in scene["boards"] if _lies_on(board, screw)]
    appeal = 1 / min(held) if held else _IDLE_APPEAL
    return appeal * _REPIN_FACTOR if any(_lies_on(board, hole) for board in scene["boards"]) else appeal


def _lies_on(board: Mapping[str, Any], spot: Mapping[str, Any]) -> bool:
    """Tell whether a place is inside a board's outline: a screw there goes through one of its holes."""
    cosine, sine = math.cos(board["angle"]), math.sin(board["angle"])
    x, y = spot["x"] - board["x"], spot["y"] - board["y"]
    along, across = cosine * x + sine * y, cosine * y - sine * x
    core = (board["length"] - board["width"]) / 2
    distance = math.hypot(max(abs(along) - core, 0.0), across)
    return bool(distance <= board["width"] / 2)
