"""The three memories of COAST, as immutable values: what was seen, what was done, what is solved.

Source: FlashAdventure (document 003), section "COAST"; field names as in its record of a clue.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

ClueType = Literal["item", "note", "code", "visual cue", "status", "conversation"]
EPISODES_SHOWN = 10
"""Entries of the episodic memory that the mapper reads."""


@dataclass(frozen=True)
class Location:
    """Where a clue is: the spot, and what surrounds it."""

    spot: str
    surroundings: str


@dataclass(frozen=True)
class Clue:
    """One thing worth remembering. `key` tells two clues apart."""

    name: str
    description: str
    location: Location
    type: ClueType
    interactable: bool
    usage_hint: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Name and location; a clue that is seen again is not stored again."""
        return self.name, self.location.spot, self.location.surroundings


@dataclass(frozen=True)
class Episode:
    """An action with the result that was observed, and where."""

    action: str
    place: str


@dataclass(frozen=True)
class Mapping:
    """A hypothesis of the mapper: a clue, what it belongs to, and what to do. Names make it one task."""

    clue: str
    related_memory: str
    expected_action: str

    @property
    def task(self) -> tuple[str, str]:
        """What makes two mappings the same subtask, however the action is worded."""
        return self.clue, self.related_memory


@dataclass(frozen=True)
class Memory:
    """All three memories after one step. Every version is a value of its own, so that all can be kept."""

    clues: tuple[Clue, ...] = ()
    episodes: tuple[Episode, ...] = ()
    solved: tuple[Mapping, ...] = ()

    def with_clues(self, found: tuple[Clue, ...]) -> Memory:
        """Return the memory with the clues that are new, in the order found; the first description of a clue stays."""
        by_key = {clue.key: clue for clue in (*reversed(found), *reversed(self.clues))}
        known = dict.fromkeys(clue.key for clue in (*self.clues, *found))
        return replace(self, clues=tuple(by_key[key] for key in known))

    def with_episodes(self, made: tuple[Episode, ...]) -> Memory:
        """Return the memory with entries appended."""
        return replace(self, episodes=(*self.episodes, *made))

    def with_solved(self, mapping: Mapping) -> Memory:
        """Return the memory with a resolved mapping; a task is solved once."""
        return self if self.is_solved(mapping) else replace(self, solved=(*self.solved, mapping))

    def is_solved(self, mapping: Mapping) -> bool:
        """Tell whether the task of a mapping is resolved."""
        return any(mapping.task == one.task for one in self.solved)

    def text(self) -> str:
        """Return what the mapper reads: every clue, the last episodes, everything solved."""
        shown = {
            "clues": [asdict(clue) for clue in self.clues],
            "episodes": [asdict(one) for one in self.episodes[-EPISODES_SHOWN:]],
            "solved": [asdict(one) for one in self.solved],
        }
        return json.dumps(shown, ensure_ascii=False)
