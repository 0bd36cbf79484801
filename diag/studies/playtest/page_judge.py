"""The scripted judge on the page: it plays the criterion's script and compares pictures, as somebody without the code.

Its checks are `same REGION i j`, `changed REGION i j` and `inked REGION i` over the looks i and j. It cannot read, and
it has never seen the game as it is meant, so it passes builds with a wrong legend or a wrong drawing: the reason why
its agreement with the oracle is worth measuring.
"""

from __future__ import annotations

from collections.abc import Sequence

from diag.studies.playtest.builds.page import Surface
from diag.studies.playtest.regions import is_inked, is_same
from diag.studies.playtest.rubric import Criterion
from diag.studies.playtest.script import Step


class PageJudge:
    """Looks at screenshots and at nothing else."""

    name = "page"

    def look(self, surface: Surface, step: Step) -> bytes:
        """Return the screenshot."""
        del step
        return surface.screenshot()

    def failing(self, criterion: Criterion, seen: Sequence[bytes]) -> str:
        """Return the first check that does not hold, "" if all hold."""
        return next((check for check in criterion.page if not holds(check, seen)), "")


def holds(check: str, seen: Sequence[bytes]) -> bool:
    """Tell whether a check holds on the screenshots of the looks. Raises ValueError on an unknown check."""
    match check.split():
        case ["same", region, i, j]:
            return is_same(seen[int(i)], seen[int(j)], region)
        case ["changed", region, i, j]:
            return not is_same(seen[int(i)], seen[int(j)], region)
        case ["inked", region, i]:
            return is_inked(seen[int(i)], region)
    raise ValueError(f"check {check!r}: wanted same REGION i j, changed REGION i j or inked REGION i")
