"""The arms: what the two agents remember, and whether anybody plays at all. None changes the task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext

COHORT = "T"
"""Tasks: a build of one game that is to be made whole."""
Memory = Literal["none", "episode", "skill", "full"]
"""What is kept: the report before alone; the task's own rounds; own know-how across tasks; the shared world."""
Loop = Literal["playtest", "no_gui", "direct", "build_only"]
"""Code and play; code and read the code again; code once; code and run, without playing."""
LAYERS = {
    "none": frozenset[str](),
    "episode": frozenset({"episode"}),
    "skill": frozenset({"episode", "skill"}),
    "full": frozenset({"episode", "skill", "world"}),
}
"""Memory to the layers that are shown."""


@dataclass(frozen=True)
class Condition:
    """One condition of a task."""

    name: str
    memory: Memory
    loop: Loop = "playtest"
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        """Refuse what a YAML may get wrong. Raises ValueError naming the value found and those wanted."""
        for name, value, known in (("memory", self.memory, get_args(Memory)), ("loop", self.loop, get_args(Loop))):
            if value not in known:
                raise ValueError(f"{self.name}: {name} {value!r}, wanted one of {', '.join(known)}")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of tasks."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context unchanged: nothing is remembered yet. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context

    @property
    def layers(self) -> frozenset[str]:
        """The layers of memory that are shown."""
        return LAYERS[self.memory]

    @property
    def carries(self) -> bool:
        """Tell whether anything is remembered from one task to the next."""
        return bool(self.layers & {"skill", "world"})
