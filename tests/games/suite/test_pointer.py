import pytest

from games.contract import Drag, KeyPress, Tap
from games.suite.pointer import MalformedEvent, PointerAssembler


def feed(*events):
    assembler = PointerAssembler()
    return [assembler.feed({"type": kind, "x": x, "y": y}) for kind, x, y in events]


def test_press_and_release_at_one_place_is_a_tap_where_it_began():
    assert feed(("down", 100, 50), ("move", 104, 52), ("up", 105, 53)) == [None, None, Tap(100, 50)]


def test_a_movement_of_eight_pixels_is_a_drag_with_previews():
    found = feed(("down", 100, 50), ("move", 107, 50), ("move", 108, 50), ("move", 150, 60), ("up", 160, 60))
    assert found == [
        None,
        None,
        Drag(100, 50, 108, 50, finished=False),
        Drag(100, 50, 150, 60, finished=False),
        Drag(100, 50, 160, 60),
    ]


def test_a_drag_that_comes_back_stays_a_drag():
    assert feed(("down", 9, 9), ("move", 90, 9), ("up", 9, 9))[-1] == Drag(9, 9, 9, 9)


def test_a_cancelled_drag_ends_where_it_began():
    assert feed(("down", 9, 9), ("move", 90, 9), ("cancel", 90, 9))[-1] == Drag(9, 9, 9, 9)


def test_a_release_without_a_press_is_nothing():
    assert feed(("move", 3, 3), ("up", 3, 3)) == [None, None]


@pytest.mark.parametrize(
    ("key", "gesture"),
    [("a", KeyPress("a")), ("Q", KeyPress("q")), ("ArrowUp", KeyPress("ArrowUp")), ("F5", None), ("é", None)],
)
def test_only_keys_of_the_action_set_are_gestures(key, gesture):
    assert PointerAssembler().feed({"type": "key", "key": key}) == gesture


@pytest.mark.parametrize(
    "event",
    [
        [],
        {"type": "hover", "x": 1, "y": 1},
        {"type": "down", "x": "1", "y": 1},
        {"type": "down", "x": float("nan"), "y": 1},
        {"type": "down", "x": True, "y": 1},
        {"type": "up", "x": 1e9, "y": 1},
        {"type": "key"},
    ],
)
def test_what_is_not_an_event_is_refused(event):
    with pytest.raises(MalformedEvent):
        PointerAssembler().feed(event)
