"""Players of grids: what each may see, that the oracle wins, that slips cost, and how a baseline is made."""

import numpy as np
import pytest

from diag.agents.grid import PLAYERS, Sight, player_settings
from diag.agents.grid.baselines import REFERENCE_SLIPS, References, references
from diag.agents.grid.watchers import regions
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.grid.actions import RESET, GridAction
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.frame import blank

FIRST = (
    "maze_paint/easy", "color_connect/easy", "rush_hour/easy", "nut_and_bolt/easy", "truck_escape/default",
    "bolt_unscrew/easy",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


def game_of(catalogue, objective, numbers=(1, 2, 3), **loss):
    game, difficulty = objective.split("/")
    return GridEnvironment(level_set(catalogue, [LevelId(game, difficulty, n) for n in numbers]), Loss(**loss))


def play(environment, settings, *, limit, seed=0):
    """Actions and the last observation of a player that sees what its privilege allows."""
    player, seen, actions = settings.build(np.random.default_rng(seed)), environment.observation, []
    while seen.status != "won" and len(actions) < limit:
        game = None if settings.privilege == "none" else environment.copy()
        actions.append(player.choose(Sight(seen, environment.attempt_actions, game)))
        seen = environment.step(actions[-1])
    return actions, seen


@pytest.mark.parametrize("objective", FIRST)
@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_who_follows_the_solver_wins_every_game(catalogue, objective, name):
    environment = game_of(catalogue, objective, stuck=True)
    _, seen = play(environment, player_settings(name, 0.1 if name == "reference" else 0.0), limit=2_000)
    assert (seen.status, seen.levels_completed) == ("won", 3)


def test_the_oracle_never_resets_and_plays_the_same_with_any_seed(catalogue):
    plays = [
        play(game_of(catalogue, "rush_hour/easy"), player_settings("oracle"), limit=200, seed=n)[0] for n in (0, 1)
    ]
    assert plays[0] == plays[1]
    assert GridAction(RESET) not in plays[0]


@pytest.mark.parametrize("name", ["random", "explorer", "greedy"])
@pytest.mark.parametrize("objective", FIRST)
def test_every_action_is_available_and_no_reset_opens_a_new_game(catalogue, objective, name):
    environment = game_of(catalogue, objective, stuck=True, budgets=(25, 25, 25))
    player, seen = player_settings(name).build(np.random.default_rng(3)), environment.observation
    for _ in range(150):
        game = environment.copy() if name == "greedy" else None
        action = player.choose(Sight(seen, environment.attempt_actions, game))
        if action.number == RESET:
            assert environment.attempt_actions > 0
        seen = environment.step(action)  # raises if the game does not have it
        if seen.status == "won":
            return
        assert not seen.full_reset
        assert not seen.is_refused


def test_equal_seeds_give_equal_plays_and_others_do_not(catalogue):
    one, same, other = (
        play(game_of(catalogue, "maze_paint/easy"), player_settings("random"), limit=60, seed=n)[0] for n in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_greedy_takes_the_move_with_most_progress(catalogue):
    environment = game_of(catalogue, "truck_escape/default")
    game, state = environment.levels.game, environment.rules_state
    best = max(game.potential(game.step(state, move)) for move in game.legal_moves(state))
    settings = player_settings("greedy")
    play(environment, settings, limit=1)
    assert game.potential(environment.rules_state) == best


def test_a_player_without_privilege_that_is_asked_as_a_solver_says_so(catalogue):
    environment = game_of(catalogue, "maze_paint/easy")
    with pytest.raises(ValueError, match="needs a game with a rules state"):
        player_settings("oracle").build(np.random.default_rng(0)).choose(Sight(environment.observation, 0))


def test_regions_are_connected_cells_of_one_colour():
    frame = blank(5)
    frame[2:4, 2:5] = frame[40, 40] = 8  # two regions of one colour on the background
    assert [(one.x, one.y) for one in regions(frame)] == [(34, 31), (2, 3), (40, 40)]


@pytest.mark.parametrize(
    ("counts", "baseline"), [((7, 9, 8, 30, 12), 9), ((7, None, 9, None, 8), 9), ((5, 6, 7, None, None), 7)]
)
def test_a_baseline_is_the_upper_median(counts, baseline):
    assert References(counts).baseline == baseline


def test_a_level_that_most_do_not_complete_has_no_baseline():
    with pytest.raises(ValueError, match="2 of 5 reference players complete"):
        _ = References((5, 6, None, None, None)).baseline


def test_reference_players_differ_in_strength_and_a_level_has_one_baseline(catalogue):
    assert len(REFERENCE_SLIPS) >= 5
    levels = level_set(catalogue, [LevelId("rush_hour", "hard", n) for n in (1, 2, 3, 4, 5, 6)])
    found = [references(levels, place, Loss(stuck=True)) for place in range(6)]
    assert found[0] == references(levels, 0, Loss(stuck=True))
    weakest, strongest = (sum(one.counts[place] for one in found) for place in (-1, 0))
    assert weakest > strongest


@pytest.mark.parametrize(("name", "slip"), [("best", 0.0), ("oracle", 0.1), ("reference", 0.0)])
def test_a_player_that_does_not_exist_is_one_line(name, slip):
    with pytest.raises(ValueError, match="wanted one"):
        player_settings(name, slip)


def test_the_names_are_the_players():
    assert [player_settings(name, 0.1 if name == "reference" else 0.0) for name in PLAYERS]
