"""Knowledge x workflow: plan sizes, isolation of probes, and planted effects recovered to the last action."""

import csv
import io
import json
from dataclasses import asdict

import pytest

from diag.arms import Text
from diag.arms.difference import context_difference
from diag.errors import ConfigError
from diag.grading.walk import MalformedLog
from diag.records import Event, Unit
from diag.session import (
    AttemptSetup,
    EventLog,
    Limits,
    PictureStore,
    Probe,
    RulesEnvironment,
    VirtualClock,
    all_levels_won,
    read_events,
    run_attempt,
)
from diag.session.contract import Decision, PublicContext
from diag.studies.knowledge_workflow.cell import Cell, game_of
from diag.studies.knowledge_workflow.kind import KIND
from diag.studies.knowledge_workflow.probes import graded_probes
from diag.studies.study import Study
from games.catalogue import load_catalogue
from games.suite.session import SuiteSession

CATALOGUE = load_catalogue()
CELLS = {
    "K0P0": Cell("a", card=False, workflow="agent"),
    "K0P1": Cell("b", card=False, workflow="controller"),
    "K1P0": Cell("c", card=True, workflow="agent"),
    "K1P1": Cell("d", card=True, workflow="controller"),
}


def study_of(arms=CELLS, **keys):
    return Study.of(KIND, KIND.config(name="s", objective="Play {game}, {difficulty}, {count} levels.", **keys), arms)


STEADY = ("skill=1.0", "misclick=0.0", "wander=0.0", "overreach=0.0", "forget=0.0")
"""A player whose number of actions on Truck Escape is the number of vehicles and the clicks on the menus."""


@pytest.mark.parametrize(
    ("experiment", "n_units", "note"),
    [("rq4", 68, "16 objectives: 68 sessions and 340 probes"), ("rq4_followup", 24, "72 sessions")],
)
def test_plans_have_the_published_sizes(diag, tmp_path, capsys, experiment, n_units, note):
    assert diag(f"+experiment={experiment}", "mode=plan", "suite=rules", f"outputs={tmp_path}") == 0
    (path,) = tmp_path.rglob("plan.json")
    units = json.loads(path.read_text())["units"]
    assert len(units) == n_units
    assert note in " ".join(capsys.readouterr().out.split())
    restarts = {unit["block_id"] for unit in units if unit["arm"].endswith("R")}
    assert restarts <= {"bolt_unscrew-easy", "bolt_unscrew-hard"}


def run(diag, tmp_path, *words):
    arguments = (
        "+experiment=rq4", "study.objectives=[truck_escape/default]", "suite=rules", f"outputs={tmp_path}",
        "execution.n_jobs=1", "execution.progress=false", "tracking=none", "study.analysis.draws=100",
        *(f"agent.policy.propensities.{one}" for one in STEADY),
    )  # fmt: skip
    assert diag(*arguments, *words, "mode=run") == 0
    assert diag(*arguments, *words, "mode=analyse") == 0
    (tables,) = tmp_path.rglob("tables")
    contrasts = rows_of(tables / "unit_contrasts.csv")
    found = {(row["endpoint"], row["contrast"]): float(row["value"]) for row in contrasts}
    return found, tables


def endpoints_of(tables):
    """The endpoint columns of an outcome table."""
    header = (tables / "outcomes.csv").read_text().split("\n", 1)[0].split(",")
    return header[header.index("n_invalid_actions") + 1 :]


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


@pytest.mark.slow
def test_the_controller_saves_exactly_the_menu_actions_and_the_card_nothing(diag, tmp_path):
    found, tables = run(diag, tmp_path)
    n_levels = len(CATALOGUE.levels("truck_escape", "default"))
    saved = -(3 + n_levels - 1)  # three clicks in, one on after every level but the last
    assert found["n_actions_model", "Delta_P(K0)"] == found["n_actions_model", "Delta_P(K1)"] == saved
    assert found["n_actions_model", "main P"] == saved
    assert {found[name, "interaction"] for name in ("n_actions_model", "n_actions_total", "lc")} == {0.0}
    assert found["n_actions_total", "main P"] == found["lc", "main K"] == found["n_actions_model", "main K"] == 0.0
    probes = rows_of(tables / "probes.csv")
    assert len({(row["unit_id"], row["probe"]) for row in probes}) == 4 * 5
    knowledge = rows_of(tables / "rule_knowledge.csv")
    assert {row["n"] for row in knowledge} == {"1"}


def test_a_card_that_a_player_needs_raises_completion_by_all_of_it(diag, tmp_path):
    found, tables = run(diag, tmp_path, "+agent.policy.propensities.lost_without_card=1.0")
    assert endpoints_of(tables) == [one.name for one in KIND.endpoints]
    assert (found["lc", "Delta_K(P0)"], found["lc", "Delta_K(P1)"]) == (1.0, 1.0)
    assert (found["lc", "main P"], found["lc", "interaction"]) == (0.0, 0.0)


# --- cells ------------------------------------------------------------------------------------------------------------

BASE = PublicContext("Play Maze Paint, Easy.")


def test_a_card_is_a_note_and_the_workflow_is_one_sentence_after_an_objective_that_all_cells_share():
    differences = {arm: context_difference(BASE, cell.apply(BASE, "E")) for arm, cell in CELLS.items()}
    assert {arm: sorted(found) for arm, found in differences.items()} == {
        "K0P0": ["instruction"], "K0P1": ["instruction"],
        "K1P0": ["instruction", "memory"], "K1P1": ["instruction", "memory"],
    }  # fmt: skip
    texts = {arm: cell.apply(BASE, "E").instruction for arm, cell in CELLS.items()}
    assert all(text.startswith(f"{BASE.instruction}\n\n") for text in texts.values())
    assert texts["K0P0"] == texts["K1P0"] != texts["K0P1"] == texts["K1P1"]


def test_the_game_is_the_one_that_the_instruction_names():
    assert game_of("Play Nut and Bolt, Hard.") == "nut_and_bolt"
    with pytest.raises(ValueError, match="no game"):
        game_of("Play something.")
    with pytest.raises(ValueError, match="maze_paint"):
        game_of("Play Maze Paint or Rush Hour.")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arms": {**CELLS, "K0P0": Text("t", {"any": ""})}}, "no cell"),
        ({"cells": ("K0P0", "K0P1")}, "study.cells"),
        ({"probes_at_s": (5.0, 1.0), "probe_question": "{game}?"}, "increasing"),
        ({"probes_at_s": (5.0,), "probe_question": "Rules?"}, "placeholder"),
        ({"endpoints": ("lc", "n_action_model")}, "found 'n_action_model', wanted one of lc, .*n_actions_model"),
    ],
)
def test_what_is_no_study_of_cells_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        study_of(**changes)


# --- probes -----------------------------------------------------------------------------------------------------------


class Spy:
    """Waits, answers questions, and keeps every context that it was shown."""

    name, simulated, privilege, reads_scene = "spy", True, "none", False

    def __init__(self):
        self.acting, self.asked = [], []

    def decide(self, observation):
        if observation.context.instruction.startswith("Question"):
            self.asked.append(asdict(observation.context))
            return Decision((), "SECRET ANSWER", 1.0)
        self.acting.append(asdict(observation.context))
        return Decision(({"name": "wait", "seconds": 5.0},), "I wait.", 10.0)

    def summarize(self, context):
        self.acting.append(asdict(context))
        return "summary"


def session(tmp_path, name, probes):
    levels = tuple(entry.id for entry in CATALOGUE.levels("maze_paint", "easy"))
    spy, path = Spy(), tmp_path / f"{name}.jsonl"
    setup = AttemptSetup(
        unit=Unit("u", "b", "E", "A", 1, "c", "d", "x", 1, 0), attempt=1, plan_hash="p", study="s", level=None,
        base_context=BASE, context=BASE, goal=all_levels_won(levels), limits=Limits(200.0, None, 5), probes=probes,
    )  # fmt: skip
    with EventLog(path) as log:
        run_attempt(
            setup, agent=spy, environment=RulesEnvironment(SuiteSession(CATALOGUE), CATALOGUE), clock=VirtualClock(),
            log=log, pictures=PictureStore(tmp_path),
        )  # fmt: skip
    return spy, read_events(path)


def test_probes_leave_the_acting_history_byte_for_byte_as_it_would_have_been(tmp_path):
    probes = tuple(Probe(at_s, "Question about the rules of Maze Paint") for at_s in (0.0, 50.0, 100.0, 150.0, 900.0))
    with_, events = session(tmp_path, "with", probes)
    without, _ = session(tmp_path, "without", ())
    assert len(with_.asked) == 5
    assert json.dumps(with_.acting) == json.dumps(without.acting)
    assert "SECRET ANSWER" not in json.dumps(with_.acting)
    assert [one.answer for one in graded_probes(events, "maze_paint", "en")] == ["SECRET ANSWER"] * 5


def test_a_probe_without_an_answer_field_is_refused():
    events = [Event(3, "probe", 0.0, 0.0, "", {"at_s": 0.0})]
    with pytest.raises(MalformedLog, match="event 3"):
        graded_probes(events, "maze_paint", "en")


def test_only_objectives_with_dead_ends_to_restart_have_the_restart_cells():
    arms = {**CELLS, "K0P1R": Cell("r", card=False, workflow="controller", restart_dead_ends=True)}
    study = study_of(arms=arms, objectives=["bolt_unscrew/easy", "maze_paint/easy"])
    blocks = KIND.starts.blocks(study, KIND.starts.source(study, "", CATALOGUE))
    found = {one.checkpoint_id: "K0P1R" in one.arms for one in blocks}
    assert found == {"bolt_unscrew/easy": True, "maze_paint/easy": False}
