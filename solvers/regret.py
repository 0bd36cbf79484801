"""Regret of a move: e(s, a) = 1 + d(T(s, a)) - d(s), infinite when T(s, a) is a dead end.

Source: first source document, "Same-state action intervention". d is the exact least number of moves to a win, so a
shortest-path move has regret 0 and no regret is negative.
"""

from __future__ import annotations

import math
from typing import Any

from games.contract import Game
from solvers.certificate import Solver, Undecided


def regret(game: Game, solver: Solver, state: Any, move: Any, *, state_limit: int) -> float | Undecided:
    """Return e(state, move) in moves; `Undecided` if either distance is not exact within the limit.

    Raises:
        ValueError: `state` itself is a dead end, where regret has no meaning.
        IllegalMove: the rules refuse the move.
    """
    before = solver.distance(state, state_limit=state_limit)
    if before is None:
        raise ValueError("regret of a move from a dead end is undefined")
    after = solver.distance(game.step(state, move), state_limit=state_limit)
    if isinstance(before, Undecided) or isinstance(after, Undecided):
        return Undecided(state_limit)
    return math.inf if after is None else float(1 + after - before)
