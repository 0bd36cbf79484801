"""Units chosen by name: which they are, where they lie, and that their numbers are marked."""

import json
from pathlib import Path

import pytest

from diag.errors import ConfigError
from diag.records.plan import Block, schedule
from diag.records.selection import select

BLOCKS = [Block(name, name[0], name, "digest", "level", ("A", "B")) for name in ("D01", "D02", "D011", "N01")]
UNITS = schedule(BLOCKS, study="s", seed=0, repeats=2)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (["D01-B-r2"], {"D01-B-r2"}),
        (["D01-B"], {"D01-B-r1", "D01-B-r2"}),
        (["D01"], {"D01-A-r1", "D01-A-r2", "D01-B-r1", "D01-B-r2"}),
        (["D0[12]-A", "N01-B-r1"], {"D01-A-r1", "D01-A-r2", "D02-A-r1", "D02-A-r2", "N01-B-r1"}),
        (["*-B-r1"], {"D01-B-r1", "D02-B-r1", "D011-B-r1", "N01-B-r1"}),
    ],
)
def test_a_name_is_a_block_an_arm_of_it_or_a_unit(words, chosen):
    found = select(UNITS, words)
    assert {unit.unit_id for unit in found} == chosen
    assert [unit.order for unit in found] == sorted(unit.order for unit in found)


def test_no_word_takes_all():
    assert select(UNITS, []) == UNITS


def test_a_name_of_nothing_is_refused_with_those_that_come_near():
    with pytest.raises(ConfigError, match=r"found 'D01-X', which names no unit; wanted such as D01-"):
        select(UNITS, ["D01-B", "D01-X"])


def test_a_selection_lies_apart_and_says_so_everywhere(diag, arguments, tmp_path, capsys):
    assert diag(*arguments, "mode=run", "--only", "D-hard2-01-B,D-hard2-02") == 0
    capsys.readouterr()
    assert diag(*arguments, "mode=report", "--only=D-hard2-01-B,D-hard2-02") == 0
    assert "SELECTION: 4 units chosen by name" in capsys.readouterr().out
    (folder,) = (tmp_path / "out" / "rq2").iterdir()
    assert folder.name.startswith("standin-rules-only-D-hard2-01-B-D-hard2-02-")
    assert {path.name for path in (folder / "units").iterdir()} == {
        f"D-hard2-{unit}-r1" for unit in ("01-B", "02-A", "02-B", "02-C")
    }
    assert "<strong>SELECTION</strong>" in (folder / "report.html").read_text()
    assert diag(*arguments, "mode=plan") == 0
    whole = json.loads(next((tmp_path / "out" / "rq2").glob("standin-rules/plan.json")).read_text())
    seeds = {unit["unit_id"]: unit["seed"] for unit in whole["units"]}
    assert whole["identity"]["study"]["only"] == []
    for unit in json.loads((folder / "plan.json").read_text())["units"]:
        assert unit["seed"] == seeds[unit["unit_id"]]


def test_collect_names_units_and_writes_nothing(diag, arguments, tmp_path, capsys):
    assert diag(*arguments, "--collect-only", "--only", "D-hard2-01") == 0
    assert sorted(capsys.readouterr().out.split()) == ["3", *(f"D-hard2-01-{arm}-r1" for arm in "ABC"), "units"]
    assert not (tmp_path / "out").exists()


def test_failed_runs_what_failed_and_begins_nothing_else(diag, arguments, tmp_path, capsys):
    words = [*arguments, "study.max_units=12"]
    assert diag(*words, "agent=standin_failing", "agent.break_share=0.3", "execution.max_attempts=1", "mode=run") == 1
    (folder,) = (tmp_path / "out" / "rq2").iterdir()
    failed = {path.parent.name for path in folder.glob("units/*/attempt-1") if not _valid(path)}
    gone = next(path for path in sorted((folder / "units").iterdir()) if path.name not in failed)
    gone.rename(tmp_path / gone.name)  # as if it had never begun
    same = [*words, "agent=standin_failing", "agent.break_share=0.3", "execution.max_attempts=1", "--failed"]
    capsys.readouterr()
    assert diag(*same, "--collect-only") == 0
    assert set(capsys.readouterr().out.split()[:-2]) == failed
    assert diag(*same, "mode=run") == 1
    assert {path.parent.name for path in folder.glob("units/*/attempt-2")} == failed
    assert not gone.exists()


def _valid(attempt: Path) -> bool:
    return json.loads((attempt / "status.json").read_text())["validity"] == "valid"


def test_only_wants_a_name(diag, arguments, capsys):
    assert diag(*arguments, "--only") == 2
    assert "--only: found 'nothing', wanted a block" in capsys.readouterr().err
