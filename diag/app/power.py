"""What a plan can find, worked out before any outcome, printed with the plan and kept beside it for the report.

`power.json` is no part of the plan's identity: it says what a plan is worth under stated assumptions; nothing reads it
but the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diag.errors import CorruptRecord

if TYPE_CHECKING:
    from diag.analysis.power import PlannedPower
    from diag.app.setup import Prepared
    from diag.records.study_folder import StudyFolder

FILE = "power.json"
STUDIES = 500
"""Simulated studies a figure; its standard error is at most 2.2 points."""


def planned_powers(prepared: Prepared) -> tuple[PlannedPower, ...]:
    """Return the power of each cohort's contrasts; one a contrast, as a study's endpoints share their blocks."""
    import numpy as np

    from diag.analysis.power import planned_power
    from diag.analysis.simulate import Assumptions
    from diag.studies.estimands import estimands_of

    first: dict[tuple[str, str], Any] = {}
    for estimand in estimands_of(prepared.study):
        if estimand.kind != "binary" or not estimand.treatment or not estimand.control:
            continue
        first.setdefault((str(estimand.cohort), f"{estimand.treatment}-{estimand.control}"), estimand)
    rate = prepared.study.analysis.planned_control_rate
    assumed = Assumptions({estimand.control: rate for estimand in first.values()})
    return planned_power(
        prepared.plan.units, list(first.values()), assumed, rng=np.random.default_rng(0), studies=STUDIES
    )


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
