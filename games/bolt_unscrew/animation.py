"""How Bolt Unscrew moves on the screen: the screw flies, then boards swing and fall. Never what is settled."""

from __future__ import annotations

import math

from games.bolt_unscrew.place import board_json, pixels
from games.bolt_unscrew.rules import Fall, Move, State, Turn, motions
from games.bolt_unscrew.visible import visible
from games.contract import JsonObject, JsonValue

LIFT_MS = 140
FLIGHT_MS = 220
FALL_MS = 520
SWING_MS = 260
SWING_MS_PER_RADIAN = 130


def lift_motion(state: State, up: int | None, down: int | None) -> JsonObject:
    """Return the motion of a screw that is lifted, of one that is put back, or of both."""
    spots = {name: None if anchor is None else _place(state, anchor) for name, anchor in (("up", up), ("down", down))}
    return {"kind": "lift", "duration_ms": LIFT_MS, **spots}


def refuse_motion(held: int | None) -> JsonObject | None:
    """Return the shake of a lifted screw that cannot go where it should."""
    return None if held is None else {"kind": "shake", "duration_ms": 260}


def move_motion(state: State, move: Move) -> JsonObject:
    """Return the motion of a legal move from `state`; turns and falls begin when the screw has landed."""
    seen = {piece.index: holes for piece, holes in visible(state, move.source).pieces}
    turns: list[JsonValue] = []
    falls: list[JsonValue] = []
    settle_ms = 0.0
    for motion in motions(state, move):
        match motion:
            case Turn(board, pivot, _, _, sweep_rad):
                settle_ms = max(settle_ms, SWING_MS + SWING_MS_PER_RADIAN * abs(sweep_rad))
                turns.append({"board": board, "pivot": _place(state, pivot), "sweep": round(sweep_rad, 6)})
            case Fall(board, start):
                settle_ms = max(settle_ms, FALL_MS)
                falls.append(board_json(board, state.layout.boards[board], start, seen.get(board, ())))
    return {
        "kind": "move",
        "duration_ms": math.ceil(FLIGHT_MS + settle_ms),
        "flight_ms": FLIGHT_MS,
        "screw": {"id": move.target, "from": _place(state, move.source)},
        "turns": turns,
        "falls": falls,
    }


def _place(state: State, anchor: int) -> JsonValue:
    spot = state.layout.anchors[anchor]
    return list(pixels((spot.x, spot.y)))
