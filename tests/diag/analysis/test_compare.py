from __future__ import annotations

import numpy as np
import pytest
from tables import coin, labels, table_of

from diag.analysis.clusters import ResamplePlan
from diag.analysis.compare import UnpairedStudies, compare
from diag.analysis.estimand import Estimand

SIZES = (6, 5, 4, 3, 3, 2, 1)
BA = Estimand("B - A", "y", "binary", "B", "A", cohort="D")
PLAN = ResamplePlan(draws=1_000)


def study(seed, a, b, agent, **more):
    rng = np.random.default_rng(seed)
    return table_of({"A": coin(rng, a, 24), "B": coin(rng, b, 24)}, labels(SIZES), agent=agent, **more)


def test_the_difference_of_effects_is_paired_by_block():
    sol, luna = study(1, 0.1, 0.9, "sol"), study(2, 0.1, 0.3, "luna")
    found = compare(sol, luna, [BA], plan=PLAN)
    (difference,) = found.differences
    by_hand = found.effects_a[0].estimate - found.effects_b[0].estimate
    assert difference.estimate == pytest.approx(by_hand)
    assert (difference.n_pairs, difference.n_clusters, difference.kind) == (24, 7, "binary")
    assert (difference.rate_treatment, difference.rate_control) == pytest.approx(
        (found.effects_a[0].estimate, found.effects_b[0].estimate)
    )
    assert difference.name == "B - A: sol - luna"


def test_arms_are_compared_between_agents():
    found = compare(study(1, 0.1, 0.9, "sol"), study(2, 0.1, 0.3, "luna"), [BA], plan=PLAN)
    a, b = found.arms
    assert (a.treatment, a.control) == ("sol", "luna")
    assert b.estimate == pytest.approx(found.effects_a[0].rate_treatment - found.effects_b[0].rate_treatment)
    assert "arm A" in a.name
    assert "arm B" in b.name


def test_equal_studies_differ_by_nothing_and_say_so():
    sol = study(1, 0.1, 0.9, "sol")
    (difference,) = compare(sol, sol, [BA], plan=PLAN).differences
    assert (difference.estimate, difference.percentile.status) == (0.0, "cannot_say")


def test_a_block_missing_in_one_study_is_missing_in_the_difference():
    found = compare(study(1, 0.1, 0.9, "sol"), study(2, 0.1, 0.3, "luna", missing=[(3, "A")]), [BA], plan=PLAN)
    assert (found.differences[0].n_pairs, found.differences[0].n_missing) == (23, 1)
    assert found.differences[0].bounds is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[t["block_id"] != "b03"], "2 only in the first"),
        (lambda t: t.assign(cluster="one"), "cluster of unit"),
        (lambda t: t.assign(checkpoint_digest="other"), "checkpoint_digest of unit"),
    ],
)
def test_studies_that_do_not_match_are_refused(change, message):
    sol, luna = study(1, 0.1, 0.9, "sol"), study(2, 0.1, 0.3, "luna")
    with pytest.raises(UnpairedStudies, match=message):
        compare(sol, change(luna), [BA])
