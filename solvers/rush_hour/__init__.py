"""Exact Rush Hour: least number of slides, or of single-cell steps, from any board.

Guarantee: breadth-first search, so a distance is the exact minimum and an exhausted search proves that no win exists.
Left out: nothing; every board that `games.rush_hour` accepts is handled. Cost unit: one slide of
any length (`certify`, `distance`), or one cell moved (`step_distance`); the last slide, the one that leaves, counts.
Limit: states closed, that is, states whose successors were all made; at the limit `Undecided`, never a guess.
"""

from solvers.rush_hour.search import SOLVER, RushHourSolver, step_distance

__all__ = ["SOLVER", "RushHourSolver", "step_distance"]
