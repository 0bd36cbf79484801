"""Reads the published benchmark's transcribed layouts (`pieces` with holes in world coordinates) into our own form."""

from __future__ import annotations

import math

from games.bolt_unscrew.layout import COLOURS
from games.contract import JsonObject, JsonValue


def from_published(level: JsonObject) -> JsonObject:
    """Return one published level as layout JSON for `parse_layout`.

    The transcription rounded hole places to 0.01; the authored offsets are multiples of 0.1 in the piece's frame and
    are recovered by rounding to that.
    """
    layers = sorted({piece["layer"] for piece in level["pieces"]})
    boards = [_board(piece, COLOURS[layers.index(piece["layer"]) % len(COLOURS)]) for piece in level["pieces"]]
    return {"anchors": [dict(anchor) for anchor in level["anchors"]], "boards": boards}


def _board(piece: JsonValue, colour: str) -> JsonObject:
    kept = ("shape", "x", "y", "angle_deg", "length", "width", "radius", "layer")
    board = {name: piece[name] for name in kept if name in piece}
    return {**board, "holes": [_offset(piece, place) for place in piece["holes_world"]], "colour": colour}


def _offset(piece: JsonValue, place: list[float]) -> list[float]:
    angle = math.radians(piece["angle_deg"])
    x, y = place[0] - piece["x"], place[1] - piece["y"]
    u, v = math.cos(angle) * x + math.sin(angle) * y, math.cos(angle) * y - math.sin(angle) * x
    return [round(u, 1) + 0.0, round(v, 1) + 0.0]
