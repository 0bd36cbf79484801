"""Order and carry-over: an effect of place or of the preceding arm is found where one was planted, and named."""

import numpy as np
import pandas as pd
import pytest

from diag.analysis.estimand import Estimand
from diag.analysis.order import _dealt, order_sentence, order_table
from diag.records.plan import Block, schedule

ASKED = [Estimand("B - A", "y", "count", "B", "A", cohort="D"), Estimand("C - B", "y", "count", "C", "B", cohort="D")]


def played(outcome, arms="ABC", n=24):
    """The outcome table of a planned study; `outcome(arm, place, arm before, block)` is what happens."""
    blocks = [Block(f"b{i:02}", "D", f"b{i:02}", "0" * 64, "level", tuple(arms)) for i in range(n)]
    rows, before, last = [], None, None
    for at, unit in enumerate(schedule(blocks, study="s", seed=0, repeats=1)):
        before = before if unit.block_id == last else None
        y = outcome(unit.arm, at % len(arms) + 1, before, int(unit.block_id[1:]))
        rows.append({"unit_id": unit.unit_id, "block_id": unit.block_id, "cohort": "D", "arm": unit.arm, "repeat": 1,
                     "cluster": unit.cluster, "validity": "valid", "y": y})  # fmt: skip
        before, last = unit.arm, unit.block_id
    return pd.DataFrame(rows)


def asked(table):
    rows = order_table(table, ASKED, seed=1)
    return {(row["asks"], row["level"]): row for row in rows}, order_sentence(rows)


def test_an_effect_of_the_place_is_found_and_measured():
    found, said = asked(played(lambda arm, place, before, block: 5 * (arm == "B") + block + 2 * (place == 3)))
    assert [found["place", level]["deviation"] for level in "123"] == pytest.approx([-2 / 3, -2 / 3, 4 / 3])
    assert found["place", "3"]["n"] == 24
    assert found["place", "1"]["p"] < 0.001
    assert "may depend on the order" in said


def test_what_an_arm_leaves_behind_is_found():
    table = played(lambda arm, place, before, block: 5 * (arm == "C") + 3 * (before == "A"))
    found, _ = asked(table)
    assert found["after", "A"]["holm_p"] < 0.01
    assert found["after", "A"]["deviation"] > found["after", "B"]["deviation"] + 1


def test_p_is_uniform_where_the_order_does_nothing():
    rng = np.random.default_rng(3)
    held = np.eye(3)[rng.permuted(np.tile(np.arange(3), (12, 1)), axis=1)]
    left = rng.normal(size=(300, 12, 3))
    p = np.array([_dealt(one, held, held.sum(axis=(0, 1)), rng, draws=200)[1] for one in left])
    assert 0.02 <= (p < 0.05).mean() <= 0.085
    assert p.mean() == pytest.approx(0.5, abs=0.05)


def test_two_arms_ask_about_the_place_alone_and_no_variation_asks_nothing():
    rows = order_table(played(lambda arm, place, before, block: place + block % 3, arms="AB"), ASKED[:1], seed=1)
    assert {row["asks"] for row in rows} == {"place"}
    same = played(lambda arm, *_: 3.0 * (arm == "B"))
    assert order_table(same, ASKED, seed=1) == []
    assert order_sentence([]) == ""
