"""Exact solving of Truck Escape.

Guarantees: verdict, solution and distance are exact for every state. Removing a vehicle never blocks another one, so
whatever can leave may leave at once: greedy removal empties the lot iff anything does, and d(s) is the number of
parked vehicles. Leaves out: nothing. Cost unit: one departure. The limit is never met (at most one state per vehicle
is visited), so the answer is never `Undecided`.

A `DeadEnd` closes the states of one greedy line: the vehicles left at its end block each other whatever left before
them.
"""

from __future__ import annotations

from games.grid import Cell
from games.truck_escape.rules import State, is_won, legal_moves, step
from solvers.certificate import Certificate, DeadEnd, Solvable, Solved, Solver


class TruckEscapeSolver:
    """Greedy removal."""

    game = "truck_escape"
    version = "1"

    def certify(self, state: State, *, state_limit: int, optimal: bool = False) -> Certificate:
        """Decide the state; every solution has the same length, so `optimal` changes nothing."""
        if is_won(state):
            return Solved()
        waves = departure_waves(state)
        solution = tuple(tail for wave in waves for tail in wave)
        if len(solution) == len(state.parked):
            return Solvable(solution, exact=True, lower_bound=len(solution))
        return DeadEnd("exhausted_search" if solution else "no_available_hole", len(solution) + 1)

    def distance(self, state: State, *, state_limit: int) -> int | None:
        """Return the number of parked vehicles, None if some can never leave."""
        return len(state.parked) if sum(map(len, departure_waves(state))) == len(state.parked) else None


def departure_waves(state: State) -> tuple[tuple[Cell, ...], ...]:
    """Return the vehicles in waves: those whose way is free leave together, then those freed by them, and so on.

    The number of waves is the length of the longest chain of vehicles each waiting for the one before. Vehicles that
    can never leave are in no wave.
    """
    waves: list[tuple[Cell, ...]] = []
    while free := legal_moves(state):
        waves.append(free)
        for tail in free:
            state = step(state, tail)
    return tuple(waves)


SOLVER: Solver = TruckEscapeSolver()
