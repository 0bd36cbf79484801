"""`mode=calibrate`: what the study's intervals and tests are worth, on repeated runs of itself with known propensities.

The study is repeated on the rules alone with its simulated agent (`calibrate_repeats` times, new seeds each time). The
arms' rates found there feed the direct simulation of `diag.analysis.plan_calibration`, a thousand studies with and
without an effect, which is what gives a false-positive rate. Result: `tables/calibration.json`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.table import Table

from diag.analysis.calibrate import WHICH_QUESTION, Calibration, calibrate_runs
from diag.analysis.estimand import Estimand
from diag.analysis.plan_calibration import calibrate_plan
from diag.analysis.simulate import Assumptions
from diag.app.display import Display
from diag.app.setup import Prepared
from diag.errors import ConfigError
from diag.grading.table import outcome_table
from diag.records import Plan
from diag.records.event_log import read_events
from diag.records.plan import derive_seed
from diag.running.executor import StudyExecutor
from diag.running.lock import study_lock
from diag.studies.estimands import estimands_of, observed, resample_plan

SHARES = ("binary", "proportion")
"""Kinds of endpoints that are calibrated on the repeated runs; the direct simulation knows yes/no endpoints alone."""


@dataclass(frozen=True)
class Repeat:
    """Runs one repetition of a study; picklable."""

    plan: Plan
    executor: StudyExecutor
    seed: int

    def __call__(self, number: int) -> pd.DataFrame:
        """Return the outcome table of repetition `number`, played on the rules alone."""
        outcomes = []
        with tempfile.TemporaryDirectory() as scratch:
            for unit in self.plan.units:
                log = Path(scratch) / f"{unit.unit_id}.jsonl"
                seed = derive_seed(self.plan.study, unit.unit_id, f"calibrate-{number}", seed=self.seed)
                self.executor.execute(replace(unit, seed=seed), 1, log_path=log, pictures=Path(scratch) / "pictures")
                outcomes.append(self.executor.grade(read_events(log), unit))
        agent = self.executor.agent
        return outcome_table(self.plan, outcomes, agent=agent.name, simulated=agent.simulated).frame


def calibrate(prepared: Prepared, show: Display) -> int:
    """Repeat, estimate, write, print.

    Raises:
        ConfigError: the agent is no simulated one, there is no contrast, or fewer than two repeats are asked for.
    """
    repeats = prepared.config.calibrate_repeats
    if not prepared.agent.simulated:
        raise ConfigError(f"mode=calibrate needs a simulated agent, whose truth is known; found {prepared.agent.name}")
    if repeats < 2:
        raise ConfigError(f"calibrate_repeats: found {repeats}, wanted at least 2")
    if not any(prepared.study.contrasts_for(cohort) for cohort in prepared.study.cohorts):
        raise ConfigError(f"study {prepared.study.name} declares no contrast, so there is nothing to calibrate")
    tables = repeat_tables(prepared, repeats)
    study = prepared.study
    frame = study.kind.analysis_frame
    estimands = [one for one in observed(estimands_of(study), frame(tables[0])) if one.kind in SHARES]
    runs = calibrate_runs(
        lambda number: frame(tables[number]),
        estimands,
        studies=repeats,
        plan=resample_plan(study),
        assumptions=f"{prepared.agent.name}, rules only",
    )
    direct = _direct(prepared, estimands, pd.concat(tables))
    with study_lock(prepared.folder):
        content = [one.to_json() for one in (*runs, *direct)]
        prepared.folder.write_record("tables/calibration.json", {"calibrations": content})
    show.console.print(_table(f"{repeats} repetitions of the study itself (rules only)", runs))
    show.console.print(_table("1000 simulated studies per line, at the rates found", direct))
    show.note(WHICH_QUESTION)
    return 0


def repeat_tables(prepared: Prepared, repeats: int) -> list[pd.DataFrame]:
    """Return the outcome tables of so many repetitions of a study, each with seeds of its own, on the rules alone."""
    from joblib import Parallel, delayed

    executor = replace(prepared.executor, station=replace(prepared.executor.station, browser=False))
    repeat = Repeat(prepared.plan, executor, prepared.study.seed)
    tables: list[pd.DataFrame] = Parallel(n_jobs=prepared.workers.n_jobs)(delayed(repeat)(n) for n in range(repeats))
    return tables


def _direct(prepared: Prepared, estimands: Sequence[Estimand], tables: pd.DataFrame) -> list[Calibration]:
    """Calibrate each contrast at its own endpoint's rates."""
    rng = np.random.default_rng(prepared.study.analysis.seed)
    found: list[Calibration] = []
    for estimand in (one for one in estimands if one.kind == "binary"):
        rows = tables[tables["cohort"] == estimand.cohort]
        means = rows.groupby("arm")[estimand.outcome].mean().dropna()
        rates = {str(arm): float(np.clip(rate, 0.0, 1.0)) for arm, rate in means.items()}
        plan = resample_plan(prepared.study)
        found += calibrate_plan(prepared.plan.units, [estimand], Assumptions(rates), rng=rng, studies=1_000, plan=plan)
    return found


def _table(title: str, calibrations: Sequence[Calibration]) -> Table:
    table = Table(title=title, title_justify="left")
    heads = ("percentile, new levels", "these", "CR2, new levels", "these", "cannot say", "sign-flip finds an effect")
    for name in ("contrast", "truth", *heads):
        table.add_column(name, justify="left" if name == "contrast" else "right")
    for one in calibrations:
        percentile, t, test = one.method("percentile"), one.method("cr2"), one.method("sign_flip")
        table.add_row(
            one.contrast,
            f"{100 * one.truth:+.1f}",
            *(_share(share) for one in (percentile, t) for share in (one.coverage, one.coverage_here)),
            f"{percentile.cannot_say_share:.0%}",
            f"{test.reject_share:.1%}",
        )
    return table


def _share(interval: Any) -> str:
    return "-" if interval is None or interval.estimate is None else f"{interval.estimate:.1%}"
