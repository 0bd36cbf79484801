"""Maze Paint rules: golden boards, the JSON forms, and what always holds."""

from __future__ import annotations

import numpy as np
import pytest

from games.contract import IllegalMove, LevelError
from games.maze_paint.game import GAME
from games.maze_paint.layout import parse_layout
from games.maze_paint.rules import State, initial_state, is_won, legal_moves, potential, step

BOARD = ["####..", "S.....", "..#..."]


def start(rows: list[str]) -> State:
    return initial_state(parse_layout({"rows": rows}))


def drawn(state: State) -> list[str]:
    """`o` ball, `x` painted."""
    marks = dict.fromkeys(state.painted, "x") | {state.ball: "o"}
    return ["".join(marks.get((r, c), m) for c, m in enumerate(row)) for r, row in enumerate(state.layout.rows)]


def test_swipe_paints_up_to_the_edge_and_the_wall():
    state = step(start([*BOARD]), "right")
    assert drawn(state) == ["####..", "xxxxxo", "..#..."]
    state = step(state, "down")
    state = step(state, "left")
    assert [row.replace("S", ".") for row in drawn(state)] == ["####..", "xxxxxx", "..#oxx"]


def test_no_move_into_a_wall():
    assert legal_moves(start(BOARD)) == ("right", "down")
    with pytest.raises(IllegalMove):
        step(start(BOARD), "up")
    with pytest.raises(IllegalMove):
        step(start(BOARD), "sideways")


def test_potential_leaves_out_the_start_cell():
    state = start(["S..", "##."])
    assert potential(state) == 0.0
    state = step(state, "right")
    assert potential(state) == pytest.approx(2 / 3)
    state = step(state, "down")
    assert potential(state) == 1.0
    assert is_won(state)


def test_nothing_moves_once_won():
    state = step(start(["S.."]), "right")
    assert legal_moves(state) == ()
    with pytest.raises(IllegalMove):
        step(state, "left")


def test_random_play_changes_the_state_and_never_loses_paint():
    rng = np.random.default_rng(0)
    state = start(["..#...", "......", "S##..#", "......"])
    for _ in range(200):
        moves = legal_moves(state)
        if not moves:
            break
        after = step(state, moves[int(rng.integers(len(moves)))])
        assert after != state
        assert after.painted >= state.painted
        assert GAME.state_from_json(state.layout, GAME.state_to_json(after)) == after
        assert hash(GAME.state_from_json(state.layout, GAME.state_to_json(after))) == hash(after)
        state = after


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"ball": [0, 0], "painted": ["x.."]},
        {"ball": [0, 0], "painted": ["...", "..."]},
        {"ball": [0, 2], "painted": ["x..", "..."]},
        {"ball": [0, 0], "painted": ["x..", "x.."]},
        {"ball": [0.0, 0], "painted": ["x..", "..."]},
        {"ball": [0, 0], "painted": ["x..", "..."], "more": 1},
    ],
)
def test_state_of_another_form_is_refused(data):
    layout = parse_layout({"rows": ["S..", "##."]})
    with pytest.raises(ValueError, match="state"):
        GAME.state_from_json(layout, data)


@pytest.mark.parametrize("data", ["north", 3, None, ["up"]])
def test_move_of_another_form_is_refused(data):
    with pytest.raises(ValueError, match="move"):
        GAME.move_from_json(data)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "rows: got None"),
        ([], "non-empty"),
        (["S.", "..."], "lengths"),
        (["S.x"], "'x'"),
        (["..."], "got 0 start"),
        (["S.S"], "got 2 start"),
        (["S##"], "no cell to paint"),
        (["S" + "." * 40], "sides"),
    ],
)
def test_malformed_layout_names_the_field(rows, message):
    with pytest.raises(LevelError, match=message):
        parse_layout({"rows": rows})
