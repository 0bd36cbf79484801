"""The published counts of the dead-end takeover study, fed to our analysis; inputs only, nothing here is a result.

Source: first source document, "Estimation", "Paired effects", "Attribution coding": 24 dead-end checkpoints from seven
source levels. The sizes of the levels are not published; `consistent_placements` finds the one that fits both
published intervals, and these tests use it.
"""

from __future__ import annotations

import pytest
from tables import labels, table_of

from diag.analysis.effects import analyse
from diag.analysis.estimand import Estimand
from diag.analysis.size_search import consistent_placements, partitions

SIZES = (10, 4, 2, 2, 2, 2, 2)


@pytest.fixture(scope="module")
def effects():
    """Timely A 1, B 22, C 22; verified A 8, B 23, C 22; wins 0; changed C-B pairs lie where the search puts them."""
    blocks = range(24)
    timely = {
        "A": [float(b == 1) for b in blocks],
        "B": [float(b not in {11, 12}) for b in blocks],
        "C": [float(b not in {0, 12}) for b in blocks],  # 0, in the cluster of ten, falls; 11, in that of four, rises
    }
    verified = {
        "A": [float(b % 3 == 1) for b in blocks],
        "B": [float(b != 12) for b in blocks],
        "C": [float(b not in {0, 12}) for b in blocks],
    }
    table = table_of(timely, labels(SIZES), outcome="timely_restart")
    for name, arms in (("verified_recovery", verified), ("same_level_win", dict.fromkeys("ABC", [0.0] * 24))):
        table[name] = [value for arm in "ABC" for value in arms[arm]]
    asked = [
        Estimand(f"{outcome} {t}-{c}", outcome, "binary", t, c, cohort="D")
        for outcome in ("timely_restart", "verified_recovery", "same_level_win")
        for t, c in (("B", "A"), ("C", "B"))
    ]
    return {effect.name: effect for effect in analyse(table, asked)}


def test_paired_counts(effects):
    counts = {name: (effect.up, effect.down, effect.n_pairs) for name, effect in effects.items()}
    assert counts["timely_restart B-A"] == (21, 0, 24)
    assert counts["verified_recovery B-A"] == (15, 0, 24)
    assert counts["timely_restart C-B"] == (1, 1, 24)
    assert counts["verified_recovery C-B"] == (0, 1, 24)


def test_published_intervals(effects):
    timely, verified = effects["timely_restart C-B"], effects["verified_recovery C-B"]
    for method in ("percentile", "exact"):
        found = [
            round(100 * x, 1) for e in (timely, verified) for x in (getattr(e, method).low, getattr(e, method).high)
        ]
        assert found == [-7.9, 15.0, -7.9, 0.0], method
    assert round(100 * timely.estimate, 1) == 0.0
    assert round(100 * verified.estimate, 1) == -4.2


def test_what_the_published_contrasts_support(effects):
    assert effects["timely_restart B-A"].supported
    assert effects["timely_restart B-A"].sign_flip_p == pytest.approx(2 / 2**7)
    assert not effects["timely_restart C-B"].supported
    assert not effects["verified_recovery C-B"].supported
    assert effects["same_level_win B-A"].sentence.startswith("Cannot say")


def test_partitions_are_complete():
    assert len(list(partitions(24, 7))) == 201  # p(24, 7)
    assert sorted(partitions(5, 3)) == [(2, 2, 1), (3, 1, 1)]


def test_four_partitions_fit_both_published_intervals_within_the_error_of_their_draws():
    limits = {"low": -0.079, "draws": 10_000}
    verified = consistent_placements(24, 7, n_up=0, n_down=1, high=0.0, **limits)
    timely = consistent_placements(24, 7, n_up=1, n_down=1, high=0.150, **limits)
    found = {p.sizes for p in verified} & {p.sizes for p in timely}
    assert found == {SIZES, (10, 4, 3, 2, 2, 2, 1), (10, 4, 3, 3, 2, 1, 1), (10, 4, 4, 2, 2, 1, 1)}


def test_one_partition_of_24_into_7_fits_both_published_intervals():
    verified = consistent_placements(24, 7, n_up=0, n_down=1, low=-0.079, high=0.0)
    timely = consistent_placements(24, 7, n_up=1, n_down=1, low=-0.079, high=0.150)
    assert {p.sizes for p in verified} & {p.sizes for p in timely} == {SIZES}
    assert {(p.up, p.down) for p in timely if p.sizes == SIZES} == {((4,), (10,))}
    assert {p.down for p in verified if p.sizes == SIZES} == {((10,))}
