"""Proven dead ends as a predicate, for environments that end an attempt there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from solvers.certificate import DeadEnd
from solvers.registry import solver_for


def deadlock_of(game: str, *, state_limit: int) -> Callable[[Any], bool]:
    """Return a predicate over a game's rules states: True only if the solver proves that no win is reachable.

    A state that is undecided at the limit is not a dead end. Raises KeyError if the game has no solver.
    """
    solver = solver_for(game)

    @lru_cache(maxsize=4096)
    def is_dead(state: Any) -> bool:
        return isinstance(solver.certify(state, state_limit=state_limit), DeadEnd)

    return is_dead
