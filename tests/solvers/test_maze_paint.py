"""Maze Paint solver against brute force, its own table, and the published optima."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from brute_force import exact_distances

from games.maze_paint.game import GAME
from games.maze_paint.layout import Layout, parse_layout
from games.maze_paint.rules import initial_state, is_won, step
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.generators import maze_paint as generator
from solvers.maze_paint import SOLVER, DistanceTable, distances, slide_graph

LEVELS = json.loads((Path(generator.__file__).parents[2] / "games/maze_paint/levels.json").read_text())["levels"]
REAL = Path(__file__).resolve().parents[3] / "shared/real-levels/maze_paint.json"
BANDS = {"easy": (7, 12), "medium": (13, 16), "hard": (18, 25)}


def random_layout(rng: np.random.Generator) -> Layout:
    rows, columns = rng.integers(2, 5), rng.integers(3, 6)
    marks = np.where(rng.random((rows, columns)) < 0.3, "#", ".")
    marks[rng.integers(rows), rng.integers(columns)] = "S"
    if "." not in marks:
        marks.flat[0 if marks.flat[0] != "S" else 1] = "."
    return parse_layout({"rows": ["".join(row) for row in marks.tolist()]})


def test_distance_and_table_agree_with_brute_force():
    rng = np.random.default_rng(11)
    n_dead = n_alive = 0
    for _ in range(60):
        start = initial_state(random_layout(rng))
        truth = exact_distances(GAME, start)
        table = distances(start, state_limit=10**6)
        assert isinstance(table, DistanceTable)
        for state, wanted in truth.items():
            found = SOLVER.distance(state, state_limit=10**6)
            assert found == wanted, state
            assert table.distance(state) == found
            n_dead, n_alive = n_dead + (wanted is None), n_alive + (wanted is not None)
    assert n_dead > 100
    assert n_alive > 100


def test_solution_replays_and_is_as_long_as_claimed():
    for level in LEVELS:
        state = initial_state(parse_layout(level["layout"]))
        claim = SOLVER.certify(state, state_limit=10**6)
        assert isinstance(claim, Solvable)
        assert claim.exact
        assert claim.distance == claim.lower_bound == level["optimum"]
        assert level["exact"]
        for move in claim.solution:
            state = step(state, move)
        assert is_won(state)


def test_no_released_level_has_a_dead_end():
    for level in LEVELS:
        table = distances(initial_state(parse_layout(level["layout"])), state_limit=10**6)
        assert isinstance(table, DistanceTable)
        assert table.n_dead == 0
        assert table.n_states == level["provenance"]["measures"]["reachable_states"]


def test_counts_and_bands_and_order():
    for tier, (least, most) in BANDS.items():
        optima = [level["optimum"] for level in LEVELS if level["difficulty"] == tier]
        assert len(optima) == 10
        assert optima == sorted(optima)
        assert least <= optima[0] <= optima[-1] <= most


def test_no_two_levels_are_equal_up_to_symmetry():
    images = [set(generator._images(parse_layout(level["layout"]))) for level in LEVELS]
    assert not any(images[a] & images[b] for a in range(len(images)) for b in range(a))


@pytest.mark.parametrize("index", [0, 14, 29])
def test_a_level_is_made_again_from_its_draw(index):
    level = LEVELS[index]
    tier = next(tier for tier in generator.TIERS if tier.name == level["difficulty"])
    layout = generator.candidate(tier, level["provenance"]["draw"])
    assert layout == parse_layout(level["layout"])


def test_dead_ends_are_named():
    stuck = initial_state(parse_layout({"rows": ["S#."]}))
    assert SOLVER.certify(stuck, state_limit=100) == DeadEnd("no_available_hole", 1)
    missed = initial_state(parse_layout({"rows": ["S..", "...", "..."]}))  # the middle cell lies on no slide
    assert isinstance(SOLVER.certify(missed, state_limit=100), DeadEnd)
    assert SOLVER.distance(missed, state_limit=100) is None


def test_won_and_limit():
    won = step(initial_state(parse_layout({"rows": ["S."]})), "right")
    assert SOLVER.certify(won, state_limit=10) == Solved()
    assert SOLVER.distance(won, state_limit=10) == 0
    hard = initial_state(parse_layout(LEVELS[-1]["layout"]))
    assert SOLVER.certify(hard, state_limit=50) == Undecided(50)
    assert SOLVER.distance(hard, state_limit=50) == Undecided(50)
    assert distances(hard, state_limit=50) == Undecided(50)


def test_table_refuses_a_state_of_another_layout():
    table = distances(initial_state(parse_layout({"rows": ["S.."]})), state_limit=10)
    assert isinstance(table, DistanceTable)
    other = initial_state(parse_layout({"rows": ["S..."]}))
    with pytest.raises(ValueError, match="not reachable"):
        table.distance(other)


def test_classes_are_fewer_than_cells():
    graph = slide_graph(initial_state(parse_layout(LEVELS[-1]["layout"])))
    assert 0 < graph.n_classes < len(parse_layout(LEVELS[-1]["layout"]).floor)


@pytest.mark.skipif(not REAL.exists(), reason="the published layouts are not here")
def test_published_optima_are_reproduced():
    totals = {"easy": 0, "medium": 0}
    for level in json.loads(REAL.read_text())["levels"]:
        claim = SOLVER.certify(GAME.initial_state(GAME.parse_layout(level)), state_limit=10**6, optimal=True)
        assert isinstance(claim, Solvable)
        assert claim.distance == level["optimum"]
        totals[level["difficulty"]] += claim.distance
    assert totals == {"easy": 88, "medium": 140}
