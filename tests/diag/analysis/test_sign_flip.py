from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from diag.analysis.signflip import sign_flip, sign_flip_p


def by_hand(sums) -> float:
    patterns = [abs(np.dot(signs, sums)) for signs in product((-1, 1), repeat=len(sums))]
    return float(np.mean(np.array(patterns) >= abs(sum(sums)) - 1e-9))


@pytest.mark.parametrize("n", range(1, 8))
def test_exact_on_every_small_case(n):
    cases = np.array(list(product((-1, 0, 2), repeat=n)), dtype=float).T
    assert sign_flip_p(cases) == pytest.approx([by_hand(case) for case in cases.T])


@pytest.mark.parametrize("seed", range(4))
def test_equals_scipys_permutation_test(seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 7))
    theirs = stats.permutation_test(
        (x, y), lambda a, b, axis: (a - b).sum(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(x - y).p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize(("n", "least"), [(5, 0.0625), (6, 0.03125), (7, 0.015625)])
def test_the_least_p_of_few_clusters(n, least):
    found = sign_flip(np.ones(n))
    assert (found.p, found.smallest_p) == (least, least)


def test_zero_clusters_do_not_help():
    found = sign_flip(np.array([1.0, 1, 1, 0, 0, 0, 0]))
    assert (found.p, found.smallest_p, found.n_nonzero) == (0.25, 0.25, 3)


@pytest.mark.parametrize("sums", [[], [0.0, 0.0]])
def test_nothing_to_flip_has_no_p(sums):
    assert sign_flip(np.array(sums)).p is None


def test_many_clusters_use_random_patterns_and_never_give_zero():
    found = sign_flip(np.ones(30), rng=np.random.default_rng(0), draws=2_000)
    assert found.p == pytest.approx(1 / 2_001)
    assert not found.exact
    sums = np.random.default_rng(1).normal(0.1, 1, 17)
    assert sign_flip(sums, rng=np.random.default_rng(0)).p == pytest.approx(by_all_patterns(sums), abs=0.006)


def test_many_columns_are_the_single_tests():
    columns = np.random.default_rng(3).normal(size=(14, 300))
    assert sign_flip_p(columns)[[0, 150, 299]] == pytest.approx([sign_flip(columns[:, k]).p for k in (0, 150, 299)])


def by_all_patterns(sums) -> float:
    codes = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))[None, :]
    return float((np.abs(((codes & 1) * 2.0 - 1.0) @ sums) >= abs(sums.sum()) - 1e-9).mean())
