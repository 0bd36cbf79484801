from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from logs import DEAD, LIVE, LogWriter, certify, change
from pandas.testing import assert_frame_equal

from diag.grading.certifier import Board, verdicts_of
from diag.grading.table import (
    BlockMismatch,
    DuplicateOutcome,
    ForeignOutcome,
    outcome_table,
    read_table,
    write_table,
)
from diag.grading.track import certificate_track
from diag.records import Outcome, Plan, Unit
from games.contract import LevelId


def unit(block: int, arm: str) -> Unit:
    return Unit(f"b{block}-{arm}-r0", f"b{block}", "D", arm, 0, f"c{block}", "digest", f"level{block // 2}", 1, 0)


PLAN = Plan("rq2", tuple(unit(block, arm) for block in range(3) for arm in "AB"), {}, "plan")


def outcome(block: int, arm: str, attempt: int = 1, **more) -> Outcome:
    given = {
        "validity": "valid", "ending": "time_limit", "failure_kind": None, "elapsed_s": 300.0, "n_actions": 7,
        "n_invalid_actions": 0, "codes": {"blames_click": arm == "A"}, "start_digests": {"state": f"s{block}"},
        "endpoints": {"timely_restart": arm == "B", "recovery_s": 12.5 if arm == "B" else None, "recurrence": None},
    }  # fmt: skip
    return Outcome(unit_id=f"b{block}-{arm}-r0", attempt=attempt, plan_hash="plan", **{**given, **more})


def broken(block: int, arm: str, attempt: int = 1) -> Outcome:
    return outcome(
        block, arm, attempt, validity="infrastructure_failure", ending="infrastructure", failure_kind="browser",
        endpoints={}, codes={}, start_digests={},
    )  # fmt: skip


ALL = [outcome(block, arm) for block in range(3) for arm in "AB"]


def build(outcomes):
    return outcome_table(PLAN, outcomes, agent="simulated/sol", simulated=True)


def test_one_row_a_unit_in_plan_order_whatever_the_order_of_outcomes():
    table = build(ALL)
    assert table.frame["unit_id"].tolist() == [u.unit_id for u in PLAN.units]
    assert table.frame["timely_restart"].tolist() == [False, True] * 3
    assert table.frame["code_blames_click"].tolist() == [True, False] * 3
    assert table.incomplete == ()
    assert_frame_equal(build(reversed(ALL)).frame, table.frame)


def test_the_first_valid_attempt_is_primary_and_later_ones_are_repeats():
    later = outcome(0, "A", 3, endpoints={"timely_restart": True, "recovery_s": 1.0, "recurrence": True})
    table = build([later, outcome(0, "A", 2), broken(0, "A", 1), *ALL[1:]])
    row = table.frame.iloc[0]
    assert (row["attempt"], row["n_attempts"], row["n_failed"], row["timely_restart"]) == (2, 3, 1, False)
    assert table.repeats[["unit_id", "attempt", "timely_restart"]].values.tolist() == [["b0-A-r0", 3, True]]


def cells(averages: bool) -> Plan:
    units = tuple(
        Unit(f"b0-{arm}-r{repeat}", "b0", "D", arm, repeat, "c0", "digest", "level0", 1, 0)
        for repeat in (1, 2)
        for arm in "AB"
    )
    return Plan("rq2", units, {"study": {"repeats_serve": "averages" if averages else "stability"}}, "plan")


def tried(name: str, attempt: int = 1, *, is_valid: bool = True) -> Outcome:
    made = outcome(0, "A", attempt) if is_valid else broken(0, "A", attempt)
    return replace(made, unit_id=name)


def test_the_first_valid_repeat_of_a_cell_is_primary_and_others_serve_stability():
    outcomes = [
        tried("b0-A-r1", is_valid=False),
        tried("b0-A-r2"),
        tried("b0-B-r1"),
        tried("b0-B-r1", 2),
        tried("b0-B-r2"),
    ]
    table = outcome_table(cells(averages=False), outcomes, agent="a", simulated=True)
    primary = dict(zip(table.frame["unit_id"], table.frame["primary"], strict=True))
    assert primary == {"b0-A-r1": False, "b0-B-r1": True, "b0-A-r2": True, "b0-B-r2": False}
    assert table.repeats[["unit_id", "attempt", "repeat"]].values.tolist() == [["b0-B-r1", 2, 1], ["b0-B-r1", 1, 2]]


def test_all_replicates_are_primary():
    table = outcome_table(cells(averages=True), [tried("b0-A-r1"), tried("b0-A-r2")], agent="a", simulated=True)
    assert table.frame["primary"].all()
    assert len(table.repeats) == 0


def test_an_incomplete_block_is_listed_and_keeps_its_rows():
    table = build([*ALL[:2], broken(1, "A", 1), broken(1, "A", 2), *ALL[3:5]])
    assert [(block.block_id, block.missing, block.failures) for block in table.incomplete] == [
        ("b1", ("b1-A-r0",), ("browser", "browser")),
        ("b2", ("b2-B-r0",), ()),
    ]
    assert table.frame["validity"].tolist() == ["valid"] * 2 + ["infrastructure_failure"] + ["valid"] * 2 + ["missing"]
    assert table.frame["timely_restart"].isna().tolist() == [False, False, True, False, False, True]


def test_a_block_whose_starts_differ_is_refused_by_name():
    wrong = outcome(1, "B", start_digests={"state": "elsewhere"})
    with pytest.raises(BlockMismatch, match=r"'b1': start digest 'state' .*b1-A-r0: s1, b1-B-r0: elsewhere"):
        build([*ALL[:3], wrong, *ALL[4:]])


def test_a_digest_that_one_arm_lacks_is_a_difference():
    with pytest.raises(BlockMismatch, match="b1-B-r0: None"):
        build([*ALL[:3], outcome(1, "B", start_digests={}), *ALL[4:]])


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        (outcome(0, "A"), DuplicateOutcome),
        (outcome(7, "A"), ForeignOutcome),
        (Outcome("b0-A-r0", 2, "other plan", "valid", "won", None, 1.0, 1, 0, {}), ForeignOutcome),
    ],
)
def test_duplicates_and_foreign_outcomes_are_refused(extra, error):
    with pytest.raises(error):
        build([*ALL, extra])


def test_the_table_survives_its_file(tmp_path):
    frame = build([*ALL[:5], broken(2, "B")]).frame
    write_table(frame, tmp_path / "outcomes.csv")
    back = read_table(tmp_path / "outcomes.csv")
    assert back["timely_restart"].dtype == "boolean"
    for name in ("unit_id", "timely_restart", "recovery_s", "code_blames_click", "simulated"):
        assert back[name].isna().tolist() == frame[name].isna().tolist()
        assert back[name].dropna().tolist() == frame[name].dropna().tolist()
    write_table(back, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "outcomes.csv").read_bytes()


def test_an_empty_study_has_a_table_of_missing_units():
    table = build([])
    assert table.frame["validity"].tolist() == ["missing"] * 6
    assert len(table.incomplete) == 3
    assert isinstance(table.frame, pd.DataFrame)


def test_the_certificate_track_shows_every_settled_board():
    log = LogWriter().start(DEAD, 0.4).say(1).act(4).act(6, change("restart", LIVE)).act(9, change("move", DEAD, 0.2))
    log.act(12, change("leave", DEAD, 0.2), level=None)
    track = certificate_track(log.end(), certify)
    assert [(p.clock_s, p.verdict) for p in track] == [(0.0, "dead_end"), (6, "solvable"), (9, "dead_end")]


def test_a_board_that_leads_by_a_move_to_a_winnable_one_is_not_asked_about_again():
    asked = []

    def certify(_level, state):
        asked.append(state["n"])
        return "dead_end" if state["n"] == 3 else "solvable"

    kinds = [("start", False), ("move", False), ("move", False), ("restart", False), ("move", False), ("move", True)]
    boards = [Board(kind, won, {"n": n}) for n, (kind, won) in enumerate(kinds, start=1)]
    verdicts = ("solvable", "solvable", "dead_end", "solvable", "solvable", "solved")
    assert (verdicts_of(LevelId("bolt_unscrew", "easy", 1), boards, certify), asked) == (verdicts, [3, 2])


@pytest.mark.parametrize("agent", ["NA", "null", "nan", "None", "1e3", "true"])
def test_names_that_look_like_gaps_or_numbers_come_back_as_written(tmp_path, agent):
    names = ("NA", "null", "nan", "None", "1e3", "true")
    plan = Plan("rq2", tuple(unit(block, arm) for block in range(3) for arm in names), {}, "plan")
    outcomes = [outcome(block, arm) for block in range(2) for arm in names]
    written = outcome_table(plan, outcomes, agent=agent, simulated=True).frame
    write_table(written, tmp_path / "outcomes.csv")
    read = read_table(tmp_path / "outcomes.csv")
    assert (read["arm"].tolist(), set(read["agent"])) == ([*names] * 3, {agent})
    assert read["recovery_s"].isna().all()
    assert read["ending"].isna().tolist() == [False] * 12 + [True] * 6
