"""The study with scripted builders: every diagnostic and every effect is the one that was planted."""

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest

from diag.errors import ConfigError
from diag.grading.frames import shown
from diag.records.event_log import EventLog, read_events
from diag.session.clock import clock_named
from diag.session.grid import GridLimits, GridSession
from diag.starts.suite_game import GridGame, LossRule
from diag.studies.world_model.builders import FAULT_EVERY, GOAL_EVERY, model_files
from diag.studies.world_model.condition import Condition
from diag.studies.world_model.desk import Desk
from diag.studies.world_model.evidence import EvidenceStore
from diag.studies.world_model.grade import grade_model_play
from diag.studies.world_model.jailed import Jailed
from diag.studies.world_model.keys import WorldModelKeys
from diag.studies.world_model.kind import check
from diag.studies.world_model.play import Budget, Play
from diag.studies.world_model.scripted import ScriptedFactory
from games.catalogue import load_catalogue

CATALOGUE = load_catalogue()


def game_of(name, n_levels, *more):
    entries = [entry for entry in CATALOGUE.entries if entry.id.game == name][:n_levels]
    return GridGame(name, tuple(entries), LossRule(("stuck", *more)), False, CATALOGUE)


MAZE, ONE = game_of("maze_paint", 2), game_of("maze_paint", 1)


def play(folder, policy, builder="exact", *, game=MAZE, given="", level_budget=30, keys=None, mind=None, shared=None):
    """Play and return the events and the outcome."""
    keys = keys or WorldModelKeys()
    clock = clock_named("virtual", 1e6)
    clock.start()
    with EventLog(folder / "events.jsonl") as log:

        def record(kind, data):
            log.append(kind, clock.elapsed_s(), dict(data))

        session = GridSession(game.open(), GridLimits(1e6, (level_budget,) * len(game.entries)), clock, record)
        privilege = "solver_oracle" if given else "none"
        condition = Condition(policy, policy, given, privilege=privilege)
        desk = Desk(condition, keys, EvidenceStore(folder / "evidence"), Jailed(), record, folder / "files")
        known = {"block_seed": 7, "edits_model": policy == "single", "game": game, **(shared or {})}
        record(
            "episode_start",
            {
                "unit_id": policy, "attempt": 1, "plan_hash": "p", "digests": {}, "levels": list(game.level_names),
                "baselines": [10] * len(game.entries), "references": [[10]] * len(game.entries),
                "budgets": {"calls": keys.calls, "tokens": keys.tokens, "curve": [0.009, 0.01, 1.0]},
            },
        )  # fmt: skip
        if given:
            desk.give_model(model_files(given, game, 7))
        mind = mind or ScriptedFactory(builder).build(0)
        ended = Play(mind, desk, session, clock, Budget(keys.calls, keys.tokens), "Play.", known).run()
        record("episode_end", {"ending": ended.ending})
    events = read_events(folder / "events.jsonl")
    return events, grade_model_play(events, "p")


def actions(events):
    return [str(one.action) for one in shown(events)]


def data(events, word):
    return [event.data for event in events if event.kind == f"world_model.{word}"]


def test_the_exact_model_is_exact_and_plays_far_better_than_none(tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "single").mkdir()
    _, none = play(tmp_path / "none", "none")
    events, single = play(tmp_path / "single", "single")
    found = single.endpoints
    assert found["rhae"] > none.endpoints["rhae"] + 50
    ones = ("execution_rate", "accepted_match", "strict_match", "coverage", "known_cell", "terminal_recall")
    assert [found[name] for name in (*ones, "end_accepted", "end_coverage")] == [1.0] * 8
    assert (found["terminal_false"], found["end_exact_levels"], found["model_versions"]) == (0.0, 2, 1)
    assert found["followed"] == found["recommended"] == found["scored_actions"]
    assert [none.endpoints[name] for name in ("execution_rate", "accepted_match", "end_accepted")] == [0.0, None, None]
    # One plan a level, each committed as it was found; notes at the first level's end; the model's files are kept.
    assert [one["planned"] == one["played"] for one in single.details["plans"]] == [True, True]
    (notes,) = data(events, "files")
    kept = {path.name for path in (tmp_path / "single" / "files").iterdir()}
    assert {"model/model.py", "notes/level_0.md"} <= set(notes["files"])
    assert set(notes["files"].values()) <= kept
    assert not any("evidence" in name or "turn_" in name for name in notes["files"])
    # The score by budget: cut after the action whose cycle reaches the limit. Call 9 commits the first level's last
    # action; call 10 writes the notes and belongs to the cycle of the next action.
    ninth, tenth, whole = [one for one in single.details["curve"] if one["of"] == "calls"]
    assert [one["after"] for one in data(events, "step")[7:11]] == [6, 7, 7, 7]
    assert [(one["crossed"], one["levels_completed"], one["actions"]) for one in (ninth, tenth)] == [
        (True, 1, 7), (True, 1, 8),
    ]  # fmt: skip
    assert (whole["crossed"], whole["rhae"]) == (False, found["rhae"])


def test_a_wrong_goal_is_a_perfect_match_and_a_low_score(tmp_path):
    events, outcome = play(tmp_path, "given", given="wrong_goal", game=ONE, level_budget=6)
    found = outcome.endpoints
    assert (found["accepted_match"], found["coverage"], found["execution_rate"]) == (1.0, 1.0, 1.0)
    assert (found["levels_completed"], found["rhae"]) == (0, 0.0)
    # Every third change is said to win, and stays so until the next one.
    grids = [one.seen.frame for one in shown(events)]
    n_changes, false = 0, []
    for before, after in pairwise(grids):
        n_changes += bool((before != after).any())
        false.append(n_changes > 0 and n_changes % GOAL_EVERY == 0)
    assert found["terminal_false"] == pytest.approx(sum(false) / len(false))
    assert 0 < found["terminal_false"] < 1
    assert found["plans_found"] >= 2


def test_a_model_that_abstains_is_vacuous_and_changes_nothing(tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "trigger").mkdir()
    none, _ = play(tmp_path / "none", "none", level_budget=8)
    events, outcome = play(tmp_path / "trigger", "trigger", "abstaining", level_budget=8)
    assert actions(events) == actions(none)
    found = outcome.endpoints
    assert (found["accepted_match"], found["coverage"], found["known_cell"]) == (0.0, 0.0, None)
    assert (found["recommended"], found["end_coverage"]) == (0, 0.0)
    reasons = {tuple(one["reasons"]) for one in data(events, "builder")}
    assert ("no usable model",) in reasons
    assert ("accepted 0.000", "coverage vacuous") in reasons


def test_a_seeded_fault_shows_where_it_was_planted_and_pauses_the_plan(tmp_path):
    events, outcome = play(tmp_path, "given", given="fault", game=ONE)
    foreseen = [one for one in data(events, "prediction") if one["wanted"] == "ongoing"]
    wrong = [one for one in foreseen if (one["turn"] + 1 + 7 % FAULT_EVERY) % FAULT_EVERY == 0]
    assert wrong
    assert [one["number"] for one in foreseen if not one["accepted"]] == [one["number"] for one in wrong]
    assert {(one["cells"] - one["right"]) for one in wrong} == {1}
    assert outcome.endpoints["accepted_match"] == pytest.approx(1 - len(wrong) / len(foreseen))
    assert outcome.endpoints["won"]
    pauses = [one["reason"] for one in data(events, "pause")]
    assert pauses.count("mismatch") >= len(wrong)
    first = outcome.details["divergences"][0]
    assert (first["level"], first["turn"], first["n_wrong"]) == (0, wrong[0]["turn"], 1)
    changed = [(a, b) for a, b in zip(first["predicted"].split("\n"), first["seen"].split("\n"), strict=True) if a != b]
    assert len(changed) == 1


def test_the_exact_model_knows_what_an_attempt_may_cost(tmp_path):
    _, outcome = play(tmp_path, "given", given="exact", game=game_of("maze_paint", 1, "budget"))
    assert outcome.endpoints["won"]
    assert (outcome.endpoints["strict_match"], outcome.endpoints["terminal_recall"]) == (1.0, 1.0)


def checked(policy, **keys):
    arm = Condition(
        "a", policy, "exact" if policy == "given" else "", privilege="solver_oracle" if policy == "given" else "none"
    )
    check(SimpleNamespace(arms={"A": arm}, language="en", own=WorldModelKeys(**keys)))


def test_every_loss_may_be_studied_and_games_of_a_folder_where_no_arm_gives_the_model():
    for policy in ("none", "given"):
        checked(policy, loss=["budget"], loss_by_game={"maze_paint": ["deadlock"]})
    checked("trigger", env="arc", folder="games")
    with pytest.raises(ConfigError, match=r"study\.env: found arc, wanted suite: the model of A"):
        checked("given", env="arc", folder="games")


@pytest.mark.parametrize("name", ["bolt_unscrew", "color_connect", "nut_and_bolt"])
def test_the_exact_model_of_a_game_with_colours_runs_in_the_jail(tmp_path, name):
    _, outcome = play(tmp_path, "given", given="exact", game=game_of(name, 1), level_budget=2)
    assert outcome.endpoints["execution_rate"] == outcome.endpoints["accepted_match"] == 1.0


def test_budgets_end_a_play_and_belong_to_actor_and_builder_together(tmp_path):
    events, outcome = play(tmp_path, "orchestrator", keys=WorldModelKeys(calls=3))
    assert (outcome.ending, outcome.endpoints["calls"]) == ("call_limit", 3)
    assert [one["role"] for one in data(events, "step")] == ["builder", "builder", "actor"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One game of one level, four conditions, by the command line; the folder of the study."""
    from diag.app.command_line import main

    outputs = tmp_path_factory.mktemp("rq5")
    words = (
        "+experiment=rq5", f"outputs={outputs}", "study.games=[maze_paint]", "study.levels_per_game=1",
        "tracking=none", "execution.n_jobs=1", "execution.progress=false", "study.analysis.draws=100", "mode=all",
    )  # fmt: skip
    assert main([*words]) == 0
    return outputs / "rq5" / "scripted_modeler-rules"


def test_the_study_has_its_tables_and_sections(run):
    page = (run / "report.html").read_text()
    for anchor in ("scorecard", "conditions", "budget-curves", "match-by-turn", "plans"):
        assert f'id="{anchor}"' in page
    rows = [line.split(",") for line in (run / "tables" / "conditions.csv").read_text().splitlines()]
    accepted = {row[0]: row[rows[0].index("accepted_match")] for row in rows[1:]}
    assert accepted == {"none": "", "orchestrator": "1.0", "single": "1.0", "trigger": "1.0"}
    assert 'fill="#2e7d32"' in page
    assert 'fill="#3b6ea5"' in page


def test_conditions_share_everything_but_the_policy(run):
    starts = [read_events(path)[0].data for path in sorted(run.glob("units/*/attempt-1/events.jsonl"))]
    assert len({one["policy"] for one in starts}) == 4
    for name in ("digests", "limits", "budgets", "baselines", "context"):
        assert all(one[name] == starts[0][name] for one in starts), name


def test_the_no_model_condition_has_evidence_and_no_model(run):
    (attempt,) = run.glob("units/*none*/attempt-1")
    events = read_events(attempt / "events.jsonl")
    turns = list((attempt / "evidence").rglob("turn_*.json"))
    assert (
        len(turns) == len([event for event in events if event.kind == "grid.frame"]) - 1
    )  # the last frame is terminal
    assert json.loads(turns[0].read_text()).keys() >= {"level", "turn", "action", "row", "col", "state", "available"}
    assert not [event for event in events if event.kind.startswith("world_model.") and "model" in event.kind[12:]]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("study.calls=0", "study.calls: found 0, wanted at least 1"),
        ("study.call_s=90", "study.call_s and run_s: found 90.0 and 60.0"),
        ("study.arms.none.policy=best", "policy 'best', wanted one of none, single"),
        ("agent.builder=perfect", "agent.builder: got 'perfect', wanted one of exact"),
    ],
)
def test_bad_input_is_one_line(diag, tmp_path, capsys, word, says):
    assert diag("+experiment=rq5", f"outputs={tmp_path}", "tracking=none", "mode=plan", word) in (2, 3)
    error = capsys.readouterr().err.strip()
    assert len(error.splitlines()) == 1
    assert says in error
