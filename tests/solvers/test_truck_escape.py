"""Truck Escape solver against brute force over all orders, and the released levels."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from games.grid import DIRECTION, symmetric_images
from games.truck_escape.game import GAME
from games.truck_escape.layout import Layout, parse_layout
from games.truck_escape.rules import State, initial_state, is_won, legal_moves, step
from solvers.certificate import DeadEnd, Solvable, Solved
from solvers.generators import truck_escape as generator
from solvers.truck_escape import SOLVER, departure_waves

LEVELS = json.loads((Path(generator.__file__).parents[2] / "games/truck_escape/levels.json").read_text())["levels"]
REAL = Path(__file__).resolve().parents[3] / "shared/real-levels/truck_escape.json"


@cache
def can_win(state: State) -> bool:
    """Every order of leaving, by the rules alone."""
    return is_won(state) or any(can_win(step(state, move)) for move in legal_moves(state))


def random_lot(rng: np.random.Generator) -> Layout:
    taken: set[tuple[int, int]] = set()
    trucks = []
    for _ in range(20):
        row, column = int(rng.integers(4)), int(rng.integers(5))
        direction = list(DIRECTION)[int(rng.integers(4))]
        cells = {(row, column), (row + DIRECTION[direction][0], column + DIRECTION[direction][1])}
        if not cells & taken and all(0 <= r < 4 and 0 <= c < 5 for r, c in cells):
            taken |= cells
            trucks.append({"row": row, "column": column, "direction": direction})
    return parse_layout({"rows": 4, "columns": 5, "trucks": trucks})


def test_verdict_agrees_with_every_order_of_leaving():
    rng = np.random.default_rng(8)
    verdicts = []
    for _ in range(150):
        state = initial_state(random_lot(rng))
        claim = SOLVER.certify(state, state_limit=1)
        verdicts.append(isinstance(claim, Solvable))
        assert isinstance(claim, Solvable) == can_win(state)
        assert SOLVER.distance(state, state_limit=1) == (len(state.parked) if can_win(state) else None)
        if isinstance(claim, DeadEnd):
            assert (claim.mechanism == "no_available_hole") == (not legal_moves(state))
    assert 20 < sum(verdicts) < 130


def test_waves_are_the_longest_waiting_chain():
    trucks = [(0, 0, "right"), (0, 3, "down"), (2, 3, "right")]  # each waits for the next
    items = [{"row": r, "column": c, "direction": d} for r, c, d in trucks]
    state = initial_state(parse_layout({"rows": 4, "columns": 5, "trucks": items}))
    assert departure_waves(state) == (((2, 3),), ((0, 3),), ((0, 0),))


def test_released_levels_are_solved_and_ordered():
    assert len(LEVELS) == 5
    orders = []
    for level in LEVELS:
        state = initial_state(parse_layout(level["layout"]))
        orders.append((len(state.parked), len(departure_waves(state))))
        assert level["optimum"] == len(state.parked)
        assert orders[-1][1] == level["provenance"]["measures"]["waves"]
        for move in level["certificate"]["solution"]:
            state = step(state, GAME.move_from_json(move))
        assert is_won(state)
        assert SOLVER.certify(state, state_limit=1) == Solved()
    assert orders == sorted(orders)


def test_no_two_levels_are_equal_up_to_symmetry():
    images = []
    for level in LEVELS:
        layout = parse_layout(level["layout"])
        marks = [(v.tail, v.direction) for v in layout.vehicles] + [(v.cells[-1], "head") for v in layout.vehicles]
        images.append(set(symmetric_images(marks, layout.rows, layout.columns)))
    assert not any(images[a] & images[b] for a in range(len(images)) for b in range(a))


def test_a_level_is_made_again_from_its_draw():
    for number in (1, 2):
        draw = LEVELS[number - 1]["provenance"]["draw"]
        assert generator.candidate(number, draw) == parse_layout(LEVELS[number - 1]["layout"])


def test_list_order_does_not_give_the_solution_away():
    for level in LEVELS:
        tails = [(truck["row"], truck["column"]) for truck in level["layout"]["trucks"]]
        assert tails == sorted(tails)


@pytest.mark.skipif(not REAL.exists(), reason="the published layouts are not here")
def test_published_lots_can_be_emptied():
    for level in json.loads(REAL.read_text())["levels"]:
        claim = SOLVER.certify(initial_state(parse_layout(level)), state_limit=1)
        assert isinstance(claim, Solvable)
        assert claim.distance == level["optimum"]
