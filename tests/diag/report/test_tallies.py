"""Counts against a second computation: plain loops over the truth the fixture was made from."""

import math
from pathlib import Path

import pytest
from study_on_disk import StudyOnDisk, write_study

from diag.reading.style import counted
from diag.report import StudyFiles, read_study
from diag.report.tallies import (
    Rate,
    Spread,
    arm_rows,
    block_rows,
    contrasts,
    pair_rows,
    recovery_steps,
    rows_as_table,
    yes_no_endpoints,
)


def _rows(study: StudyOnDisk, cohort: str, arm: str) -> list[dict]:
    rows = study.outcomes.to_dict("records")
    return [row for row in rows if row["cohort"] == cohort and row["arm"] == arm]


@pytest.mark.parametrize(("cohort", "arm"), [("D", "A"), ("D", "B"), ("D", "C"), ("N", "A"), ("N", "B")])
def test_an_arm_counts_its_units(study: StudyOnDisk, files: StudyFiles, cohort: str, arm: str):
    row = next(row for row in arm_rows(files) if (row.cohort, row.arm) == (cohort, arm))
    truth = _rows(study, cohort, arm)
    valid = [unit for unit in truth if unit["validity"] == "valid"]
    assert (row.n_planned, row.n_valid, row.n_without_valid) == (len(truth), len(valid), len(truth) - len(valid))
    assert row.n_attempts == sum(unit["n_attempts"] for unit in truth)
    assert row.n_retried == sum(unit["n_attempts"] > 1 for unit in truth)
    endings: dict[str, int] = {}
    for unit in truth:
        endings[unit["ending"]] = endings.get(unit["ending"], 0) + 1
    assert row.endings == endings
    won = row.cells["won"]
    assert isinstance(won, Rate)
    assert (won.n_yes, won.n) == (sum(unit["won"] is True for unit in valid), len(valid))
    assert row.codes["blames_click"].n_yes == sum(bool(unit["code_blames_click"]) for unit in valid)


def test_an_endpoint_that_does_not_exist_in_a_cohort_does_not_apply(files: StudyFiles):
    row = next(row for row in arm_rows(files) if row.cohort == "N")
    assert row.cells["timely_restart"] is None
    assert row.cells["recovery_s"] is None


def test_a_number_shows_median_range_and_how_many_have_it(study: StudyOnDisk, files: StudyFiles):
    cell = next(row for row in arm_rows(files) if (row.cohort, row.arm) == ("D", "C")).cells["recovery_s"]
    assert isinstance(cell, Spread)
    times = sorted(unit["recovery_s"] for unit in _rows(study, "D", "C") if not math.isnan(unit["recovery_s"]))
    middle = len(times) // 2
    median = times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2
    assert (cell.median, cell.low, cell.high, cell.n_with) == (median, times[0], times[-1], len(times))


def test_the_incomplete_block_is_named_with_its_unit(files: StudyFiles):
    assert [(block.block_id, block.missing) for block in block_rows(files) if block.missing] == [
        ("N1-3", ("N1-3-B-r1",))
    ]


def test_pairs_are_within_blocks(study: StudyOnDisk, files: StudyFiles):
    value = {row["unit_id"]: row["timely_restart"] for row in study.outcomes.to_dict("records")}
    rows = [row for row in pair_rows(files) if row.contrast == ("D", "B", "A") and row.endpoint == "timely_restart"]
    assert len(rows) == 7
    for row in rows:
        assert row.control == float(value[f"{row.block_id}-A-r1"])
        assert row.treatment == float(value[f"{row.block_id}-B-r1"])
        assert row.difference == row.treatment - row.control


def test_a_pair_with_a_missing_side_has_no_difference(files: StudyFiles):
    row = next(r for r in pair_rows(files) if r.block_id == "N1-3" and r.endpoint == "won")
    assert row.control is not None
    assert row.treatment is None
    assert row.difference is None


def test_units_that_never_ran_stay_in_the_denominator(copy: Path):
    table = copy / "tables" / "outcomes.csv"
    lines = table.read_text().splitlines()
    table.write_text("\n".join(lines[:-2]) + "\n")
    units = read_study(copy).planned
    assert len(units) == 27
    assert int(units["validity"].isna().sum()) == 2
    assert sum(row.n_planned for row in arm_rows(read_study(copy))) == 27


def test_contrasts_come_from_the_effects_else_from_the_first_arm(files: StudyFiles, copy: Path):
    assert contrasts(files) == (("D", "B", "A"), ("D", "C", "B"), ("N", "B", "A"))
    (copy / "tables" / "effects.json").unlink()
    assert contrasts(read_study(copy)) == (("D", "B", "A"), ("D", "C", "A"), ("N", "B", "A"))


def test_the_curve_keeps_everyone_in_the_denominator(study: StudyOnDisk, files: StudyFiles):
    times, shares, n = recovery_steps(files, "recovery_s", "D", "A")
    truth = [row["recovery_s"] for row in _rows(study, "D", "A") if not math.isnan(row["recovery_s"])]
    assert (times, n) == (sorted(truth), 7)
    assert shares == [(place + 1) / 7 for place in range(len(truth))]


def test_yes_no_endpoints_are_told_from_numbers(files: StudyFiles):
    assert yes_no_endpoints(files) == ("timely_restart", "verified_recovery", "won", "recurrence")


def test_repeats_are_averaged_inside_a_block(tmp_path: Path):
    study = write_study(tmp_path / "outputs" / "rq2" / "sol", level_blocks=(2,), n_blocks_n=0)
    files = read_study(study.folder)
    table = rows_as_table(pair_rows(files))
    assert set(table["block_id"]) == {"D1-1", "D1-2"}
    assert (table["difference"] == table["treatment"] - table["control"])[table["difference"].notna()].all()


@pytest.mark.parametrize(("n", "wanted"), [(0, "0 blocks"), (1, "1 block"), (24, "24 blocks")])
def test_a_number_and_its_noun_agree(n: int, wanted: str):
    assert counted(n, "block") == wanted
