"""Rubrics: what a build of a game should show in play, one observable behaviour a criterion.

A criterion carries the script that brings the behaviour about, and two ways to tell whether it was there: the oracle's,
on the evaluator's side, and that of a scripted judge who sees the page only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Dimension = Literal["mechanics", "controls", "progression", "interface", "visual feedback"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
FEWEST, MOST = 5, 17
"""Criteria of a rubric, as published."""


class RubricError(ValueError):
    """A rubric breaks a rule of its making; the message names the criterion."""


@dataclass(frozen=True)
class Criterion:
    """One observable behaviour."""

    name: str
    dimension: Dimension
    text: str
    script: tuple[str, ...]
    """Words of `diag.studies.playtest.script`; its looks are numbered from 0."""
    oracle: tuple[str, ...]
    """Checks of `oracle.holds`; all must hold."""
    page: tuple[str, ...]
    """Checks of `page_judge.holds`; all must hold. They may miss what a picture alone does not tell."""


@dataclass(frozen=True)
class Rubric:
    """The criteria of one game, and the prompt they follow from.

    Raises:
        RubricError: too few or too many criteria, a dimension without one, or a name used twice.
    """

    game: str
    prompt: str
    criteria: tuple[Criterion, ...]

    def __post_init__(self) -> None:
        names = [criterion.name for criterion in self.criteria]
        if not FEWEST <= len(names) <= MOST:
            raise RubricError(f"rubric of {self.game}: {len(names)} criteria, wanted {FEWEST} to {MOST}")
        if len(set(names)) < len(names):
            raise RubricError(f"rubric of {self.game}: a criterion's name is used twice in {', '.join(names)}")
        present = {criterion.dimension for criterion in self.criteria}
        if missing := [dimension for dimension in DIMENSIONS if dimension not in present]:
            raise RubricError(f"rubric of {self.game}: no criterion of {', '.join(missing)}")
        for criterion in self.criteria:
            _check(self.game, criterion)

    def criterion(self, name: str) -> Criterion:
        """Return one criterion. Raises KeyError."""
        found = {criterion.name: criterion for criterion in self.criteria}
        if name not in found:
            raise KeyError(f"no criterion {name!r} of {self.game}; there are {', '.join(found)}")
        return found[name]


def _check(game: str, criterion: Criterion) -> None:
    """Refuse what could not be observed: no look, no check, or more than one sentence."""
    if "look" not in criterion.script or not criterion.oracle or not criterion.page:
        raise RubricError(f"criterion {game}.{criterion.name}: wanted a look and a check of both judges")
    if criterion.text.count(".") != 1 or not criterion.text.endswith("."):
        raise RubricError(f"criterion {game}.{criterion.name}: wanted one sentence, got {criterion.text!r:.80}")
