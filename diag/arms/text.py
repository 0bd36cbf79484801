"""Interventions made of text: a sentence per cohort, added to the instruction at takeover and kept from then on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from diag.session.contract import Privilege, PublicContext

Position = Literal["after_instruction", "before_instruction"]
ANY_COHORT = "any"


@dataclass(frozen=True)
class Text:
    """Adds a sentence to the instruction, and nothing else. A YAML file makes one (docs/how-to/interventions.md)."""

    name: str
    sentences: Mapping[str, str] = field(default_factory=dict)
    """Cohort, or `any`, to sentence; an empty sentence leaves the context as it is."""
    description: str = ""
    privilege: Privilege = "none"
    position: Position = "after_instruction"

    def __post_init__(self) -> None:
        """Refuse what a YAML may get wrong. Raises ValueError naming the value found and those wanted."""
        if self.privilege not in get_args(Privilege):
            raise ValueError(
                f"{self.name}: privilege {self.privilege!r}, wanted one of {', '.join(get_args(Privilege))}"
            )
        if self.position not in get_args(Position):
            raise ValueError(f"{self.name}: position {self.position!r}, wanted one of {', '.join(get_args(Position))}")
        if not self.sentences:
            raise ValueError(f"{self.name}: no sentences; wanted one per cohort (D, N, F, S) or one for `{ANY_COHORT}`")
        for cohort, sentence in self.sentences.items():
            if not isinstance(sentence, str):
                raise ValueError(f"{self.name}: sentences.{cohort} is {sentence!r}, wanted text (quote it)")

    def covers(self, cohort: str) -> bool:
        """Tell whether there is a sentence, even an empty one, for the cohort."""
        return cohort in self.sentences or ANY_COHORT in self.sentences

    def declared_text(self, cohort: str) -> str:
        """Return exactly what this arm adds to the context. Raises ValueError for a cohort it does not cover."""
        if not self.covers(cohort):
            raise ValueError(f"intervention {self.name} has no sentence for cohort {cohort}")
        return self.sentences.get(cohort, self.sentences.get(ANY_COHORT, "")).strip()

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context with the sentence in its place. Raises ValueError for a cohort it does not cover."""
        sentence = self.declared_text(cohort)
        if not sentence:
            return context
        parts = (
            (context.instruction, sentence) if self.position == "after_instruction" else (sentence, context.instruction)
        )
        return replace(context, instruction="\n\n".join(parts))
