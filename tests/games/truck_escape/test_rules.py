"""Truck Escape rules: golden boards, the JSON forms, and what always holds."""

from __future__ import annotations

import numpy as np
import pytest

from games.contract import IllegalMove, LevelError
from games.truck_escape.game import GAME
from games.truck_escape.layout import DIRECTION, layout_to_json, parse_layout
from games.truck_escape.rules import State, blocker, initial_state, is_won, legal_moves, potential, step

HEADS = {"^": "up", ">": "right", "v": "down", "<": "left"}


def start(*trucks: tuple[int, int, str], rows: int = 4, columns: int = 5) -> State:
    items = [{"row": r, "column": c, "direction": d} for r, c, d in trucks]
    return initial_state(parse_layout({"rows": rows, "columns": columns, "trucks": items}))


def drawn(state: State) -> list[str]:
    """`o` body, an arrow head where the vehicle faces."""
    marks = [["."] * state.layout.columns for _ in range(state.layout.rows)]
    for tail in state.parked:
        vehicle = state.layout.by_tail[tail]
        for r, c in vehicle.cells:
            marks[r][c] = "o"
        r, c = vehicle.cells[-1]
        marks[r][c] = next(mark for mark, name in HEADS.items() if name == vehicle.direction)
    return ["".join(row) for row in marks]


CHAIN = start((0, 0, "right"), (1, 3, "up"), (3, 1, "right"))


def test_the_vehicle_in_the_way_must_leave_first():
    assert drawn(CHAIN) == ["o>.^.", "...o.", ".....", ".o>.."]
    assert legal_moves(CHAIN) == ((1, 3), (3, 1))
    assert blocker(CHAIN, (0, 0)) == (1, 3)
    state = step(CHAIN, (1, 3))
    assert drawn(state) == ["o>...", ".....", ".....", ".o>.."]
    assert (0, 0) in legal_moves(state)


def test_the_nearest_vehicle_is_the_blocker():
    state = start((0, 0, "right"), (0, 2, "down"), (0, 4, "down"))
    assert blocker(state, (0, 0)) == (0, 2)
    assert blocker(step(state, (0, 2)), (0, 0)) == (0, 4)


@pytest.mark.parametrize("move", [(0, 0), (0, 1), (9, 9)])
def test_illegal_departures(move):
    with pytest.raises(IllegalMove):
        step(CHAIN, move)


def test_a_departed_vehicle_cannot_leave_again():
    with pytest.raises(IllegalMove):
        step(step(CHAIN, (3, 1)), (3, 1))


def test_potential_is_the_share_that_left():
    state = CHAIN
    shares = [potential(state)]
    for move in ((3, 1), (1, 3), (0, 0)):
        state = step(state, move)
        shares.append(potential(state))
    assert shares == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert shares[-1] == 1.0
    assert is_won(state)
    assert legal_moves(state) == ()


def test_two_vehicles_face_to_face_are_stuck():
    state = start((0, 0, "right"), (0, 4, "left"))
    assert legal_moves(state) == ()
    assert not is_won(state)


def test_removing_never_takes_a_move_away():
    rng = np.random.default_rng(4)
    for _ in range(40):
        state = initial_state(random_lot(rng))
        while moves := legal_moves(state):
            move = moves[int(rng.integers(len(moves)))]
            after = step(state, move)
            assert set(moves) - {move} <= set(legal_moves(after))
            assert GAME.state_from_json(state.layout, GAME.state_to_json(after)) == after
            assert GAME.move_from_json(GAME.move_to_json(move)) == move
            state = after


def random_lot(rng: np.random.Generator):
    """A lot of random vehicles, solvable or not."""
    taken: set[tuple[int, int]] = set()
    trucks = []
    for _ in range(30):
        row, column = int(rng.integers(5)), int(rng.integers(6))
        direction, length = list(DIRECTION)[int(rng.integers(4))], int(rng.integers(2, 4))
        down, right = DIRECTION[direction]
        cells = {(row + k * down, column + k * right) for k in range(length)}
        if not cells & taken and all(0 <= r < 5 and 0 <= c < 6 for r, c in cells) and len(trucks) < 8:
            taken |= cells
            trucks.append({"row": row, "column": column, "direction": direction, "length": length})
    return parse_layout({"rows": 5, "columns": 6, "trucks": trucks})


def test_layout_round_trip():
    layout = random_lot(np.random.default_rng(0))
    assert parse_layout(layout_to_json(layout)) == layout


TRUCK = {"row": 0, "column": 0, "direction": "right"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"columns": 3, "trucks": [TRUCK]}, "rows"),
        ({"rows": 3, "columns": True, "trucks": [TRUCK]}, "columns"),
        ({"rows": 3, "columns": 3, "trucks": []}, "trucks"),
        ({"rows": 3, "columns": 3, "trucks": [3]}, r"trucks\[0\]"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK | {"row": "0"}]}, r"trucks\[0\].row"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK | {"direction": "north"}]}, r"trucks\[0\].direction"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK | {"direction": ["right"]}]}, r"trucks\[0\].direction"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK | {"length": 1}]}, r"trucks\[0\].length"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK | {"direction": "up"}]}, "inside 3 x 3"),
        ({"rows": 3, "columns": 3, "trucks": [TRUCK, TRUCK | {"column": 1}]}, r"trucks\[1\]: covers \(0, 1\)"),
    ],
)
def test_malformed_layout_names_the_field(data, message):
    with pytest.raises(LevelError, match=message):
        parse_layout(data)


@pytest.mark.parametrize(
    "data", [{}, {"parked": [[0, 1]]}, {"parked": [[1, 3], [0, 0]]}, {"parked": [[0, 0], [0, 0]]}, {"parked": [0]}]
)
def test_state_of_another_form_is_refused(data):
    with pytest.raises(ValueError, match="wanted"):
        GAME.state_from_json(CHAIN.layout, data)
