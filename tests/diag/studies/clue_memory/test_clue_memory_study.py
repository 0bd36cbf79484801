"""The study path: planted gains are found, controls are flat, the judge plays apart, milestones reach no player."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hydra import compose, initialize_config_dir

from diag.app.setup import prepare
from diag.records.event_log import read_events
from diag.records.plan import derive_seed
from diag.studies.clue_memory.explorer import Knobs
from diag.studies.clue_memory.judge import level_milestones
from diag.studies.clue_memory.scripted import ScriptedExplorer
from diag.studies.registry import register
from games.catalogue import load_catalogue
from games.clue_house.game import PACK

CONF = Path(__file__).parents[4] / "conf"
CATALOGUE = load_catalogue(PACK)
NEAR = "study.levels=[clue_house/d20/1,clue_house/d20/2,clue_house/d20/3]"
PERFECT = {"notices": 1, "keeps": 1, "unprompted": 0, "maps_wrong": 0, "judges_wrong": 0}


def prepared(tmp_path, *words, **knobs):
    register()
    told = [f"agent.knobs.{name}={value}" for name, value in {**PERFECT, **knobs}.items()]
    common = ("+experiment=rq7", "suite=rules", f"outputs={tmp_path}", "tracking=none")
    with initialize_config_dir(str(CONF), version_base=None):
        return prepare(compose("config", [*common, *words, *told]), cwd=tmp_path)


def played(one, tmp_path, *, arms=None):
    """Return a row per unit; every arm of a block and repeat draws the same numbers."""
    rows = []
    for unit in one.plan.units:
        if arms is not None and unit.arm not in arms:
            continue
        seed = derive_seed("planted", f"{unit.block_id}-{unit.repeat}", "all arms", seed=0)
        log = tmp_path / f"{unit.unit_id}.jsonl"
        one.executor.execute(replace(unit, seed=seed), 1, log_path=log, pictures=tmp_path / "pictures")
        outcome = one.executor.grade(read_events(log), unit)
        assert outcome.validity == "valid"
        names = {"pair": f"{unit.block_id}-{unit.repeat}", "arm": unit.arm, "level": unit.checkpoint_id}
        rows.append({**names, **outcome.endpoints, "details": outcome.details})
    return pd.DataFrame(rows)


def by_arm(table, name):
    return {arm: list(found.sort_values("pair")[name]) for arm, found in table.groupby("arm")}


def test_with_a_whole_memory_every_level_is_won_at_no_less_than_its_distance(tmp_path):
    table = played(prepared(tmp_path), tmp_path, arms=("coast",))
    assert len(table) == 12
    assert list(table["success"]) == [True] * 12
    assert list(table["completion"]) == [1.0] * 12
    distances = [int(one["distance"].removeprefix("d")) for one in table["details"]]
    assert [gap >= distance for gap, distance in zip(table["gap"], distances, strict=True)] == [True] * 12
    assert list(table["judge_agrees"]) == [True] * 12


@pytest.mark.slow
def test_planted_gains_are_recovered(tmp_path):
    words = (NEAR, "study.repeats=20", "study.budget=100")
    knobs = {"notices": 0.6, "keeps": 0.5, "unprompted": 0.25}
    table = played(prepared(tmp_path, *words, **knobs), tmp_path)
    won = {arm: sum(found) / len(found) for arm, found in by_arm(table, "success").items()}
    assert won["none"] < 0.1  # some seventy presses among 360 answers or more
    assert won["coast"] - won["none"] == pytest.approx(0.6, abs=0.13)  # two standard errors of 60 plays
    assert won["notes_matched"] - won["none"] == pytest.approx(0.3, abs=0.13)
    assert won["coast_no_map"] - won["none"] == pytest.approx(0.15, abs=0.13)


def test_controls_are_flat_where_nothing_is_planted_in_them(tmp_path):
    words = (NEAR, "study.repeats=4", "study.budget=100")
    table = played(prepared(tmp_path, *words, keeps=0, unprompted=0, notices=0.5), tmp_path)
    for name in ("success", "completion", "n_counted", "n_seen", "n_used"):
        found = by_arm(table, name)
        assert found["notes_matched"] == found["none"], name
        assert found["coast_no_map"] == found["none"], name
    assert sum(by_arm(table, "success")["coast"]) > 0


def test_budgets_are_equal_and_spent_to_the_end(tmp_path):
    table = played(prepared(tmp_path, NEAR, "study.budget=37", notices=0), tmp_path)
    assert set(table["n_counted"]) == {37}
    assert set(table["success"]) == {False}


def test_wrong_maps_repeat_subtasks_and_every_version_is_kept(tmp_path):
    one = prepared(tmp_path, NEAR, "study.budget=120", maps_wrong=0.9)
    table = played(one, tmp_path, arms=("coast",))
    assert max(table["repeated"]) > 0
    for log in tmp_path.glob("*.jsonl"):
        kept = [event.data for event in read_events(log) if event.kind == "clue_memory.memory"]
        assert [one["version"] for one in kept] == list(range(1, len(kept) + 1))
        sizes = [len(one["content"]["clues"]) for one in kept]
        assert sizes == sorted(sizes)
        assert sizes[-1] > 0


@pytest.mark.parametrize("cap", [20, 400])
def test_notes_and_memories_are_held_to_the_same_cap(tmp_path, cap):
    table = played(prepared(tmp_path, NEAR, "study.budget=60", f"study.memory_tokens={cap}"), tmp_path)
    most = {arm: max(found) for arm, found in by_arm(table, "memory_tokens").items()}
    assert most["none"] == 0
    assert 0 < most["notes_matched"] <= cap
    assert 0 < most["coast"] <= cap
    if cap == 20:
        assert most["coast"] == most["coast_no_map"] == 20


def test_milestones_never_reach_the_player(tmp_path, monkeypatch):
    told = {"player": [], "judge": []}
    whole = ScriptedExplorer.decide, ScriptedExplorer.summarize

    def decide(self, observation):
        text = json.dumps(observation.context, default=vars)
        told["judge" if "<verdict>" in text else "player"].append(text)
        return whole[0](self, observation)

    def summarize(self, context):
        told["player"].append(json.dumps(context, default=vars))
        return whole[1](self, context)

    monkeypatch.setattr(ScriptedExplorer, "decide", decide)
    monkeypatch.setattr(ScriptedExplorer, "summarize", summarize)
    table = played(prepared(tmp_path, NEAR, "study.budget=60"), tmp_path)
    checks = [check for level in CATALOGUE.levels("clue_house", "d20") for check in level_milestones(
        CATALOGUE.layout(level.id), level.id
    )]  # fmt: skip
    assert len(told["player"]) > len(table) > 0
    assert [text for text in told["player"] if any(check.text in text for check in checks)] == []
    assert [text for text in told["judge"] if not any(check.text in text for check in checks)] == []
    assert all(any(check.text in text for text in told["judge"]) for check in checks[:4])


def test_what_a_judge_misreads_shows_in_its_agreement_and_nowhere_else(tmp_path):
    words = (NEAR, "study.repeats=3", "study.budget=60")
    right, wrong = (tmp_path / name for name in ("right", "wrong"))
    right.mkdir(), wrong.mkdir()
    sharp = played(prepared(right, *words), right)
    dull = played(prepared(wrong, *words, judges_wrong=0.3), wrong)
    assert sharp["judge_agrees"].all()
    assert 0.1 < dull["judge_agrees"].mean() < 0.8
    own = ["judge_agrees", "judge_completion", "details"]
    pd.testing.assert_frame_equal(sharp.drop(columns=own), dull.drop(columns=own))


def test_a_judge_that_clicks_changes_its_own_copy_alone(tmp_path, monkeypatch):
    whole = ScriptedExplorer.decide
    clicks = []

    def decide(self, observation):
        if "<verdict>" in observation.context.instruction and "Actions left: 0." not in observation.context.instruction:
            clicks.append(observation.scene["board"]["plate"])
            asked = replace(observation, context=replace(observation.context, instruction="", summary=None))
            return replace(whole(self, asked), reason="I look around")
        return whole(self, observation)

    one = prepared(tmp_path, NEAR, "study.budget=30", "study.judge_actions=6", notices=0)
    still = played(one, tmp_path, arms=("none",))
    monkeypatch.setattr(ScriptedExplorer, "decide", decide)
    (tmp_path / "moved").mkdir()
    moved = played(one, tmp_path / "moved", arms=("none",))
    assert len(set(clicks)) > 1
    own = ["judge_agrees", "judge_completion", "details"]
    pd.testing.assert_frame_equal(still.drop(columns=own), moved.drop(columns=own))
    for before, after in zip(
        *(sorted(folder.glob("*.jsonl")) for folder in (tmp_path, tmp_path / "moved")), strict=True
    ):
        boards = [[event.data for event in read_events(log) if event.kind == "snapshot"] for log in (before, after)]
        assert boards[0] == boards[1]


def test_equal_seeds_of_an_explorer_notice_alike():
    one, other = (ScriptedExplorer("x", Knobs(notices=0.5), 5) for _ in range(2))
    assert [one._draw(0, name) for name in "abc"] == [other._draw(0, name) for name in "abc"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("study.budget=0", "wanted numbers from 1"),
        ("study.levels=[clue_house/d20/9]", "found 'clue_house/d20/9', wanted some of clue_house/d20/1"),
        ("study.memory_tokens=0", "memory_tokens is from 1"),
        ("+intervention@study.arms.X=placebo_sentence", "no condition of clue memory"),
        ("study.arms.coast.memory=goast", "memory 'goast', wanted one of none, notes, clues, coast"),
    ],
)
def test_a_wrong_setting_is_one_line(diag, tmp_path, capsys, words, message):
    assert diag("+experiment=rq7", "suite=rules", "tracking=none", f"outputs={tmp_path}", words, "mode=plan") in (2, 3)
    error = capsys.readouterr().err.strip()
    assert message in error
    assert len(error.splitlines()) == 1
