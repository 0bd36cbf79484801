"""The conditions: what the agent is told about returning, and what the controller does when it returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext
from diag.studies.continuation import prompts

SETTINGS = ("single", "curriculum")
"""The target alone, or after easier levels in one conversation and workspace."""
Kind = Literal["baseline", "stop_and_report", "controlled_reset", "controlled_reset_oracle", "textual"]


@dataclass(frozen=True)
class Condition:
    """One arm."""

    name: str
    kind: Kind
    description: str = ""
    privilege: Privilege = "none"

    def __post_init__(self) -> None:
        """Raise ValueError for a kind that there is not, or one that hides what it knows."""
        if self.kind not in get_args(Kind):
            raise ValueError(f"{self.name}: kind {self.kind!r}, wanted one of {', '.join(get_args(Kind))}")
        wanted = "evaluator_state" if self.kind == "controlled_reset_oracle" else "none"
        if self.privilege != wanted:
            raise ValueError(f"{self.name}: privilege {self.privilege!r}, wanted {wanted!r} for {self.kind}")

    @property
    def instruction(self) -> str:
        """The continuation string: at initialisation and in every continuation."""
        return prompts.BASELINE if self.kind == "baseline" else prompts.STOP_AND_REPORT

    @property
    def also(self) -> str:
        """What the main prompt says besides."""
        if self.resets:
            return prompts.CONTROLLED_RESET
        return prompts.TEXTUAL if self.kind == "textual" else ""

    @property
    def resets(self) -> bool:
        """The controller calls RESET when the agent returns in GAME_OVER, and the agent must not."""
        return self.kind in ("controlled_reset", "controlled_reset_oracle")

    def covers(self, cohort: str) -> bool:
        """Tell whether the setting is one of the two."""
        return cohort in SETTINGS

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context with the first prompt, up to the client's output. Raises ValueError for another cohort."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for {cohort}; wanted one of {', '.join(SETTINGS)}")
        return replace(context, instruction=prompts.first(context.instruction, self.instruction, "", also=self.also))
