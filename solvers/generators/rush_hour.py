"""Generates the Rush Hour catalogue:  python -m solvers.generators.rush_hour  rewrites games/rush_hour/levels.json.

Each level starts from a random full board. All boards reachable from it are measured exactly, and one at the wanted
least number of slides becomes the level, so difficulty is chosen and not hoped for. Inside a tier, levels are ordered
by the exact optimum in slides, then the exact optimum in cells moved, then the boards a breadth-first search closes
before it wins.

Deterministic: a level depends on the seed, its tier and its place in the tier (and on the levels before it only to
reject a board that equals one of them up to reflection).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from games.rush_hour.game import GAME
from games.rush_hour.layout import Axis, Layout, Vehicle, layout_to_json
from games.rush_hour.rules import initial_state
from solvers.certificate import Solvable, Undecided
from solvers.generators.released import Released, write_levels
from solvers.rush_hour import SOLVER, step_distance
from solvers.rush_hour.packed import packed_board
from solvers.rush_hour.search import ANY_LENGTH, Found, distances, shortest

VERSION = "1"
SEED = 2026
STATE_LIMIT = 40_000
"""Reachable boards a level may have: each level can be measured completely."""


@dataclass(frozen=True)
class Tier:
    """What the levels of one difficulty look like: one optimum per level, grids to draw from, how full a grid is."""

    difficulty: str
    optima: tuple[int, ...]
    grids: tuple[tuple[int, int], ...]
    """Rows, columns."""
    fill: tuple[float, float]
    """Least and most share of the cells that vehicles cover."""
    most_bushes: int
    fewest_moved: int
    """Vehicles that the shortest solution moves, at least."""


TIERS = (
    Tier("easy", (3, 4, 4, 4, 5, 5, 5, 6, 6, 6), ((5, 5), (6, 5), (5, 6), (6, 6)), (0.40, 0.62), 2, 3),
    Tier("medium", (7, 7, 7, 8, 8, 8, 9, 9, 10, 10), ((6, 6), (7, 6), (6, 7), (7, 7)), (0.50, 0.66), 3, 5),
    Tier("hard", (11, 11, 12, 12, 13, 13, 14, 14, 15, 16), ((6, 6), (7, 6), (7, 7), (8, 7)), (0.52, 0.68), 3, 6),
)


@dataclass(frozen=True)
class Candidate:
    """A level before it has its number."""

    layout: Layout
    claim: Solvable
    steps: int
    states_closed: int
    slot: int

    @property
    def difficulty_key(self) -> tuple[int, int, int, int]:
        """What levels of one tier are ordered by."""
        return self.claim.distance, self.steps, self.states_closed, self.slot


def levels(seed: int = SEED) -> Iterator[Released]:
    """Yield the catalogue, easiest first inside each difficulty."""
    known: set[str] = set()
    for number, tier in enumerate(TIERS):
        found = sorted(_tier(tier, number, seed, known), key=lambda candidate: candidate.difficulty_key)
        yield from (_released(tier, candidate, seed) for candidate in found)


def canonical_form(layout: Layout) -> str:
    """Return a name shared by exactly the layouts equal up to reflection top to bottom and vehicle order."""
    return min(_name(layout, mirrored=False), _name(layout, mirrored=True))


def _tier(tier: Tier, number: int, seed: int, known: set[str]) -> Iterator[Candidate]:
    for slot, optimum in enumerate(tier.optima):
        rng = np.random.default_rng([seed, number, slot])
        while True:
            candidate = _try_level(tier, optimum, slot, rng)
            if candidate and canonical_form(candidate.layout) not in known:
                known.add(canonical_form(candidate.layout))
                yield candidate
                break


def _try_level(tier: Tier, optimum: int, slot: int, rng: np.random.Generator) -> Candidate | None:
    board = random_layout(tier, tier.grids[slot % len(tier.grids)], rng)
    if board is None:
        return None
    layers = distances(board, initial_state(board).at, STATE_LIMIT)
    if isinstance(layers, Undecided) or len(layers) < optimum:
        return None
    starts = sorted(layers[optimum - 1])
    at = packed_board(board, ANY_LENGTH).unpack(starts[int(rng.integers(len(starts)))])
    return _measured(_started_at(board, at), tier, slot)


def _measured(layout: Layout, tier: Tier, slot: int) -> Candidate | None:
    start = initial_state(layout)
    certificate = SOLVER.certify(start, state_limit=STATE_LIMIT)
    assert isinstance(certificate, Solvable)
    if len({slide.vehicle for slide in certificate.solution}) < tier.fewest_moved:
        return None
    steps = step_distance(start, state_limit=10 * STATE_LIMIT)
    board = packed_board(layout, ANY_LENGTH)
    found = shortest(board, board.pack(start.at), STATE_LIMIT)
    if not isinstance(steps, int) or not isinstance(found, Found):
        return None
    layout = replace(layout, reference=certificate.solution)
    return Candidate(layout, certificate, steps, found.states_closed, slot)


def random_layout(tier: Tier, grid: tuple[int, int], rng: np.random.Generator) -> Layout | None:
    """Return a random full board with the target left of something, or None if the pieces did not fit."""
    rows, columns = grid
    taken = np.zeros(grid, dtype=bool)
    target = Vehicle(int(rng.integers(1, rows - 1)), int(rng.integers(0, 2)), 2, "h")
    _cover(taken, target)
    for _ in range(int(rng.integers(0, tier.most_bushes + 1))):
        cell = int(rng.integers(rows)), int(rng.integers(columns))
        if cell[0] != target.row:
            taken[cell] = True
    bushes = frozenset((int(r), int(c)) for r, c in np.argwhere(taken) if r != target.row)
    vehicles = [target]
    wanted = rng.uniform(*tier.fill) * rows * columns
    for _ in range(400):
        if sum(vehicle.length for vehicle in vehicles) >= wanted:
            return Layout(rows, columns, _in_reading_order(vehicles), _place_of(target, vehicles), bushes)
        vehicle = _random_vehicle(rows, columns, rng)
        if vehicle.axis == "h" and vehicle.row == target.row:
            continue
        if not any(taken[cell] for cell in vehicle.cells(vehicle.start)):
            _cover(taken, vehicle)
            vehicles.append(vehicle)
    return None


def _random_vehicle(rows: int, columns: int, rng: np.random.Generator) -> Vehicle:
    length = 2 if rng.random() < 0.68 else 3
    axis: Axis = "h" if rng.random() < 0.45 else "v"
    tall, wide = (1, length) if axis == "h" else (length, 1)
    return Vehicle(int(rng.integers(rows - tall + 1)), int(rng.integers(columns - wide + 1)), length, axis)


def _cover(taken: np.ndarray[Any, np.dtype[np.bool_]], vehicle: Vehicle) -> None:
    for cell in vehicle.cells(vehicle.start):
        taken[cell] = True


def _in_reading_order(vehicles: list[Vehicle]) -> tuple[Vehicle, ...]:
    return tuple(sorted(vehicles, key=lambda vehicle: (vehicle.row, vehicle.column)))


def _place_of(target: Vehicle, vehicles: list[Vehicle]) -> int:
    return _in_reading_order(vehicles).index(target)


def _started_at(layout: Layout, at: tuple[int, ...]) -> Layout:
    """Return the layout whose vehicles start where `at` says, numbered in reading order."""
    moved = [
        replace(v, column=coordinate) if v.axis == "h" else replace(v, row=coordinate)
        for v, coordinate in zip(layout.vehicles, at, strict=True)
    ]
    return replace(layout, vehicles=_in_reading_order(moved), target=_place_of(moved[layout.target], moved))


def _name(layout: Layout, *, mirrored: bool) -> str:
    def row_of(row: int, tall: int) -> int:
        return layout.rows - tall - row if mirrored else row

    vehicles = sorted(
        (row_of(v.row, v.length if v.axis == "v" else 1), v.column, v.length, v.axis, i == layout.target)
        for i, v in enumerate(layout.vehicles)
    )
    bushes = sorted((row_of(row, 1), column) for row, column in layout.bushes)
    return json.dumps([layout.rows, layout.columns, vehicles, bushes])


def _released(tier: Tier, candidate: Candidate, seed: int) -> Released:
    provenance = {
        "generator": "solvers.generators.rush_hour",
        "version": VERSION,
        "seed": seed,
        "slot": candidate.slot,
        "solver_version": SOLVER.version,
        "optimum_in_cells": candidate.steps,
        "states_closed": candidate.states_closed,
    }
    return Released(tier.difficulty, layout_to_json(candidate.layout), candidate.claim, provenance)


if __name__ == "__main__":
    write_levels(GAME, list(levels()))
