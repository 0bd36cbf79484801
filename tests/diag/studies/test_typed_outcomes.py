"""What goes wrong in a retry or a session has a name of its own, from the unit's log to the study's tables."""

import csv
import json

import pandas as pd
import pytest

from diag.reading.study_files import read_study
from diag.report.study_sections import study_sections

RETRY = ("+experiment=rq3", "study.sources=[F01]", "study.limits.takeover_s=20")
SESSION = (
    "+experiment=rq4", "study.objectives=[color_connect/easy]", "study.limits.takeover_s=60", "study.endpoints=[lc]",
)  # fmt: skip


@pytest.fixture
def studied(diag, tmp_path):
    """Run and analyse; return the exit code of the run, the study's folder and its outcome table by arm."""

    def run(*words):
        common = (
            "agent=simulated/sol", "suite=rules", f"outputs={tmp_path}", "tracking=none", "execution.n_jobs=1",
            "execution.progress=false", "study.analysis.draws=100", "execution.max_attempts=1",
        )  # fmt: skip
        code = diag(*words, *common, "mode=run")
        assert diag(*words, *common, "mode=analyse") == (1 if code else 0)  # 1 where a block is incomplete, in both
        (folder,) = (path.parent for path in tmp_path.rglob("plan.json"))
        return code, folder, pd.read_csv(folder / "tables" / "outcomes.csv").set_index("arm")

    return run


def incomplete_of(folder):
    return json.loads((folder / "tables" / "analysis.json").read_text())["incomplete_blocks"]


def section(folder, anchor):
    return next(one.body for one in study_sections(read_study(folder)) if one.anchor == anchor)


def test_a_restart_that_cannot_be_verified_is_a_restoration_failure_and_its_block_incomplete(studied, monkeypatch):
    monkeypatch.setattr("checkpoints.retry_start._press_restart", lambda *_: None)
    code, folder, table = studied(*RETRY, "~study.arms.M1", "study.contrasts=[{treatment: M2, control: M0}]")
    assert code != 0
    assert set(table["validity"]) == {"infrastructure_failure"}
    assert set(table["failure_kind"]) == {"restoration"}
    assert "completion" not in table  # nothing was graded
    (block,) = incomplete_of(folder)
    assert (block["block_id"], len(block["missing"])) == ("F01", 2)


def test_an_account_longer_than_its_capacity_is_cut_kept_whole_in_the_log_and_shown(studied):
    capacity = tuple(f"study.arms.{arm}.capacity_tokens=75" for arm in ("M1", "M2"))
    code, folder, table = studied(*RETRY, *capacity)
    assert code == 0
    assert (bool(table.loc["M1", "memory_cut"]), bool(table.loc["M2", "memory_cut"])) == (False, True)
    with (folder / "tables" / "accounts.csv").open(newline="") as file:
        texts = {row["arm"]: row for row in csv.DictReader(file)}
    assert (texts["M2"]["status"], texts["M2"]["tokens"]) == ("cut", "75")
    assert int(texts["M2"]["tokens_written"]) > 75
    log = (folder / "units" / "F01-M2-r1" / "attempt-1" / "events.jsonl").read_text().splitlines()
    memory = json.loads(log[0])["data"]["memory"]
    assert memory["whole"].startswith(memory["text"])
    assert len(memory["whole"]) > len(memory["text"])
    assert '<td class="n">75</td>' in section(folder, "texts")


def test_a_refused_probe_is_no_rule_stated_and_is_counted_apart(studied):
    code, folder, table = studied(*SESSION, "agent.policy.propensities.knows_rule=0.0")
    assert code == 0
    assert set(table["n_probes"]) == set(table["n_probes_refused"]) == {5}
    assert set(table["rules_best"]) == {0.0}
    assert table["rules_all_correct_s"].isna().all()
    with (folder / "tables" / "rule_knowledge.csv").open(newline="") as file:
        assert {row["refused"] for row in csv.DictReader(file)} == {"1"}


def test_a_controller_without_its_control_fails_the_session_and_not_the_agent(studied, monkeypatch):
    monkeypatch.setattr("games.suite.session.SuiteSession.picture", _without_difficulties())
    code, folder, table = studied(*SESSION, "study.probes_at_s=[]")
    assert code != 0
    for arm in ("K0P1", "K1P1"):
        assert (table.loc[arm, "validity"], table.loc[arm, "failure_kind"]) == ("infrastructure_failure", "controller")
    for arm in ("K0P0", "K1P0"):
        assert table.loc[arm, "validity"] == "valid"
    assert '<tr><th>K0</th><td class="n">0.0 %</td><td class="n">\u2013</td>' in section(folder, "cells")
    (block,) = incomplete_of(folder)
    assert sorted(block["missing"]) == ["color_connect-easy-K0P1-r1", "color_connect-easy-K1P1-r1"]


def _without_difficulties():
    """Pictures whose difficulties cannot be clicked."""
    from games.suite.session import SuiteSession

    whole = SuiteSession.picture

    def picture(self):
        found = whole(self)
        shown = [one for one in found["controls"] if not one["id"].startswith("difficulty:")]
        return {**found, "controls": shown}

    return picture
