import pytest

from games.contract import BOARD, Drag, Gesture, KeyPress, Reaction, Table, Tap
from games.nut_and_bolt.game import GAME
from games.nut_and_bolt.layout import COLOURS, Layout, Transfer
from games.nut_and_bolt.rules import initial_state, legal_moves
from games.nut_and_bolt.sight import options
from games.nut_and_bolt.stage import gestures, nut_size, react, scene, slots

from .boards import board

STATE = board("rbb yrb yyr b -", 4)
SLOTS = slots(STATE.layout)


def tap(bolt: int) -> Tap:
    slot = SLOTS[bolt]
    return Tap(slot.x + slot.width / 2, slot.y + slot.height / 2)


def play(held: int | None, performed: tuple[Gesture, ...]) -> Reaction:
    """Return the last reaction; every gesture before it must not move anything."""
    *first, last = performed
    for gesture in first:
        reaction = react(Table(STATE, held), gesture)
        assert reaction.move is None
        held = reaction.held
    return react(Table(STATE, held), last)


@pytest.mark.parametrize("held", [None, 0, 1, 2, 3])
def test_every_transfer_has_taps_that_make_it_whatever_is_lifted(held: int | None) -> None:
    for move in legal_moves(STATE):
        reaction = play(held, gestures(Table(STATE, held), move))
        assert reaction.move == move
        assert reaction.held is None


@pytest.mark.parametrize("held", [None, 2])
def test_the_taps_that_somebody_reads_off_the_scene_do_the_same(held: int | None) -> None:
    seen = options(scene(Table(STATE, held)))
    assert {tuple(option.move) for option in seen} == set(legal_moves(STATE))
    for option in seen:
        assert play(held, option.gestures).move == Transfer(*option.move)


def test_the_first_tap_lifts_the_top_run_and_the_same_bolt_puts_it_down() -> None:
    lifted = react(Table(STATE), tap(0))
    assert lifted.held == 0
    assert [bolt["lifted"] for bolt in scene(Table(STATE, 0))["bolts"]] == [2, 0, 0, 0, 0]
    assert react(Table(STATE, 0), tap(0)).held is None


@pytest.mark.parametrize(
    ("held", "gesture", "note", "held_after"),
    [
        (None, tap(4), "empty_bolt", None),
        (0, tap(2), "other_colour", 0),
        (None, Tap(BOARD.x, BOARD.y), None, None),
        (0, Tap(BOARD.x, BOARD.y), None, 0),
        (0, KeyPress("Enter"), None, 0),
        (0, Drag(tap(0).x, tap(0).y, tap(4).x, tap(4).y), "tap_bolts", 0),
        (0, Drag(tap(0).x, tap(0).y, tap(4).x, tap(4).y, finished=False), None, 0),
    ],
)
def test_what_moves_nothing_says_why_and_keeps_the_run_lifted(
    held: int | None, gesture: Gesture, note: str | None, held_after: int | None
) -> None:
    reaction = react(Table(STATE, held), gesture)
    assert reaction.move is None
    assert reaction.held == held_after
    assert (reaction.note.key if reaction.note else None) == note


def test_a_full_bolt_of_the_same_colour_says_that_it_is_full() -> None:
    state = board("rb yyyb - rrr", 4)
    reaction = react(Table(state, 0), tap_of(state.layout, 1))
    assert reaction.note is not None
    assert (reaction.note.key, reaction.held) == ("bolt_full", 0)


def test_a_shaky_tap_is_a_tap() -> None:
    place = tap(0)
    assert react(Table(STATE), Drag(place.x, place.y, place.x + 12, place.y + 9)).held == 0


def test_a_complete_board_takes_no_taps() -> None:
    won = board("rr - bb", 2)
    assert react(Table(won), tap_of(won.layout, 0)) == Reaction()
    assert options(scene(Table(won))) == ()


@pytest.mark.parametrize(("n_bolts", "capacity"), [(2, 2), (6, 4), (7, 4), (11, 8), (13, 4), (16, 10)])
def test_bolts_of_any_level_stand_apart_inside_the_board(n_bolts: int, capacity: int) -> None:
    layout = Layout(capacity, ((),) * n_bolts)
    found = slots(layout)
    width, height = nut_size(layout)
    assert height >= 24
    assert width >= 70
    for number, slot in enumerate(found):
        assert BOARD.x <= slot.x
        assert slot.x + slot.width <= BOARD.x + BOARD.width
        assert BOARD.y <= slot.y
        assert slot.y + slot.height <= BOARD.y + BOARD.height
        assert not any(other.contains(slot.x + 1, slot.y + 1) for other in found[:number])


def test_every_colour_has_a_word_in_both_languages() -> None:
    for language in ("en", "zh"):
        words = GAME.texts(language)["words"]
        assert set(words) == set(COLOURS)
        assert len(set(words.values())) == len(COLOURS)


def test_finishing_a_colour_looks_best_and_moving_a_pure_bolt_worst() -> None:
    state = initial_state(board("rrb yyr r yyb -", 3).layout)
    appeal = {tuple(option.move): option.appeal for option in options(scene(Table(state)))}
    assert appeal[2, 4] == min(appeal.values())
    state = initial_state(board("rr r bbb -", 3).layout)
    appeal = {tuple(option.move): option.appeal for option in options(scene(Table(state)))}
    assert appeal[1, 0] == 1.0


def tap_of(layout: Layout, bolt: int) -> Tap:
    slot = slots(layout)[bolt]
    return Tap(slot.x + slot.width / 2, slot.y + slot.height / 2)
