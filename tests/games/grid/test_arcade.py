"""The server and its client: the same game as without them, the traps of the interface, a card worked out by hand."""

from __future__ import annotations

import http.client
import json
import random
import socket

import pytest

from games.contract import LevelId
from games.grid.actions import CLICK, RESET, ActionError, GridAction, click
from games.grid.arcade import Arcade, ArcadeClient, ArcadeError, ArcadeServer, Offer
from games.grid.card import PlayCounter
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.scores import game_score
from solvers.deadlock import deadlock_of
from solvers.registry import solver_for

BASELINES = {"truck_escape": (12, 9), "nut_and_bolt": (6, 12), "rush_hour": (5, 5)}


def opened(catalogue, game, only=False):
    difficulty = "default" if game == "truck_escape" else "easy"
    levels = level_set(catalogue, [LevelId(game, difficulty, number) for number in (1, 2)])
    loss = Loss(stuck=True, deadlock=deadlock_of(game, state_limit=2_000), budgets=(30, 30))
    return GridEnvironment(levels, loss, resets_levels_only=only, animate=True)


@pytest.fixture
def offers(catalogue):
    def offer(game):
        return Offer(f"{game}-1a2b", game, BASELINES[game], lambda only: opened(catalogue, game, only))

    return [offer(game) for game in BASELINES]


@pytest.fixture
def client(offers):
    with ArcadeServer(Arcade(offers)) as server:
        found = ArcadeClient(server.url)
        yield found
        found.close()


def solved(env):
    """Return the actions of a solution of the level in play."""
    twin, actions = env.copy(), []
    for move in solver_for(env.levels.game.name).certify(env.rules_state, state_limit=100_000).solution:
        for action in twin.plan(move):
            actions.append(action)
            twin.step(action)
    return actions


def same(seen, other):
    assert [frame.tolist() for frame in seen.frames] == [frame.tolist() for frame in other.frames]
    for name in ("status", "levels_completed", "n_levels", "available_actions", "full_reset"):
        assert getattr(seen, name) == getattr(other, name), name


@pytest.mark.parametrize("game", list(BASELINES))
def test_a_game_behind_the_server_is_the_game_and_its_card_has_the_score_of_the_observations(client, catalogue, game):
    rng, local, counter = random.Random(game), opened(catalogue, game), PlayCounter()
    card = client.open_card()
    remote = client.play(game, card)
    same(remote.observation, local.observation)
    counter.add(GridAction(RESET), local.observation)
    plan = solved(local)
    for turn in range(70):
        if plan and turn >= 30:
            action = plan.pop(0)
        elif turn == 29 or local.observation.status == "lost":
            action = GridAction(RESET)
        else:
            number = rng.choice(local.actions)
            action = click(rng.randrange(64), rng.randrange(64)) if number == CLICK else GridAction(number)
        if action.number == RESET and not local.attempt_actions:
            continue
        seen = local.step(action)
        same(remote.step(action), seen)
        counter.add(action, seen)
        assert (remote.attempt_actions, remote.level_index) == (local.attempt_actions, local.level_index)
        if action.number == RESET:
            plan = solved(local)
    found = client.close_card(card)
    expected = game_score(BASELINES[game], counter.plays)
    (entry,) = found["environments"]
    assert expected.levels_completed >= 1
    assert (entry["score"], entry["actions"], entry["levels_completed"]) == pytest.approx(
        (expected.score, expected.actions, expected.levels_completed)
    )
    assert entry["resets"] == sum(counter.resets) > 0
    assert found["score"] == pytest.approx(expected.score)


def test_a_card_worked_out_by_hand(client, catalogue):
    # Level 1: twice an action and a RESET, then the 10 of the solution; 14 for a baseline of 12, weight 1 of 3.
    card, local = client.open_card(), opened(catalogue, "truck_escape")
    remote, plan = client.play("truck_escape", card), solved(local)
    assert len(plan) == 10
    for action in (plan[0], GridAction(RESET), plan[0], GridAction(RESET), *plan):
        seen = remote.step(action)
    assert (seen.levels_completed, len(seen.frames) > 1) == (1, True)
    with pytest.raises(ActionError, match="begin the whole game again"):
        remote.reset()
    remote.step(click(0, 0))
    (run,) = client.card(card)["environments"][0]["runs"]
    assert run["score"] == pytest.approx((12 / 14) ** 2 * 100 / 3)
    assert (run["level_actions"], run["resets"], run["state"], run["completed"]) == ([14, 1], 2, "NOT_FINISHED", False)
    assert run["level_baseline_actions"] == [12, 9]


def test_after_the_end_an_action_is_refused_and_progress_is_kept(client):
    remote = client.play("truck_escape", client.open_card())
    while remote.observation.status == "playing":
        remote.step(click(0, 0))
    taken = remote.attempt_actions
    seen = remote.step(click(0, 0))
    assert (seen.is_refused, seen.status, remote.observation.status, taken) == (True, "lost", "lost", 30)
    status, answer = client.send(
        "POST", "/api/cmd/ACTION6", {"game_id": remote.name, "guid": remote.guid, "x": 0, "y": 0}
    )
    assert (status, answer["error"]) == (400, "GAME_NOT_STARTED_ERROR")
    assert remote.reset().status == "playing"
    assert client.close_card(remote.card_id)["total_actions"] == taken + 1


def test_an_action_whose_answer_is_lost_is_not_taken_twice(client, monkeypatch):
    remote, send = client.play("rush_hour", client.open_card()), client.send
    for arrives in (True, False):
        lost = []

        def broken(method, path, body=None, arrives=arrives, lost=lost):
            if not lost:
                lost.append(path)
                if arrives:
                    send(method, path, body)
                raise ArcadeError("no answer")
            return send(method, path, body)

        monkeypatch.setattr(client, "send", broken)
        remote.step(click(3, 3))
    monkeypatch.setattr(client, "send", send)
    assert remote.step_index == 2
    send("POST", "/api/cmd/ACTION6", {"game_id": "rush_hour", "guid": remote.guid, "x": 1, "y": 1})
    send("POST", "/api/cmd/ACTION6", {"game_id": "rush_hour", "guid": remote.guid, "x": 1, "y": 1})
    monkeypatch.setattr(client, "send", broken)
    lost.clear()
    with pytest.raises(ArcadeError, match="the server is at step 4, wanted 2 or 3"):
        remote.step(click(3, 3))


def test_competition_has_one_card_one_play_a_game_and_counts_games_that_nobody_opened(offers):
    arcade = Arcade(offers, competition=True)
    _, card = arcade.answer("POST", "/api/scorecard/open", {})
    assert arcade.answer("POST", "/api/scorecard/open", {})[0] == 409
    asked = {"game_id": "rush_hour", **card}
    _, first = arcade.answer("POST", "/api/cmd/RESET", asked)
    assert arcade.answer("POST", "/api/cmd/RESET", asked)[0] == 400
    assert arcade.answer("GET", f"/api/scorecard/{card['card_id']}", None)[0] == 403
    status, again = arcade.answer("POST", "/api/cmd/RESET", {**asked, "guid": first["guid"]})
    assert (status, again["full_reset"]) == (200, False)
    _, closed = arcade.answer("POST", "/api/scorecard/close", card)
    assert (closed["total_environments"], closed["total_actions"], closed["score"]) == (3, 1, 0.0)


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/cmd/RESET", {"game_id": "chess"}, 400, "game chess not found; there are truck_escape-1a2b"),
        ("/api/cmd/RESET", {"game_id": "rush_hour", "card_id": "no"}, 404, "card_id `no` not found"),
        ("/api/cmd/ACTION1", {"game_id": "rush_hour"}, 400, "wanted one of a play"),
        ("/api/cmd/ACTION1", {}, 400, "missing `game_id`"),
        ("/api/cmd/ACTION1", [], 400, "must be a JSON object"),
        ("/api/cmd/ACTION8", {"game_id": "rush_hour"}, 404, "no route POST /api/cmd/ACTION8"),
        ("/api/scorecard/close", {"card_id": "no"}, 404, "not found"),
        ("/api/scorecard/open", {"tags": 5}, 400, "tags: got 5"),
    ],
)
def test_a_wrong_request_is_answered_in_one_line(offers, path, body, status, words):
    found, answer = Arcade(offers).answer("POST", path, body)
    assert found == status
    assert words in answer["message"]
    assert "\n" not in answer["message"]


@pytest.mark.parametrize(
    ("action", "fields", "words"),
    [
        ("ACTION6", {"x": 64, "y": 0}, "ACTION6: x: got 64"), ("ACTION6", {"x": 1}, "ACTION6: y: got None"),
        ("ACTION7", {}, "rush_hour: got ACTION7, wanted one of RESET"),
        ("ACTION1", {"game_id": "truck_escape"}, "the play is of"),
        ("ACTION1", {"reasoning": "x" * 20_000}, "reasoning: got"),
    ],
)  # fmt: skip
def test_an_action_that_cannot_be_taken_is_refused_and_not_counted(offers, action, fields, words):
    arcade = Arcade(offers)
    _, card = arcade.answer("POST", "/api/scorecard/open", {})
    _, first = arcade.answer("POST", "/api/cmd/RESET", {"game_id": "rush_hour", **card})
    asked = {"game_id": "rush_hour", "guid": first["guid"], **fields}
    status, answer = arcade.answer("POST", f"/api/cmd/{action}", asked)
    assert (status, words in answer["message"]) == (400, True)
    assert arcade.answer("POST", f"/api/cmd/{action}", asked, "other key")[0] == 400
    assert arcade.answer("POST", "/api/scorecard/close", card)[1]["total_actions"] == 0


def test_a_game_that_raises_is_an_error_in_one_line(catalogue):
    class Broken(GridEnvironment):
        def step(self, action):
            raise RuntimeError("the floor\nis lava")

    levels = level_set(catalogue, [LevelId("rush_hour", "easy", 1)])
    with ArcadeServer(Arcade([Offer("broken", "Broken", (5,), lambda only: Broken(levels))])) as server:
        client = ArcadeClient(server.url)
        remote = client.play("broken", client.open_card())
        with pytest.raises(ArcadeError, match="broken: RuntimeError at ACTION1: the floor is lava"):
            remote.step(GridAction(1))
        client.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "ASLEEP"}, "state: got 'ASLEEP'"),
        ({"frame": [[[0] * 64] * 63]}, "got a grid of 63 x 64, wanted 64 x 64"),
        ({"frame": [[[16] * 64] * 64]}, "got the value 16"), ({"frame": 5}, "frame: got 5, wanted list"),
        ({"levels_completed": 3}, "levels_completed: got 3, wanted at most win_levels, 2"),
        ({"available_actions": [9]}, "available_actions: got 9"), ({"win_levels": True}, "win_levels: got True"),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_the_interfaces_is_an_error_in_one_line(client, monkeypatch, change, words):
    remote, send = client.play("rush_hour", client.open_card()), client.send
    monkeypatch.setattr(client, "send", lambda *asked: (200, {**send(*asked)[1], **change}))
    with pytest.raises(ArcadeError, match=words):
        remote.step(click(0, 0))


def test_the_loopback_alone(client):
    host, _, port = client.url.removeprefix("http://").partition(":")
    assert host == "127.0.0.1"
    for url in ("https://three.arcprize.org", "http://10.0.0.1:80", f"https://127.0.0.1:{port}", "http://127.0.0.1:x"):
        with pytest.raises(ArcadeError, match="wanted http://127"):
            ArcadeClient(url)
    for headers, body, wanted in (({"Host": "evil.example"}, "{}", 403), ({}, "{", 400), ({}, "x" * 300_000, 413)):
        connection = http.client.HTTPConnection(host, int(port), timeout=5)
        connection.request("POST", "/api/scorecard/open", body, headers)
        answer = connection.getresponse()
        assert (answer.status, set(json.loads(answer.read()))) == (wanted, {"error", "message"})
        connection.close()


def test_a_server_that_is_not_there_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ArcadeError, match=r"no answer \(ConnectionRefusedError"):
        ArcadeClient(f"http://127.0.0.1:{port}").games()


def test_the_offer_itself_is_checked(offers):
    for wrong in ([], [offers[0], offers[0]]):
        with pytest.raises(ValueError, match="wanted at least one, and none twice"):
            Arcade(wrong)
