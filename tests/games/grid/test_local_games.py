"""Somebody else's games: what a folder must hold, and, with the package arcengine, how its games are played."""

from __future__ import annotations

import importlib.util
import json
import logging
import random
from pathlib import Path

import pytest

from games.grid.actions import RESET, ActionError, GridAction, action_from_text
from games.grid.card import PlayCounter
from games.grid.frame import FrameError
from games.grid.local import LocalGameError, local_games
from games.grid.scores import game_score

ARCADE = Path(__file__).parent / "arcade"
engine = pytest.mark.skipif(importlib.util.find_spec("arcengine") is None, reason="extra arc, Python 3.12")
GAME = """
import numpy
from arcengine import ARCBaseGame, Camera, Level, Sprite

SMALL = numpy.zeros((32, 64), int)

class Odd(ARCBaseGame):
    def __init__(self):
        super().__init__("odd", [Level([Sprite([[3]])], grid_size=(8, 8))], Camera(), available_actions=[1, 2])

    def step(self):
        {step}
        self.complete_action()
"""


def folder(tmp_path, step="pass", code=GAME, **changes):
    """Write a folder with one game and return it."""
    described = {"game_id": "odd-1", "title": "Odd", "baseline_actions": [3], "class_name": "Odd", **changes}
    place = tmp_path / "games" / "odd"
    place.mkdir(parents=True, exist_ok=True)
    (place / "metadata.json").write_text(json.dumps({k: v for k, v in described.items() if v != "absent"}))
    if code:
        (place / "odd.py").write_text(code.format(step=step) if "{step}" in code else code)
    return tmp_path / "games"


def test_a_folder_is_described_without_the_package():
    (game,) = local_games(ARCADE)
    assert (game.game_id, game.title, game.class_name, game.baselines) == (
        "slide-0001", "Slide and paint", "Slide", (3, 4),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game_id": "absent"}, "found no game_id"), ({"game_id": 5}, "found no game_id"),
        ({"baseline_actions": "absent"}, "baseline_actions: found None, wanted an integer from 1 per level"),
        ({"baseline_actions": [3, 0]}, r"baseline_actions: found \[3, 0\]"), ({"baseline_actions": []}, r"found \[\]"),
        ({"class_name": "Even"}, "found no even.py, wanted the code of odd-1 there"),
        ({"class_name": "../x"}, "class_name: found '../x'"),
    ],
)  # fmt: skip
def test_a_game_that_is_not_described_as_it_should_be_is_refused(tmp_path, changes, words):
    with pytest.raises(LocalGameError, match=words) as caught:
        local_games(folder(tmp_path, **changes))
    assert "\n" not in str(caught.value)


def test_a_folder_without_games_or_with_one_twice_is_refused(tmp_path):
    with pytest.raises(LocalGameError, match="no such folder"):
        local_games(tmp_path / "nowhere")
    with pytest.raises(LocalGameError, match="found no metadata"):
        local_games(tmp_path)
    folder(tmp_path / "a")
    folder(tmp_path / "b")
    with pytest.raises(LocalGameError, match="two games are called odd-1"):
        local_games(tmp_path)
    (tmp_path / "b/games/odd/metadata.json").write_text("{")
    with pytest.raises(LocalGameError, match=r"metadata\.json: Expecting property name"):
        local_games(tmp_path)


def test_the_code_and_the_baselines_are_in_the_digest(tmp_path):
    digests = {local_games(folder(tmp_path, **one))[0].digest for one in ({}, {"baseline_actions": [4]}, {"step": "1"})}
    assert len(digests) == 3


@pytest.mark.skipif(importlib.util.find_spec("arcengine") is not None, reason="the package is here")
def test_without_the_package_one_line_says_what_to_install():
    with pytest.raises(LocalGameError, match="need arcengine: pip install"):
        local_games(ARCADE)[0].open()


@engine
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"code": "class Odd: pass"}, "found no class Odd, wanted a subclass of ARCBaseGame"),
        ({"code": "def"}, "odd-1: SyntaxError when it is made"),
        ({"code": "import sys; sys.exit(3)"}, "odd-1: SystemExit when it is made: 3"),
        ({"step": "raise OSError('no\\nfloor')"}, "odd-1: OSError at the opening RESET: no floor"),
        ({"baseline_actions": [3], "code": GAME.replace("[Level(", "[Level([Sprite([[1]])]), Level(")},
         "odd-1: baseline_actions: found 1, wanted 2, one per level"),
    ],
)  # fmt: skip
def test_a_game_that_does_not_begin_is_refused_in_one_line(tmp_path, given, words):
    with pytest.raises(LocalGameError, match=words) as caught:
        local_games(folder(tmp_path, **given))[0].open()
    assert "\n" not in str(caught.value)


@engine
@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        ("assert self.action.id.value == 0, 'a fault'", AssertionError, "a fault"),
        ("self.action.id.value == 0 or exit(2)", RuntimeError, r"the game called exit\(2\)"),
        ("self.action.id.value == 0 or setattr(self.camera, 'render', lambda _: SMALL)",
         FrameError, "got a grid of 32 x 64, wanted 64 x 64"),
        ("return self.action.id.value == 0 and self.complete_action()", ValueError, "too many frames"),
    ],
)  # fmt: skip
def test_a_game_that_fails_later_raises_what_it_raises(tmp_path, step, error, words):
    env = local_games(folder(tmp_path, step))[0].open()
    with pytest.raises(error, match=words):
        env.step(GridAction(1))


@engine
def test_the_traps_of_the_engine_do_not_reach_a_player():
    env = local_games(ARCADE)[0].open()
    assert (env.observation.full_reset, env.attempt_actions, env.capabilities.can_be_copied) == (True, 0, True)
    for text in ("ACTION4", "ACTION2", "ACTION4"):
        seen = env.step(action_from_text(text))
    assert (seen.levels_completed, len(seen.frames), env.attempt_actions) == (1, 2, 0)
    with pytest.raises(ActionError, match="slide-0001: got ACTION6, wanted one of RESET, ACTION1"):
        env.step(GridAction(6))
    env.step(GridAction(3))
    assert (env.step(GridAction(1)).is_refused, env.observation.levels_completed) == (True, 1)
    seen = env.reset()
    assert (seen.status, seen.full_reset, seen.levels_completed, env.attempt_actions) == ("playing", False, 1, 0)


@engine
def test_a_copy_is_independent():
    env = local_games(ARCADE)[0].open()
    twin = env.copy()
    frame = twin.step(GridAction(4)).frame
    assert (env.observation.frame != frame).any()
    assert (env.step(GridAction(4)).frame == frame).all()


@engine
@pytest.mark.parametrize("seed", range(6))
def test_counts_and_scores_are_the_packages_own(tmp_path, seed):
    arc_agi = pytest.importorskip("arc_agi")
    arcengine = pytest.importorskip("arcengine")
    quiet = logging.getLogger("quiet")
    quiet.propagate = False
    arcade = arc_agi.Arcade(
        operation_mode=arc_agi.OperationMode.OFFLINE,
        environments_dir=str(ARCADE),
        recordings_dir=str(tmp_path),
        logger=quiet,
    )
    theirs, rng = arcade.make("slide"), random.Random(seed)
    (game,) = local_games(ARCADE)
    ours, counter = game.open(), PlayCounter()
    counter.add(GridAction(RESET), ours.observation)
    for _ in range(60):
        lost = ours.observation.status != "playing"
        number = rng.choice((0, 1, 2, 3, 4)) if ours.attempt_actions or lost else rng.choice((1, 2, 3, 4))
        seen = ours.step(GridAction(number))
        counter.add(GridAction(number), seen)
        frame = theirs.step(arcengine.GameAction.from_id(number))
        assert len(frame.frame) == len(seen.frames)
        assert all((a == b).all() for a, b in zip(frame.frame, seen.frames, strict=True))
    (card,) = arcade.close_scorecard().environments
    found = game_score(game.baselines, counter.plays)
    assert (card.score, card.actions, card.levels_completed) == pytest.approx(
        (found.score, found.actions, found.levels_completed)
    )
