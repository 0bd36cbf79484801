"""The environment follows ARC-AGI-3: resets, ends, frames at a level's end, losses, copies."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from games.contract import LevelId
from games.grid.actions import ActionError, GridAction, action_from_json, action_from_text, click
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.frame import BLACK, YELLOW, FrameError, changed_cells, checked_frame, frame_from_text, frame_text
from solvers.deadlock import deadlock_of
from solvers.registry import solver_for

NO_LOSS = Loss()


def environment(catalogue, game, difficulty, numbers, loss=NO_LOSS, **options):
    ids = [LevelId(game, difficulty, number) for number in numbers]
    return GridEnvironment(level_set(catalogue, ids), loss, **options)


def solve_level(env):
    """Play a solver's solution of the level in play; return the last observation and the actions taken."""
    level, taken, seen = env.level, 0, None
    for move in solver_for(env.name).certify(env.rules_state, state_limit=500_000).solution:
        for action in env.plan(move):
            seen, taken = env.step(action), taken + 1
    assert seen is not None
    assert env.level != level or seen.status == "won"
    return seen, taken


@pytest.mark.parametrize(
    ("game", "difficulty"),
    [
        ("bolt_unscrew", "easy"),
        ("color_connect", "easy"),
        ("maze_paint", "easy"),
        ("nut_and_bolt", "easy"),
        ("rush_hour", "easy"),
        ("truck_escape", "default"),
    ],
)
def test_a_solved_game_is_won_level_by_level(catalogue, game, difficulty):
    env = environment(catalogue, game, difficulty, (1, 2, 3))
    for number in (1, 2, 3):
        seen, _ = solve_level(env)
        assert seen.levels_completed == number
        assert seen.status == ("won" if number == 3 else "playing")
        assert len(seen.frames) == (1 if number == 3 else 2)


def test_the_last_frame_of_a_completed_level_is_the_next_level_and_the_one_before_it_the_finished_one(catalogue):
    env = environment(catalogue, "truck_escape", "default", (1, 2))
    seen, _ = solve_level(env)
    alone = environment(catalogue, "truck_escape", "default", (2,))
    assert (seen.frame == alone.observation.frame).all()
    last = environment(catalogue, "truck_escape", "default", (1,))
    finished, _ = solve_level(last)
    assert (seen.frames[-2] == finished.frame).all()


def test_reset_restarts_the_level_after_an_action_and_the_game_before_one(catalogue):
    env = environment(catalogue, "maze_paint", "easy", (1, 2))
    assert env.observation.full_reset
    solve_level(env)
    start = env.observation.frame
    for direction in range(1, 5):
        env.step(GridAction(direction))
    again = env.reset()
    assert (again.levels_completed, again.full_reset, env.level_index) == (1, False, 1)
    assert (again.frame == start).all()
    whole = env.reset()
    assert (whole.levels_completed, whole.full_reset, env.level_index) == (0, True, 0)


def test_resets_of_levels_only_go_back_to_the_first_level_after_a_win_alone(catalogue):
    env = environment(catalogue, "maze_paint", "easy", (1, 2), resets_levels_only=True)
    solve_level(env)
    assert env.reset().levels_completed == 1
    solve_level(env)
    assert env.reset().levels_completed == 0


def test_nothing_but_reset_is_answered_after_the_end(catalogue):
    env = environment(catalogue, "maze_paint", "easy", (1, 2), Loss(budgets=(99, 2)))
    solve_level(env)
    env.step(GridAction(1))
    lost = env.step(GridAction(1))
    assert (lost.status, env.attempt_actions) == ("lost", 2)
    refused = env.step(GridAction(2))
    assert refused.is_refused
    assert (refused.levels_completed, refused.status, env.attempt_actions) == (1, "lost", 2)
    assert env.reset().status == "playing"
    assert env.level_index == 1


def test_the_budget_stands_in_the_last_row(catalogue):
    env = environment(catalogue, "maze_paint", "easy", (1,), Loss(budgets=(130,)))
    rows = [tuple(env.observation.frame[-1])]
    while env.observation.status == "playing":
        rows.append(tuple(env.step(GridAction(1)).frame[-1]))
    assert len(rows) == len(set(rows)) == 131
    assert rows[0].count(YELLOW) == 43
    assert set(rows[-1]) == {BLACK}


@pytest.mark.parametrize("budgets", [(), (1, 2), (0,), (705,)])
def test_budgets_must_fit_the_levels_and_the_bar(catalogue, budgets):
    with pytest.raises(ValueError, match="budget"):
        environment(catalogue, "maze_paint", "easy", (1,), Loss(budgets=budgets))


def test_a_proven_dead_end_and_a_stuck_board_are_two_losses(catalogue):
    game, level = "nut_and_bolt", ("hard", (1,))
    proven = environment(catalogue, game, *level, Loss(deadlock=deadlock_of(game, state_limit=10_000)))
    visible = environment(catalogue, game, *level, Loss(stuck=True))
    assert (proven.capabilities.loss, visible.capabilities.loss) == (("deadlock",), ("stuck",))
    rng = random.Random(1)
    for _ in range(100):
        for action in proven.plan(rng.choice(proven.levels.game.legal_moves(proven.rules_state))):
            proven.step(action)
            visible.step(action)
        if proven.observation.status != "playing":
            break
    assert proven.observation.status == "lost"
    assert proven.levels.game.legal_moves(proven.rules_state)
    assert visible.observation.status == "playing"


def test_undo_takes_back_moves_and_never_the_selection_of_another_board(catalogue):
    env = environment(catalogue, "nut_and_bolt", "easy", (1,))
    first = env.observation.frame
    assert (env.step(GridAction(7)).frame == first).all()
    move = env.levels.game.legal_moves(env.rules_state)[0]
    for action in env.plan(move):
        env.step(action)
    assert changed_cells(first, env.observation.frame)
    assert (env.step(GridAction(7)).frame == first).all()


@pytest.mark.parametrize("game", ["bolt_unscrew", "color_connect", "nut_and_bolt", "rush_hour"])
def test_a_copy_is_the_same_environment_and_independent(catalogue, game):
    env = environment(catalogue, game, {"nut_and_bolt": "extreme"}.get(game, "hard"), (1, 2))
    for move in env.levels.game.legal_moves(env.rules_state)[:1]:
        env.step(env.plan(move)[0])
    twin, frame = env.copy(), env.observation.frame.copy()
    started = time.perf_counter()
    for _ in range(1000):
        env.copy()
    assert time.perf_counter() - started < 0.2
    for index, move in enumerate(env.levels.game.legal_moves(env.rules_state)[:4]):
        branch = twin.copy()
        action = branch.plan(move)[index % len(branch.plan(move))]
        assert (branch.step(action).frame == env.copy().step(action).frame).all()
    assert (env.observation.frame == frame).all()
    assert env.attempt_actions == twin.attempt_actions == 1


def test_a_frame_cannot_be_written(catalogue):
    frame = environment(catalogue, "maze_paint", "easy", (1,)).observation.frame
    with pytest.raises(ValueError, match="read-only"):
        frame[0, 0] = 1


def test_animation_ends_where_the_settled_frame_is(catalogue):
    plain, shown = (environment(catalogue, "maze_paint", "hard", (1,), animate=flag) for flag in (False, True))
    longest = 0
    for number in (1, 2, 3, 4, 1, 2):
        settled, animated = plain.step(GridAction(number)), shown.step(GridAction(number))
        assert (settled.frame == animated.frame).all()
        assert len(settled.frames) == 1
        longest = max(longest, len(animated.frames))
    assert longest > 1


def test_an_action_that_is_not_available_is_one_line(catalogue):
    env = environment(catalogue, "truck_escape", "default", (1,))
    with pytest.raises(ActionError, match=r"^truck_escape: got ACTION5, wanted one of RESET, ACTION6$"):
        env.step(GridAction(5))
    assert env.attempt_actions == 0


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"action": "ACTION8"},
        {"action": "ACTION6"},
        {"action": "ACTION1", "x": 1},
        {"action": "ACTION6", "x": 64, "y": 0},
        {"action": "ACTION6", "x": 0, "y": -1},
        {"action": "ACTION6", "x": True, "y": 0},
        {"action": "ACTION6", "x": 1.0, "y": 0},
    ],
)
def test_malformed_actions_are_refused(data):
    with pytest.raises(ActionError, match="got"):
        action_from_json(data)


def test_actions_read_back():
    for action in (GridAction(0), GridAction(7), click(0, 63), click(63, 0)):
        assert action_from_json(action.to_json()) == action_from_text(str(action)) == action
    for text in ("", "ACTION6", "ACTION6 1", "ACTION6 64 0", "ACTION1 2", "ACTION6 1 2 3", "action1"):
        with pytest.raises(ActionError):
            action_from_text(text)


def test_frames_read_back_and_other_grids_are_refused():
    frame = checked_frame(np.arange(64 * 64).reshape(64, 64) % 16)
    assert (frame_from_text(frame_text(frame)) == frame).all()
    wrong = [
        np.zeros((64, 63), int),
        np.zeros(3, int),
        np.full((64, 64), 16),
        np.full((64, 64), -1),
        1,
        np.zeros((64, 64)),
        [[0], [0, 1]],
    ]
    for grid in wrong:
        with pytest.raises(FrameError, match="got"):
            checked_frame(grid)
