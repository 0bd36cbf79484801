"""Reads a Clue House scene the way somebody looking at the picture does; knows no rules state."""

from __future__ import annotations

from collections.abc import Iterator

from games.clue_house.place import DOORS, LYING, buttons, tap_in
from games.contract import JsonObject, Option

APPEAL = {"take": 0.95, "key": 0.7, "lock": 0.8, "open": 0.5, "press": 0.2}
"""How inviting things are at a glance: what lies about, doors that one has opened, doors, buttons."""


def options(scene: JsonObject) -> tuple[Option, ...]:
    """Return the doors that let one through, what can be taken, and the buttons of a panel that is still locked."""
    return () if scene["found"] else tuple(_options(scene))


def _options(scene: JsonObject) -> Iterator[Option]:
    for way in scene["exits"]:
        if way["passable"]:
            yield Option(f"go:{way['side']}", (tap_in(DOORS[way["side"]]),), APPEAL[way["kind"]])
    if scene["lying"] is not None:
        yield Option("take", (tap_in(LYING),), APPEAL["take"])
    panel = scene["panel"]
    if panel is not None and panel["lamp"] != "open":
        for symbol, place in zip(panel["buttons"], buttons(len(panel["buttons"])), strict=True):
            yield Option(f"press:{symbol}", (tap_in(place),), APPEAL["press"])
