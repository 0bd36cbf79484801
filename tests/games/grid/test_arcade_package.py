"""With the package arc-agi (extra `arc`): its client plays our games, ours plays its server, and the scores agree."""

from __future__ import annotations

import logging
import random
import threading
from pathlib import Path

import pytest

from games.contract import LevelId
from games.grid.actions import ActionError, GridAction, action_from_text
from games.grid.arcade import Arcade, ArcadeClient, ArcadeServer, Offer
from games.grid.environment import GridEnvironment, Loss, level_set

arc_agi = pytest.importorskip("arc_agi")
arcengine = pytest.importorskip("arcengine")

SLIDE = Path(__file__).parent / "arcade"
QUIET = logging.getLogger("quiet")
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False


def opened(catalogue, only=False):
    levels = level_set(catalogue, [LevelId("truck_escape", "default", number) for number in (1, 2)])
    return GridEnvironment(levels, Loss(stuck=True, budgets=(25, 25)), resets_levels_only=only)


def package(tmp_path, **given):
    return arc_agi.Arcade(arc_api_key="key", recordings_dir=str(tmp_path), logger=QUIET, **given)


@pytest.fixture
def theirs(tmp_path):
    """The package's own server with the game of the tests; yields its address."""
    from arc_agi.server import create_app
    from werkzeug.serving import make_server

    arcade = package(tmp_path, operation_mode=arc_agi.OperationMode.OFFLINE, environments_dir=str(SLIDE))
    server = make_server("127.0.0.1", 0, create_app(arcade)[0], threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("seed", range(3))
def test_the_packages_own_client_plays_our_games(catalogue, tmp_path, seed):
    offer = Offer("truck_escape-0001", "Truck Escape", (10, 9), lambda only: opened(catalogue, only))
    rng, local = random.Random(seed), opened(catalogue)
    with ArcadeServer(Arcade([offer])) as server:
        arcade = package(tmp_path, operation_mode=arc_agi.OperationMode.ONLINE, arc_base_url=server.url)
        assert [one.game_id for one in arcade.get_environments()] == ["truck_escape-0001"]
        game = arcade.make("truck_escape")
        assert game.info.game_id == "truck_escape-0001"
        for turn in range(80):
            seen = game.observation_space
            assert [grid.tolist() for grid in seen.frame] == [one.tolist() for one in local.observation.frames]
            assert (seen.levels_completed, seen.win_levels) == (local.observation.levels_completed, 2)
            moves = local.levels.game.legal_moves(local.rules_state)
            if local.observation.status != "playing" or turn == 40:
                assert seen.state.name in ("GAME_OVER", "WIN", "NOT_FINISHED")
                assert game.step(arcengine.GameAction.RESET) is not None
                local.reset()
                continue
            (action,) = local.plan(moves[rng.randrange(len(moves))])
            game.step(arcengine.GameAction.ACTION6, {"x": action.x, "y": action.y})
            local.step(action)
        card = arcade.close_scorecard()
    run = card.environments[0].runs[-1]
    assert card.environments[0].actions > 50
    assert run.level_baseline_actions == [10, 9]
    calculator = arc_agi.scorecard.EnvironmentScoreCalculator()
    for number, (taken, baseline) in enumerate(zip(run.level_actions, [10, 9], strict=True), 1):
        calculator.add_level(number, number <= run.levels_completed, taken, baseline)
    assert run.score == pytest.approx(calculator.to_score().score)
    assert card.score == pytest.approx(max(one.score for one in card.environments[0].runs))


def test_an_action_too_many_is_none_for_the_packages_client(catalogue, tmp_path):
    offer = Offer("truck_escape", "Truck Escape", (10, 9), lambda only: opened(catalogue, only))
    with ArcadeServer(Arcade([offer])) as server:
        arcade = package(tmp_path, operation_mode=arc_agi.OperationMode.ONLINE, arc_base_url=server.url)
        game = arcade.make("truck_escape")
        for _ in range(25):
            game.step(arcengine.GameAction.ACTION6, {"x": 0, "y": 0})
        assert game.observation_space.state.name == "GAME_OVER"
        assert game.step(arcengine.GameAction.ACTION6, {"x": 0, "y": 0}) is None
        assert game.step(arcengine.GameAction.RESET).state.name == "NOT_FINISHED"
        assert arcade.close_scorecard().environments[0].actions == 26


def test_our_client_plays_the_packages_server_with_its_traps(theirs):
    client = ArcadeClient(theirs, "key")
    assert client.games() == ("slide-0001",)
    card = client.open_card()
    game = client.play("slide-0001", card)
    with pytest.raises(ActionError, match="begin the whole game again"):
        game.reset()
    for text in ("ACTION4", "ACTION2", "ACTION4"):
        seen = game.step(action_from_text(text))
    assert (seen.levels_completed, seen.status, game.attempt_actions) == (1, "playing", 0)
    with pytest.raises(ActionError, match="ACTION6, wanted one of RESET, ACTION1"):
        game.step(GridAction(6))
    seen = game.step(GridAction(3))
    assert (seen.status, seen.levels_completed) == ("lost", 1)
    assert (game.step(GridAction(3)).is_refused, game.observation.levels_completed) == (True, 1)
    assert game.reset().status == "playing"
    for text in ("ACTION2", "ACTION3", "ACTION4"):
        seen = game.step(action_from_text(text))
    assert (seen.status, seen.levels_completed) == ("won", 2)
    found = client.close_card(card)
    # 3 actions for a baseline of 3; then LEFT, RESET and 3 more, 5 for 4.
    assert found["score"] == pytest.approx((100 + 2 * 64) / 3)
    client.close()
