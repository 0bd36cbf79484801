"""Ways through the menus, by words; and what a player says when it is asked for words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diag.agents.simulated import Parametric, PlayerFactory, Propensities
from diag.session import Limits
from diag.session.contract import Observation, PublicContext, Turn
from games.contract import LevelId, Tap
from games.suite.session import SuiteSession

CAREFUL = Propensities(skill=1.0, misclick=0.0, forget=0.0, wander=0.0)


def player(**changes):
    return PlayerFactory("player", Parametric(replace(CAREFUL, **changes))).build(0)


def walk(session: SuiteSession, task: str, n_decisions: int, agent=None) -> list[str]:
    """Let a player act on a session and return the screens it came through."""
    agent, screens = agent or player(), []
    for _ in range(n_decisions):
        screens.append(session.picture()["screen"])
        for action in agent.decide(Observation(PublicContext(task), b"", session.picture(), 0.0)).actions:
            if action["name"] == "click":
                session.gesture(Tap(action["x"], action["y"]))
    return [*screens, session.picture()["screen"]]


def test_it_goes_where_the_task_says(catalogue):
    session = SuiteSession(catalogue, animate=False)
    assert walk(session, "Play Bolt Unscrew, Hard, level 3.", 3) == ["home", "difficulties", "levels", "playing"]
    assert session.snapshot().level == LevelId("bolt_unscrew", "hard", 3)


def test_in_chinese_too(catalogue):
    session = SuiteSession(catalogue, "zh", animate=False)
    texts = catalogue.games["maze_paint"].texts("zh")
    walk(session, f"请玩{texts['title']},难度{texts['difficulties']['medium']},第 2 关", 3)
    assert session.snapshot().level == LevelId("maze_paint", "medium", 2)


def test_it_leaves_a_game_that_the_task_does_not_speak_of(catalogue):
    session = SuiteSession(catalogue, animate=False)
    walk(session, "Play Maze Paint, Easy, level 1.", 3)
    assert walk(session, "Play Rush Hour, Easy, level 1.", 4)[:2] == ["playing", "home"]
    assert session.snapshot().level == LevelId("rush_hour", "easy", 1)


def test_a_task_without_names_is_at_home_on_any_board(catalogue):
    session = SuiteSession(catalogue, animate=False)
    walk(session, "Play Maze Paint, Easy, level 1.", 3)
    assert set(walk(session, "Complete this level.", 2)) == {"playing"}


def test_a_wanderer_opens_something_else(catalogue):
    session = SuiteSession(catalogue, animate=False)
    walk(session, "Play Maze Paint on Easy.", 1, player(wander=1.0))
    assert session.picture()["game"] != "maze_paint"


def test_an_episode_goes_from_level_to_level(play):
    events = play.episode(player(), "maze_paint", "easy", limits=Limits(time_s=3600, actions=None))
    won = {change["level"] for e in events if e.kind == "snapshot" for change in e.data["transitions"] if change["won"]}
    assert len(won) >= 1
    assert events[-1].data["ending"] in ("won", "time_limit")


@pytest.mark.parametrize("seed", range(3))
def test_it_answers_a_question_with_what_it_has_read(catalogue, seed):
    session = SuiteSession(catalogue, animate=False)
    walk(session, "Play Maze Paint, Easy, level 1.", 3)
    picture = session.picture()
    context = PublicContext("Question: what are the rules of this game?")
    full = PlayerFactory("p", Parametric(replace(CAREFUL, knows_rule=1.0))).build(seed)
    none = PlayerFactory("p", Parametric(replace(CAREFUL, knows_rule=0.0))).build(seed)
    answer = full.decide(Observation(context, b"", picture, 0.0))
    assert answer.actions == ()
    assert answer.reason == " ".join(picture["instructions"])
    assert none.decide(Observation(context, b"", picture, 0.0)).reason == "I do not know the rules yet."


def test_an_account_has_the_two_sections_and_uses_its_own_turns():
    turn = Turn(({"name": "click", "x": 1, "y": 2},), "click(x=1, y=2): done", "I tried the left screw.", None)
    text = player().summarize(PublicContext("Write Failure Experience and Next Attempt.", recent=(turn, turn)))
    assert text.startswith("Failure Experience\n")
    assert "\n\nNext Attempt\n" in text
    assert "I made 2 actions" in text
    assert text.count("I tried the left screw.") == 1
