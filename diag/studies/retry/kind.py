"""Memory at retry (RQ3, protocol 4): from an agent's own failure, after its restart, with more or less memory of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checkpoints.store import Checkpoint
from diag.arms.tokens import TOKENS_VERSION
from diag.errors import ConfigError
from diag.grading.certifier import SolverCertifier
from diag.grading.episodes.bolt import measure_with
from diag.records import Event, Outcome, Unit
from diag.records.plan import Block
from diag.session.contract import PublicContext, Turn
from diag.starts.checkpoints import CHECKPOINTS, CheckpointSource, checkpoint_blocks, checkpoint_context
from diag.studies.checks import arms_as, refuse_twice
from diag.studies.contract import Grade, StudyKind
from diag.studies.notes import n_blocks_of, panel_note
from diag.studies.retry.accounts import ACCOUNT_VERSION
from diag.studies.retry.attempt import attempt
from diag.studies.retry.grade import ENDINGS, ENDPOINTS, grade_retry
from diag.studies.retry.keys import RetryKeys
from diag.studies.retry.memory import Memory
from diag.studies.retry.release import RELEASE_VERSION
from diag.studies.retry.sections import accounts, best_progress, bolt_capacity, endings_by_memory, written_texts
from diag.studies.retry.tables import summary, tables
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import JsonObject
from solvers.registry import certifying_facts


def check(study: Study) -> None:
    """Check the arms. Raises ConfigError: one is no memory condition, or texts have different capacities."""
    memories = arms_as(study, Memory, "no memory condition: wanted one of memory_*")
    capacities = {arm: one.capacity_tokens for arm, one in memories.items() if one.writes}
    if len(set(capacities.values())) > 1:
        raise ConfigError(f"study.arms: capacity_tokens differ ({capacities}); texts are compared at equal capacity")


def library_of(study: Study, configured: str) -> str:
    """Return the library of source failures."""
    del configured
    keys: RetryKeys = study.own
    return keys.failures


def blocks(study: Study, library: CheckpointSource) -> tuple[Block, ...]:
    """Return a block per source failure, in library order. Raises ConfigError for an unknown source."""
    keys: RetryKeys = study.own
    found = checkpoint_blocks(study, library)
    known = {block.checkpoint_id for block in found}
    refuse_twice("study.sources", keys.sources)
    unknown = [name for name in keys.sources if name not in known]
    if unknown:
        raise ConfigError(f"study.sources: {unknown[0]!r} is no source of {library.name!r}")
    return tuple(block for block in found if not keys.sources or block.checkpoint_id in keys.sources)


def context(study: Study, checkpoint: Checkpoint) -> PublicContext:
    """Return the objective and the whole public history of the failure, the restart that ended it included."""
    plain = checkpoint_context(study, checkpoint)
    reasons = [turn.reason for turn in checkpoint.prefix]
    turns = [replace(turn, reason=reason) for turn, reason in zip(plain.prefix, reasons, strict=True)]
    restart = checkpoint.provenance.get("restart")
    if restart is None:
        raise ConfigError(f"{checkpoint.checkpoint_id} holds no native restart; wanted a source failure (cohort F)")
    last = Turn((dict(restart["action"]),), str(restart["feedback"]), str(restart["reason"]), None)
    return replace(plain, prefix=(*turns, last))


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the retry grading with a certifier over the registered solvers."""
    certify, measure, limit_s = SolverCertifier(levels.layout), measure_with(levels.layout), study.limits.takeover_s

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        return grade_retry(events, certify=certify, measure=measure, plan_hash=plan_hash, limit_s=limit_s)

    return graded


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return how many retries this agent and the whole panel have."""
    extra = sum(unit.repeat > study.repeats for unit in units)
    n_units = len(units) - extra
    line = f"{n_blocks_of(units)} source failures x {len(study.arms)} memory conditions = {n_units} retries"
    more = (f"{extra} more retries, for endpoint stability alone",) if extra else ()
    return (line, *panel_note(agent, study.panel, (n_units,), "retries"), *more)


def facts(study: Study) -> JsonObject:
    """Return the versions of what counts tokens and reads texts, and what certifies a failure."""
    del study
    codes = {"account_codes": ACCOUNT_VERSION, "release_code": RELEASE_VERSION}
    return {"token": TOKENS_VERSION, **codes, "certifying": certifying_facts()}


KIND = StudyKind(
    name="retry",
    config=RetryKeys,
    starts=replace(CHECKPOINTS, blocks=blocks, context=context, library=library_of),
    attempt=attempt,
    grader=grader,
    unread=("limits.timely_actions", "limits.timely_s"),
    endpoints=ENDPOINTS,
    ending=ENDINGS,
    unit="retries",
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(endings_by_memory, best_progress, written_texts, accounts, bolt_capacity),
    commands={"harvest": "diag.studies.retry.harvest_command:main"},
)
