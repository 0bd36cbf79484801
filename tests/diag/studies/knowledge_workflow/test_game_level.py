"""Knowledge x workflow is inferred over games: a shared fate of a game's objectives is not taken for evidence."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from diag.analysis.cluster_intervals import cr2_interval
from diag.analysis.clusters import ResamplePlan, cluster_totals
from diag.analysis.effects import analyse
from diag.analysis.signflip import sign_flip
from diag.studies.knowledge_workflow.estimands import CELLS, workflow_estimands
from diag.studies.knowledge_workflow.kind import analysis_frame
from diag.studies.knowledge_workflow.tables import game_spread, unit_contrasts

OBJECTIVES = tuple(f"g{game}/o{place}" for game, n in enumerate((4, 4, 3, 3, 1, 1)) for place in range(n))
"""Sixteen objectives of six games."""
GAMES = np.array([name.split("/")[0] for name in OBJECTIVES])
PLAN = ResamplePlan(draws=500)


def table(cells):
    """The outcome table of one session an objective and cell; `cells` maps a cell to its values by objective."""
    rows = [
        {
            "unit_id": f"{name}-{arm}", "block_id": name.replace("/", "-"), "cohort": "E", "arm": arm, "repeat": 0,
            "cluster": name, "checkpoint_id": name, "agent": "simulated/sol", "validity": "valid",
            "lc": values[place], "details": {},
        }
        for arm, values in cells.items()
        for place, name in enumerate(OBJECTIVES)
    ]  # fmt: skip
    return analysis_frame(pd.DataFrame(rows))


def effects(frame):
    return {one.label: one for one in analyse(frame, workflow_estimands("lc", "proportion", group="game"), plan=PLAN)}


def test_a_row_is_about_one_number_the_mean_of_game_means():
    rng = np.random.default_rng(4)
    cells = {arm: rng.random(16) for arm in CELLS}
    frame = table(cells)
    found = effects(frame)["Delta_K(P0)"]
    by_hand = pd.Series(cells["K1P0"] - cells["K0P0"]).groupby(GAMES).mean().to_numpy()
    assert found.estimate == pytest.approx(by_hand.mean())
    assert found.estimate != pytest.approx((cells["K1P0"] - cells["K0P0"]).mean())
    assert found.nested.estimate == pytest.approx(found.estimate)
    assert found.rate_treatment - found.rate_control == pytest.approx(found.estimate)
    assert found.n_clusters == 6
    assert found.cr2_df == pytest.approx(5)
    low, high = stats.t.interval(0.95, 5, loc=by_hand.mean(), scale=by_hand.std(ddof=1) / np.sqrt(6))
    assert (found.cr2.low, found.cr2.high) == (pytest.approx(max(low, -1)), pytest.approx(min(high, 1)))
    wanted = stats.permutation_test((by_hand,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert found.sign_flip_p == pytest.approx(wanted)
    listed = {one["contrast"]: one for one in game_spread(unit_contrasts(frame.to_dict("records"), CELLS, ["lc"]))}
    assert (listed["Delta_K(P0)"]["n"], listed["Delta_K(P0)"]["mean"]) == (6, pytest.approx(found.estimate))


def test_missing_sessions_are_bounded_over_games_too():
    cells = {arm: np.full(16, 0.5) for arm in CELLS}
    frame = table(cells)
    frame.loc[frame["unit_id"] == "g5/o0-K1P0", "validity"] = "missing"
    found = effects(frame)["Delta_K(P0)"]
    assert (found.n_missing, found.n_clusters) == (1, 5)
    assert found.bounds == (pytest.approx(-0.5 / 6), pytest.approx(0.5 / 6))


@pytest.mark.parametrize("between_games_sd", [0.0, 2.0])
def test_with_no_effect_the_tests_over_games_keep_their_level(between_games_sd):
    rng = np.random.default_rng(15)
    studies, flipped, covered = 1_500, 0, 0
    for _ in range(studies):
        fate = rng.normal(0, between_games_sd, 6)[np.unique(GAMES, return_inverse=True)[1]]
        drawn = fate + rng.normal(0, 1, 16)
        totals = cluster_totals(drawn, OBJECTIVES, groups=GAMES.tolist())
        flipped += sign_flip(totals.sums).p < 0.05
        covered += not cr2_interval(totals).excludes(0.0)
    assert 0.02 <= flipped / studies <= 0.045  # 2/64 by enumeration, were every pattern's sum different
    assert 0.93 <= covered / studies <= 0.97


def test_objectives_flipped_one_by_one_would_not():
    rng = np.random.default_rng(15)
    fate = rng.normal(0, 2.0, (400, 6))[:, np.unique(GAMES, return_inverse=True)[1]]
    drawn = fate + rng.normal(0, 1, (400, 16))
    assert np.mean([sign_flip(one).p < 0.05 for one in drawn]) > 0.15
