"""Searching a model, on a line of numbers: shortest ways, guided ways, no ways, and when a plan is paused."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from diag.studies.world_model.history import Attempt, Turn
from diag.studies.world_model.inside.machine import Machine
from diag.studies.world_model.inside.search import plan
from diag.studies.world_model.planner import Plan, grid_sha256
from games.grid.actions import GridAction, click

GRID = np.zeros((2, 2), dtype=np.int16)
STEP = {"ACTION1": 1, "ACTION2": -1, "ACTION3": 3}
ONE, THREE = GridAction(1), GridAction(3)


def line_model(**more):
    """Count up to 7; below -2 the game is over."""
    model = {
        "init_state": lambda grid, level: 0,
        "transition": lambda state, action: state + STEP[action["action"]],
        "render": lambda state: np.full((2, 2), state % 16),
        "outcome": lambda state: "level_complete" if state == 7 else "game_over" if state < -2 else "ongoing",
    }
    return Machine(SimpleNamespace(**{**model, **more}), 2.0)


def found(machine, method="auto", states=500, actions=()):
    job = {
        "level": 0, "actions": [{"action": one, "row": None, "col": None} for one in actions],
        "plain": list(STEP), "method": method, "states": states, "seconds": 20.0,
    }  # fmt: skip
    answer = plan(machine, job, GRID)
    return answer["status"], [one["action"] for one in answer.get("actions", ())], answer


def test_breadth_first_is_shortest_and_starts_from_the_threaded_state():
    status, actions, answer = found(line_model())
    assert (status, sorted(actions)) == ("found", ["ACTION1", "ACTION3", "ACTION3"])
    assert [step["outcome"] for step in answer["steps"]] == ["ongoing"] * 3 + ["level_complete"]
    status, actions, answer = found(line_model(), actions=["ACTION3", "ACTION1"])
    assert (status, actions, len(answer["steps"])) == ("found", ["ACTION3"], 4)
    assert found(line_model(), actions=["ACTION3", "ACTION3", "ACTION1"])[:2] == ("found", [])


def test_a_heuristic_guides_and_an_admissible_one_keeps_the_way_short():
    blind, guided = line_model(), line_model(heuristic=lambda state: abs(7 - state) / 3)
    assert len(found(guided)[1]) == len(found(blind)[1]) == 3
    assert found(guided)[2]["states"] < found(blind)[2]["states"]


def test_subgoals_are_met_in_turn():
    status, actions, _ = found(line_model(subgoals=lambda state: [lambda s: s == -1, lambda s: s == 2]))
    assert (status, actions[:2]) == ("found", ["ACTION2", "ACTION3"])
    assert found(line_model(subgoals=lambda state: [lambda s: s == -5]))[0] == "limit"


def test_the_models_own_actions_are_the_ones_tried():
    one = line_model(actions=lambda state: [{"action": "ACTION1", "row": None, "col": None}])
    assert found(one)[:2] == ("found", ["ACTION1"] * 7)
    assert found(line_model(actions=lambda state: []))[0] == "none"
    status, _, answer = found(line_model(actions=lambda state: [{"action": "ACTION6", "row": 64, "col": 0}]))
    assert (status, answer["fault"][:14]) == ("fault", 'actions: got "')


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"outcome": lambda state: "ongoing"}, "limit"),
        ({"outcome": lambda state: "ongoing", "planner_key": lambda state: state % 5}, "none"),
        ({"transition": lambda state, action: 1 / 0}, "fault"),
        ({"planner_key": lambda state: [state]}, "fault"),
    ],
)
def test_no_plan_has_its_reason(more, status):
    assert found(line_model(**more), states=200)[0] == status


def test_a_model_that_answers_otherwise_a_second_time_does_not_pass():
    calls = count()
    one = line_model(transition=lambda state, action: state + (1 if next(calls) < 7 else 0), actions=lambda state: [
        {"action": "ACTION1", "row": None, "col": None}
    ])  # fmt: skip
    assert found(one)[0] == "replay"


def test_what_is_found_in_a_model_that_changes_its_states_still_leads_there():
    def changing(state, action):
        state[0] += STEP[action["action"]]
        return list(state)

    one = line_model(
        init_state=lambda grid, level: [0], transition=changing,
        render=lambda state: np.full((2, 2), state[0] % 16),
        outcome=lambda state: "level_complete" if state[0] == 7 else "ongoing",
    )  # fmt: skip
    status, actions, _ = found(one)
    assert (status, sum(STEP[action] for action in actions)) == ("found", 7)


def made(actions=(ONE, THREE), rendered=(1, 4)):
    attempt = Attempt(0, 0, [Turn(None, GRID, ("ACTION1", "ACTION3"))])
    expected = tuple(grid_sha256(np.full((2, 2), one, dtype=np.int16)) for one in rendered)
    return Plan(attempt, 0, grid_sha256(GRID), "model", actions, expected)


def seen(value):
    return np.full((2, 2), value, dtype=np.int16)


def test_a_plan_recommends_one_action_after_the_other():
    one = made()
    names = ("ACTION1", "ACTION3")
    assert one.recommended("model", names) == ONE
    assert one.took(ONE, seen(1))
    assert one.recommended("model", names) == THREE
    assert one.took(THREE, seen(4))
    assert (one.recommended("model", names), one.paused) == (None, "over")


def test_a_plan_is_paused_for_each_of_its_reasons():
    changed, gone, surprised, left = made(), made(), made(), made(actions=(click(1, 2), THREE))
    assert (changed.recommended("other", ("ACTION1",)), changed.paused) == (None, "model_changed")
    assert (gone.recommended("model", ("ACTION3",)), gone.paused) == (None, "unavailable")
    assert (surprised.took(ONE, seen(2)), surprised.paused) == (True, "mismatch")
    # The same action with another click cell is another action.
    assert (left.took(click(2, 1), seen(1)), left.paused) == (False, "left")
    assert not left.took(click(1, 2), seen(1))


def test_an_artifact_holds_what_the_plan_was_made_from():
    artifact = made().artifact("found")
    assert artifact["start"] == {"level": 0, "turn": 0, "grid_sha256": grid_sha256(GRID)}
    assert (artifact["actions"], artifact["length"], artifact["status"]) == (["ACTION1", "ACTION3"], 2, "found")
    assert len(artifact["expected_sha256"]) == 2
    assert grid_sha256(np.zeros((2, 2), dtype=np.int64)) == grid_sha256(GRID)
