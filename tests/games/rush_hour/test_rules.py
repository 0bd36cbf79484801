import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import IllegalMove
from games.rush_hour.layout import Slide
from games.rush_hour.rules import (
    initial_state,
    is_won,
    legal_moves,
    move_from_json,
    occupied,
    state_from_json,
    state_to_json,
    step,
)

from .boards import board, drawn, layout

START = (
    "aa...b",
    "...#.b",
    "TT.c.b",
    "...c..",
    "ddd...",
)


def test_a_vehicle_slides_any_number_of_cells_up_to_the_first_obstacle() -> None:
    moves = set(legal_moves(board(*START)))
    assert moves == {
        *(Slide(0, k) for k in (1, 2, 3)),  # aa, then b is in the way
        *(Slide(1, k) for k in (1, 2)),  # b
        Slide(2, 1),  # the target, then c is in the way
        Slide(3, 1),  # c: the bush is above, the edge below
        *(Slide(4, k) for k in (1, 2, 3)),
    }


def test_a_slide_moves_one_vehicle_and_leaves_the_state_before_alone() -> None:
    before = board(*START)
    after = step(before, Slide(1, 2))
    assert drawn(after) == ["00....", "...#..", "TT.3.1", "...3.1", "444..1"]
    assert drawn(before) == ["00...1", "...#.1", "TT.3.1", "...3..", "444..."]


def test_a_move_is_taken_back_by_its_opposite() -> None:
    before = board(*START)
    assert step(step(before, Slide(4, 3)), Slide(4, -3)) == before


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Slide(2, 2), "vehicle 2 by 2"),
        (Slide(0, -1), "vehicle 0 by -1"),
        (Slide(3, -1), "vehicle 3 by -1"),
        (Slide(0, 0), "no distance"),
        (Slide(9, 1), "no such vehicle"),
        (Slide(-1, 1), "no such vehicle"),
    ],
)
def test_an_illegal_slide_is_refused_with_its_reason(move: Slide, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        step(board(*START), move)


def test_the_level_is_won_when_the_target_touches_the_right_side() -> None:
    state = step(board("....", "TT..", "...."), Slide(0, 1))
    assert not is_won(state)
    state = step(state, Slide(0, 1))
    assert is_won(state)
    assert legal_moves(state) == ()
    with pytest.raises(IllegalMove, match="complete"):
        step(state, Slide(0, -1))


def test_another_vehicle_at_the_right_side_wins_nothing() -> None:
    assert not is_won(step(board("aa..", "TT..", "...."), Slide(0, 2)))


@given(st.data())
def test_random_play_keeps_vehicles_apart_and_reads_back(data: st.DataObject) -> None:
    state = board(*START)
    covered = len(occupied(state))
    for _ in range(data.draw(st.integers(0, 12))):
        moves = legal_moves(state)
        if not moves:
            assert is_won(state)
            break
        after = step(state, data.draw(st.sampled_from(moves)))
        assert after != state
        assert len(occupied(after)) == covered
        state = after
    assert state_from_json(state.layout, state_to_json(state)) == state


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"at": [0, 0, 0, 2, 0], "more": 1},
        {"at": [0, 0, 0, 2]},
        {"at": [0, 0, 0, 2, "0"]},
        {"at": [0, 0, 0, 2, True]},
        {"at": [0, 0, 5, 2, 0]},  # outside
        {"at": [0, 0, 3, 2, 0]},  # on c
        {"at": [0, 0, 0, 0, 0]},  # c on the bush
    ],
)
def test_a_state_that_cannot_be_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="at"):
        state_from_json(layout(*START), data)


@pytest.mark.parametrize("data", ["up", [1], [1, 2, 3], [1, "2"], None, [1, 1.0], [True, 1]])
def test_a_move_that_is_none_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="wanted"):
        move_from_json(data)


def test_states_of_two_layouts_differ_even_where_the_coordinates_agree() -> None:
    one, two = board("TT..", "....", "...."), board("TT..", "....", "...#")
    assert one.at == two.at
    assert one != two
    assert initial_state(one.layout) == one
