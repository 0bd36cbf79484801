"""A scripted explorer of Clue House: it reads the visible scene alone, and its faults are knobs.

It keeps a map of the rooms it saw (finding its way is not what the study measures), takes keys, opens doors, and goes
to the nearest thing not yet tried. What it knows of cards is not kept here: that is the memory a condition gives it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from diag.studies.clue_memory.memories import Clue, Location
from games.contract import JsonObject

STEP = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


@dataclass(frozen=True)
class Knobs:
    """What the explorer and the mapper get wrong; shares in [0, 1]."""

    notices: float = 1.0
    """Share of cards noticed; drawn once for each card of a level."""
    keeps: float = 1.0
    """Share of noticed cards still in free notes when they are needed; drawn once for each card."""
    unprompted: float = 0.0
    """Share of cards in a clue memory that are used although no mapper says so; drawn once for each card."""
    judges_wrong: float = 0.0
    """Share of milestones that the explorer misreads as a judge; drawn once for each statement of a level."""
    maps_wrong: float = 0.0
    """Share of mappings that name another card than the panel's; drawn for each mapping."""
    window: int = 12
    """Actions for which a card that was on the screen is remembered without any memory."""


@dataclass
class Explorer:
    """Where it has been in one level."""

    rooms: dict[str, JsonObject] = field(default_factory=dict)
    """Plate -> the scene last seen there."""

    def look(self, scene: JsonObject) -> None:
        """Put what is on the screen on the map."""
        self.rooms[scene["plate"]] = scene

    def next_move(self, scene: JsonObject) -> str | None:
        """Return the move towards the nearest treasure, key or room not seen yet; None if there is none."""
        return self._towards(scene, self._is_new)

    def towards_panel(self, scene: JsonObject, emblem: str) -> str | None:
        """Return the move towards the panel of that emblem; None if one stands before it or knows no way."""
        return self._towards(scene, lambda plate: self._panel(plate) == emblem)

    def panels(self) -> tuple[str, ...]:
        """Return the emblems of the panels seen whose doors are locked."""
        return tuple(emblem for plate in self.rooms if (emblem := self._panel(plate)) is not None)

    def _panel(self, plate: str) -> str | None:
        panel = self.rooms.get(plate, {}).get("panel")
        return None if panel is None or panel["lamp"] == "open" else str(panel["emblem"])

    def _is_new(self, plate: str) -> bool:
        return plate not in self.rooms or self.rooms[plate]["lying"] is not None

    def _towards(self, scene: JsonObject, wanted: Any) -> str | None:
        here = scene["plate"]
        if wanted(here):
            return "take" if scene["lying"] is not None else None
        first: dict[str, str | None] = {here: None}
        queue = deque([here])
        while queue:
            plate = queue.popleft()
            if plate not in self.rooms:
                continue
            for way in self.rooms[plate]["exits"]:
                there = beside(plate, way["side"])
                if there in first or not opens(way, scene["pocket"]):
                    continue
                first[there] = first[plate] or f"go:{way['side']}"
                if wanted(there):
                    return first[there]
                queue.append(there)
        return None


def beside(plate: str, side: str) -> str:
    """Return the plate of the room on that side."""
    columns, rows = STEP[side]
    return f"{chr(ord(plate[0]) + columns)}{int(plate[1:]) + rows}"


def opens(way: JsonObject, pocket: list[str]) -> bool:
    """Tell whether a door seen earlier would let one through with these keys."""
    return bool(way["passable"]) or (way["kind"] == "key" and way["colour"] in pocket)


def clue_of(scene: JsonObject) -> Clue | None:
    """Return the card on the wall as a clue record."""
    card = scene["card"]
    if card is None:
        return None
    fact = " ".join("=".join(part) if isinstance(part, list) else part for part in card["fact"])
    place = Location(scene["plate"], "on the back wall")
    return Clue(card["emblem"], f"{card['kind']}: {fact}", place, "code", False, f"the {card['emblem']} panel")


def presses(clue: Clue, panel: JsonObject) -> tuple[str, ...]:
    """Return what a clue's words make of a panel: as many presses as it takes; wrong for a wrong or torn clue."""
    kind, _, fact = clue.description.partition(": ")
    words = fact.split()
    if kind == "legend":
        meaning = {word.partition("=")[0]: word.partition("=")[2] for word in words}
        words = [meaning[colour] for colour in panel["prompt"] if colour in meaning] or list(meaning.values())
    usable = [word for word in words if word in panel["buttons"]]
    padded = (usable or panel["buttons"]) * panel["length"]
    return tuple(padded[: panel["length"]])


def guess(panel: JsonObject, rng: np.random.Generator) -> str:
    """Return any button."""
    return str(panel["buttons"][int(rng.integers(len(panel["buttons"])))])
