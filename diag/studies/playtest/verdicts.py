"""Verdicts of a judge on a build: PASS or FAIL for every criterion of the rubric, nothing in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["PASS", "FAIL"]


@dataclass(frozen=True)
class Judged:
    """The verdict on one criterion."""

    criterion: str
    verdict: Verdict
    evidence: tuple[int, ...]
    """Numbers of the session's steps that the verdict rests on, from 0; empty if the session ended before them."""
    reason: str


@dataclass(frozen=True)
class Judgement:
    """One judge's verdicts on one build."""

    judge: str
    game: str
    verdicts: tuple[Judged, ...]
    """In the order of the rubric, one a criterion."""

    @property
    def passed(self) -> tuple[str, ...]:
        """The criteria that passed."""
        return tuple(one.criterion for one in self.verdicts if one.verdict == "PASS")

    @property
    def failed(self) -> tuple[str, ...]:
        """The criteria that failed."""
        return tuple(one.criterion for one in self.verdicts if one.verdict == "FAIL")

    @property
    def pass_share(self) -> float:
        """Passed criteria over all criteria, the score of the build in [0, 1]."""
        return len(self.passed) / len(self.verdicts)


def verdicts_of_defects(criteria: Iterable[str], broken: Iterable[str]) -> tuple[Judged, ...]:
    """Return the verdicts that follow from knowing which criteria the seeded defects break."""
    failing = set(broken)
    return tuple(
        Judged(name, "FAIL" if name in failing else "PASS", (), "seeded" if name in failing else "no defect of it")
        for name in criteria
    )
