"""The arms: what a player remembers with. None changes the context at the start; they differ in what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext

COHORT = "C"
"""Clue levels, played from their first board."""
Memory = Literal["none", "notes", "clues", "coast"]
"""Plain history; free notes by the player; clues that are kept and shown, without a map; seek, map, solve."""


@dataclass(frozen=True)
class Condition:
    """One condition of memory."""

    name: str
    memory: Memory
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        """Refuse what a YAML may get wrong. Raises ValueError naming the value found and those wanted."""
        if self.memory not in get_args(Memory):
            raise ValueError(f"{self.name}: memory {self.memory!r}, wanted one of {', '.join(get_args(Memory))}")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of clue levels."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context unchanged: nothing is remembered yet. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context

    @property
    def keeps_clues(self) -> bool:
        """Tell whether clues are asked for and kept."""
        return self.memory in ("clues", "coast")
