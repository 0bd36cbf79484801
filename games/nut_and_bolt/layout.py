"""Nut and Bolt layouts: bolts of one capacity with coloured nuts on them, some bolts empty.

A bolt is a tuple of colour names from bottom to top. The JSON form is the one of the published benchmark's level files.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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
"""The colour names a nut may have, all in the suite's palette, where each also has a mark of its own."""
CAPACITIES = range(2, 11)
MOST_BOLTS = 16

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
        """The colours in play, in palette order."""
        present = {nut for bolt in self.bolts for nut in bolt}
        return tuple(colour for colour in COLOURS if colour in present)


def parse_layout(data: JsonObject) -> Layout:
    """Read one layout.

    Args:
        data: `capacity` and `bolts`, a list of colour names per bolt, bottom to top, [] for an empty one. Each colour
        has
            exactly `capacity` nuts.

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
        raise LevelError(f"{name}: got {item!r}, wanted a list of at most {capacity} colours")
    for place, nut in enumerate(item):
        if nut not in COLOURS:
            raise LevelError(f"{name}[{place}]: got {nut!r}, wanted one of {', '.join(COLOURS)}")
    return tuple(item)
