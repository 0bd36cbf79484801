"""The maze: its rules step by step, an exact solver against plain search, its port, and the pack as it is generated."""

import random
from dataclasses import replace

import pytest

from games.agi_maze.game import GAME, PACK
from games.agi_maze.layout import layout_to_json, parse_layout
from games.agi_maze.rules import grenades_left, has, initial_state, is_won, legal_moves, step
from games.agi_maze.stage import scene
from games.catalogue import load_catalogue
from games.contract import LevelError, LevelId, Table
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.frame import BLACK
from games.grid.ports import port_of
from solvers.agi_maze import SOLVER
from solvers.agi_maze.explorer import Explorer
from solvers.agi_maze.search import bare
from solvers.certificate import DeadEnd, Solvable
from solvers.certificate_json import certificate_from_json
from solvers.generators.agi_maze import RECIPES, explored, level
from solvers.verify import verify, verify_exact

GAME_PORT = port_of("agi_maze")
CATALOGUE = load_catalogue(PACK)
LEVELS = [one.id for one in CATALOGUE.entries]
PLAIN = {
    "rows": 3, "columns": 4, "right_walls": ["100", "000", "000"], "down_walls": ["0000", "0000"],
    "start": [0, 0], "key": [1, 3], "treasure": [0, 3], "exit": [2, 3], "exit_key": None,
    "river": [[1, 0], [1, 1], [1, 2]], "pits": [[2, 0], [0, 1], [2, 2]], "boat": [0, 2], "grenades": [],
    "flashlight": [2, 1], "grenades_carried": 1, "map_shown": False, "soft_good_steps": 20,
}  # fmt: skip


def walked(*moves, **changes):
    state = initial_state(parse_layout({**PLAIN, **changes}))
    for move in moves:
        state = step(state, move)
    return state


class Bare:
    """The rules without memory and steps, so that plain search ends."""

    is_won = staticmethod(is_won)

    def legal_moves(self, state):
        return tuple(move for move in legal_moves(state) if not move.startswith("look"))

    def step(self, state, move):
        return bare(step(state, move))


def test_a_wall_costs_a_step_and_is_known_afterwards():
    state = walked("right")
    assert (state.cell, state.steps, state.events) == ((0, 0), 1, ("bumped",))
    assert [0, 0, "right", "wall"] in scene(Table(state))["edges"]
    assert walked("up").events == ("bumped",)


def test_a_river_carries_two_cells_and_one_next_to_its_mouth():
    assert walked("down").cell == (1, 2)
    assert walked("down").events == ("swept",)
    near = walked("bomb_right", "right", start=[0, 0], pits=[], river=[[0, 1], [1, 1]])
    assert (near.cell, near.events) == ((1, 1), ("swept",))
    assert walked("down", "up", "down").events == ()  # with the boat of (0, 2) the river does not carry


def test_a_pit_leads_to_the_next_of_its_cycle():
    assert walked("down", "down").cell == (2, 0)  # the last leads to the first
    assert walked("bomb_right", "right").cell == (2, 2)


def test_the_treasure_wants_the_key_and_the_exit_the_treasure():
    assert walked("down", "right", "down").events == ("shut",)
    won = walked("down", "right", "up", "down", "down")
    assert is_won(won)
    assert won.events == ("out",)
    without = walked("down", "up", "right")
    assert without.events == ("locked",)
    assert not has(without, "treasure")


def test_an_exit_with_a_key_of_its_own_stays_shut_without_it():
    state = walked("down", "right", "up", "down", "down", exit_key=[2, 1], flashlight=None)
    assert not is_won(state)


def test_a_grenade_breaks_a_wall_once_and_is_spent_either_way():
    state = walked("bomb_right")
    assert grenades_left(state) == 0
    assert state.events == ("blown",)
    assert "bomb_up" not in legal_moves(state)
    assert walked("bomb_up").events == ("fizzled",)
    assert grenades_left(walked("bomb_up")) == 0


def test_the_flashlight_shows_a_line_and_changes_nothing_else():
    state = walked("down", "down", "right", pits=[], start=[0, 0], flashlight=[2, 2])
    assert "look_left" in legal_moves(state)
    looked = step(state, "look_left")
    assert {(2, 0), (2, 1)} <= looked.seen
    assert bare(looked) == bare(state)


def test_an_attempt_is_over_when_its_steps_are_used_up():
    state = walked(*["right"] * 4, soft_good_steps=2)
    assert legal_moves(state) == ()
    assert isinstance(SOLVER.certify(state, state_limit=10), DeadEnd)
    found = SOLVER.certify(walked(soft_good_steps=2), state_limit=1000)
    assert isinstance(found, DeadEnd)


def test_what_is_not_known_is_not_in_the_scene_nor_in_the_frame():
    one, other = (
        parse_layout(PLAIN),
        parse_layout({**PLAIN, "key": [0, 3], "treasure": [1, 3], "down_walls": ["0001", "0000"]}),
    )
    assert scene(Table(initial_state(one))) == scene(Table(initial_state(other)))
    frames = [GAME_PORT.board(layout).draw(Table(initial_state(layout))) for layout in (one, other)]
    assert (frames[0] == frames[1]).all()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"key": [0, 3]}, "two things"),
        ({"pits": [[2, 0]]}, "one pit"),
        ({"river": [[1, 0], [2, 3]], "exit": [1, 1]}, "neighbours"),
        ({"river": [[1, 0]]}, "has to run"),
        ({"right_walls": ["10", "000", "000"]}, "right_walls"),
        ({"soft_good_steps": 0}, "soft_good_steps"),
        ({"grenades_carried": 5}, "grenades_carried"),
        ({"exit": [9, 9]}, "exit"),
        ({"boot": None}, "boot"),
    ],
)
def test_a_wrong_layout_is_named(wrong, named):
    with pytest.raises(LevelError, match=named):
        parse_layout({**PLAIN, **wrong})


def test_a_layout_reads_back():
    for one in CATALOGUE.entries:
        assert layout_to_json(CATALOGUE.layout(one.id)) == one.layout_json


@pytest.mark.parametrize("level_id", LEVELS, ids=str)
def test_the_stored_solution_wins_and_the_explorers_need_what_is_stored(level_id):
    one, layout = CATALOGUE.level(level_id), CATALOGUE.layout(level_id)
    claim = certificate_from_json(GAME, one.certificate)
    verify(GAME, initial_state(layout), claim, state_limit=10_000)
    assert claim.exact
    assert list(explored(replace(layout, soft_good_steps=400))) == one.provenance["explorers"]


@pytest.mark.parametrize("level_id", [one for one in LEVELS if one.number in (1, 4)], ids=str)
def test_no_win_is_nearer_by_plain_search(level_id):
    start = bare(initial_state(CATALOGUE.layout(level_id)))
    claim = SOLVER.certify(start, state_limit=100_000)
    assert isinstance(claim, Solvable)
    assert claim.distance == CATALOGUE.level(level_id).optimum
    verify_exact(Bare(), start, claim, state_limit=200_000)


def test_a_level_is_generated_again_as_it_is_stored():
    again = level("classic", 1)
    assert again.layout == CATALOGUE.levels("agi_maze", "classic")[0].layout_json
    assert {name: len(recipes) for name, recipes in RECIPES.items()} == {
        name: len(CATALOGUE.levels("agi_maze", name)) for name in CATALOGUE.difficulties("agi_maze")
    }


def test_an_explorer_that_begins_again_goes_straight_for_what_it_knows():
    layout = CATALOGUE.layout(LevelId("agi_maze", "classic", 6))
    player, counts = Explorer(), []
    for _ in range(2):
        player.begins()
        state = initial_state(replace(layout, soft_good_steps=400))
        while not is_won(state):
            state = step(state, player.choose(scene(Table(state))))
        counts.append(state.steps)
    assert counts[1] < counts[0] / 2


def test_the_port_shows_every_table_and_an_attempt_without_steps_is_lost():
    levels = level_set(CATALOGUE, [LEVELS[-1]])
    game = GridEnvironment(levels, Loss(stuck=True), resets_levels_only=True)
    rng, shown = random.Random(1), {}
    while game.observation.status == "playing":
        moves = GAME.legal_moves(game.rules_state)
        (action,) = game.plan(rng.choice(moves))
        game.step(action)
        assert (game.observation.frame[-1] == BLACK).all()
        assert shown.setdefault(game.observation.frame.tobytes(), game.table) == game.table
    assert game.observation.status in ("lost", "won")
    assert game.rules_state.steps == game.attempt_actions == levels.layouts[0].hard_max_steps
