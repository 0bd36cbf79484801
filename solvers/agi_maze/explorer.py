"""A player of the maze who sees scenes alone: it goes to what it wants, else to the nearest unknown, else to the boat.

It is the yardstick of the levels: the good number of steps is the upper median of five such players, who differ in the
order in which they try the sides. It does not throw and does not look.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from games.agi_maze.layout import Edge, edge_of, neighbour
from games.contract import JsonObject
from games.grid import DIRECTION, Cell

SIDES = tuple(DIRECTION)
GOALS = "ktexb"
"""Letters of key, treasure, the exit's key, exit and boat."""
TAKEN = {"key": "k", "exit_key": "e", "boat": "b", "treasure": "t"}
Place = tuple[Cell, bool]
"""A cell and whether the boat is carried: the river treats the two differently."""


@dataclass
class Explorer:
    """One player at one level. What it has learned of the maze outlives an attempt; what it carries does not."""

    sides: Sequence[str] = SIDES
    """Order in which sides are tried."""
    _cells: set[Cell] = field(default_factory=set)
    _things: dict[Cell, str] = field(default_factory=dict)
    """What lay where when it was first seen; a new attempt puts it back."""
    _walls: dict[Edge, bool] = field(default_factory=dict)
    _led: dict[tuple[Place, str], Cell] = field(default_factory=dict)
    """Where a walk ended that was tried."""
    _tried: tuple[Place, str] | None = None

    def choose(self, scene: JsonObject) -> str:
        """Return the next walk. Call it with every scene, in order."""
        self._learn(scene)
        here: Cell = (scene["you"][0], scene["you"][1])
        start: Place = (here, "boat" in scene["carried"])
        side = self._first_step(scene, start)
        self._tried = (start, side)
        return side

    def begins(self) -> None:
        """Take note that the next scene is not the answer to the last choice: the level was begun again."""
        self._tried = None

    def _learn(self, scene: JsonObject) -> None:
        for row, line in enumerate(scene["cells"]):
            for column, mark in enumerate(line):
                if mark != "?":
                    self._cells.add((row, column))
                if mark in GOALS:
                    self._things[row, column] = mark
        for row, column, side, kind in scene["edges"]:
            self._walls[row, column, side] = kind == "wall"
        here: Cell = (scene["you"][0], scene["you"][1])
        for event in scene["events"]:
            if event in TAKEN:  # what is taken on the way in is never seen lying there
                self._things[here] = TAKEN[event]
        if self._tried is not None:
            self._led[self._tried] = here

    def _first_step(self, scene: JsonObject, start: Place) -> str:
        boat = "" if start[1] else "b"
        for wanted in (self._is(_wanted(scene)), self._is_new, self._is(boat), self._is_untried):
            if (side := self._towards(scene, start, wanted)) is not None:
                return side
        place: int = scene["steps"] % len(self.sides)
        return self.sides[place]

    def _is(self, marks: str) -> Callable[[Place, str, Place], bool]:
        """A walk to one of these things."""
        return lambda place, side, there: self._things.get(there[0], "-") in marks

    def _is_new(self, place: Place, side: str, there: Place) -> bool:
        """A walk across a border that was not felt, or into a cell that was not seen."""
        is_known = edge_of(place[0], side) in self._walls and there[0] in self._cells
        return self._is_untried(place, side, there) and not is_known

    def _is_untried(self, place: Place, side: str, there: Place) -> bool:
        """A walk that was never taken: it may end elsewhere than it looks."""
        del there
        return (place, side) not in self._led

    def _towards(self, scene: JsonObject, start: Place, wanted: Callable[[Place, str, Place], bool]) -> str | None:
        """Return the first side on a shortest way, through what is known, to a walk of the wanted sort."""
        first: dict[Place, str] = {}
        queue = deque([start])
        while queue:
            place = queue.popleft()
            for side, there in self._walks(scene, place):
                begun = first.get(place, side)
                if wanted(place, side, there):
                    return begun
                is_known = there[0] in self._cells and edge_of(place[0], side) in self._walls
                if is_known and there not in first and there != start:
                    first[there] = begun
                    queue.append(there)
        return None

    def _walks(self, scene: JsonObject, place: Place) -> Iterator[tuple[str, Place]]:
        rows, columns = len(scene["cells"]), len(scene["cells"][0])
        for side in self.sides:
            led = self._led.get((place, side))
            there = neighbour(place[0], side) if led is None else led
            inside = 0 <= there[0] < rows and 0 <= there[1] < columns
            if inside and there != place[0] and not self._walls.get(edge_of(place[0], side), False):
                yield side, (there, place[1])


def _wanted(scene: JsonObject) -> str:
    """Return the letters of what is worth going to now."""
    carried = scene["carried"]
    marks = "" if "key" in carried else "k"
    marks += "t" if "key" in carried and "treasure" not in carried else ""
    marks += "e" if "exit_key" not in carried else ""
    done = "treasure" in carried and ("exit_key" in carried or not scene["needs_exit_key"])
    return marks + ("x" if done else "")
