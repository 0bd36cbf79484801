"""Tables of cells: contrasts against hand-worked numbers, first statements of rules, sessions left out."""

import pytest

from diag.analysis.spread import spread
from diag.studies.knowledge_workflow.tables import (
    cell_lines,
    first_stated,
    knowledge,
    rules_over_time,
    unit_contrasts,
)

CELLS = ("K0P0", "K0P1", "K1P0", "K1P1")


def row(arm, lc, *probes, objective="g/easy", won=None):
    details = {
        "game": "g",
        "probes": [
            {"index": place, "clock_s": 1.0, "status": "answered", "answer": "", "rules": {"a": one[0], "b": one[1]}}
            for place, one in enumerate(probes)
        ],
    }
    return {"agent": "m", "checkpoint_id": objective, "arm": arm, "unit_id": f"{objective}-{arm}", "lc": lc,
            "won_after_all_correct": won, "all_correct_at_last": won is not None and all(probes[-1]),
            "details": details}  # fmt: skip


ROWS = [row(arm, lc) for arm, lc in zip(CELLS, (0.1, 0.2, 0.4, 0.9), strict=True)]


def test_contrasts_of_one_objective():
    found = {one["contrast"]: one["value"] for one in unit_contrasts(ROWS, CELLS, ("lc",))}
    assert found == {
        "Delta_K(P0)": pytest.approx(0.3), "Delta_K(P1)": pytest.approx(0.7), "Delta_P(K0)": pytest.approx(0.1),
        "Delta_P(K1)": pytest.approx(0.5), "main K": pytest.approx(0.5), "main P": pytest.approx(0.3),
        "interaction": pytest.approx(0.4),
    }  # fmt: skip


def test_an_objective_without_all_four_cells_has_no_contrast():
    assert unit_contrasts(ROWS[:3], CELLS, ("lc",)) == []


def test_the_spread_over_units():
    other = [row(arm, 0.5, objective="g/hard") for arm in CELLS]
    found = {one["contrast"]: one for one in spread(unit_contrasts([*ROWS, *other], CELLS, ("lc",)))}["interaction"]
    assert (found["n"], found["mean"], found["low"], found["high"]) == (2, pytest.approx(0.2), 0.0, pytest.approx(0.4))
    assert found["sd"] == pytest.approx(0.4 / 2**0.5)


def test_rule_knowledge_and_first_statements():
    rows = [
        row("K0P0", 0.0, (False, False), (True, False), (True, True)),
        row("K0P0", 0.0, (True, False), (False, False)),
    ]
    assert [(one["probe"], one["n"], one["share_correct"]) for one in knowledge(rows)] == [
        (1, 2, 0.25), (2, 2, 0.25), (3, 1, 1.0)
    ]  # fmt: skip
    assert first_stated(rows) == {"K0P0": (3, 2)}


def test_sessions_that_know_every_rule_are_counted_with_their_later_wins():
    rows = [
        row("K0P0", 0.0, (True, True), won=True), row("K0P1", 0.0, (True, True), won=False),
        row("K1P1", 0.0, (True, True), (True, False), won=True), row("K1P0", 0.0),
    ]  # fmt: skip
    text = (
        "2 of 3 sessions that state every rule at a probe win a level afterwards; 2 still state every rule at the last "
        "probe"
    )
    assert text in cell_lines(rows, CELLS, ("lc",))


def test_rules_over_time_by_hand():
    # session 1: a at probe 2, a and b at 3; session 2: a at 1, b at 2, nothing at 3
    rows = [
        row("K0P0", 0.0, (False, False), (True, False), (True, True)),
        row("K0P0", 0.0, (True, False), (False, True), (False, False)),
    ]
    found = [
        tuple(one[name] for name in ("probe", "sessions", "rules", "stated", "first_stated", "also_at_last"))
        for one in rules_over_time(rows)
    ]
    assert found == [(1, 2, 4, 1, 1, 0), (2, 2, 4, 2, 2, 1), (3, 2, 4, 2, 1, 2)]
