from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from diag.analysis.cluster_intervals import (
    cr2_interval,
    exact_interval,
    nested_interval,
    percentile_interval,
    studentised_interval,
    studentised_limits,
)
from diag.analysis.clusters import ClusterTotals, ResamplePlan, all_resamples, cluster_totals, draw_weights


def totals_of(seed: int, sizes: tuple[int, ...]) -> ClusterTotals:
    rng = np.random.default_rng(seed)
    sums = np.array([rng.integers(-size, size + 1) for size in sizes], dtype=float)
    sums[:2] = sizes[0], -sizes[1]  # so that the clusters cannot all be equal
    return ClusterTotals(tuple(map(str, range(len(sizes)))), sums, np.array(sizes, dtype=float))


def inverse_quantile(values: np.ndarray, q: float) -> float:
    return float(np.sort(values)[int(np.ceil(q * len(values) - 1e-9)) - 1])


@pytest.mark.parametrize("sizes", [(3, 1, 2, 5, 1), (4, 1, 1, 2, 2, 3), (1, 1, 1, 1, 1), (6, 2, 3, 1, 1)])
def test_exact_equals_the_enumeration_of_all_index_draws(sizes):
    totals = totals_of(3, sizes)
    n = len(sizes)
    means = np.array(
        [totals.sums[list(taken)].sum() / totals.sizes[list(taken)].sum() for taken in product(range(n), repeat=n)]
    )
    interval = exact_interval(totals)
    assert interval.low == pytest.approx(inverse_quantile(means, 0.025), abs=1e-12)
    assert interval.high == pytest.approx(inverse_quantile(means, 0.975), abs=1e-12)


@pytest.mark.parametrize("n", range(1, 9))
def test_all_resamples_are_a_distribution(n):
    counts, probabilities = all_resamples(n)
    assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert (counts.sum(axis=1) == n).all()
    assert probabilities @ counts == pytest.approx(np.ones(n), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_percentile_equals_scipy_on_the_same_draws(seed):
    totals = totals_of(seed, (7, 5, 4, 3, 2, 2, 1))
    ours = percentile_interval(totals, ResamplePlan(seed=seed, draws=2_000))
    theirs = stats.bootstrap(
        (np.arange(7),),
        lambda taken, axis: totals.sums[taken].sum(axis=axis) / totals.sizes[taken].sum(axis=axis),
        n_resamples=2_000,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_ten_thousand_draws_come_close_to_the_exact_limits():
    totals = totals_of(5, (8, 5, 4, 3, 2, 1, 1))
    drawn, exact = percentile_interval(totals, ResamplePlan()), exact_interval(totals)
    assert drawn.low == pytest.approx(exact.low, abs=0.02)
    assert drawn.high == pytest.approx(exact.high, abs=0.02)


def test_equal_plans_give_equal_intervals_and_others_do_not():
    totals = totals_of(1, (8, 5, 4, 3, 2, 1, 1))
    plans = [ResamplePlan(1, 500), ResamplePlan(1, 500), ResamplePlan(2, 500)]
    one, again, other = (percentile_interval(totals, plan) for plan in plans)
    assert one == again
    assert (one.low, one.high) != (other.low, other.high)


def test_weights_count_every_draw():
    weights = draw_weights(np.random.default_rng(0), 5_000, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(7), abs=0.06)
    assert weights.var(axis=0) == pytest.approx(np.full(7, 6 / 7), abs=0.06)


def written_out_t(sums, sizes):
    """The ratio and its linearised standard error, as the textbook writes it."""
    theta = sums.sum() / sizes.sum()
    n = len(sums)
    return theta, np.sqrt(n / (n - 1) * ((sums - theta * sizes) ** 2).sum()) / sizes.sum()


def test_studentised_equals_the_loop_over_draws():
    totals, plan = totals_of(4, (8, 5, 4, 3, 2, 1, 1)), ResamplePlan(9, 400)
    theta, error = written_out_t(totals.sums, totals.sizes)
    statistic = []
    for weights in plan.weights(7).astype(int):
        drawn, drawn_error = written_out_t(np.repeat(totals.sums, weights), np.repeat(totals.sizes, weights))
        if drawn_error > 1e-9:
            statistic.append((drawn - theta) / drawn_error)
    low, high = np.quantile(statistic, [0.025, 0.975])
    got = studentised_limits(plan.weights(7), totals.sums[:, None], totals.sizes)
    assert (got[0][0], got[1][0]) == pytest.approx((theta - high * error, theta - low * error))


def test_linearised_error_equals_statsmodels_clustered_regression_error():
    import statsmodels.api as sm

    rng = np.random.default_rng(0)
    effects, groups = rng.normal(size=24), np.repeat(np.arange(7), [8, 5, 4, 3, 2, 1, 1])
    totals = cluster_totals(effects, [str(g) for g in groups])
    fit = sm.OLS(effects, np.ones(24)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True, "df_correction": False}
    )
    _, error = written_out_t(totals.sums, totals.sizes)
    # statsmodels multiplies the variance by G/(G-1) * (n-1)/(n-k); with k = 1 the second factor is one
    assert error == pytest.approx(fit.bse[0])


def test_equal_cluster_weighting_turns_the_ratio_into_the_mean_of_means():
    totals = cluster_totals(np.array([1.0, 1, 1, 0]), ["a", "a", "a", "b"], weighting="cluster")
    assert totals.estimate == 0.5
    assert cluster_totals(np.array([1.0, 1, 1, 0]), ["a", "a", "a", "b"]).estimate == 0.75


@pytest.mark.parametrize(
    ("sums", "sizes", "reason"),
    [
        ([], [], "no complete pair"),
        ([2], [3], "one cluster"),
        ([0, 0, 0], [3, 2, 1], "no pair differs"),
        ([3, 2, 1], [3, 2, 1], "every cluster has the same mean effect, +1"),
    ],
)
@pytest.mark.parametrize("method", [percentile_interval, exact_interval, cr2_interval, studentised_interval])
def test_degenerate_clusters_say_why_and_have_no_limits(sums, sizes, reason, method):
    totals = ClusterTotals(tuple(map(str, range(len(sums)))), np.array(sums, float), np.array(sizes, float))
    needs_plan = method in (percentile_interval, studentised_interval)
    interval = method(totals, ResamplePlan(draws=100)) if needs_plan else method(totals)
    assert (interval.status, interval.low, interval.high) == ("cannot_say", None, None)
    assert reason in interval.reason


def test_studentised_refuses_when_many_draws_have_no_variation():
    totals = ClusterTotals(("a", "b", "c"), np.array([1.0, 0, 0]), np.array([2.0, 2, 2]))
    assert "no variation to studentise" in studentised_interval(totals, ResamplePlan(draws=500)).reason


def test_exact_refuses_more_than_eight_clusters():
    assert not exact_interval(totals_of(0, (1,) * 9)).is_known


@pytest.mark.parametrize("effects", [[1.0, np.nan], [1.0, np.inf], [1.0]])
def test_effects_that_are_no_numbers_or_too_few_are_refused(effects):
    with pytest.raises(ValueError, match="effects"):
        cluster_totals(np.array(effects), ["a", "b"])


def nested_loop(values, rng, draws):
    """Draw games, then objectives inside each drawn game, one draw at a time."""
    games = sorted(values)
    means = []
    for _ in range(draws):
        taken = [games[i] for i in rng.integers(0, len(games), len(games))]
        means.append(np.mean([np.mean(rng.choice(values[game], len(values[game]))) for game in taken]))
    return np.quantile(means, [0.025, 0.975])


@pytest.mark.parametrize("resample_groups", [True, False])
def test_nested_agrees_with_the_plain_loop(resample_groups):
    rng = np.random.default_rng(0)
    values = {"g1": rng.normal(0, 1, 2), "g2": rng.normal(1, 1, 4), "g3": rng.normal(0, 1, 3), "g4": np.array([0.5])}
    flat = [(game, f"{game}-{i}", v) for game, row in values.items() for i, v in enumerate(row)]
    interval = nested_interval(
        np.array([v for *_, v in flat]), [c for _, c, _ in flat], [g for g, *_ in flat],
        rng=np.random.default_rng(1), draws=20_000, resample_groups=resample_groups,
    )  # fmt: skip
    assert interval.estimate == pytest.approx(np.mean([row.mean() for row in values.values()]))
    if resample_groups:
        low, high = nested_loop(values, np.random.default_rng(2), 4_000)
    else:
        inner = np.random.default_rng(2)
        means = [np.mean([np.mean(inner.choice(row, len(row))) for row in values.values()]) for _ in range(4_000)]
        low, high = np.quantile(means, [0.025, 0.975])
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.06)


def test_nested_needs_two_groups():
    one = nested_interval(np.array([0.0, 1.0]), ["a", "b"], ["g", "g"], rng=np.random.default_rng(0))
    assert (one.status, one.low) == ("cannot_say", None)
