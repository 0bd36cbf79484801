"""Rush Hour solver against brute force over the rules, the stated optima of the real levels, and our own catalogue."""

import json
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.rush_hour.game import GAME
from games.rush_hour.layout import Layout, Slide, parse_layout
from games.rush_hour.rules import State, initial_state, is_won, legal_moves, step
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.generators.released import levels_text
from solvers.generators.rush_hour import TIERS, canonical_form, levels, random_layout
from solvers.rush_hour import SOLVER, step_distance
from solvers.rush_hour.packed import packed_board
from solvers.rush_hour.search import ANY_LENGTH, distances
from solvers.verify import verify, verify_exact

LIMIT = 1_000_000
REAL = Path(__file__).parents[3] / "shared" / "real-levels" / "rush_hour.json"
OWN = json.loads((Path(__file__).parents[2] / "games" / "rush_hour" / "levels.json").read_text())["levels"]


def brute_force(start: State, *, single_cells: bool = False) -> int | None:
    """Return the least number of moves by breadth-first search over the rules."""
    distance = {start.at: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if is_won(state):
            return distance[state.at]
        for move in legal_moves(state):
            if single_cells and abs(move.offset) > 1:
                continue
            after = step(state, move)
            if after.at not in distance:
                distance[after.at] = distance[state.at] + 1
                queue.append(after)
    return None


def random_boards(count: int, seed: int) -> list[Layout]:
    rng = np.random.default_rng(seed)
    found: list[Layout] = []
    while len(found) < count:
        layout = random_layout(TIERS[1], ((4, 5), (5, 4), (5, 5), (6, 5))[len(found) % 4], rng)
        if layout:
            found.append(layout)
    return found


def test_distances_agree_with_brute_force_on_random_boards() -> None:
    outcomes = set()
    for layout in random_boards(120, seed=3):
        state = initial_state(layout)
        expected = brute_force(state)
        assert SOLVER.distance(state, state_limit=LIMIT) == expected, layout
        assert step_distance(state, state_limit=LIMIT) == brute_force(state, single_cells=True), layout
        outcomes.add(expected)
    assert None in outcomes
    assert len(outcomes) > 5


def test_distances_from_boards_on_the_way_agree_with_brute_force() -> None:
    rng = np.random.default_rng(4)
    for layout in random_boards(15, seed=5):
        state = initial_state(layout)
        for _ in range(8):
            moves = legal_moves(state)
            if not moves:
                break
            state = step(state, moves[int(rng.integers(len(moves)))])
        assert SOLVER.distance(state, state_limit=LIMIT) == brute_force(state)


def test_layers_of_distances_agree_with_single_queries() -> None:
    layout = next(one for one in random_boards(20, seed=6) if brute_force(initial_state(one)))
    layers = distances(layout, initial_state(layout).at, LIMIT)
    assert not isinstance(layers, Undecided)
    board = packed_board(layout, ANY_LENGTH)
    for number, layer in enumerate(layers):
        for packed in sorted(layer)[:5]:
            assert SOLVER.distance(State(layout, board.unpack(packed)), state_limit=LIMIT) == number + 1


def test_packing_reads_back() -> None:
    for layout in random_boards(5, seed=7):
        board = packed_board(layout, ANY_LENGTH)
        at = initial_state(layout).at
        assert board.unpack(board.pack(at)) == at


def test_certificates_of_unsolvable_won_and_large_boards() -> None:
    blocked = parse_layout(_entry_with(rows=3, columns=5, vehicles=[(1, 0, 2, "h", True)], blockers=[[1, 3]]))
    certificate = SOLVER.certify(initial_state(blocked), state_limit=LIMIT)
    assert certificate == DeadEnd("exhausted_search", 2)
    verify(GAME, initial_state(blocked), certificate, state_limit=100)
    stuck = parse_layout(_entry_with(rows=3, columns=5, vehicles=[(1, 0, 2, "h", True)], blockers=[[1, 2]]))
    assert SOLVER.certify(initial_state(stuck), state_limit=LIMIT) == DeadEnd("no_available_hole", 1)
    free = parse_layout(_entry_with(rows=3, columns=5, vehicles=[(1, 0, 2, "h", True)], blockers=[]))
    won = step(initial_state(free), Slide(0, 3))
    assert SOLVER.certify(won, state_limit=LIMIT) == Solved()
    assert SOLVER.distance(won, state_limit=LIMIT) == 0
    hard = parse_layout(OWN[-1]["layout"])
    assert SOLVER.certify(initial_state(hard), state_limit=100) == Undecided(100)
    assert SOLVER.distance(initial_state(hard), state_limit=100) == Undecided(100)


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: f"{entry['difficulty']}-{entry['number']}")
def test_every_level_is_solvable_at_its_optimum(entry: dict[str, Any]) -> None:
    state = initial_state(GAME.parse_layout(entry["layout"]))
    certificate = SOLVER.certify(state, state_limit=LIMIT)
    assert isinstance(certificate, Solvable)
    assert certificate.exact
    assert entry["exact"]
    assert certificate.distance == entry["optimum"] == len(entry["certificate"]["solution"])
    assert [list(slide) for slide in certificate.solution] == entry["certificate"]["solution"]
    verify(GAME, state, certificate, state_limit=LIMIT)


def test_optima_of_small_levels_hold_by_the_rules_alone() -> None:
    for entry in OWN[:3]:
        state = initial_state(GAME.parse_layout(entry["layout"]))
        certificate = SOLVER.certify(state, state_limit=LIMIT)
        assert isinstance(certificate, Solvable)
        verify_exact(GAME, state, certificate, state_limit=LIMIT)


def test_the_catalogue_is_ordered_sized_and_without_twins() -> None:
    layouts = [GAME.parse_layout(entry["layout"]) for entry in OWN]
    assert [entry["difficulty"] for entry in OWN] == ["easy"] * 10 + ["medium"] * 10 + ["hard"] * 10
    for first in (0, 10, 20):
        keys = [
            (entry["optimum"], entry["provenance"]["optimum_in_cells"], entry["provenance"]["states_closed"])
            for entry in OWN[first : first + 10]
        ]
        assert keys == sorted(keys)
    assert max(e["optimum"] for e in OWN[:10]) < min(e["optimum"] for e in OWN[10:20])
    assert max(e["optimum"] for e in OWN[10:20]) < min(e["optimum"] for e in OWN[20:])
    assert len({canonical_form(layout) for layout in layouts}) == 30
    assert {(one.rows, one.columns) for one in layouts} >= {(5, 5), (8, 7)}
    assert sum(bool(one.bushes) for one in layouts) >= 10


def test_a_mirrored_layout_has_the_same_canonical_form() -> None:
    layout = GAME.parse_layout(OWN[25]["layout"])
    flipped = [
        (layout.rows - (v.length if v.axis == "v" else 1) - v.row, v.column, v.length, v.axis, i == layout.target)
        for i, v in enumerate(layout.vehicles)
    ]
    bushes = [[layout.rows - 1 - r, c] for r, c in layout.bushes]
    mirrored = parse_layout(
        _entry_with(rows=layout.rows, columns=layout.columns, vehicles=flipped[::-1], blockers=bushes)
    )
    assert mirrored.vehicles != layout.vehicles
    assert canonical_form(mirrored) == canonical_form(layout)
    assert canonical_form(layout) != canonical_form(GAME.parse_layout(OWN[24]["layout"]))


@pytest.mark.skipif(not REAL.exists(), reason="the real levels are not beside the repository")
def test_optima_of_the_real_levels_equal_the_stated_ones() -> None:
    real = json.loads(REAL.read_text())["levels"]
    found = {}
    for level in real:
        state = initial_state(parse_layout(level))
        certificate = SOLVER.certify(state, state_limit=LIMIT)
        assert isinstance(certificate, Solvable)
        verify(GAME, state, certificate, state_limit=LIMIT)
        found[level["difficulty"], level["number"]] = certificate.distance
    assert found == {(level["difficulty"], level["number"]): level["optimum"] for level in real}
    assert len(found) >= 20


def _entry_with(
    rows: int, columns: int, vehicles: list[tuple[int, int, int, str, bool]], blockers: list[list[int]]
) -> dict[str, Any]:
    names = ("row", "column", "length", "axis", "target")
    return {
        "rows": rows,
        "columns": columns,
        "vehicles": [dict(zip(names, vehicle, strict=True)) for vehicle in vehicles],
        "blockers": blockers,
    }


def test_brute_force_itself_on_a_board_counted_by_hand() -> None:
    # The lorry b must leave the lane downwards, but a is below it: a goes left, b down, the target out.
    data = _entry_with(
        rows=4,
        columns=4,
        vehicles=[(0, 0, 2, "h", True), (0, 2, 3, "v", False), (3, 1, 2, "h", False)],
        blockers=[],
    )
    assert brute_force(initial_state(parse_layout(data))) == 3


@pytest.mark.slow
def test_the_generator_makes_the_stored_levels_again() -> None:
    assert json.loads(levels_text(GAME, list(levels())))["levels"] == OWN
