"""The inverted sign-flip interval and max-T against the tests they are made of; verdicts that know their limits."""

import numpy as np
import pandas as pd
import pytest

from diag.analysis.cluster_intervals import exact_interval, inverted_interval, percentile_interval
from diag.analysis.clusters import ClusterTotals, ResamplePlan
from diag.analysis.effects import analyse
from diag.analysis.estimand import Estimand
from diag.analysis.pairs import TableProblem
from diag.analysis.signflip import flip_limits, sign_flip, sign_flip_p, step_down_max_t
from diag.analysis.simulate import Assumptions, block_outcomes
from tests.diag.analysis.tables import table_of

PLAN = ResamplePlan(draws=500)


def asked(treatment="B", control="A", family=None, kind="binary"):
    return Estimand(f"{treatment}-{control}", "y", kind, treatment, control, family=family)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1, 1), (10, 4, 2, 2, 2, 2, 2), (5, 4, 3, 2, 1, 1, 1, 1, 1)])
def test_the_test_keeps_exactly_what_lies_in_its_inversion(sizes, seed):
    sizes = np.array(sizes, dtype=float)
    sums = sizes * np.random.default_rng(seed).normal(0.4, 1.0, len(sizes))
    low, high = flip_limits(sums, sizes)
    for value, kept in ((low + 1e-6, True), (low - 1e-6, False), (high - 1e-6, True), (high + 1e-6, False)):
        assert (sign_flip(sums - value * sizes).p >= 0.05) == kept


def test_the_inversion_agrees_with_p_also_where_patterns_are_drawn():
    sizes, rng = np.ones(18), np.random.default_rng(2)
    sums = rng.normal(0.3, 1.0, 18)
    low, high = flip_limits(sums, sizes, rng=np.random.default_rng(7), draws=2_000)
    for value, kept in ((low + 1e-6, True), (low - 1e-6, False), (high - 1e-6, True), (high + 1e-6, False)):
        p = sign_flip_p((sums - value)[:, None], rng=np.random.default_rng(7), draws=2_000)[0]
        assert (p >= 0.05) == kept


def test_five_clusters_refuse_no_effect_and_say_so():
    totals = ClusterTotals(tuple("abcde"), np.array([1.0, 2, 3, 4, 5]), np.ones(5))
    assert flip_limits(totals.sums, totals.sizes) == (-np.inf, np.inf)
    assert inverted_interval(totals, seed=0).reason == (
        "with 5 clusters the test refuses no effect: it reaches from -inf to +inf"
    )


@pytest.mark.parametrize("n", [2, 3, 4])
def test_two_to_four_clusters_are_not_resampled(n):
    totals = ClusterTotals(tuple("abcd"[:n]), np.arange(1.0, n + 1), np.ones(n))
    for interval in (percentile_interval(totals, PLAN), exact_interval(totals)):
        assert interval.low is None
        assert f"{n} clusters: resampling them covers 60 to 79 %" in interval.reason


def test_one_contrast_alone_has_its_own_p_and_copies_cost_nothing():
    sums = np.random.default_rng(1).normal(0.8, 1, (8, 1))
    alone = sign_flip_p(sums)
    assert step_down_max_t(sums) == pytest.approx(alone)
    assert step_down_max_t(np.repeat(sums, 3, axis=1)) == pytest.approx(np.repeat(alone, 3))


def test_a_family_without_a_cluster_has_no_p_below_one():
    assert step_down_max_t(np.empty((0, 2))).tolist() == [1.0, 1.0]
    table = table_of({"A": [0.0], "B": [1.0]}, ["a"], missing=[(0, "B")])
    (effect,) = analyse(table, [asked(family="f")], plan=PLAN)
    assert (effect.estimate, effect.adjusted_p, effect.least_p) == (None, None, 1.0)


def test_step_down_equals_the_loop_over_all_flips():
    sums = np.random.default_rng(9).normal((1.2, 0.5, 0.0), 1.0, (7, 3))
    signs = np.array(np.meshgrid(*[(-1, 1)] * 7)).reshape(7, -1).T
    scale = np.sqrt((sums**2).sum(axis=0))
    observed, left, before, wanted = np.abs(sums.sum(axis=0)) / scale, {0, 1, 2}, 0.0, {}
    while left:
        top = max(left, key=lambda one: observed[one])
        count = sum(max(abs(s @ sums[:, j]) / scale[j] for j in left) >= observed[top] - 1e-9 for s in signs)
        before = wanted[top] = max(before, count / len(signs))
        left -= {top}
    assert step_down_max_t(sums) == pytest.approx([wanted[j] for j in range(3)])


def test_family_wise_error_without_an_effect_stays_at_its_level():
    rng, found = np.random.default_rng(4), 0
    for _ in range(600):
        a, b, c = rng.normal(size=(3, 7)) + rng.normal(size=7)
        found += bool((step_down_max_t(np.column_stack([b - a, c - b])) < 0.05).any())
    assert found / 600 <= 0.07


def test_six_clusters_all_up_support_in_a_family_of_two_where_holm_could_not():
    table = table_of({"A": [0.0] * 6, "B": [1.0] * 6, "C": [1.0, 0, 1, 1, 1, 1]}, list("abcdef"))
    effect, other = analyse(table, [asked(family="f"), asked("C", "B", family="f")], plan=PLAN)
    assert (effect.holm_p, effect.adjusted_p) == (0.0625, 0.03125)
    assert effect.supported
    assert not other.supported


@pytest.mark.parametrize(("sizes", "least"), [((3,) * 6, 0.9), ((10, 4, 2, 2, 2, 2, 2), 0.85)])
def test_the_joint_test_finds_b_a_and_keeps_c_b(sizes, least):
    """Rates 5, 90, 90 %, three arms of shared blocks: Holm finds none with six clusters, 84 % in the shape."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    y = block_outcomes(
        np.array([0.05, 0.9, 0.9]), clusters.tolist(), np.ones((len(clusters), 3)), Assumptions(), binary=True,
        studies=500, rng=np.random.default_rng(7),
    )  # fmt: skip
    sums = np.zeros((len(sizes), 2, 500))
    np.add.at(sums, clusters, np.stack([y[:, 1] - y[:, 0], y[:, 2] - y[:, 1]], axis=1))
    ba, cb = (step_down_max_t(sums) < 0.05).mean(axis=1)
    assert ba > least
    assert cb <= 0.02


def test_the_verdict_knows_the_least_p_that_its_family_leaves():
    """Six clusters all up, beside two contrasts of sixteen clusters each: no outcome of the six reaches 0.05."""
    rng = np.random.default_rng(0)
    few = table_of({"A": [0.0] * 6, "B": [1.0] * 6}, list("abcdef"))
    rest = [
        table_of(
            {one: rng.normal(5, 1, 16).tolist(), other: rng.normal(5, 1, 16).tolist()}, [f"{one}{n}" for n in range(16)]
        )
        for one, other in ("CD", "EF")
    ]
    names = [
        table.assign(block_id=table["block_id"] + tag, unit_id=table["unit_id"] + tag)
        for tag, table in enumerate_tags(few, *rest)
    ]
    family = [asked(kind="count", family="f"), asked("D", "C", "f", "count"), asked("F", "E", "f", "count")]
    effect, *_ = analyse(pd.concat(names, ignore_index=True), family, plan=PLAN)
    assert effect.sign_flip.smallest_p == effect.sign_flip_p == 0.03125
    assert effect.least_p == effect.adjusted_p > 0.05
    assert effect.sentence.startswith(
        f"Cannot reach 0.05: with 6 clusters the least p after max-T is {effect.least_p:.3g}."
    )
    alone, *_ = analyse(few, [asked(family="f")], plan=PLAN)
    assert alone.supported


def enumerate_tags(*tables):
    return [(f"/{n}", table) for n, table in enumerate(tables)]


def test_an_outcome_that_only_some_units_have_says_for_whom_it_is():
    arms = {"A": [0.0] * 7 + [None], "B": [1.0] * 8}
    declared = Estimand("e", "y", "binary", "B", "A", population="continuations with a verified recovery")
    (effect,) = analyse(table_of(arms, list("abcdefgh")), [declared], plan=PLAN)
    assert (effect.n_pairs, effect.n_not_applicable) == (7, 1)
    assert "CONDITIONAL on continuations with a verified recovery (1 block left out)" in effect.sentence
    (silent,) = analyse(table_of(arms, list("abcdefgh")), [asked()], plan=PLAN)
    assert "CONDITIONAL on blocks in which the outcome applies in every arm (1 block left out)" in silent.sentence
    (whole,) = analyse(table_of({"A": [0.0] * 7, "B": [1.0] * 7}, list("abcdefg")), [asked()], plan=PLAN)
    assert "CONDITIONAL" not in whole.sentence


def test_what_is_missing_can_take_support_away():
    arms = {"A": [0.0] * 28, "B": [1.0] * 28}
    missing = [(block, "B") for block in range(28) if block % 4]
    effect = analyse(table_of(arms, [f"l{n // 4}" for n in range(28)], missing=missing), [asked()], plan=PLAN)[0]
    assert (effect.n_pairs, effect.n_missing) == (7, 21)
    assert effect.bounds == (0.25, 1.0)  # B - A is 0 at worst where A failed
    assert effect.supported
    arms["A"] = [1.0 if block % 4 else 0.0 for block in range(28)]
    effect = analyse(table_of(arms, [f"l{n // 4}" for n in range(28)], missing=missing), [asked()], plan=PLAN)[0]
    assert effect.bounds == (-0.5, 0.25)
    assert not effect.supported
    assert "with what is missing the effect may lie in [-0.5, +0.25]" in effect.sentence


def test_lost_repeats_widen_the_bounds():
    one = table_of({"A": [0.0] * 7, "B": [1.0] * 7}, list("abcdefg"))
    copies = [one.assign(repeat=n, unit_id=one["unit_id"] + f"r{n}") for n in range(3)]
    table = pd.concat(copies, ignore_index=True)
    table.loc[table["arm"].eq("B") & table["repeat"].gt(0), "validity"] = "missing"
    effect = analyse(table, [asked()], plan=PLAN)[0]
    assert (effect.estimate, effect.n_missing, effect.n_lost_repeats) == (1.0, 0, 14)
    assert effect.bounds == pytest.approx((1 / 3, 1.0))


def test_a_block_without_a_label_is_refused_and_no_label_is_cut():
    table = table_of({"A": [0.0] * 7, "B": [1.0] * 7}, [f"level {n}" for n in range(7)])
    assert analyse(table, [asked()], plan=PLAN)[0].n_clusters == 7
    for nothing in (None, np.nan, " "):
        broken = table.assign(cluster=table["cluster"].astype(object))
        broken.loc[broken["block_id"].isin(["b00", "b01"]), "cluster"] = nothing
        with pytest.raises(TableProblem, match="found 4 units without cluster, such as 'b00-A-r0'; wanted a label"):
            analyse(broken, [asked()], plan=PLAN)


def test_eleven_hundred_clusters_do_not_overflow():
    test = sign_flip(np.ones(1_100), rng=np.random.default_rng(0), draws=1_000)
    assert test.p == test.smallest_p == pytest.approx(1 / 1_001)


def test_yes_or_no_is_nothing_between():
    table = table_of({"A": [0.0] * 7, "B": [0.37] * 7}, list("abcdefg"))
    with pytest.raises(TableProblem, match=r"binary 'y' has 0\.37, wanted 0 or 1"):
        analyse(table, [asked()], plan=PLAN)
