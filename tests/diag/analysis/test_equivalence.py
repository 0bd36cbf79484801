"""Equivalence within a margin, and the two targets side by side: p of these states, p of new levels."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from diag.analysis.clusters import ClusterTotals, ResamplePlan
from diag.analysis.effects import analyse
from diag.analysis.equivalence import smallest_p, tango_p, two_one_sided
from diag.analysis.estimand import Estimand, EstimandError
from diag.analysis.pairs import pair
from diag.analysis.states import block_parts
from tests.diag.analysis.tables import labels, table_of

SHAPE = (10, 4, 2, 2, 2, 2, 2)
PLAN = ResamplePlan(draws=200)


def asked(**fields):
    return Estimand("D y C-B", "y", "binary", "C", "B", **{"family": "D y", "equivalence": 0.2, **fields})


def published(up=(10,), down=(0,), missing=()):
    """Counts of C against B as published: one block up in the level of four, one down in that of ten."""
    b, c = [1.0] * 24, [1.0] * 24
    for block in up:
        b[block] = 0.0
    for block in down:
        c[block] = 0.0
    return table_of({"B": b, "C": c}, labels(SHAPE), missing=missing)


def test_tango_is_the_score_test_of_the_restricted_likelihood():
    up, down, n, margin = 3, 2, 24, 0.2
    grid = np.linspace(1e-9, (1 - margin) / 2 - 1e-9, 400_001)
    log_likelihood = up * np.log(grid + margin) + down * np.log(grid) + (n - up - down) * np.log(1 - 2 * grid - margin)
    q = grid[np.argmax(log_likelihood)]
    z = (up - down - n * margin) / np.sqrt(n * (2 * q + margin * (1 - margin)))
    assert tango_p(up, down, n, margin) == pytest.approx(stats.norm.cdf(z), abs=1e-5)


@pytest.mark.parametrize(("margin", "shown"), [(0.15, False), (0.2, True)])
def test_c_is_equivalent_to_b_within_twenty_points_and_not_within_fifteen(margin, shown):
    (found,) = analyse(published(), [asked(equivalence=margin)], plan=PLAN)
    assert found.equivalence.shown is shown
    assert found.equivalence.sentence.startswith("Equivalent within ±20" if shown else "Equivalence within ±15")
    assert found.estimate == 0.0


def test_the_greatest_of_the_tests_counts():
    (found,) = analyse(published(), [asked()], plan=PLAN)
    sums, sizes = np.array([0, 0, 0, 0, 0, 0, 0.0]), np.array(SHAPE, float)
    sums[0], sums[1] = -1, 1
    signs = np.array(list(product((-1, 1), repeat=7)))
    flips = max(np.mean(signs @ (s * sums - 0.2 * sizes) <= (s * sums - 0.2 * sizes).sum() + 1e-9) for s in (1, -1))
    assert found.equivalence.p >= max(flips, tango_p(1, 1, 24, 0.2)) - 1e-12
    assert found.equivalence.p == pytest.approx(0.0277, abs=1e-4)  # here CR2's t


def test_no_variation_and_what_is_missing_are_no_equivalence():
    (same,) = analyse(published(up=(), down=()), [asked()], plan=PLAN)
    assert same.equivalence.p is None
    assert "cannot say" in same.equivalence.sentence
    (lost,) = analyse(published(missing=[(n, "C") for n in range(1, 9)]), [asked(equivalence=0.3)], plan=PLAN)
    assert not lost.equivalence.shown
    assert "what is missing may lie beyond" in lost.equivalence.sentence


def test_a_margin_that_no_outcome_can_meet_is_a_fact_of_the_design():
    assert smallest_p(7, 24, 0.1) > 0.05
    (found,) = analyse(published(), [asked(equivalence=0.1)], plan=PLAN)
    assert "cannot be shown" in found.equivalence.sentence
    assert smallest_p(4, None, 0.5) == 0.0625


@pytest.mark.parametrize("margin", [0, -0.1, 1.0, float("nan")])
def test_a_margin_is_above_zero_and_below_the_greatest_effect(margin):
    with pytest.raises(EstimandError, match="equivalence"):
        asked(equivalence=margin)


def test_at_the_margin_equivalence_is_rarely_claimed():
    rng, claimed = np.random.default_rng(5), 0
    where, sizes = np.repeat(np.arange(7), SHAPE), np.array(SHAPE, float)
    for _ in range(400):
        effects = (rng.random(24) < 0.93).astype(int) - (rng.random(24) < 0.73)
        totals = ClusterTotals(tuple("abcdefg"), np.bincount(where, weights=effects), sizes)
        counts = (0, int((effects > 0).sum()), int((effects < 0).sum()), int((effects == 0).sum()))
        p = two_one_sided(totals, 0.2, counts=counts).p
        claimed += p is not None and p < 0.05
    assert claimed <= 28  # 5 % of 400, and two standard errors


def test_two_targets_have_two_ps_and_their_questions():
    arms = {"B": [1.0] * 21 + [0.0] * 3, "A": [0.0] * 24}
    (found,) = analyse(table_of(arms, labels(SHAPE)), [Estimand("t", "y", "binary", "B", "A", family="f")], plan=PLAN)
    assert found.these_states.p == pytest.approx(2 * 0.5**21)
    assert found.these_states.mid_p == pytest.approx(0.5**21)
    held = found.to_json()
    assert held["new_levels"]["p"] == found.sign_flip_p == 2 / 2**6  # six levels differ from zero
    assert held["new_levels"]["question"] != held["these_states"]["question"]
    assert "new levels, sign-flip p" in found.sentence
    assert "These states alone: exact p" in found.sentence


def test_these_states_of_shares_are_all_exchanges_of_arms_within_blocks():
    effects = np.array([0.4, -0.1, 0.3, 0.2, 0.25])
    table = table_of({"B": list(0.5 + effects / 2), "A": list(0.5 - effects / 2)}, list("aabbc"))
    (found,) = analyse(table, [Estimand("t", "y", "proportion", "B", "A", weighting="cluster")], plan=PLAN)
    parts = effects / [2, 2, 2, 2, 1]
    flipped = np.abs(np.array(list(product((-1, 1), repeat=5))) @ parts)
    assert found.these_states.p == pytest.approx(np.mean(flipped >= abs(parts.sum()) - 1e-9))


def test_the_parts_of_blocks_add_up_to_the_estimate():
    rng = np.random.default_rng(2)
    clusters = ["g1/a", "g1/a", "g1/b", "g2/c", "g2/c", "g2/c", "g3/d"]
    table = table_of({"B": list(rng.random(7)), "A": list(rng.random(7))}, clusters)
    table["game"] = table["cluster"].str[:2]
    estimand = Estimand("t", "y", "proportion", "B", "A", group="game")
    (found,) = analyse(table, [estimand], plan=PLAN)
    assert block_parts(pair(table, estimand)).sum() / 3 == pytest.approx(found.estimate)
