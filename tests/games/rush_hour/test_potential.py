from dataclasses import replace

import pytest

from games.rush_hour.layout import Slide
from games.rush_hour.potential import potential
from games.rush_hour.rules import initial_state, step

from .boards import layout

ROWS = ("...bc", "TT.bc", "..#..", ".....")
B, C, T = 0, 1, 2
WAY = (Slide(B, 2), Slide(C, 2), Slide(T, 3))


def test_without_reference_path_it_is_blockers_gone_and_target_advanced() -> None:
    state = initial_state(layout(*ROWS))
    assert potential(state) == 0
    state = step(state, Slide(B, 2))
    assert potential(state) == pytest.approx(0.7 * 1 / 2)
    state = step(state, Slide(C, 2))
    assert potential(state) == pytest.approx(0.7)
    state = step(state, Slide(T, 1))
    assert potential(state) == pytest.approx(0.7 + 0.3 * 1 / 3)
    assert potential(step(state, Slide(T, 2))) == 1.0


def test_with_reference_path_it_is_distance_to_it_and_structure() -> None:
    state = initial_state(replace(layout(*ROWS), reference=WAY))
    assert potential(state) == 0
    state = step(state, WAY[0])
    assert potential(state) == pytest.approx(0.8 * 1 / 3 + 0.2 * 0.7 / 2)
    state = step(state, WAY[1])
    assert potential(state) == pytest.approx(0.8 * 2 / 3 + 0.2 * 0.7)
    assert potential(step(state, WAY[2])) == 1.0


def test_a_detour_lowers_it_and_the_way_back_restores_it() -> None:
    state = step(initial_state(replace(layout(*ROWS), reference=WAY)), WAY[0])
    away = step(state, Slide(B, -1))
    assert potential(away) < potential(state)
    assert potential(step(away, Slide(B, 1))) == potential(state)


def test_unfinished_boards_stay_below_one() -> None:
    state = initial_state(layout("......", "TT....", "......"))
    assert potential(step(state, Slide(0, 3))) == pytest.approx(0.7 + 0.3 * 3 / 4)
    assert potential(step(state, Slide(0, 4))) == 1.0
