"""The solver against brute force over the rules, against known optima, and on boards of known fate."""

import json
from pathlib import Path

import numpy as np
import pytest
from brute_force import exact_distances

from games.bolt_unscrew import rules
from games.bolt_unscrew.published import from_published
from games.bolt_unscrew.rules import initial_state, legal_moves, parse_layout, step
from solvers.bolt_unscrew import SOLVER
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.verify import verify

REPOSITORY = Path(__file__).parents[2]
PUBLISHED = REPOSITORY.parent / "shared" / "real-levels" / "bolt_unscrew.json"
OWN = {
    (level["difficulty"], level["number"]): parse_layout(level["layout"])
    for level in json.loads((REPOSITORY / "games/bolt_unscrew/levels.json").read_text())["levels"]
}


def published():
    levels = json.loads(PUBLISHED.read_text())["levels"]
    return {(item["difficulty"], item["number"]): parse_layout(from_published(item)) for item in levels}


def strip(screws, free, x, y, angle_deg, length, holes):
    anchors = [{"x": a, "y": b, "screw": True} for a, b in screws] + [{"x": a, "y": b, "screw": False} for a, b in free]
    board = {"shape": "strip", "x": x, "y": y, "angle_deg": angle_deg, "length": length, "width": 40}
    return parse_layout({"anchors": anchors, "boards": [{**board, "holes": [[u, 0] for u in holes]}]})


STUCK_WITH_MOVES = strip([(270, 330)], [(270, 390)], 270, 450, 90, 300, (-120, -60))
"""The only two holes lie over each other in one hanging board, both above its centre: the screw goes to and fro."""
STUCK = strip([(120, 300), (280, 300)], [(200, 330)], 200, 300, 0, 200, (-80, 80))
"""The only free hole is half covered."""


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6])
def test_every_reachable_board_of_an_easy_level_has_the_brute_force_distance(number):
    exact = exact_distances(rules, initial_state(OWN["easy", number]))
    sample = list(exact)[:: max(1, len(exact) // 150)]
    for state in sample:
        assert SOLVER.distance(state, state_limit=10_000) == exact[state]


def crowded():
    """A level with one hole to spare: many of its boards are lost."""
    level = json.loads((REPOSITORY / "games/bolt_unscrew/levels.json").read_text())["levels"][5]
    anchors = [anchor for anchor in level["layout"]["anchors"] if anchor["screw"]]
    return parse_layout({**level["layout"], "anchors": [*anchors, {"x": 190, "y": 600, "screw": False}]})


def test_verdicts_agree_with_brute_force_where_boards_are_lost():
    exact = exact_distances(rules, initial_state(crowded()))
    fates = {SOLVER.distance(state, state_limit=10_000) is None for state in exact}
    assert fates == {True, False}
    for state, moves in exact.items():
        claim = SOLVER.certify(state, state_limit=10_000, optimal=True)
        assert (claim.distance if isinstance(claim, Solvable) else None) == (moves or None)
        verify(rules, state, claim, state_limit=10_000)


def test_mechanisms_of_dead_ends():
    state = initial_state(STUCK)
    assert SOLVER.certify(state, state_limit=10) == DeadEnd("no_available_hole", 1)
    state = initial_state(STUCK_WITH_MOVES)
    assert SOLVER.certify(state, state_limit=10) == DeadEnd("exhausted_search", 2)
    assert SOLVER.distance(state, state_limit=10) is None


def test_a_won_board_is_solved():
    state = initial_state(OWN["easy", 1])
    state = step(state, legal_moves(state)[0])
    assert SOLVER.certify(state, state_limit=1) == Solved()
    assert SOLVER.distance(state, state_limit=1) == 0


def test_at_the_limit_nothing_is_claimed():
    state = initial_state(OWN["hard", 5])
    assert SOLVER.certify(state, state_limit=2) == Undecided(2)
    assert SOLVER.distance(state, state_limit=2) == Undecided(2)
    quick = SOLVER.certify(state, state_limit=5_000)
    assert isinstance(quick, Solvable)
    assert quick.lower_bound <= quick.distance


def test_distance_falls_by_one_along_an_optimal_solution():
    state = initial_state(OWN["hard", 1])
    claim = SOLVER.certify(state, state_limit=5_000, optimal=True)
    assert isinstance(claim, Solvable)
    assert claim.exact
    for left, move in zip(range(claim.distance, 0, -1), claim.solution, strict=True):
        assert SOLVER.distance(state, state_limit=5_000) == left
        state = step(state, move)


def test_boards_from_random_play_are_decided():
    rng = np.random.default_rng(3)
    for key in [("hard", 2), ("hard", 4)]:
        state = initial_state(OWN[key])
        while moves := legal_moves(state):
            claim = SOLVER.certify(state, state_limit=20_000)
            assert not isinstance(claim, Undecided)
            verify(rules, state, claim, state_limit=20_000)
            state = step(state, moves[rng.integers(len(moves))])


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published levels are not at hand")
def test_published_levels_are_solved_at_their_known_optima():
    optima = dict(zip([("easy", n) for n in range(1, 9)], [1, 2, 3, 6, 3, 6, 6, 10], strict=True))
    optima |= {("hard", 1): 11, ("hard", 2): 15}
    for key, layout in published().items():
        state = initial_state(layout)
        claim = SOLVER.certify(state, state_limit=20_000, optimal=key in optima)
        verify(rules, state, claim, state_limit=1)
        assert isinstance(claim, Solvable)
        if key in optima:
            assert (claim.distance, claim.exact) == (optima[key], True)
