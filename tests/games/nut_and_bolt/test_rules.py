import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import IllegalMove, LevelError
from games.nut_and_bolt.layout import Transfer, layout_to_json, parse_layout
from games.nut_and_bolt.rules import (
    is_won,
    legal_moves,
    move_from_json,
    potential,
    state_from_json,
    state_to_json,
    step,
)

from .boards import board, drawn

GAPS = str.maketrans("", "", " -")
START = "rbb yrb yyr - -"


def test_the_top_run_moves_onto_an_empty_bolt_or_a_matching_nut() -> None:
    state = board("rb bby yrr - y", 4)
    assert drawn(step(state, Transfer(2, 3))) == "rb bby y rr y"
    assert drawn(step(state, Transfer(1, 4))) == "rb bb yrr - yy"
    assert drawn(state) == "rb bby yrr - y"


def test_only_as_many_nuts_move_as_fit() -> None:
    state = board("rbbb yyb brrr y -", 4)
    assert drawn(step(state, Transfer(0, 1))) == "rbb yybb brrr y -"
    assert Transfer(1, 0) not in legal_moves(state)


def test_all_transfers_of_a_small_board() -> None:
    assert set(legal_moves(board(START, 3))) == {
        *(Transfer(source, empty) for source in (0, 1, 2) for empty in (3, 4)),
    }
    # An equal top is no destination once its bolt is full; a bolt of one colour may still change places.
    assert set(legal_moves(board("rr rbb b -", 3))) == {
        Transfer(0, 3),
        Transfer(1, 2),
        Transfer(1, 3),
        Transfer(2, 3),
    }


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Transfer(3, 0), "no nut fits"),
        (Transfer(0, 2), "no nut fits"),
        (Transfer(0, 0), "no nut fits"),
        (Transfer(0, 5), "there are bolts 0 to 4"),
        (Transfer(-1, 3), "there are bolts 0 to 4"),
    ],
)
def test_an_illegal_transfer_is_refused(move: Transfer, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        step(board(START, 3), move)


def test_won_means_every_bolt_with_nuts_is_full_and_of_one_colour() -> None:
    assert is_won(board("rrr - bbb", 3))
    assert not is_won(board("rr r bbb", 3))
    assert not is_won(board("rrb bbr -", 3))
    won = step(board("rr r bbb", 3), Transfer(1, 0))
    assert legal_moves(won) == ()
    with pytest.raises(IllegalMove, match="complete"):
        step(won, Transfer(0, 1))


def test_a_board_without_moves_is_not_won() -> None:
    stuck = board("rbr brb", 3)
    assert legal_moves(stuck) == ()
    assert not is_won(stuck)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rbb yrb yyr - -", 0),
        ("rbb yr yyr b -", 1 / 9),
        ("rrr yb yyb b -", (3 + 1) / 9),
        ("rr yyb r bb y", (2 + 2 + 1) / 9),
        ("rrr yyy bbb - -", 1),
    ],
)
def test_potential_counts_the_largest_pure_stack_of_each_colour(text: str, expected: float) -> None:
    assert potential(board(text, 3)) == pytest.approx(expected)


@given(st.data())
def test_random_play_keeps_all_nuts_and_reads_back(data: st.DataObject) -> None:
    state = board("rbyg gryb bgyr ybgr - -", 4)
    for _ in range(data.draw(st.integers(0, 25))):
        moves = legal_moves(state)
        if not moves:
            break
        after = step(state, data.draw(st.sampled_from(moves)))
        assert after != state
        assert sorted(drawn(after).translate(GAPS)) == sorted(drawn(state).translate(GAPS))
        state = after
    assert state_from_json(state.layout, state_to_json(state)) == state
    assert 0 <= potential(state) <= 1
    assert (potential(state) == 1) == is_won(state)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"bolts": [], "more": 1},
        {"bolts": "none"},
        {"bolts": [["red"], []]},
        {"bolts": [["red", "blue", "blue"], ["yellow", "red", "blue"], ["yellow", "yellow", "blue"], [], []]},
        {"bolts": [["red", "blue", "blue", "blue"], ["yellow", "red"], ["yellow", "yellow", "red"], [], []]},
        {"bolts": [["red", "blue", "blue"], ["yellow", "red", "sky"], ["yellow", "yellow", "red"], [], []]},
    ],
)
def test_a_state_that_cannot_be_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="bolts"):
        state_from_json(board(START, 3).layout, data)


@pytest.mark.parametrize("data", ["up", [1], [1, 2, 3], [1, "2"], None, [True, 1]])
def test_a_move_that_is_none_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="wanted"):
        move_from_json(data)


def test_a_layout_reads_back() -> None:
    layout = board(START, 3).layout
    assert parse_layout(layout_to_json(layout)) == layout
    assert layout.colours == ("red", "blue", "yellow")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"capacity": 1, "bolts": []}, "capacity: got 1"),
        ({"capacity": "3", "bolts": []}, "capacity: got '3'"),
        ({"capacity": 2}, "bolts: got None"),
        ({"capacity": 2, "bolts": [["red"], "red"]}, r"bolts\[1\]: got 'red'"),
        ({"capacity": 2, "bolts": [["red", "red", "red"], []]}, r"bolts\[0\]: got .* at most 2"),
        ({"capacity": 2, "bolts": [["red", 7], []]}, r"bolts\[0\]\[1\]: got 7, wanted a colour's name"),
        ({"capacity": 3, "bolts": [["red", "red"], []]}, "2 nuts are red, wanted 3"),
        ({"capacity": 2, "bolts": [["red", "red"], []]}, "sorted before the first move"),
    ],
)
def test_a_malformed_layout_is_refused_by_field(data: dict[str, object], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        parse_layout(data)
