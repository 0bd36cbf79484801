import json
import math
from pathlib import Path

import pytest

from diag.report import read_study
from diag.tracking.arm_runs import condition_runs, finite, metric_name, pair_set, study_params, study_run
from diag.tracking.projection import chunks


def test_one_child_per_cohort_and_arm_with_its_tags(made):
    runs = {(run.tags["cohort"], run.tags["condition"]): run for run in condition_runs(read_study(made.folder))}
    assert list(runs) == [("D", "A"), ("D", "B"), ("D", "C"), ("N", "A"), ("N", "B")]
    assert [runs["D", arm].tags["reference"] for arm in "ABC"] == ["none", "A", "B"]
    assert runs["D", "B"].tags["privilege"] == "evaluator_state"
    assert runs["D", "B"].tags["simulated"] == "true"
    assert runs["D", "A"].tags["mlflow.runColor"] != runs["D", "B"].tags["mlflow.runColor"]
    assert len({run.tags["pair_set"] for run in runs.values()}) == 1


def test_a_condition_carries_its_score_and_its_delta(made):
    run = next(r for r in condition_runs(read_study(made.folder)) if r.name.startswith("D B"))
    rows = made.outcomes[(made.outcomes["cohort"] == "D") & (made.outcomes["arm"] == "B")]
    assert run.metrics["score"] == pytest.approx(float(rows["timely_restart"].astype(float).mean()), abs=5e-5)
    effect = next(
        e for e in made.effects if (e["cohort"], e["treatment"], e["outcome"]) == ("D", "B", "timely_restart")
    )
    assert run.metrics["delta"] == pytest.approx(effect["estimate"], abs=5e-5)
    assert run.metrics["delta.ci_lo"] == pytest.approx(effect["cr2"]["low"], abs=5e-5)
    assert run.metrics["p_signflip"] == pytest.approx(effect["sign_flip_p"], abs=5e-5)
    assert (run.metrics["n_units"], run.metrics["n_missing"]) == (7, 0)


def test_a_delta_says_of_which_endpoint_and_against_which_arm(made):
    run = next(r for r in condition_runs(read_study(made.folder)) if r.name.startswith("D C"))
    control = next(r for r in condition_runs(read_study(made.folder)) if r.name.startswith("D A"))
    assert (run.tags["delta_endpoint"], run.tags["delta_against"]) == ("timely_restart", "B")
    assert run.tags["evidence"] == "SIMULATED, PARTIAL 24 of 25"
    assert "of arm C minus arm B, cohort D" in run.tags["mlflow.note.content"]
    assert "no `delta`" in control.tags["mlflow.note.content"]
    assert "of arm B minus arm A" in study_run(read_study(made.folder)).tags["mlflow.note.content"]


def test_delta_by_level_is_the_mean_difference_of_each_level(made):
    run = next(r for r in condition_runs(read_study(made.folder)) if r.name.startswith("D B"))
    wide = made.outcomes[made.outcomes["cohort"] == "D"].pivot(index="block_id", columns="arm", values="timely_restart")
    for level, n_blocks in ((1, 3), (2, 2), (3, 2)):
        blocks = [f"D{level}-{number + 1}" for number in range(n_blocks)]
        wanted = sum(float(wide.loc[b, "B"]) - float(wide.loc[b, "A"]) for b in blocks) / n_blocks
        assert run.stepped["delta_by_level"][level] == pytest.approx(wanted, abs=5e-5)


def test_the_parent_has_the_headline_and_every_effect(made):
    run = study_run(read_study(made.folder))
    assert run.metrics["delta"] == run.metrics["D B-A/timely_restart"]
    assert run.tags["headline"] == "D B-A timely_restart"
    assert run.metrics["n_incomplete_blocks"] == 1
    sections = {f"{e['cohort']} {e['treatment']}-{e['control']}" for e in made.effects}
    shown = {f"{e['cohort']} {e['treatment']}-{e['control']}/{e['outcome']}" for e in made.effects if e["estimate"]}
    assert shown <= {name for name in run.metrics if name.split("/")[0] in sections}
    for effect in made.effects:
        section = f"{effect['cohort']} {effect['treatment']}-{effect['control']} detail"
        assert run.metrics[f"{section}/{effect['outcome']}.n_pairs"] == effect["n_pairs"]


def test_what_opens_first_in_the_charts_is_the_headline_alone(made):
    found = study_run(read_study(made.folder))
    child = next(run for run in condition_runs(read_study(made.folder)) if run.name.startswith("D B"))

    for run in (found, child):
        first = {name for name in [*run.metrics, *run.stepped] if "/" not in name}
        assert {name for name in first if not name.startswith(("delta", "n_", "score", "p_"))} == set()
        assert len(first) <= 14


def test_runs_of_two_agents_have_different_names(made):
    assert [run.name for run in condition_runs(read_study(made.folder))][:2] == [
        "D A simulated/sol ordinary [SIMULATED, PARTIAL 24 of 25]",
        "D B simulated/sol dead end fact [SIMULATED, PARTIAL 24 of 25]",
    ]


def test_nothing_infinite_is_logged_and_what_was_left_out_is_counted():
    metrics, n_left = finite({"a": 1 / 3, "b": math.nan, "c": math.inf, "d": None, "e[0]": 2.0})
    assert metrics == {"a": 0.3333, "e_0_": 2.0}
    assert n_left == 2


def test_names_mlflow_refuses_are_replaced():
    assert metric_name("delta[lo]=(1,2)%") == "delta_lo___1_2__"
    assert metric_name("D.timely_restart.B-A/x: y") == "D.timely_restart.B-A/x: y"


def test_long_texts_and_lists_are_no_params(folder: Path):
    params = study_params(read_study(folder))
    assert params["study.limits.takeover_s"] == "300.0"
    assert all(len(value) <= 500 for value in params.values())
    assert not any(key.startswith("study.cohorts") for key in params)


def test_the_pair_set_depends_on_the_checkpoints_alone(made, folder: Path):
    assert pair_set(read_study(folder)) == pair_set(read_study(made.folder))
    plan = json.loads((folder / "plan.json").read_text())
    for unit in plan["units"]:
        unit["checkpoint_digest"] = unit["checkpoint_digest"][::-1]
    from diag.records import Unit
    from diag.records.plan import plan_digest

    plan["plan_hash"] = plan_digest(plan["study"], [Unit(**unit) for unit in plan["units"]], plan["identity"])
    (folder / "plan.json").write_text(json.dumps(plan))
    assert pair_set(read_study(folder)) != pair_set(read_study(made.folder))


def test_chunks_keep_order_and_size():
    assert [list(piece) for piece in chunks(list(range(5)), 2)] == [[0, 1], [2, 3], [4]]
