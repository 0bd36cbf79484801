"""Whole studies on rules only, through `python -m diag`: plan, run, resume, replace, refuse, extend."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

CONF = Path(__file__).parents[2] / "conf"
EXPERIMENTS = ["rq2", "rq2_followup", "rq3_followup", "rq4_followup"]
"""Those that the conformance suite does not run, which takes one of each kind; `web` needs a page."""


def study(tmp_path: Path) -> Path:
    return tmp_path / "out" / "rq2" / "standin-rules"


def outcomes(folder: Path) -> bytes:
    return (folder / "tables" / "outcomes.csv").read_bytes()


def test_the_plan_of_rq2_is_the_published_design(diag, arguments, tmp_path, capsys):
    assert diag(*arguments, "mode=plan") == 0
    plan = json.loads((study(tmp_path) / "plan.json").read_text())
    arms = [(unit["cohort"], unit["arm"]) for unit in plan["units"]]
    assert {arm: arms.count(arm) for arm in sorted(set(arms))} == {
        ("D", "A"): 24, ("D", "B"): 24, ("D", "C"): 24, ("N", "A"): 12, ("N", "B"): 12,
    }  # fmt: skip
    assert len({unit["cluster"] for unit in plan["units"] if unit["cohort"] == "D"}) == 7
    text = capsys.readouterr().out
    for word in ("96", "SIMULATED", plan["plan_hash"][:16], "evaluator_state"):
        assert word in text


def test_planning_twice_gives_the_same_bytes(diag, arguments, tmp_path):
    diag(*arguments, "mode=plan")
    first = (study(tmp_path) / "plan.json").read_bytes()
    diag(*arguments, "mode=plan", f"outputs={tmp_path / 'again'}", "execution.n_jobs=2")
    assert (tmp_path / "again" / "rq2" / "standin-rules" / "plan.json").read_bytes() == first


def test_a_plan_imports_no_browser_and_no_tracker(start, arguments):
    program = (
        "import sys; from diag.studies.registry import kinds; kinds();"
        "early = [name for name in ('pandas', 'scipy', 'uvicorn') if name in sys.modules];"  # a second of every start
        "from diag.app.command_line import main; code = main(sys.argv[1:]);"
        "print(early, [name for name in ('mlflow', 'playwright', 'matplotlib') if name in sys.modules], code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments, "mode=plan"], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[] [] 0"


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_composes_plans_and_runs_two_units(diag, arguments, tmp_path, experiment):
    if experiment != "rq2":
        arguments = [word for word in arguments if not word.startswith("catalog.library")]  # others name their own
    plays_all = ["agent=null" if word == "agent=standin" else word for word in arguments[1:]]  # the stand-in plays one
    words = [f"+experiment={experiment}", *plays_all, "study.max_units=2"]
    assert diag(*words, "mode=plan") == 0
    assert diag(*words, "mode=run") == 0
    assert len(list((tmp_path / "out").glob("*/*/units/*/attempt-1/outcome.json"))) == 2


def test_offline_modes_give_the_same_tables(diag, ran, tmp_path):
    words = ran("study.max_units=12")
    assert diag(*words, "mode=analyse") == 0
    names = ("outcomes.csv", "effects.json")
    first = [(study(tmp_path) / "tables" / name).read_bytes() for name in names]
    assert diag(*words, "mode=regrade") == 0
    assert [(study(tmp_path) / "tables" / name).read_bytes() for name in names] == first


def test_records_say_that_they_are_rules_only_and_simulated(ran, tmp_path):
    ran("study.max_units=1")
    attempt = next(study(tmp_path).glob("units/*/attempt-1"))
    start = json.loads((attempt / "events.jsonl").read_text().splitlines()[0])["data"]
    assert json.loads((attempt / "status.json").read_text())["browser"] is False
    assert (start["environment"], start["browser"], start["agent"]["simulated"]) == ("rules", None, True)


def test_arms_of_a_block_differ_by_the_declared_text_alone(ran, tmp_path):
    ran("study.max_units=3")
    starts = {}
    for log in study(tmp_path).glob("units/*/attempt-1/events.jsonl"):
        data = json.loads(log.read_text().splitlines()[0])["data"]
        starts[data["arm"]] = data
    assert set(starts) == {"A", "B", "C"}
    assert len({json.dumps(one["digests"], sort_keys=True) for one in starts.values()}) == 1
    block = json.loads((study(tmp_path) / "blocks" / f"{starts['A']['block_id']}.json").read_text())
    for arm, data in starts.items():
        declared = block["by_arm"][arm]["declared_text"]
        assert data["context"] == {**starts["A"]["context"], "instruction": data["context"]["instruction"]}
        ending = f"\n\n{declared}" if declared else ""
        assert data["context"]["instruction"] == starts["A"]["context"]["instruction"] + ending


def test_a_new_arm_from_a_yaml_elsewhere_runs_as_the_fourth(diag, arguments, tmp_path, capsys):
    folder = tmp_path / "mine" / "intervention"
    folder.mkdir(parents=True)
    (folder / "encouragement.yaml").write_text(
        "_target_: diag.arms.Text\nname: encouragement\ndescription: Kind words\n"
        "privilege: none\nsentences:\n  D: You can do it.\n"
    )
    words = [
        *arguments, f"hydra.searchpath=[file://{tmp_path / 'mine'}]", "+intervention@study.arms.D=encouragement",
        "study.max_units=8",
    ]  # fmt: skip
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=analyse") == 0
    table = pd.read_csv(study(tmp_path) / "tables" / "outcomes.csv")
    assert table["arm"].value_counts().to_dict() == {"A": 2, "B": 2, "C": 2, "D": 2}
    effects = json.loads((study(tmp_path) / "tables" / "effects.json").read_text())
    assert {f"{one['treatment']}-{one['control']}" for one in effects["effects"]} == {"B-A", "C-B", "D-A"}
    assert "encouragement" not in capsys.readouterr().err


def test_resuming_runs_nothing_again_and_runtime_fields_are_free(diag, ran, tmp_path):
    words = ran("study.max_units=4")
    times = {path: path.stat().st_mtime_ns for path in study(tmp_path).glob("units/*/attempt-1/*")}
    assert diag(*words, "mode=run", "execution.n_jobs=2", "suite.port=8123") == 0
    assert {path: path.stat().st_mtime_ns for path in study(tmp_path).glob("units/*/attempt-*/*")} == times


def test_a_capped_run_takes_no_new_unit(diag, ran, arguments, tmp_path, capsys):
    ran("study.max_units=2")
    assert diag(*arguments, "mode=run") == 2
    assert "study.max_units is 2 there and null now" in capsys.readouterr().err
    assert len(list(study(tmp_path).glob("units/*"))) == 2


def test_a_model_that_sees_pictures_alone_is_refused_on_rules_before_anything_is_planned(diag, tmp_path, capsys):
    assert diag("+experiment=rq2", "agent=local", "agent.model=m", "suite=rules", f"outputs={tmp_path}") == 2
    assert "wanted suite=browser" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_another_agent_setting_is_refused_by_name(diag, ran, arguments, capsys):
    ran("study.max_units=1")
    assert diag(*arguments, "study.max_units=1", "agent.latency_s=3.0", "mode=run") == 2
    assert "agent.latency_s is 15.0 there and 3.0 now" in capsys.readouterr().err


def test_a_plan_without_outcomes_may_be_replaced(diag, arguments):
    assert diag(*arguments, "study.max_units=2", "mode=plan") == 0
    assert diag(*arguments, "study.max_units=3", "mode=plan") == 0


def test_infrastructure_failures_are_replaced_and_kept(diag, arguments, tmp_path):
    words = [*arguments, "study.max_units=12", "mode=run"]
    marks = tmp_path / "marks"
    marks.mkdir()
    diag(*words, "study.name=whole")
    assert diag(*words, "agent=standin_failing", f"agent.marks={marks}", "study.name=broken") == 0
    folder = tmp_path / "out" / "broken" / "standin-rules"
    failed = list(folder.glob("units/*/attempt-1/status.json"))
    kinds = [json.loads(path.read_text())["failure_kind"] for path in failed]
    assert kinds.count("api") == len(list(folder.glob("units/*/attempt-2"))) > 0
    assert not list(folder.glob("units/*/attempt-3"))


def test_a_unit_that_never_works_leaves_its_block_incomplete(diag, arguments, tmp_path, capsys):
    words = [*arguments, "agent=standin_failing", "study.max_units=12", "execution.max_attempts=2"]
    assert diag(*words, "mode=run") == 1
    assert diag(*words, "mode=analyse") == 1  # every try was made: the study has ended, and is partial
    table = pd.read_csv(study(tmp_path) / "tables" / "outcomes.csv")
    broken = table[table["validity"] != "valid"]
    assert 0 < len(broken) < 12
    assert set(broken["n_attempts"]) == {2}
    assert f"{broken['block_id'].nunique()} incomplete" in capsys.readouterr().out


def test_a_study_whose_attempts_all_fail_says_that_it_never_ran(diag, arguments, capsys):
    assert diag(*arguments, "agent=standin_failing", "agent.break_share=1.0", "study.max_units=3", "mode=run") == 5
    assert "no attempt of this study ever ran" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("plan.json", b'"arm": "A"', b'"arm": "B"', "plan.json"),
        ("units/*/attempt-1/events.jsonl", b'"kind":"action"', b'"kind":"actiom"', "is not the log that was finished"),
        ("units/*/attempt-1/outcome.json", b'"n_actions": ', b'"n_actions": 1', "outcome.json"),
        ("units/*/attempt-1/status.json", b'"valid"', b'"valie"', "status.json"),
    ],
)
@pytest.mark.parametrize("mode", ["analyse", "regrade"])
def test_one_wrong_byte_gives_no_number(diag, ran, tmp_path, capsys, name, old, new, message, mode):
    words = ran("study.max_units=2")
    path = sorted(study(tmp_path).glob(name))[0]
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    capsys.readouterr()
    assert diag(*words, f"mode={mode}") == 3
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Cohort" not in captured.out
    assert not (study(tmp_path) / "tables").exists()


def test_multirun_gives_a_study_per_agent(diag, arguments, tmp_path):
    words = [word for word in arguments if not word.startswith("agent=")]
    assert diag(*words, "agent=standin,standin_named", "study.max_units=2", "mode=run", "--multirun") == 0
    assert sorted(path.name for path in (tmp_path / "out" / "rq2").iterdir()) == ["standin-rules", "standin-two-rules"]


@pytest.fixture
def small(ran, tmp_path) -> tuple[list[str], Path]:
    return ran("study.max_units=4"), study(tmp_path)


@pytest.mark.parametrize("mode", ["analyse", "regrade", "report"])
def test_a_changed_or_missing_block_record_is_refused(diag, small, capsys, mode):
    words, folder = small
    path = min((folder / "blocks").iterdir())
    text = path.read_text()
    path.write_text(text.replace("Complete", "Complefe", 1))
    assert path.read_text() != text
    assert diag(*words, f"mode={mode}") == 3
    path.unlink()
    assert diag(*words, f"mode={mode}") == 3
    said = capsys.readouterr()
    assert path.name in said.err
    assert "effect" not in said.out


@pytest.mark.parametrize(("name", "content"), [("manifest.json", b"{"), ("config.yaml", b"\xff: [")])
def test_a_damaged_text_beside_the_plan_is_refused_before_any_number(diag, small, capsys, name, content):
    words, folder = small
    (folder / name).write_bytes(content)
    assert diag(*words, "mode=report") == 3
    said = capsys.readouterr()
    assert name in said.err
    assert "effect" not in said.out


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("manifest.json", '"python": "3', '"python": "9'), ("config.yaml", "actions: ", "actions: 9")],
)
def test_a_forged_text_beside_the_plan_is_refused_until_a_run_writes_it_again(diag, small, capsys, name, old, new):
    words, folder = small
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    for mode in ("analyse", "report"):
        assert diag(*words, f"mode={mode}") == 3
    said = capsys.readouterr().err
    assert f"{name}: damaged" in said
    assert "mode=run writes it again" in said
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=report") == 0
    assert "Not sealed" not in (folder / "report.html").read_text()


@pytest.mark.parametrize("mode", ["analyse", "regrade", "report"])
def test_a_damaged_picture_is_named_and_changes_no_number(diag, small, capsys, mode):
    words, folder = small
    assert diag(*words, "mode=analyse") == 0
    before = (folder / "tables" / "effects.json").read_bytes()
    place = folder / "pictures" / "ab" / f"{'ab' * 32}.png"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"")
    capsys.readouterr()
    assert diag(*words, f"mode={mode}") == 0
    assert f"{'ab' * 6}.png" in capsys.readouterr().out.replace("\n", "")
    assert (folder / "tables" / "effects.json").read_bytes() == before


def test_outcomes_of_a_lost_plan_are_not_taken_for_those_of_another(diag, small, capsys):
    words, folder = small
    (folder / "plan.json").unlink()
    assert diag(*words, "mode=run", "study.seed=3") == 2
    assert "has no plan.json" in capsys.readouterr().err
    assert not (folder / "plan.json").exists()
    assert diag(*words, "mode=run") == 0


@pytest.mark.parametrize("mode", ["run", "analyse"])
def test_an_attempt_in_the_place_of_another_is_refused(diag, small, capsys, mode):
    words, folder = small
    first, second = sorted((folder / "units").iterdir())[:2]
    (first / "attempt-1").rename(folder / "away")
    (second / "attempt-1").rename(first / "attempt-1")
    assert diag(*words, f"mode={mode}") == 3
    assert f"at {second.name}, wanted attempt 1 at {first.name}" in capsys.readouterr().err


def test_the_most_frequent_failure_is_named_with_its_count(diag, arguments, capsys):
    assert diag(*arguments, "mode=run", "+agent.break_share=0.5", "execution.max_attempts=1") == 1
    found = re.search(r"most frequent: (\d+) of (\d+) are (\w+), (\d+) of them: \S", capsys.readouterr().out)
    assert found
    assert found[1] == found[2]


def test_a_report_that_cannot_be_written_is_one_line(diag, small, capsys):
    words, folder = small
    (folder / "report.html").mkdir()
    assert diag(*words, "mode=report") == 4
    assert "Traceback" not in capsys.readouterr().err
