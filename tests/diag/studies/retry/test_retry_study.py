"""The retry study: what its plan holds, what its constructor refuses, and a few units run through on the rules."""

import csv
import io
import json

import pytest

from checkpoints.store import load_library
from diag.arms import Text
from diag.errors import ConfigError
from diag.grading.table import read_table
from diag.studies.retry.grade import ENDINGS
from diag.studies.retry.kind import KIND
from diag.studies.retry.memory import Memory
from diag.studies.study import Study

M0 = Memory("m0", keeps_history=False)
M1 = Memory("m1", keeps_history=True, request="Write.", capacity_tokens=9)


def study_of(arms, objective="Play.", **keys):
    return Study.of(KIND, KIND.config(name="s", objective=objective, **keys), arms)


def planned(diag, tmp_path, *words):
    arguments = ("mode=plan", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1")
    assert diag(*words, *arguments) == 0
    (path,) = tmp_path.rglob("plan.json")
    return json.loads(path.read_text())["units"]


@pytest.mark.parametrize(
    ("experiment", "n_units", "note"),
    [
        ("rq3", 72, "24 source failures x 3 memory conditions = 72 retries"),
        ("rq3_followup", 18 + 5, "54 retries"),
        ("rq2_followup", 33, "72 + 27 continuations"),
    ],
)
def test_plans_have_the_published_sizes(diag, tmp_path, capsys, experiment, n_units, note):
    units = planned(diag, tmp_path, f"+experiment={experiment}")
    assert len(units) == n_units
    assert note in " ".join(capsys.readouterr().out.split())


def test_the_history_of_a_source_is_in_every_arms_base_with_its_restart():
    study = study_of({"M0": M0, "M1": M1}, objective="Play {level}.")
    source = load_library("rq3").checkpoint("F05")
    context = KIND.starts.context(study, source)
    assert len(context.prefix) == len(source.prefix) + 1
    assert context.prefix[-1].reason == source.provenance["restart"]["reason"]
    assert context.prefix[0].reason == source.prefix[0].reason != ""


@pytest.mark.parametrize(
    ("arms", "message"),
    [
        ({"M0": Text("t", {"any": ""})}, "no memory condition"),
        ({"M0": M1, "M1": Memory("x", keeps_history=True, request="W.", capacity_tokens=8)}, "equal capacity"),
    ],
)
def test_arms_that_cannot_be_compared_are_refused(arms, message):
    with pytest.raises(ConfigError, match=message):
        study_of(arms)


def test_an_endpoint_of_another_study_is_refused():
    with pytest.raises(ConfigError, match="found 'timely_restart', wanted one of completion, recurrence"):
        study_of({"M0": M0}, endpoints=["timely_restart"])


def test_an_unknown_source_is_refused():
    study = study_of({"M0": M0}, sources=["F99"])
    with pytest.raises(ConfigError, match="F99"):
        KIND.starts.blocks(study, load_library("rq3"))


def test_retries_run_are_graded_and_their_texts_are_exported(diag, tmp_path):
    words = (
        "+experiment=rq3", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1", "execution.progress=false",
        "study.sources=[F01]", "study.repeats=2", "study.limits.takeover_s=60", "study.analysis.draws=100",
    )  # fmt: skip
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=regrade") == 0
    (tables,) = tmp_path.rglob("tables")
    accounts = list(csv.DictReader(io.StringIO((tables / "accounts.csv").read_text())))
    assert sorted(row["arm"] for row in accounts) == ["M1", "M2"]  # of the first retries: others serve stability alone
    assert all(int(row["tokens"]) <= int(row["capacity_tokens"]) == 240 for row in accounts)
    assert {row["blames_execution"] for row in accounts if row["arm"] == "M2"} == {"True"}
    stability = list(csv.DictReader(io.StringIO((tables / "stability.csv").read_text())))
    endings = [row for row in stability if row["endpoint"] == "ending"]
    assert [(row["arm"], row["n_repeated"]) for row in endings] == [("M0", "1"), ("M1", "1"), ("M2", "1"), ("all", "3")]
    outcomes = read_table(tables / "outcomes.csv")
    assert outcomes["primary"].tolist() == [name.endswith("r1") for name in outcomes["unit_id"]]
    (progress,) = (
        one
        for one in json.loads((tables / "effects.json").read_text())["effects"]
        if one["name"] == "F best_progress M2-M1"
    )
    first = outcomes[outcomes["repeat"] == 1].set_index("arm")["best_progress"]
    assert progress["estimate"] == pytest.approx(first["M2"] - first["M1"])
    kept = sum(len(set(rows["ended"])) == 1 for _, rows in ended(outcomes).groupby("arm"))
    assert endings[-1]["n_kept"] == str(kept)


def ended(outcomes):
    """Return the table with the one ending that is true of each retry."""
    return outcomes.assign(ended=outcomes[list(ENDINGS)].astype(bool).idxmax(axis=1))


def test_the_panel_of_the_follow_up_has_fifteen_further_retries_spread_over_sources_and_conditions(diag, tmp_path):
    words = ("+experiment=rq3_followup", "suite=rules", f"outputs={tmp_path}", "mode=plan")
    assert diag(*words) == 0
    (plan,) = tmp_path.rglob("plan.json")
    units = json.loads(plan.read_text())["units"]
    extra = [unit for unit in units if unit["repeat"] == 2]
    assert (len(units) - len(extra), 3 * len(extra)) == (18, 15)
    assert units[-5:] == extra  # after all others: an interrupted study loses none of the primary retries for them
    assert len({unit["block_id"] for unit in extra}) == 5
    assert sorted(unit["arm"] for unit in extra) == ["M0", "M0", "M1", "M1", "M2"]
