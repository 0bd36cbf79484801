"""Truck Escape on the screen: taps, bumps, and what the sight reads."""

from __future__ import annotations

import json

import numpy as np
import pytest

from games.contract import BOARD, Drag, KeyPress, Table, Tap
from games.truck_escape.game import GAME

LAYOUT = GAME.parse_layout(
    {
        "rows": 4,
        "columns": 6,
        "trucks": [
            {"row": 0, "column": 0, "direction": "right"},
            {"row": 1, "column": 4, "direction": "up"},
            {"row": 3, "column": 3, "direction": "left", "length": 3},
            {"row": 1, "column": 1, "direction": "down"},
        ],
    }
)
START = Table(GAME.initial_state(LAYOUT))


def tap_on_cell(row: int, column: int) -> Tap:
    frame = GAME.scene(START)["frame"]
    return Tap(frame["x"] + (column + 0.5) * frame["tile"], frame["y"] + (row + 0.5) * frame["tile"])


def test_own_gestures_make_the_move_and_options_are_the_legal_moves():
    rng = np.random.default_rng(5)
    for _ in range(20):
        state = START.state
        while True:
            table = Table(state)
            legal = GAME.legal_moves(state)
            options = GAME.options(json.loads(json.dumps(GAME.scene(table))))
            assert sorted(tuple(option.move) for option in options) == sorted(legal)
            for option in options:
                assert option.gestures == GAME.gestures(table, tuple(option.move))
                assert [GAME.react(table, gesture).move for gesture in option.gestures] == [tuple(option.move)]
                assert 0 <= option.appeal <= 1
            if not legal:
                break
            state = GAME.step(state, legal[int(rng.integers(len(legal)))])
        assert GAME.is_won(state)


@pytest.mark.parametrize("cell", [(3, 3), (3, 2), (3, 1)])
def test_every_cell_of_a_vehicle_can_be_tapped(cell):
    assert GAME.react(START, tap_on_cell(*cell)).move == (3, 3)


def test_a_blocked_vehicle_bumps_and_says_so():
    reaction = GAME.react(START, tap_on_cell(0, 0))
    assert reaction.move is None
    assert reaction.note is not None
    assert (reaction.note.key, reaction.note.tone) == ("blocked", "mistake")
    assert reaction.motion is not None
    assert (reaction.motion["tail"], reaction.motion["hit"], reaction.motion["gap"]) == ([0, 0], [1, 4], 2)


@pytest.mark.parametrize(
    ("gesture", "note"), [(tap_on_cell(2, 0), "empty"), (Tap(45, 100), "empty"), (Drag(400, 400, 500, 400), "drag")]
)
def test_mistakes_are_explained(gesture, note):
    reaction = GAME.react(START, gesture)
    assert reaction.move is None
    assert reaction.note is not None
    assert reaction.note.key == note
    for language in ("en", "zh"):
        assert GAME.texts(language)["notes"][note]


@pytest.mark.parametrize(
    "gesture", [Tap(0, 0), Tap(1280, 900), Tap(39.9, 500), KeyPress("Enter"), Drag(400, 400, 500, 400, finished=False)]
)
def test_what_is_not_meant_for_the_board_is_harmless(gesture):
    reaction = GAME.react(START, gesture)
    assert (reaction.move, reaction.note, reaction.motion) == (None, None, None)


def test_frame_and_street_lie_inside_the_board():
    for rows, columns in ((4, 6), (10, 9), (2, 12)):
        layout = GAME.parse_layout(
            {"rows": rows, "columns": columns, "trucks": [{"row": 0, "column": 0, "direction": "right"}]}
        )
        frame = GAME.scene(Table(GAME.initial_state(layout)))["frame"]
        assert BOARD.contains(frame["x"] - 50, frame["y"] - 50)
        assert BOARD.contains(frame["x"] + columns * frame["tile"] + 50, frame["y"] + rows * frame["tile"] + 50)


def test_scene_lists_vehicles_in_reading_order():
    tails = [vehicle["tail"] for vehicle in GAME.scene(START)["vehicles"]]
    assert tails == sorted(tails)
