"""What the model that was in use said of an action before it was taken, worked out from the preceding history alone.

A model's answers are a function of its files, the first grid and the actions, so they may be asked for later: the
pending actions of one version are put into one run. No model is shown the frame that it is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from diag.studies.world_model.history import OUTCOMES, Attempt
from diag.studies.world_model.jailed import Jailed, Replay
from diag.studies.world_model.verifier import Predicted, grade, match


@dataclass(frozen=True)
class Committed:
    """One action other than RESET, as it was committed."""

    number: int
    """Counts the scored actions of the play, RESETs included, from 1."""
    attempt: Attempt
    turn: int
    """The turn that it was taken in."""


@dataclass
class Foresight:
    """The actions whose predictions are still to be asked for."""

    jailed: Jailed
    version: int = 0
    model: dict[str, bytes] = field(default_factory=dict)
    """The files in use; without `model.py` there is no model."""
    pending: list[Committed] = field(default_factory=list)

    def settled(self) -> list[dict[str, Any]]:
        """Return the comparisons of all pending actions, and forget them."""
        pending, self.pending = self.pending, []
        if "model.py" not in self.model:
            return [{**_where(one), "version": None, "executes": False} for one in pending]
        attempts = {id(one.attempt): one.attempt for one in pending}
        lines = [Replay(one.level, one.turns[0].grid, one.actions) for one in attempts.values()]
        said = dict(zip(attempts, self.jailed.predict(self.model, lines), strict=True)) if lines else {}
        return [{**_where(one), "version": self.version, **compared(one, said[id(one.attempt)])} for one in pending]


def compared(one: Committed, states: tuple[Predicted, ...]) -> Mapping[str, Any]:
    """Return how the prediction of an action compares with what came of it, as JSON.

    `executes`: replay, transition, render and a valid outcome all ran. `wanted` is the outcome that was recorded; an
    action that ended the attempt is no ordinary one and is not graded.
    """
    was, now = states[one.turn], states[one.turn + 1]
    found: dict[str, Any] = {"executes": now.executes, "outcome": now.outcome if now.outcome in OUTCOMES else None}
    turns = one.attempt.turns
    if one.turn + 1 < len(turns):
        graded, result = grade(turns[one.turn].grid, turns[one.turn + 1].grid, was, now)
        found |= {"wanted": "ongoing", "graded": graded, "renders": now.render is not None}
    else:
        assert one.attempt.end is not None
        result = match(now, one.attempt.end.grid)
        found |= {"wanted": one.attempt.end.outcome, "graded": False, "renders": now.render is not None}
    return {
        **found,
        "accepted": result.accepted,
        "strict": result.strict,
        "claimed": result.claimed,
        "right": result.right,
        "cells": result.cells,
        "faults": list(now.faults),
    }


def _where(one: Committed) -> dict[str, Any]:
    return {"number": one.number, "level": one.attempt.level, "attempt": one.attempt.number, "turn": one.turn}
