from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from diag.analysis.multiplicity import holm
from diag.analysis.proportions import mcnemar, newcombe_paired, paired_counts, wilson


@pytest.mark.parametrize(("up", "down"), [pair for pair in product(range(8), repeat=2) if sum(pair)])
def test_mcnemar_against_statsmodels_and_the_written_out_mid_p(up, down):
    found = mcnemar(up, down)
    assert found.exact_p == pytest.approx(their_mcnemar([[3, up], [down, 5]], exact=True).pvalue)
    n = up + down
    distance = [abs(2 * k - n) for k in range(n + 1)]
    further = sum(comb(n, k) for k in range(n + 1) if distance[k] > abs(up - down))
    as_far = sum(comb(n, k) for k in range(n + 1) if distance[k] == abs(up - down))
    assert found.mid_p == pytest.approx((further + as_far / 2) / 2**n)


def test_mcnemar_without_discordant_pairs_has_no_p():
    assert (mcnemar(0, 0).exact_p, mcnemar(0, 0).mid_p) == (None, None)


@pytest.mark.parametrize(("successes", "n"), [(0, 24), (1, 24), (22, 24), (24, 24), (3, 7)])
def test_wilson_against_statsmodels(successes, n):
    low, high = proportion_confint(successes, n, method="wilson")
    assert (wilson(successes, n).low, wilson(successes, n).high) == pytest.approx((low, high))


def test_wilson_of_nothing_cannot_say():
    assert wilson(0, 0).status == "cannot_say"


def test_newcombe_published_example():
    interval = newcombe_paired(36, 12, 2, 0)
    assert (interval.low, interval.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_newcombe_mirrors_and_has_a_width_at_full_agreement():
    one, other = newcombe_paired(10, 5, 2, 7), newcombe_paired(10, 2, 5, 7)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    agreed = newcombe_paired(24, 0, 0, 0)
    assert (agreed.estimate, agreed.status) == (0.0, "ok")
    assert agreed.low < 0 < agreed.high
    assert newcombe_paired(0, 0, 0, 0).status == "cannot_say"


def test_paired_counts():
    t, c = np.array([1.0, 1, 0, 0, 1]), np.array([1.0, 0, 1, 0, 1])
    assert paired_counts(t, c) == (2, 1, 1, 1)
    assert paired_counts(t, np.array([0.5, 0, 1, 0, 1])) is None


@pytest.mark.parametrize("seed", range(5))
def test_holm_against_statsmodels(seed):
    p = np.random.default_rng(seed).random(6) ** 3
    assert holm(p.tolist()) == pytest.approx(multipletests(p, method="holm")[1])


def test_holm_refuses_what_is_no_probability():
    with pytest.raises(ValueError, match=r"1\.5"):
        holm([0.1, 1.5])
