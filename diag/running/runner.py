"""Runs a plan to its end: what is missing, in plan order, with replacements, through kills and dead workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from diag.errors import StudyFailed
from diag.records import Plan, Unit
from diag.records.study_folder import AttemptStatus, StudyFolder
from diag.running.attempt import Job, failed_outcome
from diag.running.backend import Assignment, Workers, WorkersDied
from diag.running.process import wait_until_gone
from diag.running.progress import Progress
from diag.running.wholes import Whole, alone, discard_broken, hopeless

MAX_IDLE_CRASHES = 3
"""Times that workers may die without any unit in flight before the run gives up."""
OUTAGE_ATTEMPTS = 10
"""Attempts in a row whose endpoint failed before the run gives up; twice the units at a time if that is more."""
SAME_RESTORATION_FAILURES = 2
"""A restore is deterministic: a unit that failed with the same words so often is not tried again in a run."""


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


def run_plan(
    plan: Plan,
    job: Job,
    workers: Workers,
    *,
    max_attempts: int,
    show: Progress,
    chosen: Sequence[Unit] | None = None,
    whole: Whole = alone,
) -> RunSummary:
    """Run every unit of the plan, or of those chosen, that has no valid attempt; the caller holds the study's lock.

    Infrastructure failures are tried again under the same assignment, after all other units had their turn; attempts
    of earlier runs do not count against `max_attempts`, or a night without an endpoint could never be made good. When a
    worker dies, the units that were in flight are run again apart from the others, so that only the one that kills its
    worker is charged with it. `whole` names the evaluation unit of a unit: a failure discards all of it.

    Raises:
        StudyFailed: after a whole round not one attempt of the study is valid, or the endpoint is down.
        DiagError: the disk or the configuration.
    """
    folder = job.folder
    folder.set_aside_partials(tuple(unit.unit_id for unit in plan.units))
    earlier = {unit.unit_id: len(folder.attempts(unit.unit_id)) for unit in plan.units}
    idle_crashes = 0
    units = plan.units if chosen is None else chosen
    while todo := _to_do(units, folder, max_attempts, earlier, whole):
        try:
            for status in _while_the_endpoint_works(workers.run(job, todo), plan, job, workers.at_once):
                show.attempt(status)
        except WorkersDied as death:
            suspects = _in_flight(todo, folder)
            idle_crashes = 0 if suspects else idle_crashes + 1
            if idle_crashes >= MAX_IDLE_CRASHES:
                raise StudyFailed(f"worker processes keep dying before they begin a unit: {death}") from death
            for group in (suspects,) if workers.seats > 1 else tuple((one,) for one in suspects):
                _apart(group, job, workers, show)
        else:
            _require_any_valid(plan, folder, beyond=workers.seats if workers.seats > 1 else 0)
    _require_any_valid(plan, folder)
    return summary(plan, folder)


def _to_do(
    units: Sequence[Unit], folder: StudyFolder, max_attempts: int, earlier: Mapping[str, int], whole: Whole
) -> tuple[Assignment, ...]:
    """Return what is missing, once evaluation units that failed are discarded; of one without a try left, nothing."""
    discard_broken(units, folder, whole)
    given_up = hopeless(units, folder, whole, max_attempts, earlier)
    return tuple(one for one in missing(units, folder, max_attempts, earlier) if whole(one[0]) not in given_up)


def failed_units(plan: Plan, folder: StudyFolder) -> tuple[Unit, ...]:
    """Return the units that were tried and have no valid attempt."""
    tried = ((unit, folder.attempts(unit.unit_id)) for unit in plan.units)
    return tuple(unit for unit, tries in tried if tries and not any(one.validity == "valid" for one in tries))


def missing(
    units: Sequence[Unit], folder: StudyFolder, max_attempts: int, earlier: Mapping[str, int]
) -> tuple[Assignment, ...]:
    """Return the units without a valid attempt and with tries left, in plan order, each with its next attempt.

    Args:
        units: what is to be run.
        folder: what was run.
        max_attempts: tries that a unit has in this run.
        earlier: complete attempts of each unit before this run.
    """
    todo: list[Assignment] = []
    for unit in units:
        attempts = folder.attempts(unit.unit_id)
        tried = [one for one in attempts[earlier[unit.unit_id] :] if one.failure_kind != "discarded"]
        valid = any(status.validity == "valid" for status in attempts)
        if len(tried) < max_attempts and not valid and not _cannot_be_restored(tried):
            todo.append((unit, len(attempts) + 1))
    return tuple(todo)


def _cannot_be_restored(tried: Sequence[AttemptStatus]) -> bool:
    last = [(one.failure_kind, one.message) for one in tried[-SAME_RESTORATION_FAILURES:]]
    return len(last) == SAME_RESTORATION_FAILURES and len(set(last)) == 1 and last[0][0] == "restoration"


def _while_the_endpoint_works(
    statuses: Iterator[AttemptStatus], plan: Plan, job: Job, n_jobs: int
) -> Iterator[AttemptStatus]:
    """Pass the statuses on until the model's endpoint has failed many attempts in a row.

    Raises:
        StudyFailed: it has; every further unit would only wait for it as long and fail as well.
    """
    in_a_row, limit = 0, max(OUTAGE_ATTEMPTS, 2 * n_jobs)
    for status in statuses:
        yield status
        in_a_row = in_a_row + 1 if status.failure_kind == "api" else 0
        if in_a_row >= limit:
            _require_any_valid(plan, job.folder)
            raise StudyFailed(
                f"the model's endpoint failed {in_a_row} attempts in a row, the last with: {status.message}; "
                "what is finished is kept, and the same command goes on from there"
            )


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


def _apart(suspects: Sequence[Assignment], job: Job, workers: Workers, show: Progress) -> None:
    """Run what was in flight again, apart from everything else; a group that kills its worker is halved.

    Ninety-six seats one after the other would take as many takeovers; halves find the one in seven.
    """
    if not suspects:
        return
    try:
        for status in workers.run(job, suspects, isolated=True):
            show.attempt(status)
    except WorkersDied as death:
        if len(suspects) == 1:
            show.attempt(_charge(*suspects[0], job, str(death)))
            return
        left = _in_flight(suspects, job.folder)
        _apart(left[: len(left) // 2], job, workers, show)
        _apart(left[len(left) // 2 :], job, workers, show)


def _charge(unit: Unit, attempt: int, job: Job, message: str) -> AttemptStatus:
    """Record that a unit killed its worker although nothing else was running."""
    wait_until_gone(job.folder.partial_pids(unit.unit_id), timeout_s=10.0)
    partial = job.folder.begin_attempt(
        unit.unit_id, attempt, plan_hash=job.plan_hash, browser=job.executor.browser
    )  # sets the dead worker's folder aside
    return job.folder.finish_attempt(partial, failed_outcome(unit, attempt, job.plan_hash, "worker"), message)


def _require_any_valid(plan: Plan, folder: StudyFolder, *, beyond: int = 0) -> None:
    """Raise StudyFailed if none of more than `beyond` attempts is valid: a browser may have died under as many."""
    attempts: list[AttemptStatus] = []
    for unit in plan.units:
        for status in folder.attempts(unit.unit_id):
            if status.validity == "valid" or status.failure_kind == "discarded":
                return
            attempts.append(status)
    if len(attempts) > beyond:
        first = attempts[0]
        raise StudyFailed(
            f"no attempt of this study ever ran; the first, {first.unit_id}, failed with {first.failure_kind}: "
            f"{first.message} ({folder.attempt_folder(first.unit_id, first.attempt)}); {commonest_failure(attempts)}"
        )
