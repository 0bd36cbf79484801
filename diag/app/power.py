"""What a plan can find, worked out before any outcome, printed with the plan and kept beside it for the report.

`power.json` is no part of the plan's identity: it says what a plan is worth under stated assumptions; nothing reads it
but the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from diag.analysis.planned import PlannedFamily, planned_family
from diag.analysis.power import PlannedPower, families, planned_power
from diag.analysis.signflip import least_p
from diag.analysis.simulate import Assumptions
from diag.analysis.wording import ALPHA
from diag.app.setup import Prepared
from diag.errors import CorruptRecord
from diag.grading.table import outcome_table
from diag.records.study_folder import StudyFolder
from diag.studies.estimands import estimands_of

if TYPE_CHECKING:
    import pandas as pd


FILE = "power.json"
STUDIES = 500
"""Simulated studies a figure; its standard error is at most 2.2 points."""


def planned_powers(prepared: Prepared) -> tuple[PlannedPower, ...]:
    """Return the power of everything the study estimates, by simulating its own analysis."""
    import numpy as np

    rates = planned_rates(prepared)
    rng = np.random.default_rng(0)
    return planned_power(
        _planned_table(prepared), estimands_of(prepared.study), Assumptions(rates), rng=rng, studies=STUDIES
    )


def planned_rates(prepared: Prepared) -> dict[str, float]:
    """Return the share of a yes/no endpoint that planning assumes, by arm: what is stated, and the control's."""
    study = prepared.study
    return {study.control: study.analysis.planned_control_rate, **study.analysis.planned_rates}


def out_of_reach(families: Sequence[PlannedFamily]) -> str:
    """Return a line naming the contrasts that no outcome can support, by their least p; empty if there is none."""
    found: dict[str, str] = {}
    for family in families:
        for one in family.contrasts:
            if one.n_blocks and least_p(one.n_clusters) >= ALPHA:
                name = f"{one.estimand.cohort} {one.estimand.label}"
                found[name] = f"{name} (least p {least_p(one.n_clusters):.3g})"
    if not found:
        return ""
    return f"NO outcome of this plan can support: {', '.join(found.values())}; fewer than six clusters never can"


def planned_families(prepared: Prepared) -> list[PlannedFamily]:
    """Return what the study estimates, family by family, over its planned blocks."""
    table = _planned_table(prepared)
    return [planned_family(table, members) for members in families(estimands_of(prepared.study))]


def _planned_table(prepared: Prepared) -> pd.DataFrame:
    """Return the outcome table of a plan without any outcome: where every unit belongs."""
    table = outcome_table(prepared.plan, (), agent=prepared.agent.name, simulated=prepared.agent.simulated)
    return prepared.study.kind.analysis_frame(table.frame)


def keep_power(prepared: Prepared, powers: tuple[PlannedPower, ...] | None = None) -> None:
    """Write the power beside the plan it is of. Once there is an outcome, what was written for this plan stays.

    A damaged file is written anew: all of it follows from the plan.

    Args:
        prepared: the plan.
        powers: its `planned_powers`, if they were worked out already.
    """
    begun = prepared.folder.has_outcomes()
    of_what = {
        "plan_hash": prepared.plan.plan_hash,
        "planned_control_rate": prepared.study.analysis.planned_control_rate,
        "planned_rates": dict(prepared.study.analysis.planned_rates),
        "studies": STUDIES,
    }
    kept = _kept(prepared.folder)
    if of_what.items() <= kept.items() or (begun and kept.get("plan_hash") == of_what["plan_hash"]):
        return
    contrasts = [power.to_json() for power in (planned_powers(prepared) if powers is None else powers)]
    prepared.folder.write_record(FILE, {**of_what, "before_any_outcome": not begun, "contrasts": contrasts})


def _kept(folder: StudyFolder) -> dict[str, Any]:
    """Return what was written before; empty if there is nothing or it is damaged."""
    try:
        return folder.read_record(FILE)
    except (CorruptRecord, OSError):
        return {}
