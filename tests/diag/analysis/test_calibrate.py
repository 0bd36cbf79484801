from __future__ import annotations

import numpy as np
import pytest
from tables import coin, labels, table_of

from diag.analysis import Estimand, ResamplePlan, analyse
from diag.analysis.calibrate import calibrate, calibrate_runs
from diag.analysis.plan_calibration import calibrate_plan
from diag.analysis.power import cluster_sizes, contrast_power, planned_power
from diag.analysis.simulate import Assumptions, arm_sums, normal_sums
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


def test_normal_sums_have_their_mean_and_correlation():
    sums = normal_sums(0.5, 0.2, [10] * 4, studies=20_000, rng=np.random.default_rng(0))
    assert sums.mean() / 10 == pytest.approx(0.5, abs=0.01)
    assert sums.var() / 100 == pytest.approx(0.2 + 0.8 / 10, rel=0.05)


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
        assert (one.coverage and one.coverage.estimate) == pytest.approx(other.coverage and other.coverage.estimate)
    assert vectorised.method("cr2").reject_share == pytest.approx(single.method("cr2").reject_share)
    assert vectorised.method("studentised").cannot_say_share == pytest.approx(
        single.method("studentised").cannot_say_share
    )


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


# --- power ----------------------------------------------------------------------------------------------------------


def units(sizes, arms="AB", cohort="D"):
    blocks = labels(sizes)
    return [
        Unit(f"b{b}-{arm}", f"b{b}", cohort, arm, 0, "c", "d", cluster, 1, 0)
        for b, cluster in enumerate(blocks)
        for arm in arms
    ]


BA = Estimand("B - A", "y", "binary", "B", "A", cohort="D")


def test_the_minimum_detectable_effect_has_the_power_it_promises():
    assumptions = Assumptions({"A": 0.1}, icc=0.05)
    plan = contrast_power([4] * 12, BA, assumptions, rng=np.random.default_rng(0))
    at_least = Assumptions({"A": 0.1, "B": 0.1 + plan.minimum_detectable}, icc=0.05)
    (check,) = calibrate([4] * 12, at_least, [("B", "A")], rng=np.random.default_rng(9), studies=2_000, plan=PLAN)
    assert check.method("sign_flip").reject_share == pytest.approx(0.8, abs=0.04)


def test_power_rises_with_the_effect_and_with_clusters():
    few, many = (contrast_power([4] * n, BA, Assumptions({"A": 0.1}), rng=np.random.default_rng(0)) for n in (7, 20))
    powers = [power for _, power in few.power_at]
    assert powers == sorted(powers)
    assert many.minimum_detectable < few.minimum_detectable


def test_five_clusters_can_find_nothing_and_the_plan_says_so():
    plan = contrast_power([8] * 5, BA, Assumptions(), rng=np.random.default_rng(0))
    assert plan.minimum_detectable is None
    assert "cannot reach 0.05; plan more clusters" in plan.sentence


def test_a_high_control_rate_looks_for_a_decrease():
    plan = contrast_power([6] * 8, BA, Assumptions({"A": 0.9}), rng=np.random.default_rng(0))
    assert "a decrease of" in plan.sentence


def test_other_kinds_are_in_standard_deviations():
    time = Estimand("t", "y", "time", "B", "A", limit=300)
    plan = contrast_power([4] * 12, time, Assumptions(icc=0.0), rng=np.random.default_rng(0))
    # with 48 independent blocks the z test needs (1.96 + 0.84) / sqrt(48) = 0.40; twelve clusters cost a little more
    assert 0.40 < plan.minimum_detectable < 0.50
    assert plan.unit.startswith("standard deviations")


def test_a_plan_gives_the_power_of_its_declared_contrasts():
    family = [
        Estimand(n, "y", "binary", t, c, cohort="D", family="f") for n, t, c in (("BA", "B", "A"), ("CB", "C", "B"))
    ]
    found = planned_power(
        units((6, 5, 4, 3, 3, 2, 1), "ABC"), family, Assumptions({"A": 0.1, "B": 0.9}), rng=np.random.default_rng(0)
    )
    assert [(plan.n_blocks, plan.n_clusters, plan.alpha) for plan in found] == [(24, 7, 0.025)] * 2
    assert "A 10%" in found[0].assumptions


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
    nothing = contrast_power([], BA, Assumptions(), rng=np.random.default_rng(0))
    assert nothing.sentence.startswith("No complete block")


def test_calibration_uses_the_rule_of_the_report():
    rng = np.random.default_rng(2)
    table = table_of({"A": coin(rng, 0.2, 24), "B": coin(rng, 0.9, 24)}, labels(RQ2))
    (effect,) = analyse(table, [BA], plan=PLAN)
    (found,) = calibrate_runs(lambda _: table, [BA], studies=2, plan=PLAN)
    assert found.method("supported").reject_share == float(effect.supported)
