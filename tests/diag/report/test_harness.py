"""The harness's share by arm: valid units only, nothing on a virtual clock."""

from types import SimpleNamespace

import pandas as pd
import pytest

from diag.report.harness import harness_rows


def outcomes(shares, validity=None):
    validity = validity or ["valid"] * len(shares)
    return SimpleNamespace(
        outcomes=pd.DataFrame({"arm": list("AABB"), "validity": validity, "harness_share": shares}),
    )


def test_a_row_an_arm_with_its_middle_and_its_95th_percentile():
    first, second = harness_rows(outcomes([0.03, 0.01, 0.02, 0.02]))
    assert (first.arm, first.shares, first.median, first.p95) == ("A", (0.01, 0.03), 0.02, pytest.approx(0.029))
    assert (second.arm, second.p95) == ("B", pytest.approx(0.02))


def test_failed_attempts_and_units_without_a_share_are_left_out():
    valid = ["valid", "infrastructure_failure", "valid", "valid"]
    (row,) = harness_rows(outcomes([0.01, 0.9, None, None], valid))
    assert (row.arm, row.shares) == ("A", (0.01,))


def test_a_virtual_clock_and_an_older_study_have_none():
    assert harness_rows(outcomes([None] * 4)) == ()
    assert harness_rows(SimpleNamespace(outcomes=pd.DataFrame({"arm": ["A"], "validity": ["valid"]}))) == ()
