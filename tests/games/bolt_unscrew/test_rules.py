"""Properties of play on every level at hand, and moves that are refused."""

import math
from collections import deque

import numpy as np
import pytest

from bolt_unscrew.boards import PUBLISHED, all_levels, board, own_levels, published_levels
from games.bolt_unscrew.layout import layout_to_json
from games.bolt_unscrew.mechanics import ALIGN, PEG
from games.bolt_unscrew.rules import (
    Move,
    covered_mask,
    free_anchors,
    hole_places,
    initial_state,
    is_won,
    legal_moves,
    move_from_json,
    move_to_json,
    parse_layout,
    pins,
    potential,
    settle,
    state_from_json,
    state_to_json,
    step,
)
from games.contract import IllegalMove

LEVELS = all_levels()
STRIP = (200, 300, 0, 200, 40, (-80, 80))


def random_walk(layout, seed, length):
    rng = np.random.default_rng(seed)
    state = initial_state(layout)
    yield state
    for _ in range(length):
        moves = legal_moves(state)
        if not moves:
            return
        state = step(state, moves[rng.integers(len(moves))])
        yield state


def wood_distance(layout, index, pose, place):
    """Distance of a place from a board's wood, from its two ends on the plate; negative inside."""
    item = layout.boards[index]
    first, last = (complex(*pose.to_world((end, 0))) for end in (-item.core, item.core))
    along = last - first
    share = 0.0 if not along else ((complex(*place) - first) * along.conjugate()).real / abs(along) ** 2
    return abs(complex(*place) - first - along * min(1.0, max(0.0, share))) - item.rim


@pytest.mark.parametrize("key", LEVELS, ids=lambda key: "-".join(map(str, key)))
def test_what_holds_in_every_state_of_random_play(key):
    layout = LEVELS[key]
    previous = -1.0
    for state in random_walk(layout, 11, 25):
        assert settle(state) == state, "a settled board settles no further"
        assert state_from_json(layout, state_to_json(state)) == state
        assert potential(state) >= previous, "a board that is out stays out"
        assert (potential(state) == 1.0) == is_won(state)
        previous = potential(state)
        for index, pose in enumerate(state.poses):
            for anchor in state.screws if pose else ():
                place = (layout.anchors[anchor].x, layout.anchors[anchor].y)
                aligned = any(math.dist(place, hole) <= ALIGN for hole in hole_places(state, index))
                assert aligned == (anchor in pins(state, index))
                assert aligned or wood_distance(layout, index, pose, place) > PEG - 2e-3, "a peg stands in wood"


@pytest.mark.parametrize("key", [("hard", 2), ("hard", 6)])
def test_a_step_changes_only_its_result(key):
    state = initial_state(own_levels()[key])
    before = state_to_json(state)
    for move in legal_moves(state):
        assert step(state, move) != state
        assert step(state, move) == step(state, move)
        assert move_from_json(move_to_json(move)) == move
    assert state_to_json(state) == before


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move(2, 3), "no screw stands at 2"),
        (Move(0, 1), "a screw stands at 1"),
        (Move(0, 3), "wood is within 14 units of 3"),
        (Move(0, 9), "wanted anchors below 4"),
    ],
)
def test_refused_moves_say_why(move, reason):
    state = initial_state(board([(120, 300), (280, 300)], [(450, 600), (200, 330)], STRIP))
    assert free_anchors(state) == (2,)
    assert covered_mask(state) == 0b1000
    with pytest.raises(IllegalMove, match=reason):
        step(state, move)


def test_a_hole_is_free_as_soon_as_its_whole_circle_is():
    for below, free in ((33.99, ()), (34, (2,))):
        state = initial_state(board([(120, 300), (280, 300)], [(200, 300 + below)], STRIP))
        assert free_anchors(state) == free


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"screws": [0], "boards": []},
        {"screws": [1, 0], "boards": [[200_000_000, 300_000_000, 0]]},
        {"screws": [0, 7], "boards": [[200_000_000, 300_000_000, 0]]},
        {"screws": [0, 1], "boards": [[200.0, 300.0, 0]]},
        {"screws": [0, 2], "boards": [[200_000_000, 300_000_000, 0]]},
    ],
    ids=["empty", "no pose", "order", "anchor", "float", "not settled"],
)
def test_malformed_states_are_refused(data):
    layout = board([(120, 300), (280, 300)], [(450, 600)], STRIP)
    with pytest.raises(ValueError, match="wanted"):
        state_from_json(layout, data)


@pytest.mark.parametrize("data", [[1], ["0", "1"], "0>1", [0, True], None])
def test_malformed_moves_are_refused(data):
    with pytest.raises(ValueError, match="wanted"):
        move_from_json(data)


def reachable(start):
    seen, queue = {start}, deque([start])
    while queue:
        state = queue.popleft()
        for move in legal_moves(state):
            child = step(state, move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return len(seen)


def check_count(layout, count):
    start = initial_state(layout)
    found = reachable(start)
    if found != count:
        behind = {tuple(move): reachable(step(start, move)) for move in legal_moves(start)}
        pytest.fail(f"{found} reachable states, wanted {count}; behind each first move: {behind}")


@pytest.mark.parametrize(("number", "count"), [(1, 2), (2, 7), (3, 43), (4, 155), (5, 2227), (6, 1072)])
def test_reachable_states_of_our_easy_levels(number, count):
    check_count(own_levels()["easy", number], count)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published levels are not at hand")
@pytest.mark.parametrize(
    ("number", "count"),
    [(1, 2), (2, 7), (3, 37), (4, 9380), (5, 95), (6, 2369), pytest.param(7, 9059, marks=pytest.mark.slow)],
)
def test_reachable_states_of_the_published_easy_levels(number, count):
    check_count(published_levels()["easy", number], count)


def test_levels_start_settled_as_authored():
    for key, layout in own_levels().items():
        authored = [(item.x, item.y) for item in layout.boards]
        assert [pose.centre for pose in initial_state(layout).poses] == authored, key


def test_a_layout_reads_back_equal():
    for layout in own_levels().values():
        assert parse_layout(layout_to_json(layout)) == layout
