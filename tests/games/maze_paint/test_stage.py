"""Maze Paint on the screen: swipes, keys, mistakes, and what the sight reads."""

from __future__ import annotations

import json

import numpy as np
import pytest

from games.contract import BOARD, Drag, KeyPress, Table, Tap
from games.maze_paint.game import GAME

LAYOUT = GAME.parse_layout({"rows": ["####..", "S.....", "..#..."]})
START = Table(GAME.initial_state(LAYOUT))


def walk(steps: int, seed: int) -> list[Table]:
    """Tables of a random walk from the start."""
    rng = np.random.default_rng(seed)
    state, tables = START.state, [START]
    for _ in range(steps):
        moves = GAME.legal_moves(state)
        if not moves:
            break
        state = GAME.step(state, moves[int(rng.integers(len(moves)))])
        tables.append(Table(state))
    return tables


def test_own_gestures_make_the_move_and_options_are_the_legal_moves():
    for table in walk(60, seed=3):
        legal = GAME.legal_moves(table.state)
        options = GAME.options(json.loads(json.dumps(GAME.scene(table))))
        assert tuple(option.move for option in options) == legal
        for move, option in zip(legal, options, strict=True):
            assert option.gestures == GAME.gestures(table, move)
            assert [GAME.react(table, gesture).move for gesture in option.gestures] == [move]
            assert 0 <= option.appeal <= 1


@pytest.mark.parametrize(
    ("gesture", "move"),
    [
        (KeyPress("ArrowRight"), "right"),
        (KeyPress("ArrowDown"), "down"),
        (KeyPress("a"), None),
        (Drag(100, 200, 300, 240), "right"),
        (Drag(300, 200, 320, 500), "down"),
        (Drag(60, 120, 61, 900), "down"),
        (Drag(100, 200, 300, 240, finished=False), None),
        (Drag(0, 0, 300, 40), None),
    ],
)
def test_swipes_and_keys(gesture, move):
    assert GAME.react(START, gesture).move == move


@pytest.mark.parametrize(
    ("gesture", "note"),
    [
        (KeyPress("ArrowUp"), "blocked"),
        (Drag(300, 500, 300, 200), "blocked"),
        (Drag(300, 300, 400, 400), "diagonal"),
        (Drag(300, 300, 300, 300), "tap"),
        (Tap(300, 300), "tap"),
    ],
)
def test_mistakes_are_explained(gesture, note):
    reaction = GAME.react(START, gesture)
    assert reaction.move is None
    assert reaction.note is not None
    assert (reaction.note.key, reaction.note.tone) == (note, "mistake")
    for language in ("en", "zh"):
        assert GAME.texts(language)["notes"][note].format(**reaction.note.values)


def test_taps_at_the_edges_of_the_viewport_are_harmless():
    for x in (0, 39.9, 1279, 1280):
        for y in (0, 95.9, 899, 900):
            assert GAME.react(START, Tap(x, y)).note is None


def test_nothing_reacts_once_won():
    layout = GAME.parse_layout({"rows": ["S.."]})
    won = Table(GAME.step(GAME.initial_state(layout), "right"))
    assert GAME.react(won, KeyPress("ArrowLeft")).move is None
    assert GAME.options(GAME.scene(won)) == ()


def test_motion_says_what_was_painted():
    motion = GAME.react(START, KeyPress("ArrowRight")).motion
    assert motion is not None
    assert motion["from"] == [1, 0]
    assert motion["fresh"] == [[1, c] for c in range(1, 6)]


def test_frame_lies_inside_the_board():
    frame = GAME.scene(START)["frame"]
    assert BOARD.contains(frame["x"], frame["y"])
    assert BOARD.contains(frame["x"] + 6 * frame["tile"], frame["y"] + 3 * frame["tile"])
