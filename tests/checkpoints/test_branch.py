"""Branch states: what is found in a play, what is chosen, and that the shipped ones are what they say."""

from dataclasses import replace

import pytest

from checkpoints.branch import BranchState, branch_of, choose, costly_states, verify_branches
from checkpoints.harvest import Play, play_at_sight
from checkpoints.store import CheckpointError, load_library
from checkpoints.verify import verify_by_rules
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.registry import game_named
from solvers.maze_paint import distances


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


@pytest.fixture(scope="module")
def library():
    return load_library("action_branch")


def test_the_shipped_states_are_three_maze_paint_boards_of_recorded_simulated_play(library):
    assert [(one.cohort, one.level.game) for one in library.checkpoints] == [("S", "maze_paint")] * 3
    assert len({one.source_level for one in library.checkpoints}) == 3
    for one in library.checkpoints:
        assert one.provenance["simulated"] is True
        assert one.provenance["recorded"]["unit_id"].startswith("maze_paint-")


def test_both_successors_are_solvable_at_the_stored_cost(library, catalogue):
    for one in library.checkpoints:
        verify_branches(one, catalogue)
        verify_by_rules(one, catalogue)
        costs = {name: branch["extra_cost"] for name, branch in branch_of(one).items()}
        assert costs["shortest"] == 0 < costs["costly"]


def test_a_wrong_cost_is_refused(library, catalogue):
    one = library.checkpoints[0]
    branches = {name: dict(branch) for name, branch in branch_of(one).items()}
    branches["costly"]["extra_cost"] += 1
    with pytest.raises(CheckpointError, match="costly: found"):
        verify_branches(replace(one, provenance={**one.provenance, "branches": branches}), catalogue)


def test_another_cohort_is_no_branch_state(library):
    with pytest.raises(CheckpointError, match="no branch state"):
        branch_of(replace(library.checkpoints[0], cohort="N"))


def test_costly_states_agree_with_the_table_of_all_distances(catalogue):
    level = LevelId("maze_paint", "easy", 9)
    game, layout = game_named("maze_paint"), catalogue.layout(level)
    table = distances(game.initial_state(layout), state_limit=1_000_000)
    play = play_at_sight(catalogue, level, seed=3, move_limit=12, care=0.0)
    found = {state.n_moves: state for state in costly_states(catalogue, play)}
    assert found
    for n, move in enumerate(play.moves):
        state = game.state_from_json(layout, play.states[n])
        d, after = table.distance(state), table.distance(game.step(state, move))
        assert (n in found) == (d >= 6 and after >= d)
        if n in found:
            assert (found[n].distance, found[n].extra_cost) == (d, 1 + after - d)
            assert table.distance(game.step(state, found[n].shortest)) == d - 1


def test_the_choice_takes_different_levels_first_and_the_most_costly_of_each():
    def state(number: int, n: int, cost: int) -> BranchState:
        level = LevelId("maze_paint", "easy", number)
        states = tuple({"n": [number, k]} for k in range(9))
        play = Play(level, (), ((),) * 8, ("up",) * 8, states, {})
        return BranchState(play, n, "up", "down", 9, cost)

    found = choose([state(1, 1, 2), state(1, 2, 5), state(2, 3, 1), state(1, 4, 4)], 3)
    assert [(one.play.level.number, one.n_moves, one.extra_cost) for one in found] == [(1, 2, 5), (1, 4, 4), (2, 3, 1)]
    with pytest.raises(ValueError, match="wanted at least 2"):
        choose([state(1, 1, 2), state(1, 1, 2)], 2)
