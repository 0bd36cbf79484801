"""`python -m diag serving STUDY`: the paired contrasts of a study among pairs that one serving endpoint answered.

Two addresses may serve one model with the same settings. Every decision records a label of the address that answered
it (its API and a digest, never the address); here a pair counts if both of its units were answered by the same one.
Prints CSV: per cohort, contrast and endpoint the sums (of yes/no endpoints: counts) in both arms, and how many pairs
rise, fall, or span endpoints. Source: first source document, RQ2 "Estimation".
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.errors import DiagError
from diag.records import Event, Plan
from diag.records.csv_text import csv_text
from diag.records.study_folder import StudyFolder
from diag.terminal import say

COLUMNS = ("cohort", "contrast", "endpoint", "served_by", "pairs", "control", "treatment", "up", "down", "spanning")
ALL = "shared"
"""Pairs of every address together, each within its own."""


@dataclass(frozen=True)
class Served:
    """One unit with a valid outcome."""

    cohort: str
    block: tuple[str, int]
    """Block and repeat: what is compared pair by pair."""
    arm: str
    served_by: str | None
    """None: by several addresses, or the log names none (a simulated agent)."""
    endpoints: Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Print the table; return 0."""
    parser = argparse.ArgumentParser(prog="python -m diag serving", description=__doc__)
    parser.add_argument("study", type=Path, help="folder of a study of a model")
    say(serving_table(parser.parse_args(arguments).study).removesuffix("\n"))
    return 0


def serving_table(folder: Path) -> str:
    """Return the CSV. Raises DiagError: no study, or none of its decisions names what answered it."""
    study = StudyFolder(folder)
    if not study.has_plan():
        raise DiagError(f"{folder} holds no study")
    plan = study.read_plan()
    units = []
    for unit in plan.units:
        status = study.primary(unit.unit_id)
        if status is not None:
            label = served_by(study.read_events(status))
            ends = study.read_outcome(status).endpoints
            units.append(Served(unit.cohort, (unit.block_id, unit.repeat), unit.arm, label, ends))
    if all(unit.served_by is None for unit in units):
        raise DiagError(f"{folder}: no decision names the endpoint that answered it; wanted a study of a model")
    return csv_text(COLUMNS, lines_of(units, contrasts_of(plan)))


def served_by(events: Sequence[Event]) -> str | None:
    """Return the label of the one address that answered all decisions of an attempt, else None."""
    usages = (event.data.get("usage") or {} for event in events if event.kind == "decision")
    labels = {usage.get("endpoint") for usage in usages}
    return labels.pop() if len(labels) == 1 else None


def contrasts_of(plan: Plan) -> dict[str, list[tuple[str, str]]]:
    """Return the declared contrasts of each cohort as (treatment, control)."""
    arms = {unit.arm for unit in plan.units}
    declared: Mapping[str, Sequence[str]] = plan.identity["study"]["contrasts"]
    return {
        cohort: [(name[:place], name[place + 1 :]) for name in names for place, letter in enumerate(name)
                 if letter == "-" and {name[:place], name[place + 1 :]} <= arms]
        for cohort, names in declared.items()
    }  # fmt: skip


def lines_of(units: Sequence[Served], contrasts: Mapping[str, Sequence[tuple[str, str]]]) -> list[dict[str, Any]]:
    """Return a line per cohort, contrast and endpoint for each address and for all pairs that share theirs."""
    lines = []
    for cohort, pairs in contrasts.items():
        blocks: dict[tuple[str, int], dict[str, Served]] = {}
        for unit in units:
            if unit.cohort == cohort:
                blocks.setdefault(unit.block, {})[unit.arm] = unit
        for treatment, control in pairs:
            both = [(found[treatment], found[control]) for found in blocks.values() if {treatment, control} <= {*found}]
            lines += [{"cohort": cohort, "contrast": f"{treatment}-{control}", **line} for line in _lines(both)]
    return lines


def _lines(both: Sequence[tuple[Served, Served]]) -> list[dict[str, Any]]:
    shared = [pair for pair in both if pair[0].served_by is not None and pair[0].served_by == pair[1].served_by]
    labels = sorted({str(one.served_by) for one, _ in shared})
    found = []
    for name in dict.fromkeys(name for pair in both for name in pair[0].endpoints):
        for label in (ALL, *(labels if len(labels) > 1 else ())):
            values = [
                (float(one.endpoints[name]), float(other.endpoints[name]))
                for one, other in shared
                if label in (ALL, one.served_by) and None not in (one.endpoints[name], other.endpoints.get(name))
            ]
            if values:
                found.append(
                    {"endpoint": name, "served_by": label, **_sums(values), "spanning": len(both) - len(shared)}
                )
    return found


def _sums(values: Sequence[tuple[float, float]]) -> dict[str, Any]:
    return {
        "pairs": len(values),
        "control": round(sum(control for _, control in values), 6),
        "treatment": round(sum(treated for treated, _ in values), 6),
        "up": sum(treated > control for treated, control in values),
        "down": sum(treated < control for treated, control in values),
    }
