"""The summary of several studies: what their own files say, labelled, and nothing from a damaged one."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from study_on_disk import write_study

from diag.app.command_line import main
from diag.errors import ConfigError, CorruptRecord
from diag.summary.forest import write_forest
from diag.summary.rows import summary_rows
from diag.summary.tables import latex


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outputs") / "rq2"
    write_study(root / "sol", agent="simulated/sol", seed=1)
    write_study(root / "luna", agent="simulated/luna", seed=2)
    return root


def test_every_effect_of_every_study_is_there_as_its_own_file_says(studies: Path, tmp_path: Path) -> None:
    assert main(["summary", f"studies={studies}", "--output", str(tmp_path)]) == 0

    frame = pd.read_csv(tmp_path / "summary.csv")
    wanted = {
        (name, item["cohort"], item["outcome"], item["treatment"]): item
        for name in ("sol", "luna")
        for item in json.loads((studies / name / "tables" / "effects.json").read_text())["effects"]
    }
    assert len(frame) == len(wanted)
    for line in frame.to_dict("records"):
        own = wanted[line["agent"].split("/")[1], line["cohort"], line["endpoint"], line["treatment"]]
        assert line["estimate"] == own["estimate"]
        assert line["n_clusters"] == own["n_clusters"]
        assert line["labels"] == "SIMULATED; PARTIAL 95 of 96"
        assert line["sentence"] == own["sentence"]


def test_agents_stand_side_by_side_under_each_question(studies: Path) -> None:
    rows = summary_rows([studies])

    pairs = [(one.agent, two.agent) for one, two in zip(rows[::2], rows[1::2], strict=True)]
    assert set(pairs) == {("simulated/luna", "simulated/sol")}
    assert all(one.question == two.question for one, two in zip(rows[::2], rows[1::2], strict=True))


def test_a_study_named_twice_counts_once(studies: Path) -> None:
    assert len(summary_rows([studies, studies / "sol"])) == len(summary_rows([studies]))


def test_parquet_and_csv_hold_the_same(studies: Path, tmp_path: Path) -> None:
    main(["summary", str(studies), "--output", str(tmp_path), "--endpoint", "won"])

    parquet, csv = pd.read_parquet(tmp_path / "summary.parquet"), pd.read_csv(tmp_path / "summary.csv")
    assert parquet["endpoint"].unique().tolist() == ["won"]
    assert parquet["estimate"].tolist() == pytest.approx(csv["estimate"].tolist())
    assert parquet["n_pairs"].tolist() == csv["n_pairs"].tolist()


def test_latex_keeps_the_label_balances_braces_and_says_what_is_too_short(studies: Path) -> None:
    text = latex(summary_rows([studies]))

    assert "simulated/sol [SIMULATED, PARTIAL 95 of 96]" in text
    assert "no finding about a model" in text
    assert len(re.findall(r"(?<!\\)\{", text)) == len(re.findall(r"(?<!\\)\}", text))
    assert all(line.count("&") == 5 for line in text.splitlines() if line.startswith(r"\quad"))


def test_the_forest_is_byte_identical_for_equal_studies_and_names_every_agent(studies: Path, tmp_path: Path) -> None:
    first = write_forest(summary_rows([studies]), tmp_path / "a")
    second = write_forest(summary_rows([studies]), tmp_path / "b")

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    svg = first[0].read_text()
    assert svg.count("simulated/sol [SIMULATED, PARTIAL 95 of 96]") == sum(
        row.effect.is_share for row in summary_rows([studies / "sol"])
    )
    assert first[1].read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["plan.json", "tables/effects.json", "tables/outcomes.csv"])
def test_a_damaged_study_is_refused_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], diag_sealed_study: Path
) -> None:
    path = diag_sealed_study / name
    text = path.read_bytes()
    place = text.index(b"bolt_unscrew" if name != "tables/effects.json" else b'"estimate"')
    path.write_bytes(text[:place] + b"X" + text[place + 1 :])

    assert main(["summary", str(diag_sealed_study), "--output", str(tmp_path / "out")]) == CorruptRecord.exit_code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert path.name in said
    assert not (tmp_path / "out").exists()


@pytest.fixture
def diag_sealed_study(tmp_path: Path) -> Path:
    from diag.records.sealed import file_sha256, write_sealed

    folder = tmp_path / "rq2" / "sol"
    write_study(folder)
    tables = folder / "tables"
    write_sealed(
        tables / "analysis.json",
        {"tables": {name: file_sha256(tables / name) for name in ("outcomes.csv", "effects.json")}},
    )
    return folder


def test_a_folder_without_a_study_and_one_without_an_analysis_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no study"):
        summary_rows([tmp_path])
    folder = tmp_path / "rq2" / "sol"
    write_study(folder)
    (folder / "tables" / "effects.json").unlink()
    with pytest.raises(ConfigError, match="not analysed"):
        summary_rows([folder])


@pytest.mark.parametrize("command", ["summary", "index"])
def test_a_study_that_is_only_planned_is_named_and_left_out(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_study(tmp_path / "outputs" / "rq2" / "sol", agent="simulated/sol")
    only_planned(tmp_path, "later")
    capsys.readouterr()

    assert main([command, "outputs"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("later simulated/sol: planned, not analysed\n")
    written = tmp_path / ("summary/summary.csv" if command == "summary" else "outputs/index.html")
    assert "simulated/sol" in written.read_text()
    assert "later" not in written.read_text()


@pytest.mark.parametrize("command", ["summary", "index"])
def test_nothing_analysed_and_a_damaged_plan_are_errors(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = only_planned(tmp_path, "later") / "plan.json"
    assert main([command, "outputs"]) == ConfigError.exit_code
    assert "later simulated/sol: planned, not analysed" in capsys.readouterr().err

    plan.write_text(plan.read_text().replace("simulated/sol", "simulated/sun", 1))
    assert main([command, "outputs"]) == CorruptRecord.exit_code
    assert "plan.json" in capsys.readouterr().err


def only_planned(root: Path, name: str) -> Path:
    words = ("+experiment=rq2", "suite=rules", f"outputs={root / 'outputs'}", f"study.name={name}", "study.max_units=2")
    assert main([*words, "tracking=none", "mode=plan"]) == 0
    return next((root / "outputs" / name).iterdir())
