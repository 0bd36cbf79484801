"""Exact Nut and Bolt: solvable or dead for any board of any level, and the least number of transfers.

Guarantee: the verdict is exact for every board the rules accept (see `buried` for the argument), found in a few hundred
states where boards themselves number in the millions. A distance comes from A* with a consistent bound, pruned by the
verdict, and is the exact minimum.
Left out: nothing of the rules; undo is not a transfer.
Cost unit: one transfer, however many nuts it moves.
Limit: states closed, counted over verdict and search. At the limit the verdict is `Undecided`; a search for a shortest
solution gives a verified solution and a proven lower bound instead (`Solvable`, not exact).
"""

from solvers.nut_and_bolt.buried import Verdicts
from solvers.nut_and_bolt.solver import SOLVER, NutAndBoltSolver

__all__ = ["SOLVER", "NutAndBoltSolver", "Verdicts"]
