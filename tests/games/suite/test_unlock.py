"""Which levels the menu opens: all, or in order those that are won and the first that is not."""

import pytest

from games.catalogue import load_catalogue
from games.contract import LevelId, Tap
from games.suite.controls import controls_of
from games.suite.session import SuiteSession
from games.suite.state import SuiteState

CATALOGUE = load_catalogue()


def open_numbers(unlock: str, won: list[int]) -> list[int]:
    levels = tuple(LevelId("maze_paint", "easy", number) for number in won)
    state = SuiteState(unlock=unlock, screen="levels", game="maze_paint", difficulty="easy", won_levels=levels)
    return [int(one.label) for one in controls_of(CATALOGUE, state) if one.id.startswith("level:") and one.enabled]


@pytest.mark.parametrize(
    ("unlock", "won", "wanted"),
    [
        ("all", [], list(range(1, 11))),
        ("in_order", [], [1]),
        ("in_order", [1], [1, 2]),
        ("in_order", [1, 2, 3], [1, 2, 3, 4]),
        ("in_order", [2], [1]),
        ("in_order", list(range(1, 11)), list(range(1, 11))),
    ],
)
def test_the_first_level_that_is_not_won_is_the_last_open_one(unlock, won, wanted):
    assert open_numbers(unlock, won) == wanted


def test_a_locked_level_does_not_open():
    session = SuiteSession(CATALOGUE, unlock="in_order")
    for control_id in ("game:maze_paint", "difficulty:easy", "level:2", "level:1"):
        x, y, width, height = next(c["rect"] for c in session.picture()["controls"] if c["id"] == control_id)
        session.gesture(Tap(x + width / 2, y + height / 2))
        if control_id == "level:2":
            assert session.snapshot().screen == "levels"
    assert session.snapshot().level == LevelId("maze_paint", "easy", 1)


def test_another_order_is_refused():
    with pytest.raises(ValueError, match="unlock: wanted one of all, in_order, got 'some'"):
        SuiteSession(CATALOGUE, unlock="some")
