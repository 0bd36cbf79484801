"""The calibration panel, the curves of winnable boards and the grid's filters."""

import json
from pathlib import Path

import numpy as np
import pytest
from study_on_disk import StudyOnDisk

from diag.analysis.calibrate import calibrate
from diag.analysis.simulate import Assumptions
from diag.grading.track import VerdictPoint
from diag.reading.study_files import read_study
from diag.reading.style import DASH
from diag.report import write_report
from diag.report.calibration import read_calibration
from diag.report.figures import write_live_curves
from diag.report.live_curves import live_shares


def points(*verdicts: tuple[float, str]) -> list[VerdictPoint]:
    return [VerdictPoint(clock_s, verdict) for clock_s, verdict in verdicts]


def test_the_share_of_winnable_boards_by_hand():
    dead_then_live = points((0, "dead_end"), (10, "solvable"), (20, "dead_end"))
    wins = points((0, "solvable"), (20, "solved"))
    unknown = points((0, "undecided"), (30, "solvable"))

    assert live_shares([dead_then_live, wins, unknown, []]) == (
        (0.0, pytest.approx(1 / 3)),
        (10, pytest.approx(2 / 3)),
        (20, pytest.approx(1 / 3)),
        (30, pytest.approx(2 / 3)),
    )
    assert live_shares([[]]) == ()


def test_only_valid_units_are_drawn_and_their_number_is_said(study: StudyOnDisk, tmp_path: Path):
    files = read_study(study.folder)
    verdicts = {unit.unit_id: points((0, "dead_end"), (9, "solvable")) for unit in files.plan.units}

    (path,) = write_live_curves(files, verdicts, tmp_path)

    valid_d_a = sum(u.cohort == "D" and u.arm == "A" and files.is_valid(u.unit_id) for u in files.plan.units)
    assert f"A: n = {valid_d_a}" in path.read_text()
    assert write_live_curves(files, {}, tmp_path) == ()


def test_false_positives_and_power_stand_in_their_own_columns(copy: Path):
    found = [
        one.to_json()
        for rates in ({"A": 0.2, "B": 0.9}, {"A": 0.5, "B": 0.5})
        for one in calibrate(
            (4, 4, 4, 3, 3), Assumptions(rates), [("B", "A")], rng=np.random.default_rng(1), studies=50
        )
    ]
    (copy / "tables" / "calibration.json").write_text(json.dumps(found))

    page = write_report(copy, with_verdicts=False).read_text()

    power, null = read_calibration(copy)
    assert (power.is_null, null.is_null) == (False, True)
    assert power.reject_share == next(m["reject_share"] for m in found[0]["methods"] if m["method"] == "sign_flip")
    body = page[page.index('<h2 id="calibration">') :]
    cells = [row.split("</td>") for row in body.split("<tr>")[2:4]]
    assert [row[8].endswith(DASH) for row in cells] == [True, False]
    assert [row[9].endswith(DASH) for row in cells] == [False, True]


@pytest.mark.parametrize("content", ['[{"contrast": "B - A"}]', "", "{", '{"sha256": "0"}', "5", "\xff"])
def test_a_damaged_calibration_is_left_out_by_name(copy: Path, content: str):
    (copy / "tables" / "calibration.json").write_bytes(content.encode("latin-1"))

    page = write_report(copy, with_verdicts=False).read_text()
    body = page[page.index('<h2 id="calibration">') :]
    assert "Left out: " in body
    assert "calibration.json" in body
    assert "mode=calibrate writes it again" in body


def test_every_cell_carries_what_the_filters_ask_for(study: StudyOnDisk, report: Path):
    text = report.read_text()

    assert text.count('data-arm="A"') == sum(unit["arm"] == "A" for unit in study.units)
    assert text.count("data-ending=") == len(study.units)
    for ending in study.outcomes["ending"].dropna().unique():
        assert f'<option value="{ending}">' in text
