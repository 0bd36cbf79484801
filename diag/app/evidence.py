"""Checks that what lies in a study folder is this study, before anything is run on it or computed from it."""

from __future__ import annotations

from collections.abc import Iterable

from diag.errors import CorruptRecord, IdentityError
from diag.records import Plan
from diag.records.sealed import read_marked, read_text
from diag.records.study_folder import CONFIG, MANIFEST, StudyFolder


def check_files(folder: StudyFolder, plan: Plan) -> None:
    """Check the block records and the texts beside the plan; logs and outcomes are checked as they are read.

    Raises:
        CorruptRecord: a block's record is missing, changed or another plan's; the manifest or the configuration is
            not what a run writes.
    """
    for block_id in dict.fromkeys(unit.block_id for unit in plan.units):
        found = folder.read_record(f"blocks/{block_id}.json").get("plan_hash")
        if found != plan.plan_hash:
            raise CorruptRecord(
                f"{folder.root}/blocks/{block_id}.json is of plan {str(found)[:12]}, wanted {plan.plan_hash[:12]}"
            )
    for name, read in ((MANIFEST, read_marked), (CONFIG, read_text)):
        path = folder.root / name
        try:
            if path.is_file():
                read(path)
        except CorruptRecord as error:
            raise CorruptRecord(f"{error}; mode=run writes it again") from error


def has_foreign_attempts(folder: StudyFolder, unit_ids: Iterable[str], plan_hash: str) -> bool:
    """Tell whether a folder whose plan is gone holds attempts of another plan, none of them valid.

    Raises:
        IdentityError: one of them is valid; outcomes are never mixed with those of another plan.
    """
    attempts = [status for name in unit_ids for status in folder.attempts(name)]
    foreign = [status for status in attempts if status.plan_hash != plan_hash]
    for status in foreign:
        if status.validity == "valid":
            raise IdentityError(
                f"{folder.root} has no plan.json, and {status.unit_id} was run under plan {status.plan_hash[:12]}, not "
                f"{plan_hash[:12]}; give this study another name with study.name=NAME, or restore plan.json"
            )
    return bool(foreign)
