"""The arms: who edits the world model and when the builder runs. They differ in nothing else.

| policy | who edits the model | when the builder runs |
|---|---|---|
| none | nobody: there are no model files, no verification, no plan | never |
| single | the actor; verification after each edit | never |
| orchestrator | the builder | when the actor calls it |
| trigger | the builder | after a committed turn whose signal is dirty |
| given | nobody: the harness gives a model (controls) | never |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext
from diag.starts.grid_games import COHORT
from diag.studies.world_model.builders import BUILDERS

Policy = Literal["none", "single", "orchestrator", "trigger", "given"]


@dataclass(frozen=True)
class Condition:
    """One condition."""

    name: str
    policy: Policy
    given: str = ""
    """Of policy given: which model, one of `builders.BUILDERS`."""
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        """Refuse what a YAML may get wrong. Raises ValueError naming the value found and those wanted."""
        if self.policy not in get_args(Policy):
            raise ValueError(f"{self.name}: policy {self.policy!r}, wanted one of {', '.join(get_args(Policy))}")
        if (self.policy == "given") != (self.given in BUILDERS) or (self.given and self.given not in BUILDERS):
            wanted = f"one of {', '.join(BUILDERS)} with policy given, and none with others"
            raise ValueError(f"{self.name}: given {self.given!r}, wanted {wanted}")
        wanted = "solver_oracle" if self.policy == "given" else "none"
        if self.privilege != wanted:
            raise ValueError(f"{self.name}: privilege {self.privilege!r}, wanted {wanted!r}")

    @property
    def has_model(self) -> bool:
        """Tell whether there is a model to verify and to plan with."""
        return self.policy != "none"

    @property
    def has_builder(self) -> bool:
        """Tell whether a builder of its own edits the model."""
        return self.policy in ("orchestrator", "trigger")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of grid games."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context unchanged: conditions differ in tools. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context
