"""Color Connect on the screen: clicks, refusals, and what the sight reads."""

from __future__ import annotations

import json
from typing import get_args

import numpy as np
import pytest

from games.color_connect.game import GAME
from games.color_connect.layout import parse_layout
from games.color_connect.rules import Refusal
from games.colours import PALETTE
from games.contract import BOARD, Drag, KeyPress, Table, Tap

LAYOUT = parse_layout(
    {
        "rows": 4,
        "columns": 5,
        "blocked": [[1, 3]],
        "pairs": [
            {"color": "red", "a": [0, 0], "b": [3, 4]},
            {"color": "blue", "a": [0, 2], "b": [3, 2]},
            {"color": "green", "a": [1, 1], "b": [3, 0]},
        ],
    }
)
START = Table(GAME.initial_state(LAYOUT))


def tap(row: int, column: int) -> Tap:
    frame = GAME.scene(START)["frame"]
    return Tap(frame["x"] + (column + 0.5) * frame["tile"], frame["y"] + (row + 0.5) * frame["tile"])


def test_options_are_the_legal_moves_and_every_cell_of_the_page_agrees():
    rng = np.random.default_rng(6)
    state = START.state
    for _ in range(300):
        table = Table(state)
        legal = GAME.legal_moves(state)
        options = GAME.options(json.loads(json.dumps(GAME.scene(table))))
        assert [tuple(option.move) for option in options] == list(legal)
        for cell in LAYOUT.cells:
            reaction = GAME.react(table, tap(*cell))
            assert reaction.move == (cell if cell in legal else None)
            assert (reaction.note is None) == (cell in legal or GAME.is_won(state))
        for option in options:
            assert option.gestures == GAME.gestures(table, tuple(option.move)) == (tap(*option.move),)
            assert 0 <= option.appeal <= 1
        state = GAME.step(state, legal[int(rng.integers(len(legal)))]) if legal else START.state


def test_every_note_has_a_text_in_both_languages():
    for language in ("en", "zh"):
        assert set(get_args(Refusal)) | {"outside", "drag"} == set(GAME.texts(language)["notes"])
        assert set(GAME.texts(language)["difficulties"]) == set(GAME.difficulties)


@pytest.mark.parametrize(
    ("gesture", "note"),
    [
        (Tap(45, 100), "outside"),
        (Drag(400, 400, 500, 400), "drag"),
        (tap(2, 2), "start_at_dot"),
        (tap(1, 3), "blocked_cell"),
    ],
)
def test_mistakes_are_explained(gesture, note):
    reaction = GAME.react(START, gesture)
    assert reaction.move is None
    assert reaction.note is not None
    assert (reaction.note.key, reaction.note.tone) == (note, "mistake")


@pytest.mark.parametrize(
    "gesture",
    [Tap(0, 0), Tap(1279, 899), KeyPress("Escape"), Drag(400, 400, 500, 400, finished=False), Drag(0, 0, 500, 400)],
)
def test_what_is_not_meant_for_the_board_is_harmless(gesture):
    reaction = GAME.react(START, gesture)
    assert (reaction.move, reaction.note, reaction.motion) == (None, None, None)


def play(*cells: tuple[int, int]) -> Table:
    state = START.state
    for cell in cells:
        state = GAME.step(state, cell)
    return Table(state)


@pytest.mark.parametrize(
    ("before", "cell", "changes"),
    [
        (((0, 2),), (2, 2), [("blue", [], [[0, 2], [1, 2], [2, 2]])]),
        (((3, 2), (1, 2)), (0, 2), [("blue", [], [[1, 2], [0, 2]])]),
        (((0, 2), (2, 2)), (1, 2), [("blue", [[1, 2], [2, 2]], [])]),
        (((0, 2), (1, 2)), (0, 0), [("red", [], [[0, 0]]), ("blue", [[0, 2], [1, 2]], [])]),
        (((0, 2), (3, 2)), (0, 2), [("blue", [[0, 2], [1, 2], [2, 2], [3, 2]], [])]),
    ],
)
def test_motion_says_what_withers_and_what_grows(before, cell, changes):
    motion = GAME.react(play(*before), tap(*cell)).motion
    assert motion is not None
    assert [(one["colour"], one["gone"], one["grown"]) for one in motion["changes"]] == changes


def test_scene_shows_the_active_path_and_stays_inside_the_board():
    scene = GAME.scene(play((0, 2), (2, 2)))
    assert scene["active"] == 1
    assert scene["paths"] == [{"pair": 1, "colour": "blue", "cells": [[0, 2], [1, 2], [2, 2]], "finished": False}]
    assert {dot["colour"] for dot in scene["dots"]} <= set(PALETTE)
    frame = scene["frame"]
    assert BOARD.contains(frame["x"] - 20, frame["y"] - 20)
    assert BOARD.contains(frame["x"] + 5 * frame["tile"] + 20, frame["y"] + 4 * frame["tile"] + 20)
