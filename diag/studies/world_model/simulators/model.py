"""The model that scripted builders write: the game's own rules, exact, or with the fault that `settings.json` names.

It runs in the jail as any agent's model does. `simulator.zip` beside it holds the rules and the solver; levels are
known beforehand by their layouts, which no agent has: this is a control, not a player.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "simulator.zip"))

import numpy as np  # noqa: E402

from games.contract import LevelId  # noqa: E402
from games.grid.actions import NAMES, GridAction, click  # noqa: E402
from games.grid.environment import GridEnvironment, LevelSet, Loss  # noqa: E402
from solvers.certificate import DeadEnd, Solvable  # noqa: E402

SETTINGS = json.loads((HERE / "settings.json").read_text())
BUILDER = SETTINGS["builder"]
"""exact, fault, abstaining or wrong_goal."""
EVERY = SETTINGS["every"]
"""fault: every so many actions of an attempt one cell is drawn wrong. wrong_goal: so many changes are said to win."""
PHASE = SETTINGS["phase"]
STATES = 50_000
_SOLVER = importlib.import_module(f"solvers.{SETTINGS['game']}").SOLVER


class State(NamedTuple):
    """The game at a level of its own, and what the faults count by."""

    game: GridEnvironment
    n_actions: int
    n_changes: int


def init_state(grid: Any, level: int) -> State:
    """Return the level's start."""
    game = importlib.import_module(f"games.{SETTINGS['game']}.game").GAME
    port = importlib.import_module(f"games.{SETTINGS['game']}.grid_port").PORT
    layout = game.parse_layout(SETTINGS["layouts"][level])
    one = LevelSet(game, port, (LevelId(SETTINGS["game"], "level", level + 1),), (layout,), (port.board(layout),))
    loss = Loss("stuck" in SETTINGS["loss"], _is_dead if "deadlock" in SETTINGS["loss"] else None)
    return State(GridEnvironment(one, loss, resets_levels_only=True), 0, 0)


def transition(state: State, action: dict[str, Any]) -> State:
    """Take an action in a copy of the game."""
    game, before = state.game.copy(), state.game.observation.frame
    number = NAMES.index(action["action"])
    game.step(GridAction(number) if action["row"] is None else click(action["col"], action["row"]))
    changed = bool((game.observation.frame != before).any())
    return State(game, state.n_actions + 1, state.n_changes + changed)


def render(state: State) -> Any:
    """Draw the settled frame."""
    if BUILDER == "abstaining":
        return np.full((64, 64), -1, dtype=np.int16)
    grid = state.game.observation.frame.astype(np.int16)
    if BUILDER == "fault" and state.n_actions and (state.n_actions + PHASE) % EVERY == 0:
        grid[63, 0] = (grid[63, 0] + 1) % 16
    return grid


def outcome(state: State) -> str:
    """Return what the rules say; with the wrong goal a win is none, and every so many changes are one."""
    status = state.game.observation.status
    if BUILDER == "abstaining":
        return "ongoing"
    if BUILDER == "wrong_goal":
        said_to_win = status == "playing" and state.n_changes > 0 and state.n_changes % EVERY == 0
        return "level_complete" if said_to_win else "game_over" if status == "lost" else "ongoing"
    return {"playing": "ongoing", "won": "level_complete", "lost": "game_over"}[status]


def actions(state: State) -> list[dict[str, Any]]:
    """Return the first action of every legal move."""
    if BUILDER == "abstaining" or state.game.observation.status != "playing":
        return []
    legal = state.game.levels.game.legal_moves(state.game.rules_state)
    first = dict.fromkeys(state.game.plan(move)[0] for move in legal)
    return [
        {"action": one.name, "row": one.y if one.number == 6 else None, "col": one.x if one.number == 6 else None}
        for one in first
    ]


def planner_key(state: State) -> Any:
    """Return the board and the hand; with the wrong goal, the count as well."""
    return state.game.table, state.n_changes % EVERY if BUILDER == "wrong_goal" else 0


def _boards(state: State) -> list[Any]:
    """Return a test for the board after each move of the solver's solution; none if there is no solution."""
    found = _SOLVER.certify(state.game.rules_state, state_limit=STATES)
    board, tests = state.game.rules_state, []
    for move in found.solution if isinstance(found, Solvable) else ():
        board = state.game.levels.game.step(board, move)
        tests.append(lambda later, board=board: later.game.rules_state == board)
    return tests


if BUILDER in ("exact", "fault"):
    subgoals = _boards


def _is_dead(board: Any) -> bool:
    return isinstance(_SOLVER.certify(board, state_limit=SETTINGS["deadlock_states"]), DeadEnd)
