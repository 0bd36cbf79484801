"""Regret by hand, and on real boards of every game: a shortest solution costs nothing."""

import pytest
from episode_logs import EpisodeWriter, to, tools

from diag.grading.episodes.distances import EpisodeDistances, SolverBook
from diag.grading.episodes.grade import grade_episode
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.registry import game_named

LEVEL = LevelId("rush_hour", "easy", 1)
TABLE = {0: 3, 1: 2, 2: 4, 3: "dead", 4: "open", 5: 3}


def regret(*moves, start=0):
    log = EpisodeWriter((LEVEL,)).do(1, to(LEVEL, "enter", start, 0.0))
    for place, n in enumerate(moves):
        won = n == 9
        log.do(2 + place, to(LEVEL, "move", n, 1.0 if won else 0.1, won=won))
    return grade_episode(log.end(99), tools=tools(TABLE))


def test_costly_and_shortest_moves():
    # d: 3 -> 2 (e = 0) -> 4 (e = 1 + 4 - 2 = 3) -> 3 (e = 0)
    outcome = regret(1, 2, 5)
    assert outcome.details["regret"]["costly"] == [[str(LEVEL), 0, 1, 3, 2]]
    found = outcome.endpoints
    assert (found["regret_shortest_moves"], found["regret_costly_moves"], found["regret_total"]) == (2, 1, 3)
    assert found["regret_mean"] == pytest.approx(1.0)


def test_a_move_into_a_dead_end_costs_infinitely_and_later_ones_are_counted_apart():
    # d: 3 -> 2 -> dead -> dead
    outcome = regret(1, 3, 3)
    assert outcome.details["regret"]["fatal"] == [[str(LEVEL), 0, 1, 2]]
    assert outcome.details["regret"]["in_dead_end"] == 1
    assert outcome.endpoints["regret_mean"] == 0.0  # over the one move whose regret is finite


def test_what_the_solver_left_open_is_undecided_never_zero():
    outcome = regret(4, 1)
    assert (outcome.endpoints["regret_undecided_moves"], outcome.endpoints["regret_mean"]) == (2, None)


def test_the_winning_move_is_a_shortest_one_from_distance_one():
    log = EpisodeWriter((LEVEL,)).do(1, to(LEVEL, "enter", 7, 0.0)).do(2, to(LEVEL, "move", 9, 1.0, won=True)).end(3)
    assert grade_episode(log, tools=tools({7: 1})).endpoints["regret_shortest_moves"] == 1


@pytest.fixture(scope="module")
def book():
    return SolverBook(load_catalogue())


@pytest.mark.parametrize(
    "name",
    ["bolt_unscrew/easy/4", "bolt_unscrew/hard/1", "color_connect/easy/1", "maze_paint/hard/2", "nut_and_bolt/hard/1",
     "rush_hour/hard/1", "truck_escape/default/2"],
)  # fmt: skip
def test_distances_fall_by_one_along_the_stored_solution_and_agree_with_the_solver(book, name):
    level = LevelId.parse(name)
    game = game_named(level.game)
    known, fresh = EpisodeDistances(book), EpisodeDistances(SolverBook(book.levels))
    fresh._seeded.add(level)  # the solver alone, without the stored solution
    state = game.initial_state(book.levels.layout(level))
    solution = book.stored_solution(level)
    assert solution
    assert known.distance(level, game.state_to_json(state)) == len(solution) == book.levels.level(level).optimum
    for left in range(len(solution), max(0, len(solution) - 3), -1):
        written = game.state_to_json(state)
        assert known.distance(level, written) == left == fresh.distance(level, written)
        assert known.verdict(level, written) == "solvable"
        state = game.step(state, solution[len(solution) - left])


def test_a_proven_lower_bound_makes_a_solution_exact():
    class Half(SolverBook):
        def __init__(self) -> None: ...

        def stored_solution(self, level):
            return None

        def board(self, level, state):
            return None

        def known(self, level, state):
            from diag.grading.episodes.distances import _Known

            return _Known("solvable", 3, 5)

    known = EpisodeDistances(Half())
    assert known.distance(LEVEL, {"n": 1}) is None
    assert known.distance(LEVEL, {"n": 1}, at_least=4) is None
    assert known.distance(LEVEL, {"n": 1}, at_least=5) == 5
