"""Color Connect solver against brute force over all clicks, and the released levels."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path as FilePath

import numpy as np
import pytest
from brute_force import exact_distances

from games.color_connect.game import GAME
from games.color_connect.layout import Layout, Pair, parse_layout
from games.color_connect.rules import Path, State, initial_state, is_won, legal_moves, step
from games.colours import PALETTE
from games.grid import DIRECTION
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.color_connect import SOLVER, clicks_for, completion, count_drawings
from solvers.color_connect.drawing import Drawing
from solvers.generators import color_connect as generator

LIMIT = 10**6
REAL = FilePath(__file__).resolve().parents[3] / "shared/real-levels/color_connect.json"


def random_layout(rng: np.random.Generator, rows: int, columns: int, n_pairs: int, n_blocked: int) -> Layout:
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    picked = [cells[k] for k in rng.permutation(len(cells))[: 2 * n_pairs + n_blocked].tolist()]
    pairs = tuple(Pair(tuple(PALETTE)[k], picked[2 * k], picked[2 * k + 1]) for k in range(n_pairs))
    return Layout(rows, columns, pairs, frozenset(picked[2 * n_pairs :]))


def all_paths(layout: Layout, pair: Pair, taken: frozenset) -> list[Path]:
    """Every path of a pair over free cells."""
    found, stack = [], [(pair.a,)]
    while stack:
        path = stack.pop()
        for down, right in DIRECTION.values():
            cell = (path[-1][0] + down, path[-1][1] + right)
            if cell == pair.b:
                found.append((*path, cell))
            elif layout.holds(cell) and cell not in taken and cell not in path and cell not in layout.dots:
                stack.append((*path, cell))
    return found


def all_drawings(layout: Layout, taken: frozenset | None = None, pairs: int = 0) -> list[tuple[Path, ...]]:
    """Every complete drawing, by trying all paths of all pairs."""
    taken = layout.blocked if taken is None else taken
    if pairs == len(layout.pairs):
        return [()]
    return [
        (path, *rest)
        for path in all_paths(layout, layout.pairs[pairs], taken)
        for rest in all_drawings(layout, taken | set(path), pairs + 1)
    ]


@pytest.mark.parametrize(
    ("seed", "rows", "columns", "n_pairs", "n_blocked"),
    [
        (1, 3, 4, 2, 0),
        (2, 3, 3, 2, 0),
        (3, 4, 3, 2, 2),
        (4, 3, 4, 3, 0),
        (5, 4, 4, 3, 3),
        (6, 2, 5, 2, 1),
        (7, 3, 4, 1, 1),
    ],
)
def test_least_clicks_agree_with_brute_force(seed, rows, columns, n_pairs, n_blocked):
    rng = np.random.default_rng(seed)
    checked = alive = 0
    for _ in range(12):
        layout = random_layout(rng, rows, columns, n_pairs, n_blocked)
        if alive > 1 and not count_drawings(layout, state_limit=LIMIT):
            continue
        truth = exact_distances(GAME, initial_state(layout))
        alive += max(filter(None, truth.values()), default=0) > 2
        states = list(truth)
        for k in rng.permutation(len(states))[:250].tolist():
            assert SOLVER.distance(states[k], state_limit=LIMIT) == truth[states[k]], states[k]
            checked += 1
    assert checked > 100
    assert alive > 0


@pytest.mark.parametrize(
    ("seed", "rows", "columns", "n_pairs"), [(1, 3, 4, 2), (2, 4, 4, 3), (3, 4, 4, 2), (4, 3, 5, 4)]
)
def test_count_agrees_with_trying_all_paths(seed, rows, columns, n_pairs):
    rng = np.random.default_rng(seed)
    counts = []
    for _ in range(15):
        layout = random_layout(rng, rows, columns, n_pairs, 1)
        counts.append(len(all_drawings(layout)))
        assert count_drawings(layout, state_limit=LIMIT) == counts[-1]
    assert max(counts) > 1


def test_completion_agrees_with_trying_all_paths():
    rng = np.random.default_rng(9)
    verdicts = []
    for _ in range(12):
        layout = random_layout(rng, 3, 4, 2, 0)
        drawings = all_drawings(layout)
        for state in random_walk(layout, rng, 15):
            wanted = any(_contains(drawing, state) for drawing in drawings)
            assert isinstance(completion(state, state_limit=LIMIT), Drawing) == wanted
            verdicts.append(wanted)
    assert 10 < sum(verdicts) < len(verdicts) - 10


def _contains(drawing: tuple[Path, ...], state: State) -> bool:
    return all(
        path == whole if k != state.active else path in (whole[: len(path)], whole[::-1][: len(path)])
        for k, (path, whole) in enumerate(zip(state.paths, drawing, strict=True))
        if path
    )


def random_walk(layout: Layout, rng: np.random.Generator, steps: int) -> list[State]:
    states = [initial_state(layout)]
    for _ in range(steps):
        moves = legal_moves(states[-1])
        if not moves:
            break
        states.append(step(states[-1], moves[int(rng.integers(len(moves)))]))
    return states


def test_solution_from_random_drawings_replays_and_no_click_saves_two():
    rng = np.random.default_rng(12)
    for _ in range(10):
        layout = random_layout(rng, 5, 5, 3, 1)
        for state in random_walk(layout, rng, 25):
            claim = SOLVER.certify(state, state_limit=LIMIT, optimal=True)
            if isinstance(claim, Solvable):
                assert claim.exact
                assert claim.distance == claim.lower_bound
                assert is_won(_replay(state, claim.solution))
        distances = [SOLVER.distance(state, state_limit=LIMIT) for state in random_walk(layout, rng, 25)]
        assert all((a is None) == (b is None) for a, b in pairwise(distances))
        assert all(a <= b + 1 for a, b in pairwise(distances) if a is not None)


def _replay(state: State, clicks: tuple) -> State:
    for move in clicks:
        state = step(state, move)
    return state


def test_verdicts_at_the_ends_and_at_the_limit():
    crossed = parse_layout(
        {
            "rows": 2,
            "columns": 2,
            "pairs": [{"color": "red", "a": [0, 0], "b": [1, 1]}, {"color": "blue", "a": [0, 1], "b": [1, 0]}],
        }
    )
    assert SOLVER.certify(initial_state(crossed), state_limit=LIMIT) == DeadEnd("exhausted_search", 1)
    assert SOLVER.distance(initial_state(crossed), state_limit=LIMIT) is None
    line = initial_state(parse_layout({"rows": 2, "columns": 3, "pairs": [{"color": "red", "a": [0, 0], "b": [0, 2]}]}))
    won = step(step(line, (0, 0)), (0, 2))
    assert SOLVER.certify(won, state_limit=1) == Solved()
    assert SOLVER.distance(won, state_limit=1) == 0
    assert SOLVER.certify(line, state_limit=3) == Undecided(3)
    assert SOLVER.distance(line, state_limit=3) == Undecided(3)
    assert count_drawings(line.layout, state_limit=3) == Undecided(3)


def test_clicks_go_back_only_as_far_as_needed():
    layout = parse_layout({"rows": 3, "columns": 4, "pairs": [{"color": "red", "a": [0, 0], "b": [2, 3]}]})
    state = _replay(initial_state(layout), ((0, 0), (0, 3), (1, 3), (1, 0)))
    whole = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3))
    assert clicks_for(state, (whole,)) == ((1, 3), (2, 3))


@pytest.mark.skipif(not REAL.exists(), reason="the published layouts are not here")
def test_published_easy_levels_have_one_solution_and_the_known_fewest_clicks():
    clicks = []
    for level in json.loads(REAL.read_text())["levels"]:
        layout = parse_layout(level)
        claim = SOLVER.certify(initial_state(layout), state_limit=LIMIT)
        assert isinstance(claim, Solvable)
        clicks.append(claim.distance)
        assert count_drawings(layout, state_limit=LIMIT) == 1
        won = _replay(initial_state(layout), claim.solution)
        assert sum(map(len, won.paths)) == layout.rows * layout.columns
    assert clicks == [19, 27, 34, 12, 33, 13, 22, 18, 29, 20]


LEVELS = json.loads((FilePath(generator.__file__).parents[2] / "games/color_connect/levels.json").read_text())["levels"]


def test_released_levels_have_one_solution_and_a_proven_optimum():
    for level in LEVELS:
        layout = parse_layout(level["layout"])
        claim = SOLVER.certify(initial_state(layout), state_limit=LIMIT, optimal=True)
        assert isinstance(claim, Solvable)
        assert (claim.distance, claim.exact) == (level["optimum"], level["exact"])
        assert count_drawings(layout, state_limit=LIMIT) == 1
        stored = tuple(GAME.move_from_json(move) for move in level["certificate"]["solution"])
        assert len(stored) == level["optimum"]
        assert is_won(_replay(initial_state(layout), stored))


def test_counts_sizes_and_order():
    for tier in ("easy", "hard"):
        found = [level for level in LEVELS if level["difficulty"] == tier]
        assert len(found) == 10
        orders = [(level["optimum"], level["layout"]["rows"] * level["layout"]["columns"]) for level in found]
        assert orders == sorted(orders)
    sides = [side for level in LEVELS for side in (level["layout"]["rows"], level["layout"]["columns"])]
    assert (min(sides), max(sides)) == (5, 11)
    assert all(3 <= len(level["layout"]["pairs"]) <= 15 for level in LEVELS)


def test_no_two_levels_are_equal_up_to_symmetry_and_colours():
    images = [set(generator.images(parse_layout(level["layout"]))) for level in LEVELS]
    assert not any(images[a] & images[b] for a in range(len(images)) for b in range(a))


@pytest.mark.parametrize("index", [0, 12, 19])
def test_a_level_is_made_again_from_its_draw(index):
    made = LEVELS[index]["provenance"]
    assert generator.candidate(made["size"], made["draw"]) == parse_layout(LEVELS[index]["layout"])


def test_distances_in_a_released_level_stay_exact_in_the_middle():
    rng = np.random.default_rng(3)
    layout = parse_layout(LEVELS[14]["layout"])
    for state in random_walk(layout, rng, 12):
        claim = SOLVER.certify(state, state_limit=LIMIT)
        assert isinstance(claim, Solvable)
        assert is_won(_replay(state, claim.solution))
        after = step(state, claim.solution[0])
        assert SOLVER.distance(after, state_limit=LIMIT) == claim.distance - 1


def test_a_wide_grid_is_as_easy_as_a_tall_one():
    tall = parse_layout(
        {
            "rows": 10,
            "columns": 7,
            "pairs": [
                {"color": "red", "a": [0, 0], "b": [9, 6]},
                {"color": "blue", "a": [0, 3], "b": [8, 1]},
                {"color": "green", "a": [1, 5], "b": [7, 5]},
            ],
        }
    )
    wide = Layout(7, 10, tuple(Pair(pair.color, pair.a[::-1], pair.b[::-1]) for pair in tall.pairs))
    one, other = (SOLVER.certify(initial_state(layout), state_limit=100_000, optimal=True) for layout in (tall, wide))
    assert isinstance(one, Solvable)
    assert isinstance(other, Solvable)
    assert (other.exact, other.distance) == (True, one.distance)
    state = initial_state(wide)
    for move in other.solution:
        state = step(state, move)
    assert is_won(state)
    assert count_drawings(wide, state_limit=10**6) == count_drawings(tall, state_limit=10**6)
