"""`python -m diag arcade`: a server in a process of its own, and what it refuses."""

import json

import pytest

from diag.commands.arcade import main
from diag.errors import ConfigError
from diag.starts.grid_process import ServerProcessError, served_apart
from games.grid.actions import click
from games.grid.arcade import ArcadeClient, ArcadeError

LEVELS = ["truck_escape/default/1", "truck_escape/default/2"]


def test_games_are_served_from_another_process_which_ends_with_the_block():
    games = [{"id": "x7", "levels": LEVELS, "loss": ["budget"], "attempts": 0.5}]
    with served_apart(games, "competition=true") as url:
        client = ArcadeClient(url)
        assert client.games() == ("x7",)
        game = client.play("x7", client.open_card())
        while game.observation.status == "playing":
            game.step(click(0, 0))
        n_actions = game.attempt_actions
        found = client.close_card(game.card_id)["environments"][0]["runs"][0]
        assert n_actions == -(-found["level_baseline_actions"][0] // 2)
        assert (found["state"], found["level_actions"]) == ("GAME_OVER", [n_actions, 0])
    with pytest.raises(ArcadeError, match="no answer"):
        client.games()
    client.close()


def test_a_process_that_cannot_begin_says_why():
    with (
        pytest.raises(ServerProcessError, match="there is no level truck_escape/default/999"),
        served_apart([{"levels": ["truck_escape/default/999"]}]),
    ):
        pass


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["games=chess"], "games: found 'chess', wanted some of bolt_unscrew"),
        (["loss=stuck,bored"], "loss: found 'bored', wanted some of stuck, deadlock, budget"),
        (["levels=0"], "levels: found '0', wanted a number from 1 to 1000"),
        (["port=70000"], "port: found '70000'"), (["attempts=nan"], "attempts: found 'nan'"),
        (["animate=yes"], "animate: found 'yes', wanted true or false"), (["game=x"], "did you mean games=?"),
        (["manifest=/nowhere.json"], "manifest /nowhere.json: "),
    ],
)  # fmt: skip
def test_wrong_words_are_refused(words, wanted):
    with pytest.raises(ConfigError) as caught:
        main(words)
    assert wanted in str(caught.value)


@pytest.mark.parametrize(
    ("games", "wanted"),
    [
        ({}, "found dict, wanted a list"), ([], "wanted at least one"), ([{"levels": []}], "wanted a game with id"),
        ([{"levels": LEVELS, "lose": 1}], "found the key 'lose'"), ([{"levels": ["x"]}], "level id 'x'"),
        ([{"levels": LEVELS, "loss": 5}], "found loss 5"),
        ([{"levels": LEVELS, "attempts": 0}], "found 0, wanted above 0"),
        ([{"levels": [*LEVELS, "rush_hour/easy/1"]}], "levels of 2 games"),
    ],
)  # fmt: skip
def test_a_wrong_manifest_is_refused_in_one_line(tmp_path, games, wanted):
    path = tmp_path / "games.json"
    path.write_text(json.dumps(games))
    with pytest.raises(ConfigError) as caught:
        main([f"manifest={path}"])
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)
