"""Makes the Truck Escape levels:  python -m solvers.generators.truck_escape   rewrites games/truck_escape/levels.json.

A lot is filled backwards: each vehicle is put where it could leave past those already there, so the last one placed
can go first and every lot can be emptied. Of `CANDIDATES` such lots per level the one with the most departure waves
is kept (the longest chain of vehicles waiting for each other), then the one with the fewest vehicles that are free at
the start. Candidate `draw` of a level has its own generator, seeded by (SEED, level, draw). Vehicles are listed in
reading order: the order of the list says nothing about the order of leaving.

Order of the levels: number of vehicles (the exact optimum), then departure waves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from games.grid import DIRECTION, Cell
from games.truck_escape.game import GAME
from games.truck_escape.layout import LENGTHS, Layout, Vehicle, layout_to_json
from games.truck_escape.rules import initial_state, legal_moves
from solvers.certificate import Solvable
from solvers.generators.released import Released, write_levels
from solvers.truck_escape import SOLVER, departure_waves

VERSION = "1"
SEED = 20260
CANDIDATES = 150


@dataclass(frozen=True)
class Size:
    """What one level is like."""

    rows: int
    columns: int
    vehicles: int


SIZES = (Size(6, 6, 10), Size(7, 7, 15), Size(8, 8, 20), Size(10, 9, 27), Size(10, 10, 33))


def level(number: int) -> Released:
    """Return level `number` (from 1), chosen among its candidates."""
    lots = {draw: lot for draw in range(CANDIDATES) if (lot := candidate(number, draw)) is not None}
    draw = max(lots, key=lambda draw: (_waves(lots[draw]), -_free(lots[draw]), -draw))
    return _release(lots[draw], draw)


def candidate(number: int, draw: int) -> Layout | None:
    """Return candidate `draw` of a level; None if the vehicles wanted did not fit."""
    size = SIZES[number - 1]
    rng = np.random.default_rng([SEED, number, draw])
    lot = Layout(size.rows, size.columns, ())
    while len(lot.vehicles) < size.vehicles:
        places = _places(lot)
        if not places:
            return None
        blocking = [vehicle for vehicle in places if _blocks(lot, vehicle)]
        pool = blocking if blocking and rng.random() < 0.85 else places
        lot = Layout(size.rows, size.columns, (*lot.vehicles, pool[int(rng.integers(len(pool)))]))
    return Layout(size.rows, size.columns, tuple(sorted(lot.vehicles, key=lambda vehicle: vehicle.tail)))


def _places(lot: Layout) -> list[Vehicle]:
    """Return the vehicles that fit on free cells and could leave past those already there; one in four may be long."""
    taken = _taken(lot)
    return [
        vehicle
        for row in range(lot.rows)
        for column in range(lot.columns)
        for direction in DIRECTION
        for length in LENGTHS
        if (length == 2 or (row + 2 * column) % 4 == 0)
        and _fits(lot, vehicle := Vehicle((row, column), direction, length), taken)
    ]


def _fits(lot: Layout, vehicle: Vehicle, taken: set[Cell]) -> bool:
    inside = all(lot.holds(cell) for cell in vehicle.cells)
    return inside and not taken & set(vehicle.cells) and not taken & set(lot.way_out(vehicle))


def _taken(lot: Layout) -> set[Cell]:
    return {cell for vehicle in lot.vehicles for cell in vehicle.cells}


def _blocks(lot: Layout, vehicle: Vehicle) -> bool:
    """Tell whether a new vehicle would stand in the way of one that is free now."""
    taken = _taken(lot)
    ways = (lot.way_out(other) for other in lot.vehicles)
    return any(set(vehicle.cells) & set(way) for way in ways if not taken & set(way))


def _waves(lot: Layout) -> int:
    return len(departure_waves(initial_state(lot)))


def _free(lot: Layout) -> int:
    return len(legal_moves(initial_state(lot)))


def _release(lot: Layout, draw: int) -> Released:
    claim = SOLVER.certify(initial_state(lot), state_limit=1_000, optimal=True)
    assert isinstance(claim, Solvable)
    provenance = {
        "generator": "solvers.generators.truck_escape",
        "version": VERSION,
        "seed": SEED,
        "draw": draw,
        "solver_version": SOLVER.version,
        "measures": {"waves": _waves(lot), "free_at_start": _free(lot)},
    }
    return Released("default", layout_to_json(lot), claim, provenance)


if __name__ == "__main__":
    write_levels(GAME, [level(number) for number in range(1, len(SIZES) + 1)])
