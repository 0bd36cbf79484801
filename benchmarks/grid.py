"""Steps a second of the grid ports on one core, against the bare rules and against the engine of ARC-AGI-3.

python benchmarks/grid.py [--steps 2000] [--games rush_hour ...]

Every row replays one sequence of actions, drawn beforehand from random legal moves with a restart when a level ends. A
step is the action, the rules, the drawing of the 64 x 64 frame and its observation; `rules` makes the same moves with
no grid, and `x rules` is how many times longer a step takes. Each measurement has a fresh process, so no cache is warm.
The engine's line (extra `arc`, Python 3.12 or newer) is the slide-and-paint game of the tests with random ACTION1 to
ACTION4; it draws a frame for every cell slid over and ours one a step, and games differ: no race is run.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from games.catalogue import load_catalogue
from games.grid.actions import GridAction
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.ports import registered_ports

LEVELS = 3
ENGINE_GAME = Path(__file__).parents[1] / "tests/games/grid/arcade/slide/slide.py"


def opened(game: str) -> GridEnvironment:
    """Return a game of three levels, spread over its catalogue."""
    catalogue = load_catalogue()
    ids = [entry.id for entry in catalogue.entries if entry.id.game == game]
    return GridEnvironment(level_set(catalogue, [ids[n * len(ids) // LEVELS] for n in range(LEVELS)]), Loss(stuck=True))


def drawn(game: str, n_steps: int) -> list[tuple[GridAction, Any]]:
    """Return actions, each with the move of the rules that it completes; (RESET, None) begins a level again."""
    environment, rng = opened(game), np.random.default_rng(0)
    found: list[tuple[GridAction, Any]] = []
    while len(found) < n_steps:
        moves = environment.levels.game.legal_moves(environment.rules_state)
        move = moves[int(rng.integers(len(moves)))] if environment.observation.status == "playing" else None
        actions = (GridAction(0),) if move is None else environment.plan(move)
        found += [(action, move if action is actions[-1] else None) for action in actions]
        for action in actions:
            environment.step(action)
    return found


def step_s(game: str, plan: list[tuple[GridAction, Any]]) -> float:
    """Return seconds per step of the grid."""
    environment = opened(game)
    began = time.perf_counter()
    for action, _ in plan:
        environment.step(action)
    return (time.perf_counter() - began) / len(plan)


def rules_s(game: str, plan: list[tuple[GridAction, Any]]) -> float:
    """Return seconds per action of the same moves without a grid: transition and test of the end alone."""
    environment = opened(game)
    rules, layouts = environment.levels.game, environment.levels.layouts
    place, state = 0, environment.rules_state
    began = time.perf_counter()
    for action, move in plan:
        if move is not None:
            state = rules.step(state, move)
            if rules.is_won(state):
                place = (place + 1) % LEVELS
                state = rules.initial_state(layouts[place])
        elif action.number == 0:
            state = rules.initial_state(layouts[place])
    return (time.perf_counter() - began) / len(plan)


def copy_s(game: str, n_copies: int) -> float:
    """Return seconds per copy, which is how a state is restored."""
    environment = opened(game)
    began = time.perf_counter()
    for _ in range(n_copies):
        environment.copy()
    return (time.perf_counter() - began) / n_copies


def engine_s(n_steps: int) -> tuple[float, float] | None:
    """Return seconds per action of the package's engine and frames per action; None if it cannot be imported."""
    if importlib.util.find_spec("arcengine") is None:
        return None
    from arcengine import ActionInput, GameAction

    spec = importlib.util.spec_from_file_location("slide", ENGINE_GAME)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game, rng = module.Slide(), np.random.default_rng(0)
    numbers = [int(number) for number in rng.integers(1, 5, n_steps)]
    game.perform_action(ActionInput(id=GameAction.RESET), raw=True)
    n_actions = n_frames = 0
    began = time.perf_counter()
    for number in numbers:
        frames = game.perform_action(ActionInput(id=GameAction.from_id(number)), raw=True).frame
        if not frames:
            frames = game.perform_action(ActionInput(id=GameAction.RESET), raw=True).frame
        n_actions, n_frames = n_actions + 1, n_frames + len(frames)
    return (time.perf_counter() - began) / n_actions, n_frames / n_actions


def fresh(measure: Callable[..., Any], *words: Any) -> Any:
    """Return what a measurement gives in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, *words).result()


def main() -> None:
    """Measure and print a row per game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--games", nargs="*", choices=list(registered_ports()), default=list(registered_ports()))
    wanted = parser.parse_args()
    engine = fresh(engine_s, wanted.steps)
    print("game             k steps/s  rules k/s  x rules  copy us  x engine's rate")
    for game in wanted.games:
        plan = fresh(drawn, game, wanted.steps)
        step, rules = fresh(step_s, game, plan), fresh(rules_s, game, plan)
        copy, ratio = fresh(copy_s, game, wanted.steps), "-" if engine is None else f"{engine[0] / step:.2f}"
        rates = f"{0.001 / step:9.2f}  {0.001 / rules:9.1f}  {step / rules:7.1f}  {copy * 1e6:7.2f}  {ratio:>15}"
        print(f"{game:15}  {rates}")
    found = "not installed (extra arc, Python 3.12)"
    if engine is not None:
        found = f"{0.001 / engine[0]:.2f} k steps/s of {engine[1]:.2f} frames"
    print(f"arcengine's own, slide and paint: {found}")


if __name__ == "__main__":
    main()
