"""Players that see frames alone, of any grid game: one acts at random, one tries first what it has not tried here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from diag.agents.grid.contract import Sight
from diag.session.contract import Privilege
from games.grid.actions import CLICK, RESET, GridAction, click
from games.grid.frame import Frame

MOST_REGIONS = 96
"""Regions of a frame that the explorer clicks on, in reading order; a frame of noise has thousands."""


@dataclass(frozen=True)
class RandomPlayer:
    """Negative control: any available action, all equally likely; a click goes to a colour, then to a cell of it."""

    privilege: Privilege = "none"

    def build(self, rng: np.random.Generator) -> RandomPlay:
        """Return a player for one play."""
        return RandomPlay(rng)


@dataclass
class RandomPlay:
    """A random player in one play."""

    rng: np.random.Generator

    def choose(self, sight: Sight) -> GridAction:
        """Draw an action; the most frequent colour of the frame, its background, is never clicked on."""
        if sight.seen.status != "playing":
            return GridAction(RESET)
        number = int(self.rng.choice(sight.seen.available_actions))
        return self._click(sight.seen.frame) if number == CLICK else GridAction(number)

    def _click(self, frame: Frame) -> GridAction:
        colours, counts = np.unique(frame[:-1], return_counts=True)
        colour = self.rng.choice(np.delete(colours, counts.argmax())) if len(colours) > 1 else colours[0]
        row, column = self.rng.choice(np.argwhere(frame[:-1] == colour))
        return click(int(column), int(row))


@dataclass(frozen=True)
class Explorer:
    """Reads frames alone: takes the action it has tried least in a frame that looks like this one."""

    privilege: Privilege = "none"

    def build(self, rng: np.random.Generator) -> Exploration:
        """Return a player for one play."""
        return Exploration(rng)


@dataclass
class Exploration:
    """An explorer in one play; it remembers what it tried, by the frame without its last row."""

    rng: np.random.Generator
    tried: dict[bytes, Counter[GridAction]] = field(default_factory=dict)

    def choose(self, sight: Sight) -> GridAction:
        """Return an action tried least often from this frame, ties at random."""
        if sight.seen.status != "playing":
            return GridAction(RESET)
        tried = self.tried.setdefault(sight.seen.frame[:-1].tobytes(), Counter())
        options = _options(sight)
        least = min(tried[one] for one in options)
        fresh = [one for one in options if tried[one] == least]
        chosen = fresh[int(self.rng.integers(len(fresh)))]
        tried[chosen] += 1
        return chosen


def _options(sight: Sight) -> list[GridAction]:
    plain = [GridAction(number) for number in sight.seen.available_actions if number != CLICK]
    return plain + (regions(sight.seen.frame) if CLICK in sight.seen.available_actions else [])


def regions(frame: Frame) -> list[GridAction]:
    """Return a click on each connected region of one colour, at its middle cell in reading order."""
    from scipy import ndimage

    found = []
    for colour in np.unique(frame[:-1]):
        labels, n_regions = ndimage.label(frame[:-1] == colour)
        for label in range(1, min(n_regions, MOST_REGIONS) + 1):
            cells = np.argwhere(labels == label)
            row, column = cells[len(cells) // 2]
            found.append(click(int(column), int(row)))
    return found[:MOST_REGIONS]
