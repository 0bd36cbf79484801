"""Where things are in the picture of a room. Viewport pixels; the view draws by the numbers that the scene carries."""

from __future__ import annotations

from games.contract import Rect, Tap

DOORS = {
    "up": Rect(395, 282, 130, 238),
    "right": Rect(764, 300, 92, 330),
    "down": Rect(350, 700, 220, 70),
    "left": Rect(64, 300, 92, 330),
}
"""What is touched of a door: in the back wall, the side walls, and the mat at the front."""
LYING = Rect(228, 576, 124, 104)
"""The small table and what lies on it."""
CARD = Rect(196, 176, 184, 214)
PANEL = Rect(546, 170, 178, 252)
BUTTON_PX = 46.0


def buttons(n_buttons: int) -> tuple[Rect, ...]:
    """Return the places of a panel's buttons, three in a row."""
    x0, y0 = PANEL.x + 15, PANEL.y + 130
    return tuple(Rect(x0 + 51 * (k % 3), y0 + 54 * (k // 3), BUTTON_PX, BUTTON_PX) for k in range(n_buttons))


def tap_in(place: Rect) -> Tap:
    """Return the tap on the middle of a place."""
    return Tap(place.x + place.width / 2, place.y + place.height / 2)
