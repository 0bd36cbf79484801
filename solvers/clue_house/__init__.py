"""Exact solving of Clue House: the rules alone (`search`), and what can be done without guessing (`knowledge`)."""

from solvers.clue_house.search import SOLVER

__all__ = ["SOLVER"]
