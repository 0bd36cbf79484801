"""Reads a maze scene the way somebody looking at the picture does; knows no rules state."""

from __future__ import annotations

from games.agi_maze.place import BUTTONS, tap_in
from games.contract import JsonObject, Option, Tap
from games.grid import DIRECTION

WALK, THROW, LOOK = 0.6, 0.2, 0.4
"""How inviting a button is: walking on, throwing a grenade, looking."""


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return a walk to each side, throws while there are grenades, and looks with the flashlight."""
    if scene["out"] or scene["over"]:
        return ()
    kinds = [("", WALK)]
    kinds += [("bomb_", THROW)] if scene["grenades"] else []
    kinds += [("look_", LOOK)] if "flashlight" in scene["carried"] else []
    names = [(f"{kind}{side}", appeal) for kind, appeal in kinds for side in DIRECTION]
    return tuple(Option(name, (Tap(*tap_in(BUTTONS[name])),), appeal) for name, appeal in names)
