"""The power of a plan: simulated studies are decided as the report decides, and the figures are what they say."""

import numpy as np
import pandas as pd
import pytest
from tables import labels, table_of

from diag.analysis import planned as planned_module
from diag.analysis.clusters import ResamplePlan
from diag.analysis.effects import analyse
from diag.analysis.estimand import Estimand
from diag.analysis.planned import decide, planned_family, supported_studies
from diag.analysis.power import planned_power
from diag.analysis.simulate import Assumptions, block_outcomes
from diag.studies.knowledge_workflow.estimands import workflow_estimands

RQ2 = (10, 4, 2, 2, 2, 2, 2)


def plan_of(sizes, arms="ABC", *, repeats=1, games=None):
    """The table of a plan: where every unit belongs, and no outcome."""
    rows = [
        {"unit_id": f"b{b}-{arm}-{r}", "block_id": f"b{b:02}", "cohort": "D", "arm": arm, "cluster": level, "repeat": r}
        | ({} if games is None else {"game": games[b]})
        for b, level in enumerate(labels(sizes)) for arm in arms for r in range(repeats)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def asked(treatment, control, *, kind="binary", family="f", outcome="y"):
    limit = 300.0 if kind == "time" else None
    return Estimand(
        f"{outcome} {treatment}-{control}", outcome, kind, treatment, control, "D", family=family, limit=limit
    )


def power(sizes, estimands, assumptions, *, studies=500, **shape):
    rng = np.random.default_rng(0)
    return planned_power(plan_of(sizes, **shape), estimands, assumptions, rng=rng, studies=studies)


FAMILY = [asked("B", "A"), asked("C", "B")]


@pytest.mark.parametrize("sizes", [RQ2, (1, 1, 1, 1, 1, 1), (3, 2, 2, 1, 1, 1, 1, 1, 1)])
def test_a_simulated_study_is_decided_as_the_report_decides(sizes, monkeypatch):
    draws = ResamplePlan(draws=300)
    monkeypatch.setattr(planned_module, "DRAWS", draws)
    family = planned_family(plan_of(sizes), FAMILY)
    outcomes = block_outcomes(
        np.array([0.97, 0.05, 0.6]), family.independent, family.repeats, Assumptions(), binary=True, studies=12,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    verdicts = np.stack([decide(family, place, {"y": outcomes}) for place in (0, 1)])
    for study in range(12):
        arms = {arm: outcomes[:, at, study].tolist() for at, arm in enumerate(family.arms)}
        effects = analyse(table_of(arms, labels(sizes)), FAMILY, plan=draws)
        assert [effect.supported for effect in effects] == verdicts[:, study].tolist()
    assert verdicts[0].any()


def test_groups_are_decided_by_their_means():
    games = ["bolt", "bolt", "cars", "maze", "maze", "nuts", "cars", "truck", "wool", "wool"]
    cells = workflow_estimands("y", "proportion", cohort="D", group="game", family="f")
    table = plan_of((1,) * 10, cells[0].arm_weights.keys() | cells[1].arm_weights.keys(), games=games)
    family = planned_family(table, cells)
    assert [one.n_clusters for one in family.contrasts] == [6] * 7
    rng = np.random.default_rng(0)
    outcomes = np.clip(0.5 + 0.2 * rng.standard_normal((10, 4, 6)) + 0.3 * np.array([0, 0, 1, 1])[:, None], 0, 1)
    arms = {arm: at for at, arm in enumerate(family.arms)}
    names = [f"level{n}" for n in range(10)]
    for study in range(6):
        values = {arm: outcomes[:, at, study].tolist() for arm, at in arms.items()}
        frame = table_of(values, names).assign(game=lambda rows: [games[int(one[1:])] for one in rows["block_id"]])
        effects = analyse(frame, cells, plan=planned_module.DRAWS)
        for place, effect in enumerate(effects):
            assert effect.supported == decide(family, place, {"y": outcomes[:, :, [study]]})[0]


@pytest.mark.parametrize(("sizes", "rate"), [((4,) * 16, 0.2), (RQ2, 0.1)])
def test_the_least_effect_has_the_power_it_promises(sizes, rate):
    """Sixteen clusters of four: the t test that once stood here promised 80 % and the analysis had 72."""
    alone = [asked("B", "A", family=None)]
    (found,) = power(sizes, alone, Assumptions({"A": rate}), studies=1_000)
    family = planned_family(plan_of(sizes), alone)
    means = {"y": np.array([rate + found.minimum_detectable, rate])}
    again = supported_studies(family, 0, means, Assumptions(), studies=2_000, rng=np.random.default_rng(9))
    assert found.n_blocks == sum(sizes)
    assert 0.75 < again.mean() < 0.88  # twice the Monte Carlo error of both (1.3 and 0.9 points), and the search's step


def test_a_family_costs_power_and_an_arm_that_is_stated_has_its_rate():
    (alone,) = power((3,) * 8, [asked("B", "A", family=None)], Assumptions({"A": 0.2}))
    family = power((3,) * 8, FAMILY, Assumptions({"A": 0.2, "B": 0.9}))
    assert alone.minimum_detectable < family[0].minimum_detectable
    assert [one.family_size for one in family] == [2, 2]
    assert "a decrease" in family[1].sentence  # from B at 90 % there is no room above
    assert "B 90%" in family[1].assumptions


def test_endpoints_of_one_shape_share_a_record_and_other_kinds_are_in_standard_deviations():
    endpoints = [asked("B", "A", family=name, outcome=name) for name in ("won", "restarted")]
    slow = asked("B", "A", family="slow", outcome="slow", kind="time")
    yes_no, time = power((4,) * 12, [*endpoints, slow], Assumptions(icc=0.0))
    assert yes_no.endpoints == ("won", "restarted")
    # 48 pairs whose difference has SD sqrt(2): the z test needs (1.96 + 0.84) sqrt(2 / 48) = 0.57; twelve clusters more
    assert 0.55 < time.minimum_detectable < 0.74
    assert time.unit == "standard deviations of the outcome"
    (more,) = power((4,) * 12, [slow], Assumptions(icc=0.0), repeats=4)
    assert more.minimum_detectable == pytest.approx(time.minimum_detectable / 2, abs=0.05)


def test_five_clusters_can_support_nothing_and_six_can_in_a_family_of_any_size():
    few, _ = power((8,) * 5, FAMILY, Assumptions())
    assert (few.smallest_p, few.minimum_detectable, few.can_support) == (0.0625, None, False)
    assert (
        few.sentence
        == "40 blocks in 5 clusters: the least p is 0.0625, so the test cannot reach 0.05; plan more clusters."
    )
    six, _ = power((8,) * 6, FAMILY, Assumptions({"A": 0.1}))
    assert six.can_support
    assert "Holm's correction could never find one" in six.sentence
    assert six.power_at[-1][1] > 0.5


def test_only_blocks_with_both_arms_count():
    table = plan_of((2, 1, 3))
    table = table[~((table["cluster"] == "level2") & (table["arm"] == "B"))]
    family = planned_family(table, FAMILY)
    assert [(one.n_blocks, one.n_clusters) for one in family.contrasts] == [(3, 2), (3, 2)]
    (nothing,) = power((2, 2), [asked("B", "Z", family=None)], Assumptions())
    assert nothing.sentence.startswith("No complete block")
