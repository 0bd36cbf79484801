"""Scores of one target: RHAE of ARC-AGI-3, and a budgeted form that is ours because the published one is not known.

`RHAE_f = 100 c min(cap, (f B / a)^2)`: c is 1 if the target was solved, B its step budget (twice the reference actions
h), a the actions taken at it, failed attempts and RESETs included. Published as RHAE70; 0.6 and 0.8 were tried too.
"""

from __future__ import annotations

from games.grid.scores import level_score

FACTORS = (0.6, 0.7, 0.8)
"""f, side by side: the order of conditions can depend on it."""


def rhae(h: int, a: int | None) -> float:
    """Return the score of one level as a game of its own, 0 to 100; `a` is None if it was not solved."""
    return 0.0 if a is None else min(100.0, level_score(h, a))


def budgeted(factor: float, budget: int, a: int | None, cap: float) -> float:
    """Return the budgeted score in points; `a` is None if the target was not solved."""
    return 0.0 if a is None else 100.0 * min(cap, (factor * budget / a) ** 2)


def cost_tokens(sent: int, cached: int, written: int) -> float:
    """Return output-token equivalents at prices of 0.5, 5 and 30 for cached input, input and output."""
    return cached / 60 + (sent - cached) / 6 + written


def gap_recovery(controlled: float, stop: float, textual: float) -> float | None:
    """Return which share of the gap from stop-and-report to the reference is recovered; None where there is no gap."""
    return None if textual == stop else (controlled - stop) / (textual - stop)
