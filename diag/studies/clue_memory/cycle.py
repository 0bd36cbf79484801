"""Seek, map, solve until the budget is spent: an immutable value that says what is asked next. It knows no agent.

Counted are GUI actions that do something: clicks, drag, key, type, hold, scroll; screenshots, moves and waits are not.
A phase never gets more actions than it has left (the published code hands on one too many), and the cycle ends at T
alone (the published code also stops after ten cycles). Source: document 003; other-systems.md 4.1 and 4.5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from diag.studies.clue_memory.formats import Result
from diag.studies.clue_memory.memories import Clue, Episode, Mapping, Memory

COUNTED = frozenset(
    {"click", "double_click", "right_click", "long_press", "drag", "swipe", "key", "type", "hold", "scroll"}
)
Phase = Literal["seek", "map", "solve", "over"]


@dataclass(frozen=True)
class Budgets:
    """Budgets in GUI actions; `mappings` is K."""

    total: int = 1_000
    seek: int = 15
    solve: int = 5
    mappings: int = 5

    def __post_init__(self) -> None:
        if min(self.total, self.seek, self.solve, self.mappings) < 1:
            raise ValueError(f"budgets: found {self}, wanted numbers from 1")


@dataclass(frozen=True)
class Cycle:
    """Where the cycle stands. Methods return the next value and never change this one."""

    budgets: Budgets = field(default_factory=Budgets)
    with_map: bool = True
    """False: clues are kept and shown, and the player seeks on; the control `coast_no_map`."""
    memory: Memory = field(default_factory=Memory)
    phase: Phase = "seek"
    used: int = 0
    """GUI actions so far."""
    used_in_phase: int = 0
    n_cycles: int = 0
    """Seek phases that were finished."""
    tasks: tuple[Mapping, ...] = ()
    """The mappings still to be tried in this cycle; the first is being tried."""

    @property
    def allowance(self) -> int:
        """GUI actions that may be made before the phase or the budget ends; 0 while mapping and when over."""
        limit = {"seek": self.budgets.seek, "solve": self.budgets.solve}.get(self.phase)
        return 0 if limit is None else min(limit - self.used_in_phase, self.budgets.total - self.used)

    def acted(self, n_actions: int) -> Cycle:
        """Count actions of the present phase. Raises ValueError for more than `allowance`."""
        if not 0 <= n_actions <= self.allowance:
            raise ValueError(f"{n_actions} actions while {self.phase}, wanted 0 to {self.allowance}")
        after = replace(self, used=self.used + n_actions, used_in_phase=self.used_in_phase + n_actions)
        return replace(after, phase="over", tasks=()) if after.used == self.budgets.total else after

    def sought(self, clues: tuple[Clue, ...], episodes: tuple[Episode, ...], *, done: bool = False) -> Cycle:
        """Take in what a seek brought, at any point of it; a seek whose actions are spent gives way to the map.

        Args:
            clues: clues found, known ones included.
            episodes: entries for the episodic memory.
            done: the seeker has nothing left to explore and gives way before its actions are spent (our addition).
        """
        after = replace(self, memory=self.memory.with_clues(clues).with_episodes(episodes))
        if after.phase != "seek" or (after.allowance > 0 and not done):
            return after
        return replace(after, phase="map" if self.with_map else "seek", used_in_phase=0, n_cycles=self.n_cycles + 1)

    def mapped(self, mappings: tuple[Mapping, ...]) -> Cycle:
        """Take the mapper's answer; without a mapping the seeking goes on. Raises ValueError in another phase."""
        if self.phase != "map":
            raise ValueError(f"a map while {self.phase}, wanted one after a seek")
        return self._next(mappings[: self.budgets.mappings])

    def solved(self, result: Result, episodes: tuple[Episode, ...] = ()) -> Cycle:
        """Take the solver's answer on its task and go on to the next one, or seek again. A success is remembered.

        Raises:
            ValueError: no task is being tried.
        """
        task = self.trying
        memory = self.memory.with_episodes(episodes)
        after = replace(self, memory=memory.with_solved(task) if result.success else memory)
        return after._next(self.tasks[1:])

    @property
    def trying(self) -> Mapping:
        """The task that is being tried. Raises ValueError without one."""
        if self.phase != "solve":
            raise ValueError(f"no task while {self.phase}")
        return self.tasks[0]

    def _next(self, tasks: tuple[Mapping, ...]) -> Cycle:
        return replace(self, phase="solve" if tasks else "seek", tasks=tasks, used_in_phase=0)


def count_actions(names: Iterable[str]) -> int:
    """Return how many of these actions count."""
    return sum(name in COUNTED for name in names)
