"""Where things are in the picture of a maze, in viewport pixels."""

from __future__ import annotations

from games.contract import Rect
from games.grid import DIRECTION, GridFrame

PICTURE = Rect(64, 112, 584, 584)
"""Where the map is drawn."""
BUTTON_PX = 52.0
ROW_X = {"": 60.0, "bomb_": 336.0, "look_": 612.0}
ROW_Y = 784.0
BUTTONS = {
    f"{kind}{side}": Rect(ROW_X[kind] + 62 * place, ROW_Y, BUTTON_PX, BUTTON_PX)
    for kind in ROW_X
    for place, side in enumerate(DIRECTION)
}
"""Place of the button of each move: walking, throwing, looking, four each."""


def frame(rows: int, columns: int) -> GridFrame:
    """Return where the map lies on the screen: whole pixels, centred in its picture."""
    tile = int(min(PICTURE.width // columns, PICTURE.height // rows, 96))
    x = int(PICTURE.x) + (int(PICTURE.width) - tile * columns) // 2
    y = int(PICTURE.y) + (int(PICTURE.height) - tile * rows) // 2
    return GridFrame(x, y, tile, rows, columns)


def tap_in(place: Rect) -> tuple[float, float]:
    """Return the middle of a place as (x, y)."""
    return place.x + place.width / 2, place.y + place.height / 2
