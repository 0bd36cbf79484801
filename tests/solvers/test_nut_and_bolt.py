"""Nut and Bolt solver: the claim about buried runs and all optima against exhaustive search; every level."""

import json
import random
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.nut_and_bolt.game import GAME
from games.nut_and_bolt.layout import COLOURS, Layout, parse_layout
from games.nut_and_bolt.rules import State, initial_state, is_won, legal_moves, step
from solvers.certificate import DeadEnd, Solvable, Solved, Undecided
from solvers.generators.nut_and_bolt import canonical_form, deal, levels, n_runs, random_play
from solvers.generators.released import levels_text
from solvers.nut_and_bolt import SOLVER, Verdicts
from solvers.verify import verify

LIMIT = 1_000_000
REAL = Path(__file__).parents[3] / "shared" / "real-levels" / "nut_and_bolt.json"
OWN = json.loads((Path(__file__).parents[2] / "games" / "nut_and_bolt" / "levels.json").read_text())["levels"]

SMALL = (
    (2, 3, 1, 4),
    (3, 3, 1, 8),
    (3, 4, 1, 10),
    (4, 3, 1, 8),
    (3, 3, 2, 4),
    (4, 4, 1, 12),
    (5, 3, 1, 8),
    (4, 3, 2, 4),
)
"""Colours, capacity, spare bolts, deals."""

Bolts = tuple[tuple[str, ...], ...]


def reachable(start: State) -> dict[Bolts, set[Bolts]]:
    """Return every board reachable by the rules, bolts sorted, with its successors."""
    graph: dict[Bolts, set[Bolts]] = {}
    queue = [State(start.layout, tuple(sorted(start.bolts)))]
    while queue:
        state = queue.pop()
        if state.bolts in graph:
            continue
        after = {tuple(sorted(step(state, move).bolts)) for move in legal_moves(state)}
        graph[state.bolts] = after
        queue.extend(State(start.layout, bolts) for bolts in after)
    return graph


def distances_to_a_win(graph: dict[Bolts, set[Bolts]], layout: Layout) -> dict[Bolts, int]:
    """Return the least number of transfers of every board that can be won, by going backwards from the wins."""
    before: dict[Bolts, set[Bolts]] = {bolts: set() for bolts in graph}
    for bolts, successors in graph.items():
        for after in successors:
            before[after].add(bolts)
    distance = {bolts: 0 for bolts in graph if is_won(State(layout, bolts))}
    queue = deque(distance)
    while queue:
        bolts = queue.popleft()
        for earlier in before[bolts] - distance.keys():
            distance[earlier] = distance[bolts] + 1
            queue.append(earlier)
    return distance


def small_deals(sizes: tuple[tuple[int, int, int, int], ...] = SMALL) -> list[Layout]:
    """Return deals small enough for exhaustive search, with one or two spare bolts, full of dead ends with one."""
    rng = random.Random(11)
    found = []
    for n_colours, capacity, spare, count in sizes:
        for _ in range(count):
            nuts = [colour for colour in COLOURS[:n_colours] for _ in range(capacity)]
            rng.shuffle(nuts)
            bolts = [tuple(nuts[k : k + capacity]) for k in range(0, len(nuts), capacity)]
            found.append(Layout(capacity, (*bolts, *([()] * spare))))
    return found


def compare_with_exhaustive_search(layouts: list[Layout]) -> dict[bool, int]:
    """Return how many boards were solvable and dead; every reachable board of every layout is compared."""
    verdicts_seen = {True: 0, False: 0}
    for layout in layouts:
        graph = reachable(initial_state(layout))
        winnable = distances_to_a_win(graph, layout)
        for bolts in graph:
            verdicts = Verdicts(bolts, layout.capacity)
            assert verdicts.is_solvable(verdicts.start, LIMIT) == (bolts in winnable), bolts
            verdicts_seen[bolts in winnable] += 1
    return verdicts_seen


def test_buried_runs_decide_every_reachable_board_as_exhaustive_search_does() -> None:
    seen = compare_with_exhaustive_search(small_deals())
    assert min(seen.values()) > 500, seen


@pytest.mark.slow
def test_buried_runs_decide_every_board_of_larger_deals_too() -> None:
    seen = compare_with_exhaustive_search(
        small_deals(((4, 5, 1, 40), (5, 4, 1, 40), (6, 4, 1, 30), (5, 4, 2, 10), (6, 4, 2, 4)))
    )
    assert min(seen.values()) > 4_000, seen


def test_buried_runs_decide_boards_that_no_play_reaches_too() -> None:
    rng = random.Random(12)
    seen = {True: 0, False: 0}
    for _ in range(150):
        nuts = [colour for colour in COLOURS[:3] for _ in range(3)]
        rng.shuffle(nuts)
        bolts: list[list[str]] = [[] for _ in range(4)]
        for nut in nuts:
            rng.choice([bolt for bolt in bolts if len(bolt) < 3]).append(nut)
        state = State(Layout(3, ()), tuple(tuple(bolt) for bolt in bolts))
        graph = reachable(state)
        verdicts = Verdicts(state.bolts, 3)
        expected = tuple(sorted(state.bolts)) in distances_to_a_win(graph, state.layout)
        assert verdicts.is_solvable(verdicts.start, LIMIT) == expected, state
        seen[expected] += 1
    assert min(seen.values()) > 20, seen


def test_one_table_of_verdicts_serves_all_boards_reachable_from_one() -> None:
    layout = parse_layout(OWN[6]["layout"])
    shared = Verdicts(layout.bolts, layout.capacity)
    rng = np.random.default_rng(13)
    for _ in range(100):
        state = random_play(initial_state(layout), int(rng.integers(1, 60)), rng)
        code = shared.code([max(0, n_runs(bolt) - 1) for bolt in state.bolts])
        own = Verdicts(state.bolts, layout.capacity)
        assert shared.is_solvable(code, LIMIT) == own.is_solvable(own.start, LIMIT)


def test_distances_agree_with_brute_force() -> None:
    checked = 0
    for layout in small_deals()[::5]:
        graph = reachable(initial_state(layout))
        distance = distances_to_a_win(graph, layout)
        for bolts in sorted(graph)[:: max(1, len(graph) // 25)]:
            expected = distance.get(bolts)
            assert SOLVER.distance(State(layout, bolts), state_limit=LIMIT) == expected, bolts
            checked += expected is not None and expected > 3
    assert checked > 30


def test_certificates_hold_by_the_rules_alone() -> None:
    kinds = set()
    for layout in small_deals():
        state = initial_state(layout)
        for optimal in (False, True):
            certificate = SOLVER.certify(state, state_limit=LIMIT, optimal=optimal)
            if not isinstance(certificate, Solved):
                verify(GAME, state, certificate, state_limit=LIMIT)
            kinds.add(type(certificate))
    assert kinds >= {Solvable, DeadEnd}


def test_a_board_without_moves_is_named_so() -> None:
    state = State(Layout(2, ()), (("red", "blue"), ("blue", "red")))
    assert SOLVER.certify(state, state_limit=LIMIT) == DeadEnd("no_available_hole", 1)
    assert SOLVER.distance(state, state_limit=LIMIT) is None


def test_a_won_board_is_solved() -> None:
    state = State(Layout(2, ()), (("red", "red"), ()))
    assert SOLVER.certify(state, state_limit=LIMIT) == Solved()
    assert SOLVER.distance(state, state_limit=LIMIT) == 0


def test_at_its_limit_it_claims_no_more_than_it_has() -> None:
    state = initial_state(parse_layout(OWN[-1]["layout"]))
    assert SOLVER.certify(state, state_limit=3) == Undecided(3)
    assert SOLVER.distance(state, state_limit=3) == Undecided(3)
    closed = 400
    certificate = SOLVER.certify(state, state_limit=closed, optimal=True)
    assert isinstance(certificate, Solvable | Undecided)
    if isinstance(certificate, Solvable) and not certificate.exact:
        assert certificate.lower_bound < certificate.distance
        assert certificate.lower_bound <= OWN[-1]["optimum"] <= certificate.distance


@pytest.mark.parametrize("entry", OWN, ids=lambda entry: f"{entry['difficulty']}-{entry['number']}")
def test_every_level_is_solvable_at_its_optimum(entry: dict[str, Any]) -> None:
    state = initial_state(GAME.parse_layout(entry["layout"]))
    certificate = SOLVER.certify(state, state_limit=LIMIT, optimal=True)
    assert isinstance(certificate, Solvable)
    assert certificate.exact
    assert entry["exact"]
    assert certificate.distance == entry["optimum"]
    assert [list(move) for move in certificate.solution] == entry["certificate"]["solution"]
    verify(GAME, state, certificate, state_limit=LIMIT)
    quick = SOLVER.certify(state, state_limit=LIMIT)
    verify(GAME, state, quick, state_limit=LIMIT)


def test_the_catalogue_has_the_sizes_of_the_suite_in_order_and_no_twins() -> None:
    assert [entry["difficulty"] for entry in OWN] == [
        *["easy"] * 3,
        *["medium"] * 3,
        *["hard"] * 3,
        *["extreme"] * 3,
        "nightmare",
    ]
    optima = [entry["optimum"] for entry in OWN]
    assert optima == sorted(optima)
    layouts = [parse_layout(entry["layout"]) for entry in OWN]
    assert (len(layouts[-1].colours), layouts[-1].capacity, len(layouts[-1].bolts)) == (9, 8, 11)
    assert all(sum(not bolt for bolt in layout.bolts) == 2 for layout in layouts)
    assert len({canonical_form(layout) for layout in layouts}) == len(OWN)


def test_the_canonical_form_forgets_names_and_order_and_nothing_else() -> None:
    rng = random.Random(14)
    layout = deal(5, 3, np.random.default_rng(15))
    names = dict(zip(COLOURS[:5], rng.sample(COLOURS, 5), strict=True))
    bolts = [tuple(names[nut] for nut in bolt) for bolt in layout.bolts]
    rng.shuffle(bolts)
    assert canonical_form(Layout(3, tuple(bolts))) == canonical_form(layout)
    assert canonical_form(Layout(3, (layout.bolts[0][::-1], *layout.bolts[1:]))) != canonical_form(layout)


@pytest.mark.skipif(not REAL.exists(), reason="the real levels are not beside the repository")
def test_all_real_levels_are_solvable_and_a_thousand_reachable_boards_of_each_are_decided() -> None:
    optima = {"easy": [4, 5, 6], "medium": [19, 19, 16], "hard": [32, 42, 36]}
    for level in json.loads(REAL.read_text())["levels"]:
        layout = parse_layout(level)
        certificate = SOLVER.certify(initial_state(layout), state_limit=LIMIT, optimal=True)
        assert isinstance(certificate, Solvable)
        assert certificate.distance == optima[level["difficulty"]][level["number"] - 1]
        verify(GAME, initial_state(layout), certificate, state_limit=LIMIT)
        rng = random.Random(level["number"])
        state, decided = initial_state(layout), 0
        for _ in range(1000):
            moves = legal_moves(state)
            state = step(state, rng.choice(moves)) if moves else initial_state(layout)
            verdicts = Verdicts(state.bolts, layout.capacity)
            decided += not isinstance(verdicts.is_solvable(verdicts.start, 10_000), Undecided)
        assert decided == 1000


def test_the_generator_makes_the_stored_levels_again() -> None:
    assert json.loads(levels_text(GAME, list(levels())))["levels"] == OWN
