"""The two arms of a same-state action branch: which action the controller executes; the context stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext

Branch = Literal["costly", "shortest"]
COHORT = "S"


@dataclass(frozen=True)
class FirstAction:
    """Executes the branch's action before the agent is asked for the first time; adds no text."""

    name: str
    branch: Branch
    description: str = ""
    privilege: Privilege = "solver_oracle"
    """The action is chosen by exact distances; the agent is told nothing."""

    def __post_init__(self) -> None:
        if self.branch not in get_args(Branch):
            raise ValueError(f"{self.name}: branch {self.branch!r}, wanted one of {', '.join(get_args(Branch))}")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort has branch states."""
        return cohort == COHORT

    def declared_text(self, cohort: str) -> str:
        """Return what is added to the context: nothing. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}")
        return ""

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context untouched. Raises ValueError for another cohort."""
        self.declared_text(cohort)
        return context
