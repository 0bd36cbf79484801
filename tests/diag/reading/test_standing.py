"""A trial and an unfinished study say so wherever their numbers are, and never stand level with whole ones."""

import json
import re

import pytest

from diag.reading.standing import Standing
from diag.report.index_page import write_index
from diag.summary.rows import analysed_folders


@pytest.mark.parametrize(
    ("standing", "labels"),
    [
        (Standing(96, 96), ()),
        (Standing(96, 12), ("PARTIAL 12 of 96",)),
        (Standing(4, 4, 4), ("TRIAL",)),
        (Standing(1, 1, None, ("D01-B",)), ("SELECTION",)),
        (Standing(4, 0, 4), ("TRIAL", "PARTIAL 0 of 4")),
    ],
)
def test_labels_say_how_far_a_study_stands(standing, labels):
    assert standing.labels == labels
    assert [word for word, _ in standing.sentences] == [label.split(" ")[0] for label in labels]


@pytest.mark.slow
def test_a_trial_is_marked_in_terminal_report_index_and_summary_and_stands_apart(diag, arguments, tmp_path, capsys):
    trial = [*arguments, "study.name=trial", "study.max_units=4"]
    assert diag(*trial, "mode=run") == 0
    assert diag(*trial, "mode=report") == 0
    assert "TRIAL: The first 4 units of the study" in capsys.readouterr().out
    report = next((tmp_path / "out").glob("trial/*/report.html"))
    assert "<strong>TRIAL</strong>" in report.read_text()
    assert "<strong>PARTIAL</strong>" not in report.read_text()
    assert diag(*arguments, "mode=run", "study.limits.takeover_s=30") == 0
    assert diag(*arguments, "mode=analyse", "study.limits.takeover_s=30") == 0
    analysed, lines = analysed_folders([tmp_path / "out"])
    assert [folder.parent.name for folder in analysed] == ["rq2"]
    assert len(lines) == 1
    assert lines[0].endswith("a trial or a selection, left out beside whole studies")
    assert diag("index", str(tmp_path / "out")) == 0
    index = (tmp_path / "out" / "index.html").read_text()
    assert "1 study, 1 report" in index
    assert re.search(r"Trials.*trial standin", index, re.DOTALL)
    with_trials, _ = analysed_folders([tmp_path / "out"], trials_too=True)
    assert len(write_index(tmp_path / "out", with_trials)) == 1
    capsys.readouterr()
    assert diag("compare", str(report.parent), str(analysed[0])) == 2
    assert "is a trial or a selection, wanted a whole study" in capsys.readouterr().err


def test_an_unfinished_study_is_partial_and_its_offline_modes_end_with_one(diag, arguments, tmp_path, capsys):
    assert diag(*arguments, "mode=run", "study.limits.takeover_s=30") == 0
    units = sorted((tmp_path / "out" / "rq2").glob("*/units/*"))
    for unit in units[12:]:
        unit.rename(tmp_path / unit.name)
    for mode in ("analyse", "regrade", "report"):
        capsys.readouterr()
        assert diag(*arguments, f"mode={mode}", "study.limits.takeover_s=30", "interim=true") == 1
        assert "PARTIAL: 12 of 96 planned units" in capsys.readouterr().out
    folder = units[0].parent.parent
    assert "<strong>PARTIAL</strong>" in (folder / "report.html").read_text()
    assert json.loads((folder / "tables" / "analysis.json").read_text())["incomplete_blocks"]
