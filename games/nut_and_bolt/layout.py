"""Nut and Bolt layouts: bolts of one capacity with coloured nuts on them, some bolts empty.

A bolt is a tuple of colour names from bottom to top. The JSON form is the one of the published benchmark's level files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from games.colours import looks, read_colour
from games.contract import JsonObject, LevelError

COLOURS = (
    "red",
    "blue",
    "yellow",
    "green",
    "purple",
    "orange",
    "cyan",
    "pink",
    "brown",
    "lime",
    "teal",
    "navy",
    "maroon",
    "coral",
    "mint",
    "white",
    "grey",
    "black",
)
"""The colours our own levels are dealt from, in this order. A layout may name any colour."""
CAPACITIES = range(2, 25)
MOST_BOLTS = 48
"""With as many bolts of the largest capacity, in two rows, a nut is still 22 x 12 pixels (`stage.nut_size`)."""

Bolt = tuple[str, ...]


class Transfer(NamedTuple):
    """A move: the top run of one colour goes from bolt `source` to bolt `destination`, as many nuts as fit."""

    source: int
    destination: int


@dataclass(frozen=True)
class Layout:
    """One level: the bolts as they start, and the most nuts that a bolt holds."""

    capacity: int
    bolts: tuple[Bolt, ...]

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The colours in play: those of `COLOURS` in its order, then others by name."""
        present = {nut for bolt in self.bolts for nut in bolt}
        return tuple(sorted(present, key=lambda name: (COLOURS.index(name) if name in COLOURS else len(COLOURS), name)))

    @cached_property
    def looks(self) -> Mapping[str, str]:
        """What each colour is drawn as (`games.colours`)."""
        return looks(self.colours)


def parse_layout(data: JsonObject) -> Layout:
    """Read one layout.

    Args:
        data: `capacity` (2 to 24) and `bolts` (2 to 48), a list of colour names per bolt, bottom to top, [] for an
            empty one. Each colour has exactly `capacity` nuts.

    Raises:
        LevelError: a field is missing, of the wrong kind, or describes an impossible board.
    """
    capacity = data.get("capacity")
    if type(capacity) is not int or capacity not in CAPACITIES:
        raise LevelError(f"capacity: got {capacity!r}, wanted a whole number from 2 to {max(CAPACITIES)}")
    layout = Layout(capacity, bolts_from_json(data.get("bolts"), capacity))
    for colour, count in Counter(nut for bolt in layout.bolts for nut in bolt).items():
        if count != capacity:
            raise LevelError(f"bolts: {count} nuts are {colour}, wanted {capacity} of each colour")
    if all(len(set(bolt)) <= 1 and len(bolt) in (0, capacity) for bolt in layout.bolts):
        raise LevelError("bolts: every bolt is sorted before the first move")
    return layout


def bolts_from_json(data: Any, capacity: int) -> tuple[Bolt, ...]:
    """Read the bolts of a layout or a state. Raises LevelError, a ValueError."""
    if not isinstance(data, list) or not 2 <= len(data) <= MOST_BOLTS:
        raise LevelError(f"bolts: got {data!r:.60}, wanted a list of 2 to {MOST_BOLTS} bolts")
    return tuple(_bolt(item, f"bolts[{i}]", capacity) for i, item in enumerate(data))


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """Invert `parse_layout`."""
    return {"capacity": layout.capacity, "bolts": [list(bolt) for bolt in layout.bolts]}


def _bolt(item: Any, name: str, capacity: int) -> Bolt:
    if not isinstance(item, list) or len(item) > capacity:
        raise LevelError(f"{name}: got {item!r:.80}, wanted a list of at most {capacity} colours")
    return tuple(read_colour(f"{name}[{place}]", nut) for place, nut in enumerate(item))
