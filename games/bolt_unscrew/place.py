"""Where the plate lies on the screen: authoring units to viewport pixels and back."""

from __future__ import annotations

from collections.abc import Iterable

from games.bolt_unscrew.layout import COLOURS, PLATE_WIDTH, PLAY_ZONE, Board, Point
from games.bolt_unscrew.mechanics import Pose
from games.colours import swatch
from games.contract import BOARD, JsonObject

UNIT_PX = 0.96
"""Pixels per authoring unit: the play zone and 50 units above and below it fit the board area."""
_CENTRE = PLATE_WIDTH / 2, (PLAY_ZONE[1] + PLAY_ZONE[3]) / 2
_MIDDLE = BOARD.x + BOARD.width / 2, BOARD.y + BOARD.height / 2


def pixels(place: Point) -> Point:
    """Return the viewport pixel of a place of the plate, to a hundredth of a pixel."""
    return _round(_MIDDLE[0] + (place[0] - _CENTRE[0]) * UNIT_PX), _round(
        _MIDDLE[1] + (place[1] - _CENTRE[1]) * UNIT_PX
    )


def units(x: float, y: float) -> Point:
    """Return the place of the plate at a viewport pixel."""
    return _CENTRE[0] + (x - _MIDDLE[0]) / UNIT_PX, _CENTRE[1] + (y - _MIDDLE[1]) / UNIT_PX


def board_json(index: int, board: Board, pose: Pose, holes: Iterable[Point]) -> JsonObject:
    """Return a board as the scene shows it, with those of its drilled holes that can be seen, in its own frame."""
    x, y = pixels(pose.centre)
    return {
        "id": index,
        "shape": board.shape,
        "x": x,
        "y": y,
        "angle": round(pose.angle_rad, 6),
        "length": _round(board.length * UNIT_PX),
        "width": _round(board.width * UNIT_PX),
        "colour": board.colour if board.colour in COLOURS else swatch(board.colour),
        "holes": [[_round(u * UNIT_PX), _round(v * UNIT_PX)] for u, v in holes],
    }


def _round(value: float) -> float:
    return round(value, 2) + 0.0
