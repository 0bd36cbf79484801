"""What was planted in a simulated player is found again, and nothing is found where nothing was planted.

A/A means that two arms of a study are the same intervention. Two versions: with the seeds of a block shared, every
outcome must be equal to the last digit, so the name of an arm reaches nobody; with their own seeds, as studies have
them, the tests must stay silent as often as they promise. How often they may speak is stated beside each bound.
"""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hydra import compose, initialize_config_dir

from diag.analysis.effects import analyse
from diag.app.calibrate import repeat_tables
from diag.app.setup import Prepared, prepare
from diag.records.event_log import read_events
from diag.records.plan import derive_seed
from diag.studies.estimands import estimands_of, resample_plan
from diag.studies.registry import register

CONF = Path(__file__).parents[3] / "conf"
SAME_MEMORY = (
    "~study.arms.M1", "~study.arms.M2", "+intervention@study.arms.B=memory_none",
    "study.contrasts=[{treatment: B, control: M0}]",
)  # fmt: skip
INSIGHT = tuple(f"+agent.policy.propensities.{name}=1.0" for name in ("account_insight", "heed_account"))
"""A player whose account names the cause, and that keeps holes free because its memory says so."""
SAME_CELL = (
    *(f"intervention@study.arms.{cell}=cell_k0p0" for cell in ("K0P1", "K1P0", "K1P1")),
    "~intervention@study.arms.K0P1R", "~intervention@study.arms.K1P1R", "study.probes_at_s=[]",
)  # fmt: skip
STEADY = tuple(
    f"agent.policy.propensities.{one}"
    for one in ("skill=1.0", "misclick=0.0", "wander=0.0", "overreach=0.0", "forget=0.0")
)


def prepared(tmp_path: Path, experiment: str, *words: str) -> Prepared:
    register()
    common = ("agent=simulated/sol", "suite=rules", f"outputs={tmp_path}", "tracking=none", "study.analysis.draws=500")
    with initialize_config_dir(str(CONF), version_base=None):
        config = compose("config", [f"+experiment={experiment}", *common, *words], return_hydra_config=False)
    return prepare(config, cwd=tmp_path)


def played(one: Prepared, tmp_path: Path, *, share_seeds: bool) -> pd.DataFrame:
    """Return a row per unit, played in this process; with shared seeds, every arm of a block draws the same numbers."""
    rows = []
    for unit in one.plan.units:
        seed = derive_seed("planted", unit.block_id, "all arms", seed=0) if share_seeds else unit.seed
        log = tmp_path / f"{unit.unit_id}.jsonl"
        one.executor.execute(replace(unit, seed=seed), 1, log_path=log, pictures=tmp_path / "pictures")
        outcome = one.executor.grade(read_events(log), unit)
        assert outcome.validity == "valid"
        facts = {"elapsed_s": outcome.elapsed_s, "n_actions": outcome.n_actions, **outcome.endpoints}
        rows.append({"block_id": unit.block_id, "arm": unit.arm, **facts})
    return pd.DataFrame(rows)


def false_alarms(one: Prepared, tables: list[pd.DataFrame], *, names: str = "") -> tuple[int, int]:
    """Return how many effects have a sign-flip p below 0.05, and of how many."""
    effects = []
    for table in tables:
        frame = one.study.analysis_frame(table)
        estimands = [estimand for estimand in estimands_of(one.study, frame) if names in estimand.name]
        effects += analyse(frame, estimands, plan=resample_plan(one.study))
    return sum(effect.sign_flip_p is not None and effect.sign_flip_p < 0.05 for effect in effects), len(effects)


# --- A/A, seeds shared: equal to the last digit ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        ("rq3", ("study.sources=[F02,F13]", *SAME_MEMORY)),
        ("rq4", ("study.objectives=[color_connect/easy]", *SAME_CELL)),
    ],
)
def test_arms_of_one_intervention_and_one_seed_come_to_the_same_outcome(tmp_path, experiment, words):
    table = played(prepared(tmp_path, experiment, *words), tmp_path, share_seeds=True)
    assert table["n_actions"].min() > 3
    for _, rows in table.groupby("block_id"):
        assert len(rows) in (2, 4)
        assert len(rows.drop(columns="arm").drop_duplicates()) == 1, rows


# --- planted effects --------------------------------------------------------------------------------------------------


def test_an_account_that_names_the_cause_prevents_the_recurrence(tmp_path):
    words = ("study.sources=[F02,F07]", "~study.arms.M1", "study.contrasts=[{treatment: M2, control: M0}]", *INSIGHT)
    table = played(prepared(tmp_path, "rq3", *words), tmp_path, share_seeds=False)
    recurred = table.groupby("arm")["recurrence"].sum()
    assert (recurred["M0"], recurred["M2"]) == (2, 0)


@pytest.mark.slow
def test_the_effect_of_the_account_is_found_in_every_repetition_and_only_where_it_was_planted(tmp_path):
    """All 24 sources, three repetitions: M2 never recurs, so the effect is minus the rate of the other two arms."""
    one = prepared(tmp_path, "rq3", *INSIGHT, "study.endpoints=[recurrence]")
    tables = repeat_tables(one, 3)
    for table in tables:
        rates = table.groupby("arm")["recurrence"].mean()
        assert rates["M2"] == 0.0
        assert min(rates["M0"], rates["M1"]) >= 0.6
        effects = {e.name.rsplit(" ", 1)[1]: e for e in analyse(table, estimands_of(one.study, table))}
        for contrast in ("M2-M0", "M2-M1"):
            assert effects[contrast].estimate == pytest.approx(-rates[contrast[-2:]])
            assert effects[contrast].supported
            assert effects[contrast].percentile.high < -0.3
    # M1's summary says nothing that this player heeds; two or more alarms in three: probability 0.007
    assert false_alarms(one, tables, names="M1-M0")[0] <= 1


@pytest.mark.slow
def test_half_the_players_being_lost_without_the_card_costs_half_the_levels(tmp_path):
    """Twenty sessions a cell: K1 completes all levels, K0 a binomial share of sessions; 4 to 16 of 20 hold 99.7 %."""
    words = (
        "study.objectives=[truck_escape/default]", "study.repeats=20", "study.probes_at_s=[]", *STEADY,
        "+agent.policy.propensities.lost_without_card=0.5",
    )  # fmt: skip
    table = played(prepared(tmp_path, "rq4", *words), tmp_path, share_seeds=False)
    mean = table.groupby("arm")["lc"].mean()
    assert mean["K1P0"] == mean["K1P1"] == 1.0
    for cell in ("K0P0", "K0P1"):
        assert 4 / 20 <= mean[cell] <= 16 / 20
        assert set(table.loc[table["arm"] == cell, "lc"]) == {0.0, 1.0}


# --- A/A, seeds of their own: the tests stay silent -------------------------------------------------------------------


@pytest.mark.slow
def test_two_equal_memories_are_told_apart_as_seldom_as_promised(tmp_path):
    """24 sources of seven levels, twenty studies, recurrence and best progress.

    A sign-flip p below 0.05 in a true null happens at most once in twenty studies on average; four or more of twenty
    happen with probability 0.016. So this fails for a healthy program once in sixty changes of the seeds at most, and
    almost surely for one that lets the arm leak: the planted account above is found in every single study.
    """
    short = ("study.limits.takeover_s=150", "study.endpoints=[recurrence,best_progress]")
    one = prepared(tmp_path, "rq3", *SAME_MEMORY, *short)
    tables = repeat_tables(one, 20)
    for endpoint in ("recurrence", "best_progress"):
        found, n = false_alarms(one, tables, names=endpoint)
        assert n == 20
        assert found <= 3, (endpoint, found)
    recurred = pd.concat(tables).groupby("arm")["recurrence"].mean()
    assert abs(recurred["B"] - recurred["M0"]) < 4 * (2 * 0.25 / 480) ** 0.5  # four standard errors of 480 units an arm


@pytest.mark.slow
def test_four_equal_cells_are_told_apart_as_seldom_as_promised(tmp_path):
    """Eight objectives, five studies, three independent contrasts: 15 tests; four or more alarms: probability 0.005."""
    objectives = (
        "bolt_unscrew/easy,color_connect/easy,color_connect/hard,maze_paint/easy,maze_paint/medium,rush_hour/easy,"
        "rush_hour/medium,truck_escape/default"
    )
    one = prepared(tmp_path, "rq4", *SAME_CELL, f"study.objectives=[{objectives}]", "study.endpoints=[lc]")
    tables = repeat_tables(one, 5)
    counts = [false_alarms(one, tables, names=name) for name in ("main K", "main P", "interaction")]
    assert [n for _, n in counts] == [5, 5, 5]
    assert sum(found for found, _ in counts) <= 3


@pytest.mark.slow
def test_calibration_gives_the_coverage_that_its_caption_promises(diag, tmp_path):
    """mode=calibrate on an A/A of RQ3: seven clusters, so about 87 % for the percentile interval and 95 % for t."""
    words = (
        "+experiment=rq3", "agent=simulated/sol", "suite=rules", f"outputs={tmp_path}", "tracking=none",
        *SAME_MEMORY, "study.endpoints=[recurrence]", "study.limits.takeover_s=150",
        "mode=calibrate", "calibrate_repeats=6",
    )  # fmt: skip
    assert diag(*words) == 0
    (path,) = tmp_path.rglob("calibration.json")
    runs, direct, null = json.loads(path.read_text())["calibrations"]
    assert (runs["studies"], direct["studies"], null["studies"]) == (6, 1000, 1000)
    assert (runs["n_clusters"], runs["n_blocks"]) == (direct["n_clusters"], direct["n_blocks"]) == (7, 24)
    assert direct["truth"] == pytest.approx(runs["truth"], abs=1e-9)  # two ways to one number: pairs, and arms' rates
    methods = {one["method"]: one for one in null["methods"]}
    assert null["truth"] == 0.0
    assert 0.84 <= methods["percentile"]["coverage"]["estimate"] <= 0.91
    assert 0.93 <= methods["cr2"]["coverage"]["estimate"] <= 0.97
    assert methods["sign_flip"]["reject_share"] <= 0.05 + 3 * (0.05 * 0.95 / 1000) ** 0.5
