from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from tables import coin, labels, table_of

from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse, effect_rows, effects_json
from diag.analysis.estimand import Estimand, EstimandError
from diag.analysis.pairs import DuplicateUnits, TableProblem, pool
from diag.analysis.stability import stability, stability_table
from diag.studies.knowledge_workflow.estimands import workflow_estimands

SIZES = (6, 5, 4, 3, 3, 2, 1)
BA = Estimand("B - A", "y", "binary", "B", "A")
PLAN = ResamplePlan(draws=1_000)


def one(table, estimand=BA):
    (effect,) = analyse(table, [estimand], plan=PLAN)
    return effect


def random_table(seed, a=0.3, b=0.7):
    rng = np.random.default_rng(seed)
    return table_of({"A": coin(rng, a, 24), "B": coin(rng, b, 24)}, labels(SIZES))


# --- what it computes -----------------------------------------------------------------------------------------------


def test_the_effect_is_the_mean_over_blocks_of_the_differences():
    effect = one(table_of({"A": [0, 0, 1, 1], "B": [1, 0, 0, 1]}, ["x", "x", "y", "z"]))
    assert (effect.estimate, effect.up, effect.down, effect.n_pairs, effect.n_clusters) == (0.0, 1, 1, 4, 3)
    assert (effect.rate_treatment, effect.rate_control) == (0.5, 0.5)
    assert (effect.effect_min, effect.effect_max, effect.effect_sd) == (-1.0, 1.0, pytest.approx(np.sqrt(2 / 3)))
    assert (effect.loo_low, effect.loo_high) == (pytest.approx(-0.5), pytest.approx(1 / 3))


def test_clusters_may_weigh_the_same():
    table = table_of({"A": [0, 0, 0, 0], "B": [1, 1, 1, 0]}, ["x", "x", "x", "y"])
    assert one(table).estimate == 0.75
    assert one(table, Estimand("e", "y", "binary", "B", "A", weighting="cluster")).estimate == 0.5


def test_a_time_is_restricted_to_its_limit_and_no_event_counts_as_the_limit():
    table = table_of({"A": [100.0, None, 250.0], "B": [50.0, 400.0, None]}, ["x", "y", "z"])
    effect = one(table, Estimand("e", "y", "time", "B", "A", limit=300))
    assert (effect.rate_treatment, effect.rate_control) == (pytest.approx(650 / 3), pytest.approx(650 / 3))
    assert (effect.estimate, effect.n_not_applicable, effect.effect_min) == (pytest.approx(0.0), 0, -50.0)


def test_repeats_are_averaged_inside_their_block_first():
    table = table_of({"A": [0, 0], "B": [1, 1]}, ["x", "y"])
    again = table.assign(repeat=1, unit_id=table["unit_id"] + "again", y=[1.0, 0.0, 0.0, 1.0])
    effect = one(pd.concat([table, again]))
    assert (effect.n_pairs, effect.n_clusters, effect.rate_control, effect.rate_treatment) == (2, 2, 0.25, 0.75)
    assert effect.mcnemar is None


def test_the_order_of_rows_does_not_matter():
    table = random_table(1)
    assert one(table.sample(frac=1, random_state=3)) == one(table)


def test_exchanging_the_arms_mirrors_everything():
    table = random_table(1)
    there, back = one(table), one(table, Estimand("e", "y", "binary", "A", "B"))
    assert back.estimate == pytest.approx(-there.estimate)
    assert (back.percentile.low, back.percentile.high) == pytest.approx((-there.percentile.high, -there.percentile.low))
    assert (back.up, back.down, back.sign_flip_p) == (there.down, there.up, there.sign_flip_p)


def test_cohorts_are_never_mixed():
    dead, live = random_table(1), random_table(2).assign(cohort="N")
    live = live.assign(block_id="n" + live["block_id"], unit_id="n" + live["unit_id"])
    both = pd.concat([dead, live])
    assert one(both, Estimand("B - A", "y", "binary", "B", "A", cohort="D")).estimate == one(dead).estimate
    assert one(both).n_pairs == 48


def test_workflow_contrasts_by_hand():
    table = table_of({"K0P0": [0.1, 0.2], "K0P1": [0.3, 0.5], "K1P0": [0.4, 0.4], "K1P1": [0.9, 0.6]}, ["x", "y"])
    effects = {e.name.split(": ")[1]: e for e in analyse(table, workflow_estimands("y", "proportion"), plan=PLAN)}
    wanted = {
        "Delta_K(P0)": 0.25, "Delta_K(P1)": 0.35, "Delta_P(K0)": 0.25, "Delta_P(K1)": 0.35,
        "main K": 0.30, "main P": 0.30, "interaction": 0.10,
    }  # fmt: skip
    assert {name: effect.estimate for name, effect in effects.items()} == pytest.approx(wanted)
    assert (effects["main K"].rate_treatment, effects["main K"].rate_control) == pytest.approx((0.575, 0.275))


def test_the_nested_interval_appears_when_a_group_is_declared():
    rng = np.random.default_rng(0)
    table = table_of({"A": coin(rng, 0.3, 12), "B": coin(rng, 0.8, 12)}, [f"o{i}" for i in range(12)])
    table["game"] = table["cluster"].map({f"o{i}": f"g{i // 3}" for i in range(12)})
    effect = one(table, Estimand("e", "y", "binary", "B", "A", group="game"))
    assert (effect.nested.method, effect.nested.n_clusters, effect.nested.is_known) == ("nested", 4, True)
    assert one(table).nested is None


def test_a_panel_pairs_within_agent_and_shares_clusters():
    sol, luna = random_table(1), random_table(2).assign(agent="simulated/luna")
    effect = one(pool(sol, luna))
    assert (effect.n_pairs, effect.n_clusters) == (48, 7)
    assert effect.estimate == pytest.approx((one(sol).estimate + one(luna).estimate) / 2)
    with pytest.raises(TableProblem, match="each agent once"):
        pool(sol, sol)


# --- missing, degenerate, wrong -------------------------------------------------------------------------------------


def test_missing_halves_are_dropped_counted_and_bounded():
    values = {"A": [0, 0, 1, 0], "B": [1, 1, 1, 0]}
    effect = one(table_of(values, ["x", "x", "y", "z"], missing=[(0, "B"), (3, "A"), (3, "B")]))
    assert (effect.n_pairs, effect.n_missing, effect.estimate) == (2, 2, 0.5)
    # worst: block 0 has B = 0, block 3 has B = 0, A = 1;  best: block 0 has B = 1, block 3 has B = 1, A = 0
    assert effect.bounds == (pytest.approx((0 + 1 + 0 - 1) / 4), pytest.approx((1 + 1 + 0 + 1) / 4))


def test_nothing_missing_leaves_no_room_for_bounds():
    effect = one(random_table(1))
    assert effect.bounds == (pytest.approx(effect.estimate), pytest.approx(effect.estimate))


def test_counts_without_an_upper_end_have_no_bounds():
    table = table_of({"A": [1, 5], "B": [2, 9]}, ["x", "y"], missing=[(0, "A")])
    assert one(table, Estimand("e", "y", "count", "B", "A")).bounds is None
    assert one(table, Estimand("e", "y", "count", "B", "A", upper=10)).bounds == (-2.0, 3.0)


def test_an_outcome_that_does_not_apply_is_not_missing():
    effect = one(table_of({"A": [0, None, 1], "B": [1, 1, None]}, ["x", "y", "z"]))
    assert (effect.n_pairs, effect.n_missing, effect.n_not_applicable) == (1, 0, 2)


def test_a_missing_arm_gives_a_reason_and_no_number():
    table = table_of({"A": [0, 1], "B": [1, 1]}, ["x", "y"], missing=[(0, "B"), (1, "B")])
    effect = one(table)
    assert (effect.estimate, effect.n_pairs, effect.n_missing, effect.supported) == (None, 0, 2, False)
    assert effect.sentence == "Cannot say: no complete pair."
    assert one(table[table["arm"] == "A"]).n_missing == 2


@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 1)])
def test_arms_at_0_or_100_percent_give_no_interval(a, b):
    effect = one(table_of({"A": [a] * 24, "B": [b] * 24}, labels(SIZES)))
    assert effect.estimate == 0
    assert not any(getattr(effect, m).is_known for m in ("percentile", "exact", "cr2", "studentised"))
    assert (effect.sign_flip_p, effect.supported) == (None, False)
    assert effect.sentence.startswith("Cannot say: no pair differs")
    assert effect.newcombe.low < 0 < effect.newcombe.high


def test_every_pair_moving_the_same_way_is_supported_without_a_size():
    effect = one(table_of({"A": [0] * 24, "B": [1] * 24}, labels(SIZES)))
    assert (effect.estimate, effect.percentile.status, effect.supported) == (1.0, "cannot_say", True)
    assert effect.sign_flip_p == 2 / 2**7
    assert "Its size has no interval" in effect.sentence


def test_one_cluster_says_so():
    effect = one(table_of({"A": [0, 1, 0], "B": [1, 1, 1]}, ["x"] * 3))
    assert (effect.percentile.status, effect.loo_low, effect.supported) == ("cannot_say", None, False)
    assert "one cluster (x)" in effect.percentile.reason
    assert "Cannot reach 0.05" in effect.sentence


def test_five_clusters_cannot_reach_the_level():
    effect = one(table_of({"A": [0] * 6, "B": [1, 1, 1, 1, 1, 0]}, ["a", "b", "c", "d", "e", "e"]))
    assert (effect.sign_flip_p, effect.supported) == (0.0625, False)
    assert "with 5 clusters the least p is 0.0625" in effect.sentence


def test_identical_arms_have_no_effect_and_no_interval():
    table = random_table(1)
    same = pd.concat(
        [table[table["arm"] == "A"], table[table["arm"] == "A"].assign(arm="B", unit_id=lambda t: t["unit_id"] + "x")]
    )
    effect = one(same)
    assert (effect.estimate, effect.percentile.low, effect.supported) == (0.0, None, False)


def test_duplicated_units_are_refused():
    table = random_table(1)
    with pytest.raises(DuplicateUnits, match="unit_id"):
        one(pd.concat([table, table.iloc[:1]]))
    renamed = table.iloc[:1].assign(unit_id="copy")
    with pytest.raises(DuplicateUnits, match=r"block_id \+ arm \+ repeat"):
        one(pd.concat([table, renamed]))


def test_a_block_in_two_clusters_is_refused():
    table = random_table(1)
    table.loc[0, "cluster"] = "elsewhere"
    with pytest.raises(TableProblem, match="'b00' is in 2 clusters"):
        one(table)


def test_missing_columns_and_impossible_values_are_named():
    with pytest.raises(TableProblem, match="no column z"):
        one(random_table(1), Estimand("e", "z", "binary", "B", "A"))
    with pytest.raises(TableProblem, match=r"'y' has 3\.0"):
        one(table_of({"A": [3], "B": [1]}, ["x"]))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "time"}, "needs the limit"),
        ({"kind": "rank"}, "rank"),
        ({"treatment": "A"}, "both 'A'"),
        ({"weights": {"A": 1.0, "B": 1.0}}, "sum to 2"),
        ({"weighting": "size"}, "size"),
    ],
)
def test_estimands_that_contradict_themselves_are_refused(fields, message):
    given = {"name": "e", "outcome": "y", "kind": "binary", "treatment": "B", "control": "A"}
    with pytest.raises(EstimandError, match=message):
        Estimand(**{**given, **fields})


def test_two_estimands_of_one_name_are_refused():
    with pytest.raises(ValueError, match="names must differ"):
        analyse(random_table(1), [BA, BA])


# --- what it says ---------------------------------------------------------------------------------------------------


def test_a_planted_effect_is_recovered():
    found = [one(random_table(seed, 0.05, 0.95)) for seed in range(20)]
    assert sum(effect.supported for effect in found) >= 17
    assert np.mean([effect.estimate for effect in found]) == pytest.approx(0.9, abs=0.05)


def test_a_a_finds_nothing():
    found = [one(random_table(100 + seed, 0.5, 0.5)) for seed in range(60)]
    assert sum(effect.supported for effect in found) <= 5


def test_arm_labels_permuted_within_blocks_lose_the_effect():
    table, rng = random_table(3, 0.05, 0.95), np.random.default_rng(0)
    supported = 0
    for _ in range(40):
        swapped = table.copy()
        flip = dict(zip(table["block_id"].unique(), rng.integers(0, 2, 24), strict=True))
        other = {"A": "B", "B": "A"}
        swapped["arm"] = [other[a] if flip[b] else a for a, b in zip(table["arm"], table["block_id"], strict=True)]
        supported += one(swapped).supported
    assert supported <= 4
    assert one(table).supported


def test_holm_binds_inside_a_family_only():
    rng = np.random.default_rng(5)
    table = table_of({"A": coin(rng, 0.2, 24), "B": coin(rng, 0.9, 24), "C": coin(rng, 0.9, 24)}, labels(SIZES))
    ba, cb, alone = analyse(
        table,
        [
            Estimand("BA", "y", "binary", "B", "A", family="timely"),
            Estimand("CB", "y", "binary", "C", "B", family="timely"),
            Estimand("alone", "y", "binary", "B", "A"),
        ],
        plan=PLAN,
    )
    assert ba.holm_p == pytest.approx(min(1.0, 2 * ba.sign_flip_p))
    assert cb.holm_p >= ba.holm_p
    assert alone.holm_p is None
    assert "exploratory" in alone.sentence
    assert "after max-T over 2 contrasts" in ba.sentence


def test_effects_are_json_without_nan_and_rows_are_flat():
    effects = analyse(random_table(1), [BA], plan=PLAN)
    text = json.dumps(effects_json(effects, plan=PLAN), allow_nan=False)
    assert json.loads(text)["effects"][0]["percentile"]["n_clusters"] == 7
    (row,) = effect_rows(effects)
    assert row["percentile_low"] == effects[0].percentile.low
    assert not any(isinstance(value, dict | tuple) for value in row.values())


def test_no_interval_anywhere_has_zero_width():
    rng = np.random.default_rng(0)
    for _ in range(60):
        sizes = rng.integers(1, 4, rng.integers(1, 6))
        n = int(sizes.sum())
        table = table_of({"A": coin(rng, 0.1, n), "B": coin(rng, 0.1, n)}, labels(sizes))
        effect = one(table)
        for method in ("percentile", "exact", "cr2", "studentised", "newcombe"):
            interval = getattr(effect, method)
            assert interval.is_known == (interval.low is not None and interval.high > interval.low)
            assert interval.is_known or interval.reason


def test_repeats_that_are_not_primary_enter_no_effect():
    table = table_of({"A": [0, 0], "B": [1, 0]}, ["x", "y"])
    again = table.assign(y=1.0, repeat=table["repeat"] + 1, unit_id=table["unit_id"] + "-again")
    both = pd.concat([table.assign(primary=True), again.assign(primary=False)])
    assert one(both) == one(table)


def test_the_table_of_stability_has_every_arm_and_all():
    primary = table_of({"A": [0, 1], "B": [1, 1]}, ["x", "y"]).assign(ending="won", other=[0, 1, 1, 1])
    later = primary[1:].assign(y=[0.0, 1.0, 1.0], ending=["won", "stopped", "won"])
    rows = stability_table(primary, later, ending=("ending", "other"), endpoints=("y", "absent"))
    found = {(row["arm"], row["endpoint"]): (row["n_repeated"], row["n_kept"]) for row in rows}
    assert found == {
        ("A", "ending"): (1, 1), ("A", "y"): (1, 0), ("B", "ending"): (2, 1), ("B", "y"): (2, 2),
        ("all", "ending"): (3, 2), ("all", "y"): (3, 2),
    }  # fmt: skip
    assert stability_table(primary, later[:0], ending=("ending", "other"), endpoints=("y",)) == []


def test_stability_counts_kept_endpoints():
    primary = table_of({"A": [0, 1, None]}, ["x", "y", "z"])
    repeats = pd.concat([primary, primary.assign(y=[1.0, 1.0, None])])
    (kept,) = stability(primary, repeats, ["y"])
    assert (kept.n_units, kept.n_kept) == (3, 2)
    assert kept.share.low < 2 / 3 < kept.share.high
