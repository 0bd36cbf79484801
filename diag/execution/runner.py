"""Runs a plan to its end: what is missing, in plan order, with replacements, through kills and dead workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from diag.errors import StudyFailed
from diag.execution.attempt import Job, failed_outcome
from diag.execution.backend import Assignment, Workers, WorkersDied
from diag.execution.process import wait_until_gone
from diag.execution.progress import Progress
from diag.records import Plan, Unit
from diag.study_folder import AttemptStatus, StudyFolder

MAX_IDLE_CRASHES = 3
"""Times that workers may die without any unit in flight before the run gives up."""


@dataclass(frozen=True)
class RunSummary:
    """What a run left behind."""

    n_units: int
    n_valid: int
    n_failures: int
    """Infrastructure failures in the whole history of the study."""
    incomplete: tuple[str, ...]
    """Units without a valid attempt after all tries."""
    commonest: str = ""
    """The most frequent reason of those failures, with its count; empty if there was none."""


def run_plan(plan: Plan, job: Job, workers: Workers, *, max_attempts: int, show: Progress) -> RunSummary:
    """Run every unit of the plan that has no valid attempt; the caller holds the study's lock.

    Infrastructure failures are tried again under the same assignment, after all other units had their turn. When a
    worker dies, the units that were in flight are run again one at a time, so that only the one that kills its worker
    is charged with it.

    Raises:
        StudyFailed: after a whole round not one attempt of the study is valid.
        DiagError: the disk or the configuration.
    """
    folder = job.folder
    folder.set_aside_partials(tuple(unit.unit_id for unit in plan.units))
    idle_crashes = 0
    while todo := missing(plan, folder, max_attempts):
        try:
            for status in workers.run(job, todo):
                show.attempt(status)
        except WorkersDied as death:
            suspects = _in_flight(todo, folder)
            idle_crashes = 0 if suspects else idle_crashes + 1
            if idle_crashes >= MAX_IDLE_CRASHES:
                raise StudyFailed(f"worker processes keep dying before they begin a unit: {death}") from death
            _alone(suspects, job, workers, show)
        else:
            _require_any_valid(plan, folder)
    _require_any_valid(plan, folder)
    return summary(plan, folder)


def missing(plan: Plan, folder: StudyFolder, max_attempts: int) -> tuple[Assignment, ...]:
    """Return the units without a valid attempt and with tries left, in plan order, each with its next attempt."""
    todo: list[Assignment] = []
    for unit in plan.units:
        attempts = folder.attempts(unit.unit_id)
        if len(attempts) < max_attempts and not any(status.validity == "valid" for status in attempts):
            todo.append((unit, len(attempts) + 1))
    return tuple(todo)


def summary(plan: Plan, folder: StudyFolder) -> RunSummary:
    """Count what is on disk."""
    history = {unit.unit_id: folder.attempts(unit.unit_id) for unit in plan.units}
    incomplete = tuple(name for name, tries in history.items() if not any(one.validity == "valid" for one in tries))
    n_failures = sum(one.validity != "valid" for tries in history.values() for one in tries)
    n_valid = len(plan.units) - len(incomplete)
    commonest = commonest_failure([status for tries in history.values() for status in tries])
    return RunSummary(len(plan.units), n_valid, n_failures, incomplete, commonest)


def commonest_failure(attempts: Sequence[AttemptStatus]) -> str:
    """Return the most frequent failure kind and, of that kind, the most frequent message, each with its count."""
    failed = [one for one in attempts if one.validity != "valid"]
    if not failed:
        return ""
    kind, n_kind = Counter(one.failure_kind for one in failed).most_common(1)[0]
    messages = Counter(" ".join(one.message.split()) for one in failed if one.failure_kind == kind)
    message, n_message = messages.most_common(1)[0]
    return f"{n_kind} of {len(failed)} are {kind}, {n_message} of them: {message or 'no message'}"


def _in_flight(todo: Sequence[Assignment], folder: StudyFolder) -> tuple[Assignment, ...]:
    """Return the assignments that a dead pool left half done, once their processes are gone."""
    left = {unit.unit_id: (unit, attempt) for unit, attempt in todo if folder.partials(unit.unit_id)}
    pids = tuple(pid for name in left for pid in folder.partial_pids(name))
    wait_until_gone(pids, timeout_s=10.0)
    folder.set_aside_partials(tuple(left))
    return tuple(assignment for name, assignment in left.items() if not folder.primary(name))


def _alone(suspects: Sequence[Assignment], job: Job, workers: Workers, show: Progress) -> None:
    for unit, attempt in suspects:
        try:
            for status in workers.run(job, ((unit, attempt),), isolated=True):
                show.attempt(status)
        except WorkersDied as death:
            show.attempt(_charge(unit, attempt, job, str(death)))


def _charge(unit: Unit, attempt: int, job: Job, message: str) -> AttemptStatus:
    """Record that a unit killed its worker although nothing else was running."""
    wait_until_gone(job.folder.partial_pids(unit.unit_id), timeout_s=10.0)
    partial = job.folder.begin_attempt(
        unit.unit_id, attempt, plan_hash=job.plan_hash, browser=job.executor.browser
    )  # sets the dead worker's folder aside
    return job.folder.finish_attempt(partial, failed_outcome(unit, attempt, job.plan_hash, "worker"), message)


def _require_any_valid(plan: Plan, folder: StudyFolder) -> None:
    attempts: list[AttemptStatus] = []
    for unit in plan.units:
        for status in folder.attempts(unit.unit_id):
            if status.validity == "valid":
                return
            attempts.append(status)
    if attempts:
        first = attempts[0]
        raise StudyFailed(
            f"no attempt of this study ever ran; the first, {first.unit_id}, failed with {first.failure_kind}: "
            f"{first.message} ({folder.attempt_folder(first.unit_id, first.attempt)}); {commonest_failure(attempts)}"
        )
