"""Panels: contrasts within model and block, pooled; agreement of two files of verdicts."""

import json

import pandas as pd
import pytest

from diag.app.dispatch import find_command
from diag.errors import ConfigError
from diag.reading.panels import panel_spread
from diag.records.plan import make_plan, plan_to_json


def analysed(folder, agent, values):
    """A folder with one binary-like outcome for blocks b1, b2 and arms A, B."""
    rows = [
        {"unit_id": f"{block}-{arm}", "block_id": block, "cohort": "F", "arm": arm, "cluster": "c",
         "checkpoint_id": block, "checkpoint_digest": "d", "agent": agent, "validity": "valid", "y": value}
        for (block, arm), value in values.items()
    ]  # fmt: skip
    (folder / "tables").mkdir(parents=True)
    (folder / "plan.json").write_text(json.dumps(plan_to_json(make_plan("s", (), {"agent": {"name": agent}}))))
    pd.DataFrame(rows).to_csv(folder / "tables" / "outcomes.csv", index=False)
    effect = {"cohort": "F", "outcome": "y", "treatment": "B", "control": "A"}
    (folder / "tables" / "effects.json").write_text(json.dumps({"effects": [effect]}))
    return folder


def two_models(root):
    one = {("b1", "A"): 0.0, ("b1", "B"): 0.4, ("b2", "A"): 0.2, ("b2", "B"): 0.1}
    two = {("b1", "A"): 0.5, ("b1", "B"): 0.5, ("b2", "A"): 0.3}
    return [analysed(root / "s" / name, name, values) for name, values in (("m1", one), ("m2", two))]


def test_differences_are_taken_within_model_and_block_and_incomplete_blocks_have_none(tmp_path):
    (found,) = panel_spread(two_models(tmp_path))
    assert (found["contrast"], found["n"]) == ("F B-A", 3)
    assert found["mean"] == pytest.approx((0.4 - 0.1 + 0.0) / 3)
    assert (found["low"], found["high"]) == (pytest.approx(-0.1), pytest.approx(0.4))


def test_the_command_prints_the_panel_and_writes_its_units(tmp_path, capsys):
    two_models(tmp_path)
    target = tmp_path / "units.csv"
    assert find_command("panel")(["study=s", f"outputs={tmp_path}", f"csv={target}"]) == 0
    assert "mean +0.100" in capsys.readouterr().out
    assert len(target.read_text().splitlines()) == 4


def test_a_study_that_is_not_there_is_refused(tmp_path):
    command = find_command("panel")
    with pytest.raises(ConfigError, match="study=NAME"):
        command(["study=nothing", f"outputs={tmp_path}"])


def verdicts(path, *stated):
    lines = [f"u,{place},r,{value},maze_paint" for place, value in enumerate(stated)]
    path.write_text("\n".join(["unit_id,probe,rule,stated,game", *lines]) + "\n")
    return path


def test_the_agreement_of_two_files(tmp_path, capsys):
    first = verdicts(tmp_path / "a.csv", True, True, False, False)
    second = verdicts(tmp_path / "b.csv", True, False, False, False)
    command = find_command("agreement")
    assert command([f"first={first}", f"second={second}"]) == 0
    assert "3/4 agree (75.0%), kappa 0.500" in capsys.readouterr().out
    short = verdicts(tmp_path / "c.csv", True)
    with pytest.raises(ConfigError, match="different rules"):
        command([f"first={first}", f"second={short}"])
    wrong = verdicts(tmp_path / "d.csv", "maybe")
    with pytest.raises(ConfigError, match="no verdict"):
        command([f"first={first}", f"second={wrong}"])
