"""Checks the reference path that a level may carry: it must win by the rules, from the start, not before its end."""

from __future__ import annotations

from games.contract import IllegalMove, LevelError
from games.rush_hour.layout import Layout
from games.rush_hour.rules import initial_state, is_won, step


def check_reference(layout: Layout) -> None:
    """Replay the reference path, if there is one. Raises LevelError naming the first slide that fails."""
    state = initial_state(layout)
    for number, slide in enumerate(layout.reference):
        try:
            state = step(state, slide)
        except IllegalMove as error:
            raise LevelError(f"reference[{number}]: {error}") from error
    if layout.reference and not is_won(state):
        raise LevelError(f"reference: its {len(layout.reference)} slides do not win")
