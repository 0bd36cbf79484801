"""Hand-worked cases of how a board settles: one strip of 200 x 40 with holes 80 left and right of its centre."""

import math

import pytest

from bolt_unscrew.boards import board
from games.bolt_unscrew.rules import Fall, Move, Turn, initial_state, is_won, motions, step

LEFT, RIGHT, FREE, SPARE = (120, 300), (280, 300), (450, 600), (450, 700)
STRIP = (200, 300, 0, 200, 40, (-80, 80))


def degrees(state, index=0):
    return math.degrees(state.poses[index].angle_rad) % 360


def test_two_pins_hold_a_board_as_authored():
    state = initial_state(board([LEFT, RIGHT], [FREE], STRIP))
    assert state.poses[0].centre == (200, 300)
    assert degrees(state) == 0


def test_one_pin_lets_it_hang_straight_below():
    state = step(initial_state(board([LEFT, RIGHT], [FREE], STRIP)), Move(1, 2))
    assert state.poses[0].centre == (120, 380)
    assert degrees(state) == pytest.approx(90)


def test_it_stops_at_a_peg_and_swings_on_when_the_peg_leaves():
    peg = (200, 400)
    state = step(initial_state(board([LEFT, RIGHT, peg], [FREE, SPARE], STRIP)), Move(1, 3))
    # the peg's centre is 14 + 20 below the strip's axis, which runs through the left screw
    expected = math.degrees(math.atan2(100, 80) - math.asin(34 / math.hypot(80, 100)))
    assert degrees(state) == pytest.approx(expected, abs=1e-6)
    assert degrees(step(state, Move(2, 4))) == pytest.approx(90)


def test_it_stops_at_a_peg_that_meets_its_round_end():
    peg = (120, 510)
    state = step(initial_state(board([LEFT, RIGHT, peg], [FREE], STRIP)), Move(1, 3))
    # the end's centre runs 160 around the left screw; the peg is 210 below: two sides and the angle between
    inside = math.acos((160**2 + 210**2 - 34**2) / (2 * 160 * 210)) if 210 - 160 < 34 else 0.0
    assert inside == 0.0
    assert degrees(state) == pytest.approx(90)
    nearer = step(initial_state(board([LEFT, RIGHT, (120, 490)], [FREE], STRIP)), Move(1, 3))
    inside = math.acos((160**2 + 190**2 - 34**2) / (2 * 160 * 190))
    assert degrees(nearer) == pytest.approx(90 - math.degrees(inside), abs=1e-6)


def test_without_a_pin_it_is_out_and_the_level_won():
    state = step(initial_state(board([LEFT, RIGHT], [FREE, SPARE], STRIP)), Move(0, 2))
    assert not is_won(state)
    state = step(state, Move(1, 3))
    assert state.poses == (None,)
    assert is_won(state)


def test_a_balanced_disc_stays_and_an_unbalanced_one_turns():
    balanced = board([(200, 300)], [FREE], (200, 300, None, 0, 120, (0,)))
    assert initial_state(balanced).poses[0].centre == (200, 300)
    unbalanced = board([(230, 300)], [FREE], (200, 300, None, 0, 120, (30,)))
    assert initial_state(unbalanced).poses[0].centre == pytest.approx((230, 330))


@pytest.mark.parametrize(("peg", "centre_x"), [((100, 380), 200.0), ((300, 380), None)])
def test_exactly_upright_it_falls_to_the_right(peg, centre_x):
    upright = (200, 300, 90, 200, 40, (-80, 80))
    layout = board([(200, 220), (200, 380), peg], [FREE], upright)
    state = initial_state(layout)
    after = step(state, Move(0, 3))
    if centre_x is None:
        assert after.poses[0].centre[0] > 220, "held up on the right by the peg"
    else:
        assert after.poses[0].centre == pytest.approx((200, 460)), "a peg on the left is never met"
        assert motions(state, Move(0, 3))[0].sweep_rad == pytest.approx(math.pi)


def test_it_turns_about_the_screw_where_the_hole_is_off_centre():
    layout = board([(123, 304), RIGHT], [FREE], STRIP)
    state = step(initial_state(layout), Move(1, 2))
    arm = math.hypot(200 - 123, 300 - 304)
    assert state.poses[0].centre == pytest.approx((123, 304 + arm), abs=1e-4)


def test_motions_say_what_turns_about_what_and_what_falls():
    disc = (280, 300, None, 0, 120, (0,))
    state = initial_state(board([LEFT, RIGHT], [FREE], STRIP, disc))
    turn, fall = motions(state, Move(1, 2))
    after = step(state, Move(1, 2))
    assert turn == Turn(0, 0, state.poses[0], after.poses[0], pytest.approx(math.pi / 2))
    assert fall == Fall(1, state.poses[1])


def test_a_screw_can_move_to_another_hole_of_its_board_without_dropping_it():
    hanging = (270, 450, 90, 300, 56, (-120, -60))
    state = initial_state(board([(270, 330)], [(270, 390)], hanging))
    assert step(state, Move(0, 1)).poses == state.poses
