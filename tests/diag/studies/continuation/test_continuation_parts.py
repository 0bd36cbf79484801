"""The continuation study: client and server apart, the controller's branches, planted effects, scores and tables."""

import json
import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from diag.records import InfrastructureFailure
from diag.studies.continuation import prompts, showing
from diag.studies.continuation.agents import Returned, Usage
from diag.studies.continuation.client import ClientError, Refused
from diag.studies.continuation.condition import Condition
from diag.studies.continuation.controller import Controller
from diag.studies.continuation.levels import Course
from diag.studies.continuation.place import ServerProcess, place_for
from diag.studies.continuation.scores import budgeted, cost_tokens, gap_recovery, rhae
from diag.studies.continuation.scripted import Knobs, Scripted
from diag.studies.continuation.server import RequestError, Served
from diag.studies.continuation.tables import condition_rows, contrast_rows, experience_rows, recovery_rows

STILL = Knobs(doubts=0, returns=0, resets=0)
TUTORIAL, CLASSIC = "agi_maze/tutorial/1", "agi_maze/classic/1"


def course(*levels, budget=500, invalid=20):
    return Course(levels, (budget,) * len(levels), ("stuck",), invalid)


def condition(kind):
    return Condition(kind, kind, privilege="evaluator_state" if kind.endswith("oracle") else "none")


# --- client and server ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server():
    running = ServerProcess()
    yield running
    running.stop()


@pytest.fixture
def place(server):
    with place_for(course(TUTORIAL), "what it is", server) as given:
        yield given


def test_the_workspace_holds_the_client_and_what_was_shown_and_nothing_else(place):
    told = place.client.start(place.alias)
    assert "observations/step_000000" in told
    assert str(place.client.workspace) not in told
    names = {
        str(path.relative_to(place.client.workspace)) for path in place.client.workspace.rglob("*") if path.is_file()
    }
    shown = {f"observations/step_000000/{name}" for name in
             ("metadata.txt", "final.txt", "final.png", "scene.json", "feedback.txt")}  # fmt: skip
    own = {".client/address.json", ".client/nonce", ".client/state.jsonl", ".client/lock"}
    assert names == {"client.py", "description.md", *shown, *own}
    source = (place.client.workspace / "client.py").read_text()
    assert "import diag" not in source
    assert "games" not in source.replace("games in", "")


def test_an_environment_is_initialised_once_and_its_alias_dies_with_it(place, server):
    client = place.client
    client.start(place.alias)
    assert "step 0" in client.start(place.alias)  # the same call again: its answer may have been lost
    client.workspace.joinpath(".client/nonce").write_text("another")
    with pytest.raises(ClientError, match="initialised before"):
        client.start(place.alias)
    server.close(place.alias)
    with pytest.raises(ClientError, match="no such environment"):
        client.repair()


def test_an_action_from_the_command_line_files_its_step(place):
    place.client.start(place.alias)
    run = [sys.executable, "client.py"]
    done = subprocess.run(
        [*run, '{"id": "ACTION1"}'], cwd=place.client.workspace, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "step 1")
    wrong = subprocess.run(
        [*run, '{"id": "ACTION9"}'], cwd=place.client.workspace, capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("error: action: got")
    assert len(wrong.stderr.splitlines()) == 1
    assert json.loads(place.client.observed("metadata.txt"))["action"] == "ACTION1"
    assert [line["kind"] for line in place.news()] == ["grid.frame", "grid.frame", "action"]
    assert place.news() == []


def test_a_step_that_was_taken_and_not_filed_is_fetched_and_not_taken_twice(place):
    client = place.client
    client.start(place.alias)
    before = (client.workspace / ".client/state.jsonl").read_text()
    client.act({"id": "ACTION1"})
    filed = {path.name: path.read_bytes() for path in (client.workspace / "observations/step_000001").iterdir()}
    (client.workspace / ".client/state.jsonl").write_text(before)  # as if the call had died before it saved
    (client.workspace / "observations/step_000001/final.txt").unlink()
    told = client.act({"id": "ACTION2"})
    assert told.startswith("The last action had been taken; this one was not sent.")
    assert client.saved["step"] == 1
    assert {path.name: path.read_bytes() for path in (client.workspace / "observations/step_000001").iterdir()} == filed
    assert client.repair() is None
    with (client.workspace / ".client/state.jsonl").open("a") as states:
        states.write('\n{"alias": "x", "st')  # a call that died while it saved
    assert client.saved["step"] == 1
    assert client.act({"id": "ACTION2"}).startswith("step 2")


def test_a_client_that_lags_by_more_than_one_step_is_an_error(place):
    client = place.client
    client.start(place.alias)
    before = (client.workspace / ".client/state.jsonl").read_text()
    for number in (1, 2):
        client.act({"id": f"ACTION{number}"})
    (client.workspace / ".client/state.jsonl").write_text(before)
    with pytest.raises(ClientError, match="step index: the environment is at 2, wanted 0 or one more"):
        client.act({"id": "ACTION1"})


def test_calls_at_the_same_time_take_their_turns(place):
    place.client.start(place.alias)
    other = type(place.client)(place.client.workspace)
    calls = [threading.Thread(target=one.act, args=({"id": "ACTION1"},)) for one in (place.client, other)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert place.client.saved["step"] == 2
    other.close()


def test_reset_before_the_first_action_and_anything_else_after_the_loss_is_refused(server):
    with place_for(course(TUTORIAL), "", server) as place:
        client = place.client
        client.start(place.alias)
        with pytest.raises(Refused, match="RESET before"):
            client.act({"id": "RESET"})
        while json.loads(client.observed("metadata.txt"))["state"] == "NOT_FINISHED":
            client.act({"id": "ACTION1"})
        with pytest.raises(Refused, match="the game is over"):
            client.act({"id": "ACTION1"})
        client.act({"id": "RESET"})
        seen = json.loads(client.observed("metadata.txt"))
        assert (seen["state"], seen["attempt_actions"]) == ("NOT_FINISHED", 0)
        assert seen["level_actions"] == seen["step"]


def test_a_server_that_was_killed_is_a_typed_failure_and_the_next_attempt_has_another(server):
    with place_for(course(TUTORIAL), "", server) as place:
        place.client.start(place.alias)
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(ClientError, match="does not answer"):
            place.client.act({"id": "ACTION1"})
    with place_for(course(TUTORIAL), "", server) as place:
        assert "step 0" in place.client.start(place.alias)


def test_levels_that_cannot_be_opened_are_a_failure_of_the_apparatus(server):
    with pytest.raises(InfrastructureFailure, match="no level"), place_for(course("agi_maze/classic/99"), "", server):
        pass


def test_the_same_step_is_answered_again_and_another_number_is_refused():
    served = Served(course(TUTORIAL), "", lambda line: None)
    served.start({"nonce": "n"})
    asked = {"nonce": "n", "seq": 1, "call": "a", "action": {"id": "ACTION2"}}
    assert served.step(asked) == served.step(asked)
    assert served.state({"nonce": "n"})["step"] == 1
    for other in ({"call": "b"}, {"call": "b", "seq": 3}):
        assert served.step({**asked, **other}) == {"at": 1}
    with pytest.raises(RequestError, match="not started from here"):
        served.step({**asked, "nonce": "m"})


# --- the controller ---------------------------------------------------------------------------------------------------


class Local:
    """A client without files and network, on an environment in this process."""

    def __init__(self, *levels, **more):
        self.ends = []
        self._served = Served(course(*levels, **more), "", self.ends.append)
        self._latest = self._served.start({"nonce": "n"})
        self.saved = {"step": 0, "terminal": False}

    def observed(self, name):
        return self._latest["files"].get(name, "")

    def act(self, action):
        asked = {"nonce": "n", "seq": self.saved["step"] + 1, "action": action}
        found = self._served.step(asked)
        if "refused" in found:
            self.saved = {**self.saved, "terminal": found["terminal"]}
            raise Refused(found["refused"])
        self._latest, self.saved = found, {"step": found["step"], "terminal": found["terminal"]}
        return f"step {found['step']}"


class LocalHands:
    def __init__(self, client):
        self.client, self.actions = client, []

    def act(self, action, latency_s=None):
        self.actions.append(action["id"])
        try:
            return self.client.act(action)
        except Refused as refusal:
            return f"refused: {refusal}"

    def spend(self, latency_s):
        pass


class Plan:
    """An agent that takes the given numbers of steps between its returns, whatever it is told."""

    name, simulated, privilege = "plan", True, "none"

    def __init__(self, *turns):
        self.turns, self.told = list(turns), []

    def invoke(self, prompt, hands):
        self.told.append(prompt)
        for action in self.turns.pop(0) if self.turns else ():
            hands.act({"id": action})
        return Returned("back", Usage())


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(showing, "_drawn", lambda name, frame: {})


def controlled(kind, agent, *levels, **more):
    hands, told = LocalHands(Local(*(levels or (TUTORIAL,)), **more)), []
    run = Controller(condition(kind), "the goal", agent, hands, lambda word, data: told.append((word, data)),
                     lambda: hands.client.act({"id": "RESET"}))  # fmt: skip
    return run.run("client output"), hands, told


LOST = ["ACTION1"] * 28
TURNS = (["ACTION2"], [], ["ACTION1"] * 3, LOST[:20], LOST[:4], ["RESET", "ACTION2"], [], [])


def test_two_conditions_differ_in_their_one_instruction_byte_for_byte(quick):
    said = {kind: Plan(*TURNS) for kind in ("baseline", "stop_and_report")}
    ends = {kind: controlled(kind, agent)[0] for kind, agent in said.items()}
    assert ends["baseline"] == ends["stop_and_report"]
    assert len(said["baseline"].told) == 8
    for one, other in zip(said["baseline"].told, said["stop_and_report"].told, strict=True):
        assert one.encode() != other.encode()
        assert one.count(prompts.BASELINE) == other.count(prompts.STOP_AND_REPORT) == 1
        assert one.encode().replace(prompts.BASELINE.encode(), prompts.STOP_AND_REPORT.encode()) == other.encode()


def test_the_controlled_reset_adds_two_sentences_and_nothing_else_to_the_first_prompt(quick):
    agents = {kind: Plan() for kind in ("stop_and_report", "controlled_reset", "controlled_reset_oracle")}
    for kind, agent in agents.items():
        controlled(kind, agent)
    plain, managed, oracle = (agent.told for agent in agents.values())
    assert managed[0].replace(f"{prompts.CONTROLLED_RESET}\n\n", "") == plain[0]
    assert managed[1:] == plain[1:]
    assert managed == oracle


def test_a_second_return_in_a_row_without_a_step_ends_the_run(quick):
    ended, _, told = controlled("baseline", Plan(["ACTION2"], [], ["ACTION1"], [], []))
    kinds = [data["kind"] for word, data in told if word == "prompt"]
    assert ended.ending == "no_progress"
    assert kinds == ["first", "continue", "stuck", "continue", "stuck"]
    backs = [(data["step"], data["progress"]) for word, data in told if word == "return"]
    assert backs == [(1, True), (1, False), (2, True), (2, False), (2, False)]


def test_the_controller_resets_only_where_it_says_so_and_only_at_game_over(quick):
    _, hands, told = controlled("controlled_reset", Plan(["ACTION2"], LOST[:27], ["ACTION2"], [], []))
    kinds = [data["kind"] for word, data in told if word == "prompt"]
    assert kinds == ["first", "continue", "reset", "continue", "stuck"]
    assert "RESET" not in hands.actions
    reset = next(data for word, data in told if word == "prompt" and data["kind"] == "reset")
    assert reset["step"] == 29
    assert prompts.RESET_NOTICE in reset["text"]
    assert "step 29" in reset["text"]
    _, _, told = controlled("stop_and_report", Plan(LOST, [], []))
    assert [data["kind"] for word, data in told if word == "prompt"] == ["first", "continue", "stuck"]


def test_a_reset_by_the_controller_is_no_progress_of_the_agents(quick):
    ended, _, told = controlled("controlled_reset", Plan(LOST, [], []))
    assert ended.ending == "no_progress"
    assert [data["kind"] for word, data in told if word == "prompt"] == ["first", "reset", "stuck"]


def test_the_textual_condition_has_the_loss_analysed_before_the_reset_and_asks_for_a_look_back(quick):
    _, _, told = controlled("textual", Plan(LOST, [], ["ACTION2"] * 23, ["ACTION2"], [], []))
    kinds = [data["kind"] for word, data in told if word == "prompt"]
    assert kinds == ["first", "analyse", "reset", "trouble", "continue", "stuck"]


def test_an_environment_that_has_ended_ends_the_run_without_another_prompt(quick):
    agent = Plan(["ACTION2"] * 9, ["ACTION2"])
    ended, hands, _ = controlled("baseline", agent, budget=5)
    assert ended is None
    assert hands.client.saved["step"] == 5
    assert len(agent.told) == 1
    assert hands.client.ends[-1]["ended"]["ending"] == "level_budget"


# --- the scripted agent -----------------------------------------------------------------------------------------------


def played(kind, knobs, seed, level=TUTORIAL, budget=5_000):
    agent = Scripted("s", knobs, 1.0, np.random.default_rng(seed))
    _, hands, told = controlled(kind, agent, level, budget=budget)
    return hands, told


def test_without_doubts_it_plays_the_explorers_way_under_every_condition(quick):
    ways = {tuple(played(kind, STILL, seed)[0].actions) for kind in ("baseline", "stop_and_report", "controlled_reset",
            "textual") for seed in (1, 2)}  # fmt: skip
    assert len(ways) == 1


def test_with_nothing_gained_from_rereading_both_conditions_take_the_same_number_of_actions(quick):
    counts = {kind: [len(played(kind, Knobs(0.3, 0, 0, 0), seed)[0].actions) for seed in range(15)]
              for kind in ("baseline", "stop_and_report")}  # fmt: skip
    assert abs(np.mean(counts["baseline"]) - np.mean(counts["stop_and_report"])) < 3.0


@pytest.mark.parametrize(
    ("kind", "settled"), [("baseline", 0.0), ("stop_and_report", 0.75), ("textual", 0.5 + 0.5 * 0.75)]
)
def test_the_planted_waste_is_recovered(quick, kind, settled):
    """Eleven actions lead out; each comes after a geometric number of wasted ones."""
    knobs = Knobs(doubts=0.3, reread_gain=0.75, returns=0, resets=0, notes_gain=0.5)
    counts = [len(played(kind, knobs, seed)[0].actions) for seed in range(25)]
    wasted = 0.3 * (1 - settled)
    expected, spread = 11 / (1 - wasted), np.sqrt(11 * wasted) / (1 - wasted)
    assert abs(np.mean(counts) - expected) < 4 * spread / np.sqrt(25)


def test_needless_resets_stop_where_they_are_forbidden_and_count_as_violations_where_it_disobeys(quick):
    knobs = Knobs(doubts=0, returns=0, resets=0.1)
    resets = {kind: sum(played(kind, knobs, seed)[0].actions.count("RESET") for seed in range(6))
              for kind in ("baseline", "stop_and_report", "controlled_reset")}  # fmt: skip
    assert resets["baseline"] > 2
    assert resets["stop_and_report"] > 2
    assert resets["controlled_reset"] == 0
    wild = Knobs(doubts=0, returns=0, resets=0.1, obeys=0)
    assert sum(played("controlled_reset", wild, seed)[0].actions.count("RESET") for seed in range(6)) > 2


def test_it_comes_back_at_game_over_if_it_may_not_reset_and_begins_again_on_what_it_has_learned(quick):
    knobs = Knobs(doubts=0.75, reread_gain=0.0, returns=0, resets=0)
    hands, told = played("controlled_reset", knobs, 3)
    assert "reset" in [data["kind"] for word, data in told if word == "prompt"]
    assert "RESET" not in hands.actions
    assert hands.client.observed("metadata.txt").count('"WIN"') == 1
    baseline, _ = played("baseline", knobs, 3)
    assert "RESET" in baseline.actions


def test_needless_returns_come_at_their_rate_and_end_some_runs(quick):
    knobs = Knobs(doubts=0, returns=0.2, resets=0)
    backs = [[data for word, data in played("baseline", knobs, seed)[1] if word == "return"] for seed in range(25)]
    last = [run[-1] for run in backs]
    stopped = sum(not one["terminal"] for one in last) / 25
    # it ends with two returns before the first of eleven actions, or with three before a later one
    expected = 1 - (1 - 0.2**2) * (1 - 0.2**3) ** 10
    assert abs(stopped - expected) < 4 * np.sqrt(expected / 25)


# --- scores and tables ------------------------------------------------------------------------------------------------


def test_scores_by_hand():
    assert rhae(100, 200) == 25.0
    assert rhae(100, 90) == 100.0
    assert rhae(100, None) == 0.0
    assert budgeted(0.7, 200, 280, 1.0) == pytest.approx(25.0)
    assert budgeted(0.7, 200, 100, 1.0) == 100.0
    assert budgeted(0.7, 200, 100, 1.15) == pytest.approx(115.0)
    assert budgeted(0.7, 200, None, 1.15) == 0.0
    assert cost_tokens(600, 600, 7) == 17.0
    assert cost_tokens(660, 60, 0) == 101.0
    assert gap_recovery(64.0, 60.0, 70.0) == pytest.approx(0.4)
    assert gap_recovery(64.0, 60.0, 60.0) is None
    assert gap_recovery(30.0, 60.0, 55.0) is None, "a share of a gap that is not there says nothing"


ARMS = {"A": condition("baseline"), "B": condition("stop_and_report"), "C": condition("controlled_reset"),
        "T": condition("textual")}  # fmt: skip
CONTRAST = SimpleNamespace(treatment="B", control="A")
STUDY = SimpleNamespace(arms=ARMS, cohorts=["single", "curriculum"], contrasts_for=lambda setting: (CONTRAST,))


def row(setting, arm, repeat, score):
    names = (
        "rhae",
        "rhae_60",
        "rhae_70",
        "rhae_80",
        "solved",
        "x1_solved",
        "reached",
        "step_fraction",
        "target_actions",
        "returns",
        "idle_returns",
        "game_overs",
        "agent_resets",
        "controller_resets",
        "violations",
        "cost_tokens",
    )
    return {"cohort": setting, "arm": arm, "repeat": repeat, **dict.fromkeys(names, score), "unit_id": "u"}  # fmt: skip


def test_a_conditions_value_is_the_mean_of_its_blocks_means_not_of_its_units():
    rows = [row("single", "A", 1, 0.0), row("single", "A", 1, 30.0), row("single", "A", 2, 60.0)]
    values = condition_rows(STUDY, rows)
    assert [(one["repeat"], one["targets"], one["rhae_70"]) for one in values] == [
        (1, 2, 15.0),
        (2, 1, 60.0),
        ("mean", 2, 37.5),
    ]


def test_differences_recovery_and_experience_by_hand():
    scores = {"A": 50.0, "B": 60.0, "C": 64.0, "T": 70.0}
    rows = [row("single", arm, 1, score) for arm, score in scores.items()] + [row("curriculum", "A", 1, 40.0)]
    values = condition_rows(STUDY, rows)
    found = [one for one in contrast_rows(STUDY, values) if one["endpoint"] == "rhae_70"]
    assert [(one["setting"], one["difference"], one["treatment_blocks"]) for one in found] == [("single", 10.0, 1)]
    (recovered,) = [one for one in recovery_rows(STUDY, values) if one["endpoint"] == "rhae_80"]
    assert (recovered["arm"], recovered["gap"], recovered["recovered"]) == ("C", 10.0, pytest.approx(0.4))
    (experience,) = [one for one in experience_rows(STUDY, values) if one["endpoint"] == "rhae_70"]
    assert (experience["arm"], experience["difference"]) == ("A", -10.0)
