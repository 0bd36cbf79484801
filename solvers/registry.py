"""Finds the solvers: every module of this folder that holds `SOLVER`, and entry points of the group `diag.solvers`."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from importlib.metadata import entry_points

from games.registry import registered_games
from solvers.certificate import Solver


@cache
def registered_solvers() -> dict[str, Solver]:
    """Return the solver of every game that has one: for game `g`, module or package `solvers.g`."""
    solvers: dict[str, Solver] = {}
    for name in registered_games():
        module = f"solvers.{name}"
        if importlib.util.find_spec(module) is not None:
            solvers[name] = importlib.import_module(module).SOLVER
    solvers.update({entry.name: entry.load() for entry in entry_points(group="diag.solvers")})
    return solvers


def solver_for(game: str) -> Solver:
    """Return the solver of a game. Raises KeyError naming the games that have one."""
    solvers = registered_solvers()
    if game not in solvers:
        raise KeyError(f"no solver for {game!r}; there are solvers for {', '.join(solvers)}")
    return solvers[game]
