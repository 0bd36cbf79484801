from __future__ import annotations

import numpy as np
import pytest
from tables import coin, labels, table_of

from diag.analysis.calibrate import calibrate, calibrate_runs
from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse
from diag.analysis.estimand import Estimand
from diag.analysis.plan_calibration import calibrate_plan, cluster_sizes
from diag.analysis.simulate import Assumptions, arm_sums, block_outcomes
from diag.records import Unit

RQ2 = (10, 4, 2, 2, 2, 2, 2)
PLAN = ResamplePlan(draws=1_000)


@pytest.mark.parametrize(("rate", "icc"), [(0.05, 0.3), (0.5, 0.1), (0.9, 0.2), (0.3, 0.0), (0.0, 0.2), (1.0, 0.2)])
def test_simulated_arms_have_the_stated_rate_and_correlation(rate, icc):
    sums = arm_sums(Assumptions({"A": rate}, icc=icc), [8] * 4, studies=20_000, rng=np.random.default_rng(0))["A"]
    assert sums.mean() / 8 == pytest.approx(rate, abs=0.006)
    variance = 8 * rate * (1 - rate) * (1 + 7 * icc)  # of a sum of eight exchangeable binary outcomes
    assert sums.var() == pytest.approx(variance, rel=0.05, abs=1e-9)


def test_arms_that_share_their_clusters_leave_no_effect_variation():
    shared = Assumptions({"A": 0.4, "B": 0.4}, icc=0.3, arm_correlation=1.0)
    apart = Assumptions({"A": 0.4, "B": 0.4}, icc=0.3, arm_correlation=0.0)
    spread = []
    for assumptions in (shared, apart):
        sums = arm_sums(assumptions, [50] * 5, studies=4_000, rng=np.random.default_rng(0))
        spread.append(np.var(sums["B"] - sums["A"]) / 2_500)
    assert spread[0] < 0.01
    assert spread[1] > 0.1


@pytest.mark.parametrize("binary", [True, False])
def test_block_outcomes_have_their_mean_variance_and_correlation(binary):
    """Two blocks of one cluster, one of them with four repeats, and an arm that is not planned in the second."""
    repeats = np.array([[4.0, 1.0], [1.0, 0.0]])
    found = block_outcomes(
        np.array([0.3, 0.6]), [0, 0], repeats, Assumptions(icc=0.2, arm_correlation=0.5),
        binary=binary, studies=40_000, rng=np.random.default_rng(0),
    )  # fmt: skip
    variance = 0.3 * 0.7 if binary else 1.0
    assert found[0, 0].mean() == pytest.approx(0.3, abs=0.01)
    assert found[0, 1].mean() == pytest.approx(0.6, abs=0.02)
    assert found[1, 0].var() == pytest.approx(variance, rel=0.05)
    assert found[0, 0].var() == pytest.approx(variance * (0.2 + 0.8 / 4), rel=0.05)
    assert np.cov(found[0, 0], found[1, 0])[0, 1] == pytest.approx(0.2 * variance, rel=0.1)
    assert not found[1, 1].any()


@pytest.mark.parametrize("bad", [{"rates": {"A": 1.2}}, {"icc": 1.0}, {"arm_correlation": -0.1}])
def test_assumptions_that_are_no_probabilities_are_refused(bad):
    with pytest.raises(ValueError, match="lie in"):
        Assumptions(**bad)


def test_calibration_claims_what_the_single_analyses_claim():
    """The vectorised methods agree with `analyse` study by study: same seed, same draws, same verdicts."""
    assumptions = Assumptions({"A": 0.3, "B": 0.6}, icc=0.1)
    (vectorised,) = calibrate(RQ2, assumptions, [("B", "A")], rng=np.random.default_rng(4), studies=60, plan=PLAN)
    sums = arm_sums(assumptions, RQ2, studies=60, rng=np.random.default_rng(4))

    def run(number):
        arms = {
            arm: [float(i < sums[arm][g, number]) for g, size in enumerate(RQ2) for i in range(size)] for arm in "AB"
        }
        return table_of(arms, labels(RQ2))

    (single,) = calibrate_runs(run, [Estimand("e", "y", "binary", "B", "A")], studies=60, truth={"e": 0.3}, plan=PLAN)
    for method in ("percentile", "exact", "sign_flip", "supported"):
        one, other = vectorised.method(method), single.method(method)
        assert one.reject_share == pytest.approx(other.reject_share), method
        # the runs are told their truth: here that of new levels
        assert other.coverage is None
        assert one.coverage == other.coverage_here
    assert vectorised.method("cr2").reject_share == pytest.approx(single.method("cr2").reject_share)
    assert vectorised.method("studentised").cannot_say_share == pytest.approx(
        single.method("studentised").cannot_say_share
    )


def test_these_levels_and_new_ones_are_told_apart():
    """How levels differ is most of the error here: an interval made for new ones is wide for these."""
    assumptions = Assumptions({"A": 0.3, "B": 0.6}, icc=0.2)
    (found,) = calibrate([20] * 10, assumptions, [("B", "A")], rng=np.random.default_rng(0), studies=600, plan=PLAN)
    cr2 = found.method("cr2")
    assert cr2.coverage.low < 0.95 < cr2.coverage.high + 0.01
    assert cr2.coverage_here.low > 0.985


def test_with_seven_clusters_percentile_under_covers_and_t_does_not():
    assumptions = Assumptions({"A": 0.4, "B": 0.4}, icc=0.1)
    (found,) = calibrate([20] * 7, assumptions, [("B", "A")], rng=np.random.default_rng(0), studies=800, plan=PLAN)
    assert found.method("percentile").coverage.high < 0.93
    assert found.method("cr2").coverage.low < 0.95 < found.method("cr2").coverage.high + 0.015
    assert found.method("percentile").reject_share > 0.07
    assert found.method("sign_flip").reject_share <= 0.065
    assert found.method("supported").reject_share <= found.method("sign_flip").reject_share


def test_more_clusters_bring_power():
    assumptions = Assumptions({"A": 0.3, "B": 0.6}, icc=0.05)
    shapes = [[3] * 4, [3] * 8, [3] * 16]
    rng = np.random.default_rng(0)
    found = [calibrate(sizes, assumptions, [("B", "A")], rng=rng, studies=300, plan=PLAN)[0] for sizes in shapes]
    power = [calibration.method("sign_flip").reject_share for calibration in found]
    assert power[0] == 0.0  # four clusters cannot reach 0.05
    assert power[0] < power[1] < power[2]
    assert [calibration.n_blocks for calibration in found] == [12, 24, 48]


def test_calibration_of_runs_takes_the_mean_estimate_where_no_truth_is_known():
    rng = np.random.default_rng(0)

    def run(number):
        return table_of({"A": coin(rng, 0.2, 24), "B": coin(rng, 0.8, 24)}, labels(RQ2))

    (found,) = calibrate_runs(run, [Estimand("e", "y", "binary", "B", "A")], studies=40, plan=PLAN)
    assert found.truth == pytest.approx(0.6, abs=0.06)
    assert found.method("supported").reject_share > 0.5
    with pytest.raises(ValueError, match="repeats studies"):
        calibrate_runs(run, [], studies=1)
    with pytest.raises(KeyError, match="there are percentile"):
        found.method("magic")


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[6] * 10, [6] * 20, [6] * 50])
def test_every_interval_covers_with_many_clusters(sizes):
    assumptions = Assumptions({"A": 0.4, "B": 0.6}, icc=0.1)
    (found,) = calibrate(sizes, assumptions, [("B", "A")], rng=np.random.default_rng(1), studies=4_000)
    least = {10: 0.88, 20: 0.92, 50: 0.935}[len(sizes)]
    for method in ("percentile", "cr2", "studentised"):
        assert least < found.method(method).coverage.estimate < 0.975


# --- a plan ---------------------------------------------------------------------------------------------------------


def units(sizes, arms="AB", cohort="D"):
    blocks = labels(sizes)
    return [
        Unit(f"b{b}-{arm}", f"b{b}", cohort, arm, 0, "c", "d", cluster, 1, 0)
        for b, cluster in enumerate(blocks)
        for arm in arms
    ]


BA = Estimand("B - A", "y", "binary", "B", "A", cohort="D")


def test_a_plan_is_calibrated_with_and_without_its_effect():
    assumptions = Assumptions({"A": 0.1, "B": 0.9})
    other = Estimand("C - B", "y", "binary", "C", "B", cohort="D")
    found = calibrate_plan(
        units(RQ2, "ABC"), [BA, other], assumptions, rng=np.random.default_rng(0), studies=200, plan=PLAN
    )
    assert [(one.contrast, one.n_blocks) for one in found] == [("B - A", 24), ("B - A, no effect", 24)]
    assert (found[0].truth, found[1].truth) == (pytest.approx(0.8), 0.0)
    assert found[0].method("supported").reject_share > 0.8
    assert found[1].method("supported").reject_share <= 0.05


def test_only_blocks_with_both_arms_count():
    planned = units((2, 1)) + units((3,), arms="A", cohort="D")
    assert cluster_sizes(planned[:6] + [u for u in planned[6:] if u.block_id not in {"b0", "b1", "b2"}], BA) == (2, 1)


def test_calibration_uses_the_rule_of_the_report():
    rng = np.random.default_rng(2)
    table = table_of({"A": coin(rng, 0.2, 24), "B": coin(rng, 0.9, 24)}, labels(RQ2))
    (effect,) = analyse(table, [BA], plan=PLAN)
    (found,) = calibrate_runs(lambda _: table, [BA], studies=2, plan=PLAN)
    assert found.method("supported").reject_share == float(effect.supported)
