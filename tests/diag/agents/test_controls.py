"""Negative controls and the oracle, through the whole loop on real games."""

from __future__ import annotations

import pytest

from diag.session import Limits
from games.contract import LevelId

MAZE = LevelId("maze_paint", "easy", 1)
TRUCKS = LevelId("truck_escape", "default", 1)
CARS = LevelId("rush_hour", "easy", 1)


def moves(events) -> list:
    changes = [change for event in events if event.kind == "snapshot" for change in event.data["transitions"]]
    return [change["move"] for change in changes if change["kind"] == "move"]


def test_the_null_agent_never_touches_anything(play, agent_named):
    events = play.takeover(agent_named("'null'").build(0), MAZE)
    assert events[-1].data["ending"] == "time_limit"
    assert moves(events) == []


@pytest.mark.parametrize("level", [MAZE, TRUCKS, CARS], ids=str)
def test_the_oracle_wins_in_the_exact_optimum(play, agent_named, catalogue, level):
    events = play.takeover(agent_named("optimal").build(0), level)
    assert events[-1].data["ending"] == "won"
    stored = catalogue.level(level)
    assert stored.exact
    assert len(moves(events)) == stored.optimum


@pytest.mark.parametrize("level", [MAZE, TRUCKS, CARS], ids=str)
def test_every_move_the_random_agent_sees_is_legal(play, agent_named, level):
    events = play.takeover(agent_named("random_legal").build(3), level, limits=Limits(actions=20))
    n_actions = sum(event.kind == "action" for event in events)
    assert events[-1].data["ending"] in ("won", "action_limit")
    assert len(moves(events)) == n_actions


def test_greedy_plays_an_objective_from_the_home_screen(play, agent_named):
    events = play.episode(agent_named("greedy").build(0), "truck_escape", "default", limits=Limits(time_s=3600))
    screens = [event.data["screen"] for event in events if event.kind == "snapshot"]
    assert [screens[0], screens[screens.index("playing") - 1]] == ["home", "levels"]
    assert events[-1].data["ending"] == "won"


@pytest.mark.parametrize("name", ["simulated/sol", "random_legal", "greedy", "optimal", "trap", "'null'"])
def test_equal_seeds_give_equal_decisions(play, agent_named, name):
    def decisions(seed: int) -> list:
        events = play.takeover(agent_named(name).build(seed), CARS, limits=Limits(time_s=120))
        return [event.data for event in events if event.kind in ("decision", "action")]

    assert decisions(5) == decisions(5)


def test_seeds_matter(play, agent_named):
    first, second = (play.takeover(agent_named("simulated/sol").build(seed), CARS) for seed in (0, 1))
    assert [event.data for event in first if event.kind == "decision"] != [
        event.data for event in second if event.kind == "decision"
    ]


def test_identity_is_flat_and_tells_presets_apart(agent_named):
    names = (
        "simulated/sol",
        "simulated/terra",
        "simulated/luna",
        "random_legal",
        "greedy",
        "optimal",
        "trap",
        "'null'",
    )
    identities = [agent_named(name).identity() for name in names]
    assert all(isinstance(value, str | int | float) for identity in identities for value in identity.values())
    assert len({tuple(sorted(identity.items())) for identity in identities}) == len(names)
    assert [identity["privilege"] for identity in identities].count("solver_oracle") == 2
