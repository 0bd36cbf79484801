"""Exact solving of the maze (`search`), and a player who sees no more than its scenes (`explorer`)."""

from solvers.agi_maze.search import SOLVER

__all__ = ["SOLVER"]
