"""Color Connect rules: golden drawings click by click, the JSON forms, and what always holds."""

from __future__ import annotations

import re

import numpy as np
import pytest

from games.color_connect.game import GAME
from games.color_connect.layout import Layout, layout_to_json, parse_layout
from games.color_connect.rules import State, click, initial_state, is_won, legal_moves, path_at, potential, step
from games.colours import PALETTE
from games.contract import IllegalMove, LevelError


def board(*rows: str) -> Layout:
    """Capitals are dots, `#` is blocked."""
    marks = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    letters = sorted({mark for mark in marks.values() if mark.isupper()})
    pairs = [
        {
            "color": name,
            **dict(zip("ab", [list(cell) for cell in marks if marks[cell] == letter], strict=True)),
        }
        for name, letter in zip(PALETTE, letters, strict=False)
    ]
    blocked = [list(cell) for cell in marks if marks[cell] == "#"]
    return parse_layout({"rows": len(rows), "columns": len(rows[0]), "pairs": pairs, "blocked": blocked})


def drawn(state: State) -> list[str]:
    """Dots are capitals, paths small letters, the head of the active path `*`."""
    marks = dict.fromkeys(state.layout.blocked, "#")
    marks |= {dot: "ABC"[k] for dot, k in state.layout.dots.items()}
    for k, path in enumerate(state.paths):
        marks |= {cell: "abc"[k] for cell in path if cell not in state.layout.dots}
    if state.active is not None:
        marks[state.paths[state.active][-1]] = "*"
    columns = range(state.layout.columns)
    return ["".join(marks.get((row, column), ".") for column in columns) for row in range(state.layout.rows)]


def clicks(state: State, *cells: tuple[int, int]) -> State:
    for cell in cells:
        state = step(state, cell)
    return state


LAYOUT = board("A..B", ".#..", "A..B")
START = initial_state(LAYOUT)


def test_dot_corners_and_partner_make_a_path():
    state = clicks(START, (0, 0))
    assert drawn(state) == ["*..B", ".#..", "A..B"]
    state = clicks(state, (0, 2), (2, 2))
    assert drawn(state) == ["AaaB", ".#a.", "A.*B"]
    state = clicks(state, (2, 0))
    assert drawn(state) == ["AaaB", ".#a.", "AaaB"]
    assert state.active is None
    assert potential(state) == 0.5
    state = clicks(state, (2, 3), (0, 3))
    assert is_won(state)
    assert potential(state) == 1.0
    assert legal_moves(state) == ()
    assert state.paths[1] == ((0, 3), (1, 3), (2, 3))


def test_a_finished_path_does_not_remember_where_it_began():
    assert clicks(START, (0, 0), (2, 0)) == clicks(START, (2, 0), (0, 0))
    assert clicks(START, (0, 0), (1, 0), (2, 0)) == clicks(START, (0, 0), (2, 0))


def test_an_earlier_cell_goes_back():
    state = clicks(START, (0, 0), (0, 2), (2, 2))
    assert drawn(step(state, (0, 1))) == ["A*.B", ".#..", "A..B"]
    assert drawn(step(state, (0, 0))) == ["*..B", ".#..", "A..B"]
    assert clicks(state, (0, 0), (0, 0)) == START


def test_a_dot_of_a_finished_path_removes_it_and_leaves_the_active_one():
    state = clicks(START, (0, 3), (2, 3), (0, 0), (0, 2))
    assert drawn(state) == ["Aa*B", ".#.b", "A..B"]
    state = step(state, (2, 3))
    assert drawn(state) == ["Aa*B", ".#..", "A..B"]
    assert clicks(START, (0, 0), (2, 0), (2, 0)) == START


def test_a_dot_of_another_pair_drops_the_active_path():
    state = clicks(START, (0, 0), (0, 2), (0, 3))
    assert drawn(state) == ["A..*", ".#..", "A..B"]
    assert state.paths[0] == ()


@pytest.mark.parametrize(
    ("before", "cell", "reason"),
    [
        ((), (1, 0), "start_at_dot"),
        ((), (1, 1), "blocked_cell"),
        (((0, 0), (2, 0)), (1, 0), "use_dots"),
        (((0, 0),), (1, 2), "not_in_line"),
        (((0, 0), (0, 1)), (2, 1), "in_the_way"),
        (((0, 0), (0, 1)), (2, 0), "not_in_line"),
        (((0, 0), (0, 1)), (0, 1), "head"),
        (((0, 3), (0, 1), (0, 0), (2, 0), (2, 3)), (1, 0), "occupied"),
        (((0, 3), (2, 3), (0, 0), (0, 2), (1, 2)), (1, 3), "occupied"),
    ],
)
def test_refused_clicks_say_why(before, cell, reason):
    state = clicks(START, *before)
    assert click(state, cell) == reason
    assert cell not in legal_moves(state)
    with pytest.raises(IllegalMove, match=reason):
        step(state, cell)


def test_a_line_may_not_run_over_a_dot_or_the_path_itself():
    state = clicks(initial_state(board("A.B.", "....", "B..A")), (0, 0))
    assert click(state, (0, 3)) == "in_the_way"
    loop = clicks(initial_state(board("....A", ".....", "....A", ".....")), (0, 4), (0, 1), (3, 1), (3, 0))
    assert click(clicks(loop, (1, 0)), (1, 3)) == "in_the_way"


def test_outside_is_illegal():
    with pytest.raises(IllegalMove):
        step(START, (5, 5))


def test_everything_refused_once_won():
    won = clicks(START, (0, 0), (2, 0), (0, 3), (2, 3))
    assert click(won, (0, 0)) == "won"


def test_random_clicks_keep_the_drawing_whole():
    rng = np.random.default_rng(2)
    for layout in (LAYOUT, board("A..C.", ".B...", "..C..", "A...B")):
        state = initial_state(layout)
        for _ in range(250):
            moves = legal_moves(state)
            if not moves:
                state = initial_state(layout)
                continue
            move = moves[int(rng.integers(len(moves)))]
            after = step(state, move)
            assert after != state
            covered = [cell for path in after.paths for cell in path]
            assert len(covered) == len(set(covered))
            assert all(path_at(after, cell) is not None for cell in covered)
            assert GAME.state_from_json(layout, GAME.state_to_json(after)) == after
            assert GAME.move_from_json(GAME.move_to_json(move)) == move
            assert 0 <= potential(after) <= 1
            assert (potential(after) == 1.0) == is_won(after)
            state = after


def test_layout_round_trip_and_unknown_colours():
    assert parse_layout(layout_to_json(LAYOUT)) == LAYOUT
    data = layout_to_json(LAYOUT)
    data["pairs"][0]["color"] = "ultraviolet"
    colours = parse_layout(data).colours
    assert re.fullmatch("#[0-9a-f]{6}:[a-z-]+", colours[0])
    assert colours[1] == data["pairs"][1]["color"]


PAIR = {"color": "red", "a": [0, 0], "b": [0, 2]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": 0}, "rows: got 0"),
        ({"columns": "3"}, "columns"),
        ({"full_coverage": True}, "full_coverage"),
        ({"blocked": 3}, "blocked"),
        ({"blocked": [[0]]}, r"blocked\[0\]"),
        ({"blocked": [[7, 7]]}, "inside 3 x 3"),
        ({"pairs": []}, "pairs"),
        ({"pairs": [{}]}, r"pairs\[0\]"),
        ({"pairs": [PAIR | {"b": [3, 0]}]}, r"pairs\[0\].b: got \(3, 0\)"),
        ({"pairs": [PAIR | {"b": [0, 0]}]}, r"taken by pairs\[0\].a"),
        ({"pairs": [PAIR, {"color": "red", "a": [1, 0], "b": [2, 0]}]}, "red more than once"),
        ({"blocked": [[0, 2]]}, "taken by blocked"),
    ],
)
def test_malformed_layout_names_the_field(change, message):
    with pytest.raises(LevelError, match=message):
        parse_layout({"rows": 3, "columns": 3, "pairs": [PAIR]} | change)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"paths": [[], []]},
        {"paths": [[]], "active": None},
        {"paths": [[], []], "active": 0},
        {"paths": [[], []], "active": True},
        {"paths": [[[0, 0]], []], "active": None},
        {"paths": [[[0, 0], [0, 2]], []], "active": 0},
        {"paths": [[[0, 0], [1, 0], [2, 0]], []], "active": 0},
        {"paths": [[[2, 0], [1, 0], [0, 0]], []], "active": None},
        {"paths": [[[0, 3]], []], "active": 0},
        {"paths": [[[0, 1]], []], "active": 0},
        {"paths": [[[0, 0], [0, 1], [1, 1]], []], "active": 0},
        {"paths": ["x", []], "active": None},
    ],
)
def test_state_that_no_clicks_can_draw_is_refused(data):
    with pytest.raises(ValueError, match=r"state|path"):
        GAME.state_from_json(LAYOUT, data)
