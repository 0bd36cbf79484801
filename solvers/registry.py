"""Finds the solvers: every module of this folder that holds `SOLVER`, and entry points of the group `diag.solvers`."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from importlib.metadata import entry_points
from typing import get_args

from games.registry import registered_games
from solvers.certificate import Mechanism, Solver


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


def has_solver(game: str) -> bool:
    """Tell whether anything is ever proven of the game's states; of others all stay uncertified."""
    return game in registered_solvers()


def certifying_mechanisms(game: str) -> tuple[Mechanism, ...]:
    """Return the mechanisms by which a dead end of the game is certified; all, unless its solver names some.

    What a solver proves beyond them is a verdict, and no certificate: in Bolt Unscrew a board that no search can win
    but that still has moves (first source document, "Dead-end certification"). Raises KeyError without a solver.
    """
    mechanisms: tuple[Mechanism, ...] = getattr(solver_for(game), "certifying", get_args(Mechanism))
    return mechanisms


def certifying_facts() -> dict[str, list[str]]:
    """Return the games whose dead ends are certified by some mechanisms alone: part of a study's identity."""
    found = {game: list(map(str, certifying_mechanisms(game))) for game in registered_solvers()}
    return {game: names for game, names in found.items() if len(names) < len(get_args(Mechanism))}
