"""Solver-value curves: the share of an arm's units whose board can still be won, over the takeover clock.

The verdict is the certificate of the board at that moment (`diag.report.verdicts`). Solved counts as live;
undecided does not, and the caption says so. A unit keeps its last verdict after its end, so the denominator is fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from diag.grading.track import VerdictPoint

LIVE = ("solvable", "solved")


def live_shares(units: Sequence[Sequence[VerdictPoint]]) -> tuple[tuple[float, float], ...]:
    """Return (clock_s, share live) at every moment the share may change, from time 0 on.

    Args:
        units: each unit's verdicts in time order; units without a verdict are left out of the denominator.
    """
    known = [points for points in units if points]
    if not known:
        return ()
    changes: dict[float, int] = {0.0: 0}
    for points in known:
        changes[0.0] += _is_live(points[0])
        for before, after in pairwise(points):
            step = _is_live(after) - _is_live(before)
            if step:
                changes[after.clock_s] = changes.get(after.clock_s, 0) + step
    live, found = 0, []
    for clock_s in sorted(changes):
        live += changes[clock_s]
        found.append((clock_s, live / len(known)))
    return tuple(found)


def _is_live(point: VerdictPoint) -> int:
    return int(point.verdict in LIVE)


def by_arm(
    verdicts: Mapping[str, Sequence[VerdictPoint]], arm_of: Mapping[str, tuple[str, str]]
) -> dict[str, dict[str, list[Sequence[VerdictPoint]]]]:
    """Return the verdicts as cohort -> arm -> one sequence per unit that has any.

    Args:
        verdicts: unit id -> its verdicts.
        arm_of: unit id -> (cohort, arm).
    """
    found: dict[str, dict[str, list[Sequence[VerdictPoint]]]] = {}
    for unit_id, points in verdicts.items():
        if points:
            cohort, arm = arm_of[unit_id]
            found.setdefault(cohort, {}).setdefault(arm, []).append(points)
    return found
