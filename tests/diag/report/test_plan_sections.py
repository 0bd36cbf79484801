"""The power panel shows what was worked out before any outcome; the A/A panel finds the arms that are equal."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
from study_on_disk import StudyOnDisk

from diag.analysis.estimand import Estimand
from diag.analysis.power import PlannedPower, planned_power
from diag.analysis.simulate import Assumptions
from diag.reading.study_files import StudyFiles, read_study
from diag.records.plan import plan_digest
from diag.records.sealed import write_sealed
from diag.report.plan_sections import aa_section, power_section, same_as_control


def b_minus_a(files: StudyFiles) -> PlannedPower:
    estimand = Estimand(name="D B-A", outcome="won", kind="binary", treatment="B", control="A", cohort="D", family="D")
    rng = np.random.default_rng(0)
    table = pd.DataFrame([asdict(unit) for unit in files.plan.units])
    (power,) = planned_power(table, [estimand], Assumptions({"A": 0.2}), rng=rng, studies=50)
    return power


def keep(folder: Path, plan_hash: str, *powers: PlannedPower, before: bool = True) -> None:
    content = {"plan_hash": plan_hash, "planned_control_rate": 0.2, "studies": 50, "before_any_outcome": before}
    write_sealed(folder / "power.json", {**content, "contrasts": [power.to_json() for power in powers]})


def test_the_power_of_the_plan_is_shown_in_points(copy: Path):
    files = read_study(copy)
    power = b_minus_a(files)
    keep(copy, files.plan.plan_hash, power)

    body = power_section(files).body

    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", body[body.index("<tbody>") :])
    assert cells[:5] == ["D B \u2212 A", "won", "7 / 3", "1", "0.250"]
    assert cells[5] == "none"  # three clusters: no outcome can be supported
    assert cells[6].startswith("+20: 0%, +40: 0%")
    assert power.power_at[0] == (0.2, 0.0)
    assert "before any outcome" in body

    keep(copy, files.plan.plan_hash, power, before=False)
    body = power_section(files).body
    assert "before any outcome" not in body
    assert "after the first one: power.json was missing or damaged" in body


def test_a_power_record_of_another_plan_or_with_a_changed_byte_is_left_out(copy: Path):
    files = read_study(copy)
    keep(copy, "0" * 64, b_minus_a(files))
    assert "power.json is of plan 0000" in power_section(files).body

    path = copy / "power.json"
    path.write_text(path.read_text().replace('"studies": 50', '"studies": 51'))
    assert "damaged" in power_section(files).body
    assert "mode=report writes it again" in power_section(files).body


def test_without_a_record_the_page_says_so(files: StudyFiles):
    assert "mode=plan writes power.json" in power_section(files).body


def test_only_an_arm_that_differs_in_nothing_but_its_name_is_a_twin(study: StudyOnDisk, copy: Path):
    assert same_as_control(read_study(copy)) == ()
    path = copy / "plan.json"
    plan = json.loads(path.read_text())
    arms = plan["identity"]["study"]["arms"]
    arms["B"] = {**arms["A"], "name": "placebo", "description": "again"}
    files = read_study(copy)
    twin = StudyFiles(**{**vars(files), "plan": rehashed(files, plan["identity"])})

    assert same_as_control(twin) == ("B",)
    body = aa_section(twin, ()).body
    found = [effect for effect in study.effects if (effect["treatment"], effect["control"]) == ("B", "A")]
    assert found
    assert body.count("<tr><th>") - 1 == len(found)
    assert "how far chance goes" in body


def rehashed(files: StudyFiles, identity: object) -> object:
    from dataclasses import replace

    plan = replace(files.plan, identity=identity)
    return replace(plan, plan_hash=plan_digest(plan.study, plan.units, plan.identity))
