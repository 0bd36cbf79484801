"""CR2 and its Satterthwaite degrees of freedom against hand values, the written-out matrices, CRV3 and statsmodels."""

import numpy as np
import pytest
from scipy import stats

from diag.analysis.cluster_intervals import cr2_df, cr2_error, cr2_interval
from diag.analysis.clusters import cluster_totals
from diag.analysis.coverage import percentile_coverage

SHAPE = (10, 4, 2, 2, 2, 2, 2)


def written_out(effects, sizes):
    """Return CR2 error and degrees of freedom from whole matrices (Bell & McCaffrey 2002), nothing simplified."""
    n = len(effects)
    places = np.split(np.arange(n), np.cumsum(sizes)[:-1])
    annihilator = np.eye(n) - np.full((n, n), 1 / n)
    residuals = annihilator @ effects
    variance, columns = 0.0, []
    for at in places:
        values, vectors = np.linalg.eigh(annihilator[np.ix_(at, at)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        variance += (np.ones(len(at)) @ root @ residuals[at]) ** 2 / n**2
        columns.append(annihilator[:, at] @ root @ np.ones(len(at)) / n)
    quadratic = np.array(columns) @ np.array(columns).T
    return np.sqrt(variance), np.trace(quadratic) ** 2 / np.trace(quadratic @ quadratic)


@pytest.mark.parametrize("sizes", [SHAPE, (1, 3), (2, 2, 2), (1, 1, 1, 20)])
def test_cr2_equals_the_whole_matrices(sizes):
    effects = np.random.default_rng(3).normal(size=sum(sizes))
    totals = cluster_totals(effects, [f"{g:02}" for g, n in enumerate(sizes) for _ in range(n)])
    error, df = written_out(effects, sizes)
    assert cr2_error(totals.sums[:, None], totals.sizes)[0] == pytest.approx(error)
    assert cr2_df(totals.sizes) == pytest.approx(df)


def test_two_clusters_by_hand():
    # theta = (3 + 0)/4; residual sums 3 - 9/4 = 3/4 and -3/4; q = 3/4, 1/4
    # V = (9/16)(1/(1/4) + 1/(3/4))/16 = (9/16)(16/3)/16 = 3/16; df = 1/(10/16 + 2 (9/16)(1/16)/(3/16)) = 1
    sums, sizes = np.array([3.0, 0.0]), np.array([3.0, 1.0])
    assert cr2_error(sums[:, None], sizes)[0] ** 2 == pytest.approx(3 / 16)
    assert cr2_df(sizes) == pytest.approx(1.0)


def test_equal_sizes_agree_with_the_jackknife_crv3_statsmodels_and_scipy():
    import statsmodels.api as sm

    effects, groups = np.random.default_rng(5).normal(size=28), np.repeat(np.arange(7), 4)
    totals = cluster_totals(effects, [str(g) for g in groups])
    left_out = np.array([effects[groups != g].mean() for g in range(7)])
    crv3 = np.sqrt(6 / 7 * ((left_out - effects.mean()) ** 2).sum())
    fit = sm.OLS(effects, np.ones(28)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True, "df_correction": False}
    )
    ours = cr2_error(totals.sums[:, None], totals.sizes)[0]
    assert ours == pytest.approx(crv3)
    assert ours == pytest.approx(fit.bse[0])
    assert cr2_df(totals.sizes) == pytest.approx(6.0)
    wanted, found = stats.ttest_1samp(totals.means, 0.0).confidence_interval(0.95), cr2_interval(totals)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_the_interval_is_around_the_printed_effect_when_effects_go_with_size():
    totals = cluster_totals(np.repeat([1.0, 0.5, 0.0], [10, 2, 2]), list("a" * 10 + "bb" + "cc"))
    found = cr2_interval(totals)
    assert found.estimate == pytest.approx(11 / 14)
    assert (found.low + found.high) / 2 == pytest.approx(11 / 14)


def test_covers_in_the_published_shape_when_clusters_vary():
    rng, studies = np.random.default_rng(11), 4_000
    sizes = np.array(SHAPE, dtype=float)
    between = rng.normal(0, 0.3, (7, studies))
    sums = sizes[:, None] * between + rng.normal(size=(7, studies)) * np.sqrt(sizes)[:, None]
    reach = stats.t.ppf(0.975, cr2_df(sizes)) * cr2_error(sums, sizes)
    coverage = (np.abs(sums.sum(axis=0) / sizes.sum()) <= reach).mean()
    assert 0.93 <= coverage <= 0.97


def test_the_percentile_interval_is_marked_by_what_it_covers_for_these_sizes():
    assert percentile_coverage((4.0,) * 5) == pytest.approx(0.833, abs=0.02)
    assert 0.85 <= percentile_coverage(tuple(map(float, SHAPE))) <= 0.885
    assert percentile_coverage((4.0,) * 40) > 0.93
    assert percentile_coverage((4.0,) * 4) is None
    assert percentile_coverage((4.0,) * 60) is None
