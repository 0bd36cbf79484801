"""Somebody else's games: a folder of local games of the package `arcengine` (extra `arc`, Python 3.12 or newer).

A game is a folder with `metadata.json` (game_id, title, class_name, baseline_actions) and `<class name in small
letters>.py` with one subclass of `ARCBaseGame`; the layout is that of arc-agi's offline mode. Its code runs in this
process with all rights of this process. Nothing is fetched, and no file of the working directory is read.
"""

from __future__ import annotations

import copy
import inspect
import json
import sys
import types
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from games.digest import sha256_of
from games.grid.actions import CLICK, NAMES, RESET, UNDO, ActionError, GridAction
from games.grid.contract import Capabilities, Observation, Status
from games.grid.frame import checked_frame

_STATUS: dict[str, Status] = {"NOT_PLAYED": "playing", "NOT_FINISHED": "playing", "WIN": "won", "GAME_OVER": "lost"}
ENGINE_SEED = 0
"""What a game that takes a seed is made with, as the package does."""


class LocalGameError(ValueError):
    """A folder or a game in it cannot be played; one line that names what was found and what was wanted."""


@dataclass(frozen=True)
class LocalGame:
    """One game of a folder, as its `metadata.json` describes it."""

    game_id: str
    title: str
    class_name: str
    baselines: tuple[int, ...]
    """Actions that every level is scored against, as its author states them."""
    source: Path

    @cached_property
    def digest(self) -> str:
        """SHA-256 over what decides how it plays and scores: the code, the class and the baselines."""
        return sha256_of([self.game_id, self.class_name, list(self.baselines), self.source.read_text(encoding="utf-8")])

    def open(self) -> LocalEnvironment:
        """Return the game at its first level.

        Raises:
            LocalGameError: the package is missing, or the game does not begin; a fault of its code is named.
        """
        return LocalEnvironment(self)


def local_games(folder: Path) -> tuple[LocalGame, ...]:
    """Return the games of a folder, however deep, by id.

    Raises:
        LocalGameError: no folder, no game in it, a game twice, or a `metadata.json` that is not as it should be.
    """
    if not folder.is_dir():
        raise LocalGameError(f"{folder}: no such folder, wanted one of games with metadata.json")
    try:
        paths = sorted(folder.rglob("metadata.json"))
    except OSError as error:
        raise LocalGameError(f"{folder}: {_line(error)}") from error
    found = [_described(path) for path in paths]
    names = [game.game_id for game in found]
    if not found:
        raise LocalGameError(f"{folder}: found no metadata.json, wanted at least one game")
    if twice := [name for name in names if names.count(name) > 1]:
        raise LocalGameError(f"{folder}: two games are called {twice[0]}")
    return tuple(sorted(found, key=lambda game: game.game_id))


def _described(path: Path) -> LocalGame:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LocalGameError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict) or not isinstance(data.get("game_id"), str) or not data["game_id"]:
        raise LocalGameError(f"{path}: found no game_id, wanted the name of the game")
    game_id, baselines = data["game_id"], data.get("baseline_actions")
    numbers = isinstance(baselines, list) and all(type(one) is int and one > 0 for one in baselines)
    if not numbers or not baselines:
        raise LocalGameError(f"{path}: baseline_actions: found {baselines!r:.60}, wanted an integer from 1 per level")
    class_name = data.get("class_name") or game_id[:1].upper() + game_id[1:4]
    if not isinstance(class_name, str) or not class_name.isidentifier():
        raise LocalGameError(f"{path}: class_name: found {class_name!r:.60}, wanted the name of a class")
    candidates = [path.parent / f"{class_name.lower()}.py", path.parent / f"{class_name}.py"]
    source = next((one for one in candidates if one.is_file()), None)
    if source is None:
        raise LocalGameError(f"{path}: found no {candidates[0].name}, wanted the code of {game_id} there")
    return LocalGame(game_id, str(data.get("title") or game_id), class_name, tuple(baselines), source)


class LocalEnvironment:
    """A local game in play. `games.grid.contract.Restorable`; it has no rules state."""

    def __init__(self, game: LocalGame) -> None:
        self.game, self.name = game, game.game_id
        self._engine = _made(game)
        try:
            self.observation = self._performed(GridAction(RESET), opening=True)
        except Exception as error:
            raise LocalGameError(f"{self.name}: {type(error).__name__} at the opening RESET: {_line(error)}") from error
        if self.observation.n_levels > len(game.baselines):
            raise LocalGameError(
                f"{self.name}: baseline_actions: found {len(game.baselines)}, wanted {self.observation.n_levels}, "
                "one per level"
            )
        self.capabilities = Capabilities(True, False, UNDO in self.observation.available_actions, can_be_copied=True)

    @property
    def level_index(self) -> int:
        """Zero-based number of the level in play; of the last one once the game is won."""
        return min(self.observation.levels_completed, self.observation.n_levels - 1)

    @property
    def attempt_actions(self) -> int:
        """Actions since this attempt at the level began, as the engine counts them; at 0 a RESET is a full reset."""
        return int(self._engine._action_count)

    def reset(self) -> Observation:
        """Take the action RESET: restart the level, or the whole game if the attempt has no action yet or is won."""
        return self.step(GridAction(RESET))

    def step(self, action: GridAction) -> Observation:
        """Take one action, RESET included.

        Raises:
            ActionError: it is not available now. (The package would count it as an action.)
            FrameError: the game drew something else than 64 x 64 colours.
            Exception: whatever the game raises.
        """
        available = self.observation.available_actions
        if action.number != RESET:
            if self.observation.status != "playing":
                return replace(self.observation, frames=(), full_reset=False)
            if action.number not in available:
                names = ", ".join(NAMES[number] for number in (RESET, *available))
                raise ActionError(f"{self.name}: got {action.name}, wanted one of {names}")
        seen = self._performed(action)
        if not seen.is_refused:
            self.observation = seen
        return seen

    def copy(self) -> Self:
        """Return an independent environment in the same state: a deep copy of the game."""
        twin = copy.copy(self)
        twin._engine = copy.deepcopy(self._engine)
        return twin

    def _performed(self, action: GridAction, *, opening: bool = False) -> Observation:
        from arcengine import ActionInput, GameAction

        data = {"x": action.x, "y": action.y} if action.number == CLICK else {}
        try:
            answer = self._engine.perform_action(ActionInput(id=GameAction.from_id(action.number), data=data), raw=True)
        except SystemExit as error:
            raise RuntimeError(f"the game called exit({error.code})") from error
        frames = tuple(checked_frame(frame) for frame in answer.frame)
        actions = tuple(sorted({int(number) for number in answer.available_actions} - {RESET}))
        status = _STATUS[answer.state.name]
        completed, n_levels = int(answer.levels_completed), int(answer.win_levels)
        if not 0 <= completed <= n_levels:
            raise ValueError(f"levels_completed: got {completed}, wanted 0 to {n_levels}")
        full = opening or bool(answer.full_reset)
        return Observation(frames, status, completed, n_levels, actions, full)


def _made(game: LocalGame) -> Any:
    """Return the game's object. Raises LocalGameError: no package, or code that does not give one."""
    try:
        from arcengine import ARCBaseGame
    except ModuleNotFoundError as error:
        raise LocalGameError(
            "games of a folder need arcengine: pip install 'gui-diagnostics[arc]' under Python 3.12 or newer"
        ) from error
    module = types.ModuleType(f"local_game_{game.digest[:16]}")
    sys.modules[module.__name__] = module  # dataclasses and deep copies look their module up
    try:
        exec(compile(game.source.read_text(encoding="utf-8"), str(game.source), "exec"), module.__dict__)  # noqa: S102 - the user's own game
        found = module.__dict__.get(game.class_name)
        if not (isinstance(found, type) and issubclass(found, ARCBaseGame)):
            raise LocalGameError(f"{game.source}: found no class {game.class_name}, wanted a subclass of ARCBaseGame")
        seeded = "seed" in inspect.signature(found).parameters
        return found(seed=ENGINE_SEED) if seeded else found()
    except LocalGameError:
        raise
    except (Exception, SystemExit) as error:
        raise LocalGameError(f"{game.game_id}: {type(error).__name__} when it is made: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
