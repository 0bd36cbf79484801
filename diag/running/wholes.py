"""Validity by whole evaluation units: a technical failure in one of its units discards all of them.

Replacing only what was interrupted prefers runs that end soon. A kind of study may therefore say which evaluation unit
a unit belongs to; then every finished attempt of an evaluation unit in which the apparatus failed is discarded, stays
on disk with its reason, and is made again. Source: document 004, "Technical interruptions".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from diag.records import Unit
from diag.records.study_folder import AttemptStatus, StudyFolder

Whole = Callable[[Unit], str]
"""Name of the evaluation unit that a unit belongs to; empty: it stands for itself, and its own attempts decide."""


def alone(unit: Unit) -> str:
    """Let every unit stand for itself."""
    del unit
    return ""


def wholes(units: Sequence[Unit], whole: Whole) -> Mapping[str, tuple[Unit, ...]]:
    """Return the units of every evaluation unit, in plan order."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        if name := whole(unit):
            found.setdefault(name, []).append(unit)
    return {name: tuple(members) for name, members in found.items()}


def discard_broken(units: Sequence[Unit], folder: StudyFolder, whole: Whole) -> tuple[str, ...]:
    """Discard what is finished of every evaluation unit that has failed since it was last made; return their names.

    Killed at any point, it is taken up by the next call: a failure is settled last, when all else is discarded.
    """
    broken = []
    for name, members in wholes(units, whole).items():
        tries = [status for unit in members for status in folder.attempts(unit.unit_id)]
        failed = [one for one in tries if _is_failure(one) and not folder.is_discarded(one.unit_id, one.attempt)]
        if not failed:
            continue
        first = failed[0]
        why = f"{name} was discarded: {first.unit_id} failed with {first.failure_kind}: {first.message}"
        for one in tries:
            if one.validity == "valid":
                folder.discard(one.unit_id, one.attempt, why)
        for one in failed:
            folder.discard(one.unit_id, one.attempt, why)
        broken.append(name)
    return tuple(broken)


def hopeless(
    units: Sequence[Unit], folder: StudyFolder, whole: Whole, max_attempts: int, earlier: Mapping[str, int]
) -> frozenset[str]:
    """Return the evaluation units with a unit that has used up its tries of this run: the others wait for nothing."""
    found = set()
    for name, members in wholes(units, whole).items():
        for unit in members:
            tried = folder.attempts(unit.unit_id)[earlier[unit.unit_id] :]
            failures = [one for one in tried if _is_failure(one)]
            if len(failures) >= max_attempts and not any(one.validity == "valid" for one in tried):
                found.add(name)
    return frozenset(found)


def _is_failure(status: AttemptStatus) -> bool:
    """Tell whether the apparatus failed in this attempt itself."""
    return status.validity != "valid" and status.failure_kind != "discarded"
