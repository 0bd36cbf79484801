"""What an episode's log says about clues: when each was seen, stored and used, and which subtasks were repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from diag.studies.clue_memory.memories import Mapping
from games.contract import JsonObject


@dataclass(frozen=True)
class Look:
    """The board at one counted GUI action: the visible scene before it, and the number of actions made so far."""

    step: int
    level: str
    scene: JsonObject
    stored: frozenset[str] = frozenset()
    """Emblems of the cards that the player's memory holds."""


@dataclass(frozen=True)
class Timeline:
    """One clue in one level: the steps at which it was first seen, first stored, and used; None if that never was."""

    level: str
    emblem: str
    seen: int | None
    stored: int | None
    used: int | None

    @property
    def gap(self) -> int | None:
        """The observation-behaviour gap: step of use minus step of first sight; None for a clue that was not used.

        A lock that was opened by guessing, its card unseen, has no gap.
        """
        return None if self.used is None or self.seen is None or self.seen > self.used else self.used - self.seen


@dataclass(frozen=True)
class Gaps:
    """A distribution of gaps, in actions; a mean alone would hide that it is wide."""

    values: tuple[int, ...]
    mean: float | None
    median: float | None


def timelines(looks: Sequence[Look]) -> tuple[Timeline, ...]:
    """Return the timeline of every clue that was seen or used, by level and emblem; looks are in order."""
    seen: dict[tuple[str, str], int] = {}
    stored: dict[tuple[str, str], int] = {}
    used: dict[tuple[str, str], int] = {}
    for look in looks:
        card, panel = look.scene.get("card"), look.scene.get("panel")
        if card is not None:
            seen.setdefault((look.level, card["emblem"]), look.step)
        if panel is not None and panel["lamp"] == "open":
            used.setdefault((look.level, panel["emblem"]), look.step)
        for emblem in look.stored:
            stored.setdefault((look.level, emblem), look.step)
    keys = sorted({*seen, *used})
    return tuple(Timeline(*key, seen.get(key), stored.get(key), used.get(key)) for key in keys)


def gaps(lines: Sequence[Timeline]) -> Gaps:
    """Return the gaps of the clues that were used."""
    values = tuple(sorted(line.gap for line in lines if line.gap is not None))
    return Gaps(values, mean(values) if values else None, median(values) if values else None)


def repeated_share(tried: Sequence[Mapping]) -> float | None:
    """Return the share of tried subtasks that had been tried before; None if none was tried."""
    if not tried:
        return None
    return 1 - len({mapping.task for mapping in tried}) / len(tried)
