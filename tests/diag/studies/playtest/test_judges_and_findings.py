"""Agreement as libraries compute it, pass@k as counted, and which criterion a finding is about."""

import itertools

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from diag.studies.playtest.agreement import agreement, kappa, pass_at
from diag.studies.playtest.builds.bundle import GAMES
from diag.studies.playtest.findings import accounted, criterion_of
from diag.studies.playtest.report import Finding
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.playtest.trials import trials_of


def verdicts(seed):
    rng = np.random.default_rng(seed)
    truth = [list(rng.random(rng.integers(5, 18)) < rng.uniform(0.2, 0.9)) for _ in range(rng.integers(3, 12))]
    return truth, [[bool(one) ^ bool(rng.random() < 0.2) for one in build] for build in truth]


@pytest.mark.parametrize("seed", range(8))
def test_agreement_is_what_libraries_say(seed):
    one, other = verdicts(seed)
    found = agreement(one, other)
    flat = pd.DataFrame({"one": list(itertools.chain(*one)), "other": list(itertools.chain(*other))}).astype(bool)
    table = pd.crosstab(flat["one"], flat["other"]).reindex(index=[True, False], columns=[True, False], fill_value=0)
    assert found.raw == pytest.approx((flat["one"] == flat["other"]).mean())
    assert found.kappa == pytest.approx(cohens_kappa(table.to_numpy(), return_results=False))
    scores = pd.DataFrame({"one": [np.mean(build) for build in one], "other": [np.mean(build) for build in other]})
    assert found.spearman == pytest.approx(scores.corr("spearman").loc["one", "other"])
    assert found.pearson == pytest.approx(scores.corr("pearson").loc["one", "other"])
    assert (found.n_criteria, found.n_builds) == (len(flat), len(one))


def test_published_agreement_implies_its_chance_agreement():
    p_o, k = 0.879, 0.66
    assert (p_o - k) / (1 - k) == pytest.approx(0.644, abs=5e-4)  # p_e from kappa = (p_o - p_e) / (1 - p_e)


def test_agreement_that_cannot_be_said_is_none():
    same = agreement([[True, True], [True, True]], [[True, True], [True, True]])
    assert (same.raw, same.kappa, same.spearman, same.pearson) == (1.0, None, None, None)
    assert kappa([True, False], [False, True]) == -1.0
    with pytest.raises(ValueError, match="wanted equally many"):
        agreement([[True]], [[True, False]])
    with pytest.raises(ValueError, match="at least one"):
        agreement([], [])


@pytest.mark.parametrize(("n", "c"), [(6, 0), (6, 2), (6, 6), (1, 1)])
def test_pass_at_k_is_the_share_of_draws_with_a_success(n, c):
    rollouts = [True] * c + [False] * (n - c)
    for k in range(1, n + 1):
        draws = list(itertools.combinations(rollouts, k))
        assert pass_at(k, n, c) == pytest.approx(sum(map(any, draws)) / len(draws))
    with pytest.raises(ValueError, match="wanted 1 <= k <= n"):
        pass_at(n + 1, n, c)


def finding(about, text=""):
    return Finding(about, "major", text, "mend it")


@pytest.mark.parametrize("game", GAMES)
def test_a_finding_in_the_criterion_s_own_words_is_about_it(game):
    criteria = rubric_of(game).criteria
    for one in criteria:
        assert criterion_of(finding(one.name), criteria) == one.name
        assert criterion_of(finding("something", f"It is not so: {one.text}"), criteria) == one.name
    assert criterion_of(finding("music", "there is no sound at all"), criteria) is None
    assert {trial.about for trial in trials_of(game)} - {"start"} <= {one.name for one in criteria}


@pytest.mark.parametrize(
    ("about", "text", "wanted"),
    [
        ("Restart button", "pressing Restart does not bring back the first board of the level", "restart"),
        ("no victory", "after the last move of the level no dialog opens that says it is complete", "win"),
        ("refusal", "a refused input of the game was not answered by any message", "message"),
        ("colours", "the colours are ugly", None),
    ],
)
def test_a_finding_in_a_model_s_words(about, text, wanted):
    assert criterion_of(finding(about, text), rubric_of("rush_hour").criteria) == wanted


def test_found_missed_and_invented_are_told_apart():
    criteria = rubric_of("rush_hour").criteria
    account = accounted([finding("win"), finding("legend"), finding("ghosts")], criteria, {"win", "block"})
    assert (account.found, account.missed, account.invented) == (("win",), ("block",), ("legend", "ghosts"))
