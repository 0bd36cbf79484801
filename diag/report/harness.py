"""How fast the screens were: the harness's share of every takeover's time, by arm. Nothing on a virtual clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from diag.reading.study_files import StudyFiles


@dataclass(frozen=True)
class HarnessRow:
    """The shares of an arm's valid units."""

    arm: str
    shares: tuple[float, ...]
    """From 0 to 1, ascending."""

    @property
    def median(self) -> float:
        """Return the middle share."""
        return float(np.median(self.shares))

    @property
    def p95(self) -> float:
        """Return the 95th percentile."""
        return float(np.percentile(self.shares, 95))


def harness_rows(files: StudyFiles) -> tuple[HarnessRow, ...]:
    """Return one row per arm that has any share; none for a study on a virtual clock or from before it was measured."""
    table = files.outcomes
    if "harness_share" not in table:
        return ()
    known = table[table["validity"].eq("valid") & table["harness_share"].notna()]
    return tuple(
        HarnessRow(str(arm), tuple(sorted(float(share) for share in found["harness_share"])))
        for arm, found in known.groupby("arm")
    )


def draw_harness(axes: Any, rows: tuple[HarnessRow, ...], colours: dict[str, str]) -> None:
    """Draw a point per unit, arms below each other, with a tick at the 95th percentile."""
    for place, row in enumerate(reversed(rows)):
        level = [place + 0.22 * ((number % 5) - 2) / 2 for number in range(len(row.shares))]
        axes.plot([100 * share for share in row.shares], level, "o", ms=3, alpha=0.6, mew=0, color=colours[row.arm])
        axes.plot([100 * row.p95] * 2, [place - 0.35, place + 0.35], "-", lw=2, color=colours[row.arm])
    axes.set_yticks(range(len(rows)), [f"{row.arm} (n = {len(row.shares)})" for row in reversed(rows)])
    axes.set_xlim(left=0)
    axes.set_xlabel("Harness's share of the takeover's time, %")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
