"""A look at a study before its end is asked for in so many words, marked wherever it appears, and recorded."""

import csv
import json
import shutil
from pathlib import Path

import pytest


@pytest.fixture
def unfinished(ran, tmp_path) -> tuple[list[str], Path]:
    """A study of 72 units of which twelve were run."""
    words = ran("study.cohorts=[D]")
    folder = tmp_path / "out" / "rq2" / "standin-rules"
    plan = json.loads((folder / "plan.json").read_text())
    for unit in plan["units"][12:]:
        shutil.rmtree(folder / "units" / unit["unit_id"])
    return words, folder


@pytest.mark.parametrize("mode", ["analyse", "regrade", "report", "track"])
def test_outcomes_of_an_unfinished_study_are_not_shown(diag, unfinished, capsys, mode):
    words, folder = unfinished
    capsys.readouterr()
    assert diag(*words, f"mode={mode}") == 1
    told = capsys.readouterr()
    assert "has not ended: 12 of 72 units have an outcome" in told.err
    assert "interim=true" in told.err
    assert not (folder / "tables").exists()


@pytest.mark.slow
def test_an_interim_look_is_marked_everywhere_and_stays_recorded(diag, unfinished, capsys, tmp_path):
    words, folder = unfinished
    assert diag(*words, "mode=report", "interim=true") == 1
    told = capsys.readouterr().out
    assert "PARTIAL" in told
    rows = list(csv.DictReader((folder / "tables" / "outcomes.csv").read_text().splitlines()))
    assert {row["interim"] for row in rows} == {"12 of 72 units"}
    assert "INTERIM (12 of 72 units), no verdict" in told
    effects = json.loads((folder / "tables" / "effects.json").read_text())["effects"]
    assert all(one["interim"] == "12 of 72 units" and not one["supported"] for one in effects)
    assert all(one["sentence"].startswith("INTERIM (12 of 72 units), no verdict") for one in effects)
    assert "INTERIM (12 of 72 units), no verdict" in (folder / "report.html").read_text()
    assert diag("summary", str(folder), "--output", str(tmp_path / "summary")) == 0
    assert "PARTIAL" in capsys.readouterr().out
    assert "INTERIM (12 of 72 units)" in (tmp_path / "summary" / "summary.csv").read_text()
    assert diag("index", str(tmp_path / "out")) == 0
    assert "PARTIAL 12 of 72" in (tmp_path / "out" / "index.html").read_text()

    capsys.readouterr()
    assert diag(*words, "mode=run") == 0
    assert diag(*words, "mode=report") == 0
    assert "looked at once before the end of the study (at 12 of 72 units)" in capsys.readouterr().out
    report = (folder / "report.html").read_text()
    assert "INTERIM" not in report
    assert "interim" not in (folder / "tables" / "outcomes.csv").read_text().splitlines()[0]
    assert "looked at once before the end" in report
    assert not any(one["interim"] for one in json.loads((folder / "tables" / "effects.json").read_text())["effects"])
