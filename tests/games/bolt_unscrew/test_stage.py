import json
import math

import numpy as np
import pytest

from games.bolt_unscrew.game import GAME
from games.bolt_unscrew.place import pixels, units
from games.bolt_unscrew.rules import Move
from games.bolt_unscrew.stage import gestures, react, scene
from games.contract import BOARD, Drag, KeyPress, Table, Tap

BAR = {"shape": "strip", "x": 270, "y": 420, "length": 240, "width": 56, "layer": 1, "colour": "oak"}


def table(anchors, boards, held=None):
    """Return a table of anchors [(x, y, has a screw)] and boards."""
    layout = {
        "anchors": [{"x": x, "y": y, "screw": screw} for x, y, screw in anchors],
        "boards": boards,
    }
    return Table(GAME.initial_state(GAME.parse_layout(layout)), held)


def simple(held=None):
    """Return a bar on two screws; hole 2 is free, hole 3 half under the bar's edge, hole 4 wholly under it."""
    anchors = [(180, 420, True), (360, 420, True), (270, 200, False), (300, 450, False), (270, 420, False)]
    return table(anchors, [{**BAR, "holes": [[-90, 0], [90, 0]]}], held)


def tap(x, y):
    return Tap(*pixels((x, y)))


def note(reaction):
    return None if reaction.note is None else reaction.note.key


def test_pixels_and_units_are_inverse():
    for place in ((20, 120), (520, 820), (270, 470)):
        assert units(*pixels(place)) == pytest.approx(place, abs=0.01)
        assert BOARD.contains(*pixels(place))


def test_a_tap_lifts_a_screw_and_a_second_puts_it_back():
    lifted = react(simple(), tap(180, 420))
    assert (lifted.held, lifted.move, note(lifted)) == (0, None, "lifted")
    back = react(simple(held=0), tap(185, 415))
    assert (back.held, back.move, note(back)) == (None, None, "put_down")


def test_a_tap_on_another_screw_exchanges_it():
    assert react(simple(held=0), tap(360, 420)).held == 1


def test_a_lifted_screw_goes_into_a_free_hole():
    reaction = react(simple(held=1), tap(275, 210))
    assert (reaction.move, reaction.held, reaction.note) == (Move(1, 2), None, None)
    assert reaction.motion["duration_ms"] > 0
    assert [turn["board"] for turn in reaction.motion["turns"]] == [0]


def test_a_hole_without_a_lifted_screw_says_what_is_missing():
    reaction = react(simple(), tap(270, 200))
    assert (reaction.move, reaction.held, note(reaction)) == (None, None, "lift_first")


def test_a_partly_covered_hole_refuses_and_keeps_the_screw_in_the_hand():
    reaction = react(simple(held=0), tap(300, 459))
    assert (reaction.move, reaction.held, note(reaction)) == (None, 0, "hole_covered")


def test_wood_over_a_hidden_hole_answers_like_any_wood():
    for place in ((270, 420), (230, 420)):
        assert note(react(simple(held=0), tap(*place))) == "back_from_wood"
        assert note(react(simple(), tap(*place))) == "nothing_on_wood"
    assert react(simple(held=0), tap(270, 420)) == react(simple(held=0), tap(230, 420))


def test_the_plain_plate_puts_a_screw_back():
    reaction = react(simple(held=0), tap(450, 700))
    assert (reaction.held, note(reaction)) == (None, "back_from_plate")
    assert note(react(simple(), tap(450, 700))) == "nothing_on_plate"


def test_escape_puts_the_screw_back_and_drags_do_nothing():
    assert react(simple(held=0), KeyPress("Escape")).held is None
    assert react(simple(held=0), KeyPress("a")).held == 0
    preview = react(simple(held=0), Drag(460, 300, 500, 300, finished=False))
    assert (preview.held, preview.note) == (0, None)
    assert note(react(simple(held=0), Drag(460, 300, 500, 300))) == "click_only"


def test_hidden_holes_are_not_in_the_scene():
    found = scene(simple())
    assert {hole["id"]: hole["whole"] for hole in found["holes"]} == {2: True, 3: False}
    assert found["boards"][0]["holes"] == []  # both are under screw heads


def test_a_lifted_screw_uncovers_its_holes():
    found = scene(simple(held=0))
    assert {hole["id"] for hole in found["holes"]} == {0, 2, 3}
    assert found["boards"][0]["holes"] == [[pytest.approx(-90 * found["unit"]), 0.0]]
    assert [screw["lifted"] for screw in found["screws"]] == [True, False]


def test_a_board_wholly_under_another_is_not_in_the_scene():
    disc = {"shape": "disc", "x": 270, "y": 420, "radius": 25, "holes": [[0, 0]], "layer": 0, "colour": "pine"}
    anchors = [(180, 420, True), (360, 420, True), (270, 420, True), (270, 200, False)]
    strip = {**BAR, "holes": [[-90, 0], [90, 0], [0, 0]]}
    assert [board["id"] for board in scene(table(anchors, [disc, strip]))["boards"]] == [1]
    large = {**disc, "radius": 60}
    assert [board["id"] for board in scene(table(anchors, [large, strip]))["boards"]] == [0, 1]


def test_boards_come_from_the_back_to_the_front():
    low = {**BAR, "holes": [[-90, 0], [90, 0]], "layer": 5}
    high = {**BAR, "width": 100, "holes": [[-90, 0], [90, 0]], "layer": 2}
    anchors = [(180, 420, True), (360, 420, True), (270, 200, False)]
    assert [board["id"] for board in scene(table(anchors, [low, high]))["boards"]] == [1, 0]


def walk(level, seed, steps=16):
    """Yield the states of a random game."""
    rng = np.random.default_rng(seed)
    state = GAME.initial_state(level)
    for _ in range(steps):
        yield state
        moves = GAME.legal_moves(state)
        if not moves:
            return
        state = GAME.step(state, moves[rng.integers(len(moves))])


def levels():
    from games.catalogue import load_catalogue

    catalogue = load_catalogue()
    return [catalogue.layout(entry.id) for entry in catalogue.entries if entry.id.game == "bolt_unscrew"]


def test_the_sight_sees_exactly_the_legal_moves_on_all_our_levels():
    for seed, level in enumerate(levels()):
        for state in walk(level, seed):
            options = GAME.options(scene(Table(state)))
            assert [tuple(option.move) for option in options] == [tuple(move) for move in GAME.legal_moves(state)]
            assert all(0 <= option.appeal <= 1 for option in options)


def test_gestures_perform_every_legal_move_whatever_is_in_the_hand():
    for seed, level in enumerate(levels()):
        for state in list(walk(level, seed))[::8]:
            for move in GAME.legal_moves(state)[::17]:
                for held in (None, move.source, state.screws[0]):
                    assert performed(Table(state, held), gestures(Table(state, held), move)) == move


def performed(start, taps):
    *first, last = taps
    held = start.held
    for one in first:
        held = react(Table(start.state, held), Tap(round(one.x), round(one.y))).held
    return react(Table(start.state, held), Tap(round(last.x), round(last.y))).move


def test_a_screw_that_alone_holds_a_board_appeals_more():
    anchors = [(180, 420, True), (360, 420, True), (270, 200, False), (100, 700, True)]
    lone = {"shape": "disc", "x": 100, "y": 700, "radius": 60, "holes": [[0, 0]], "layer": 1, "colour": "pine"}
    options = GAME.options(scene(table(anchors, [{**BAR, "holes": [[-90, 0], [90, 0]]}, lone])))
    best = max(options, key=lambda option: option.appeal)
    assert best.move == [3, 2]


def test_scenes_and_motions_are_json_and_the_motion_ends_at_the_scene():
    """A turn, taken back from the new scene by its sweep about its pivot, gives the old place of the board."""
    for seed, level in enumerate(levels()[1::5]):
        for state in walk(level, seed):
            for move in GAME.legal_moves(state)[:3]:
                motion = react(Table(state, move.source), gestures(Table(state, move.source), move)[-1]).motion
                json.dumps([motion, scene(Table(state))], allow_nan=False)
                check_turns(state, move, motion)


def check_turns(state, move, motion):
    after = GAME.step(state, move)
    for turn in motion["turns"]:
        old, new = state.poses[turn["board"]], after.poses[turn["board"]]
        px, py = turn["pivot"]
        x, y = pixels(new.centre)
        cosine, sine = math.cos(-turn["sweep"]), math.sin(-turn["sweep"])
        back = px + cosine * (x - px) - sine * (y - py), py + sine * (x - px) + cosine * (y - py)
        assert back == pytest.approx(pixels(old.centre), abs=0.05)
    gone = {index for index, pose in enumerate(after.poses) if pose is None and state.poses[index] is not None}
    assert {board["id"] for board in motion["falls"]} == gone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_note_has_a_text(language):
    texts = GAME.texts(language)
    keys = {"lifted", "put_down", "lift_first", "hole_covered", "click_only"}
    keys |= {f"{way}_{where}" for way in ("nothing_on", "back_from") for where in ("wood", "plate")}
    assert set(texts["notes"]) == keys
    assert set(texts["difficulties"]) == set(GAME.difficulties)
    assert len(texts["instructions"]) == 7
