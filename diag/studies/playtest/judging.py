"""A judge's session: every criterion's script is played on the page of a build, and its checks are asked.

The judge never takes part in the loop, runs after it, and shares nothing with the playtester: neither memory nor
trials nor code of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from diag.studies.playtest.builds.page import Surface
from diag.studies.playtest.rubric import Criterion, Rubric
from diag.studies.playtest.script import Step, steps_of
from diag.studies.playtest.verdicts import Judged, Judgement
from games.suite.page import PageFailure

SESSION_LIMIT_S = 600.0
"""The longest session of a judge, in seconds (source document, first version)."""
_Page = TypeVar("_Page", bound=Surface)
_Seen_contra = TypeVar("_Seen_contra", bound=Surface, contravariant=True)


class Looker(Protocol[_Seen_contra]):
    """How a judge looks and tells."""

    @property
    def name(self) -> str:
        """Who judges, for records."""

    def look(self, surface: _Seen_contra, step: Step) -> object:
        """Return what is kept of a moment."""

    def failing(self, criterion: Criterion, seen: Sequence[Any]) -> str:
        """Return the first check that does not hold on what was seen at the looks, "" if all hold."""


@dataclass
class Session(Generic[_Page]):
    """One judge on one build.

    Args:
        looker: how the judge looks.
        surface: the open page of the build.
        limit_s: the session's length in seconds; criteria that it leaves no time for fail.
        clock: seconds, monotonic.
    """

    looker: Looker[_Page]
    surface: _Page
    limit_s: float = SESSION_LIMIT_S
    clock: Callable[[], float] = time.monotonic
    _steps: int = field(default=0, init=False)

    def judge(self, rubric: Rubric) -> Judgement:
        """Return a verdict on every criterion."""
        end = self.clock() + self.limit_s
        return Judgement(
            self.looker.name, rubric.game, tuple(self._verdict(rubric.game, one, end) for one in rubric.criteria)
        )

    def _verdict(self, game: str, criterion: Criterion, end: float) -> Judged:
        if self.clock() >= end:
            return Judged(criterion.name, "FAIL", (), f"the session's {self.limit_s:g} s were over")
        first = self._steps
        try:
            seen = self._play(game, criterion)
        except PageFailure as error:
            return Judged(criterion.name, "FAIL", tuple(range(first, self._steps)), str(error))
        failing = self.looker.failing(criterion, seen)
        evidence = tuple(range(first, self._steps))
        return Judged(criterion.name, "FAIL" if failing else "PASS", evidence, failing or "all checks hold")

    def _play(self, game: str, criterion: Criterion) -> list[object]:
        self.surface.reopen()
        seen = []
        for step in steps_of(game, criterion.script):
            if step.gesture is None:
                seen.append(self.looker.look(self.surface, step))
            else:
                self.surface.perform(step.gesture)
            self._steps += 1
        return seen
