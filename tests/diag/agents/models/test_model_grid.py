"""A model plays a grid game: what it is shown in each view, what it may call, what its answers come to."""

import io
import json
import re

import numpy as np
import pytest
from fake_server import Behaviour, misshapen, pictures_of, serving, words_of
from PIL import Image

from diag.agents.grid import model
from diag.agents.grid.contract import NoAction, Sight
from diag.agents.grid.model import FRAMES_KEPT, GridModel
from diag.agents.grid.shown import picture
from diag.agents.models import AnthropicMessages, OpenAIResponses
from diag.app.command_line import main
from diag.records.event_log import read_events
from games.catalogue import load_catalogue
from games.contract import LevelId
from games.grid.actions import ActionError, GridAction, click
from games.grid.environment import GridEnvironment, Loss, level_set
from games.grid.frame import PALETTE, frame_text


def opened(game="maze_paint", **loss):
    levels = level_set(load_catalogue(), [LevelId(game, "easy", number) for number in (1, 2)])
    return GridEnvironment(levels, Loss(**loss), resets_levels_only=True)


def says(**arguments):
    return {"text": "I try.", "tool": "take_action", "actions": [], "arguments": arguments}


def take(number):
    return lambda request: says(action=f"ACTION{number}")


def player(factory, url, view="both", **fields):
    return GridModel(factory(url, **fields).build(1), view, "Complete the levels.", lambda: 0.0)


def sight(env, feedback=""):
    return Sight(env.observation, env.attempt_actions, None, feedback)


@pytest.mark.parametrize("view", ["text", "picture", "both"])
def test_a_view_holds_the_grid_as_text_as_a_picture_or_both(factory, view):
    env = opened()
    with serving(take(1)) as fake:
        assert player(factory, fake.url, view).choose(sight(env)) == GridAction(1)
    request = fake.requests[-1]
    assert (frame_text(env.observation.frame) in json.loads(json.dumps(words_of(request)).replace("\\\\n", "\\n"))) == (
        view != "picture"
    )
    found = pictures_of(request)
    assert len(found) == (view != "text")
    if found:
        cells = np.asarray(Image.open(io.BytesIO(found[0])).convert("RGB"))[4::8, 4::8]
        wanted = [[tuple(bytes.fromhex(PALETTE[value][1:])) for value in row] for row in env.observation.frame.tolist()]
        assert [[tuple(cell) for cell in row] for row in cells.tolist()] == wanted
    assert '\\"state\\": \\"NOT_FINISHED\\"' in words_of(request)
    tool = request["tools"][0]["function"]
    assert tool["name"] == "take_action"
    assert tool["parameters"]["properties"]["action"]["enum"] == ["ACTION1", "ACTION2", "ACTION3", "ACTION4"]


def test_a_cell_of_the_picture_is_eight_pixels():
    frame = opened().observation.frame
    assert Image.open(io.BytesIO(picture(frame))).size == (512, 512)


def test_context_keeps_the_latest_frames_and_actions_and_says_what_is_left_out(factory, monkeypatch):
    monkeypatch.setattr(model, "TURNS_KEPT", 6)
    env, n = opened(), 11
    with serving(take(1)) as fake:
        one = player(factory, fake.url)
        for turn in range(n):
            env.step(one.choose(sight(env)))
            if turn == 0:
                assert len(pictures_of(fake.requests[-1])) == 1
    request = fake.requests[-1]
    assert len(pictures_of(request)) == FRAMES_KEPT
    assert len(re.findall(r"[0-9a-f]{64}", words_of(request))) == FRAMES_KEPT * 64
    assert sum("tool_calls" in message for message in request["messages"]) == 6
    assert f"({n - 1 - 6} earlier actions are left out.)" in words_of(request)
    assert [message["role"] for message in request["messages"][:2]] == ["system", "user"]


def test_reset_is_offered_where_it_begins_the_level_again_and_a_click_says_where(factory):
    env = opened("rush_hour", budgets=(2, 2))
    answers = iter([says(action="ACTION6", x=3, y=60), says(action="ACTION1"), says(action="RESET")])
    with serving(lambda request: next(answers)) as fake:
        one = player(factory, fake.url, "text")
        assert one.choose(sight(env)) == click(3, 60)
        env.step(click(3, 60))
        env.step(one.choose(sight(env)))
        assert env.observation.status == "lost"
        assert one.choose(sight(env)) == GridAction(0)
    offered = [r["tools"][0]["function"]["parameters"]["properties"]["action"]["enum"] for r in fake.requests]
    assert ["RESET" in one for one in offered] == [False, True, True]
    assert offered[2] == ["RESET"]
    assert '\\"state\\": \\"GAME_OVER\\"' in words_of(fake.requests[2])
    assert '\\"row\\": 60, \\"col\\": 3' in words_of(fake.requests[1])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (says(action="ACTION7"), "action: got 'ACTION7', wanted one of ACTION1"), (says(), "action: got None"),
        (says(action=4), "action: got 4"), (says(action="ACTION1", x=3), "ACTION1: got x, wanted no other field"),
        (says(action=["ACTION1"]), "action: got"), ({"text": "Hm."}, "no calls of take_action"),
    ],
)  # fmt: skip
def test_an_answer_without_an_action_says_why_and_the_model_is_told(factory, answer, words):
    env = opened()
    with serving(lambda request: answer) as fake:
        one = player(factory, fake.url, "text")
        with pytest.raises(ActionError) as caught:
            one.choose(sight(env))
        assert words in str(caught.value)
        with pytest.raises(ActionError):
            one.choose(sight(env, "refused: that was none"))
    assert "refused: that was none" in words_of(fake.requests[-1])


def test_a_click_outside_the_grid_is_no_action(factory):
    env = opened("rush_hour")
    with (
        serving(lambda request: says(action="ACTION6", x=64, y=0)) as fake,
        pytest.raises(ActionError, match="x: got 64"),
    ):
        player(factory, fake.url, "text").choose(sight(env))


def test_stop_gives_up(factory):
    with serving(lambda request: {"text": "I cannot.\nSTOP"}) as fake, pytest.raises(NoAction, match="I cannot"):
        player(factory, fake.url).choose(sight(opened()))


def test_the_last_frame_of_a_completed_level_is_shown_apart(factory):
    env = opened()
    with serving(take(2)) as fake:
        one = player(factory, fake.url, "text")
        one.choose(sight(env))
        from solvers.registry import solver_for

        for move in solver_for("maze_paint").certify(env.rules_state, state_limit=50_000).solution:
            for action in env.plan(move):
                seen = env.step(action)
        one.choose(sight(env))
    assert seen.levels_completed == 1
    assert "The last frame of the level just completed (64 rows" in words_of(fake.requests[-1])
    assert frame_text(seen.frames[-2]).replace("\n", "\\n") in words_of(fake.requests[-1])


def test_other_endpoints_get_what_they_insist_on(factory):
    env = opened()
    with serving(take(1)) as fake:
        one = player(factory, fake.url)
        for _ in range(4):
            env.step(one.choose(sight(env)))
    sent = one._conversation(sight(env), (1, 2))
    request = AnthropicMessages().request(sent, (), one.agent.sampling)
    assert misshapen("/v1/messages", request) is None
    with serving(take(1)) as fake:
        two = player(factory, None, client=OpenAIResponses(fake.url))
        for _ in range(4):
            env.step(two.choose(sight(env)))
    assert len(fake.requests) == 4


def test_a_study_asks_the_model_counts_its_time_and_labels_it(tmp_path):
    words = (
        "+experiment=arc", "+intervention@study.arms.D=grid_agent_text", "study.games=[maze_paint]",
        "study.levels_per_game=1", f"outputs={tmp_path}", "tracking=none", "execution.n_jobs=1", "mode=all",
        "execution.progress=false", "study.analysis.draws=100", "agent=openai", "agent.model=fake",
        "agent.simulated=true",
    )  # fmt: skip
    with serving(lambda request: says(action=f"ACTION{len(request['messages']) % 4 + 1}"), Behaviour()) as fake:
        assert main([*words, f"agent.client.base_url={fake.url}", "agent.client.key_env=PATH"]) == 0
    logs = {read_events(path)[0].data["arm"]: read_events(path) for path in tmp_path.rglob("events.jsonl")}
    start, decisions = logs["D"][0].data, [event.data for event in logs["D"] if event.kind == "decision"]
    assert start["agent"] == {"name": "openai-fake", "simulated": True, "privilege": "none"}
    assert len(decisions) == len(fake.requests) > 3
    assert all(one["usage"]["input_tokens"] > 0 and one["usage"]["view"] == "text" for one in decisions)
    assert not [event for event in logs["A"] if event.kind == "decision"]


def test_an_arm_that_asks_an_agent_that_is_no_model_ends_the_study_in_one_line(tmp_path, capsys):
    words = ("+experiment=arc", "+intervention@study.arms.D=grid_agent", "study.games=[maze_paint]", "tracking=none")
    more = ("study.levels_per_game=1", f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false")
    assert main([*words, *more, "mode=run"]) == 2
    error = capsys.readouterr().err.strip()
    assert "grid_agent asks the agent: found grid_players, wanted a model, as agent=openai" in error
    assert len(error.splitlines()) == 1
