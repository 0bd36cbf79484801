"""The arms of one block side by side: where does each first part from the control?"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from diag.report.arm_changes import started_difference
from diag.report.continuation import Continuation, ProgressPoint


@dataclass(frozen=True)
class FirstDifference:
    """The first place at which two sequences differ; None on one side: that sequence had ended."""

    index: int
    """0-based."""
    control: str | None
    other: str | None


@dataclass(frozen=True)
class Parting:
    """Where one arm parts from the control; None: it never does."""

    arm: str
    instruction: FirstDifference | None
    """Blank lines left out."""
    context: str
    """How the rest of the context differs, as text; empty: it does not."""
    action: FirstDifference | None
    state: FirstDifference | None
    """Index 0 is the state at takeover, k the state after the k-th executed action."""


def first_difference(control: Sequence[str], other: Sequence[str]) -> FirstDifference | None:
    """Return the first index at which the sequences differ, a missing item counting as a difference."""
    for index in range(max(len(control), len(other))):
        left = control[index] if index < len(control) else None
        right = other[index] if index < len(other) else None
        if left != right:
            return FirstDifference(index, left, right)
    return None


def parting(control: Continuation, arm: str, other: Continuation) -> Parting:
    """Compare an arm's continuation with the control's, from takeover on."""
    return Parting(
        arm=arm,
        instruction=first_difference(_lines(control), _lines(other)),
        context=started_difference(control.started, other.started),
        action=first_difference(_actions(control), _actions(other)),
        state=first_difference(_states(control), _states(other)),
    )


def added_lines(control: str, other: str) -> tuple[str, ...]:
    """Return the lines of `other` that `control` lacks, in order, blank ones left out."""
    difference = difflib.ndiff(control.splitlines(), other.splitlines())
    return tuple(line[2:] for line in difference if line.startswith("+ ") and line[2:].strip())


def _lines(continuation: Continuation) -> list[str]:
    return [line for line in continuation.instruction.splitlines() if line.strip()]


def _actions(continuation: Continuation) -> list[str]:
    return [line.text for line in continuation.actions]


def _states(continuation: Continuation) -> list[str]:
    return [_state(point) for point in continuation.progress]


def _state(point: ProgressPoint) -> str:
    """Name what was on the screen: the place and, on a board, the first sixteen digits of its digest."""
    return " ".join(part for part in (point.screen, point.level, (point.state_digest or "")[:16]) if part)
