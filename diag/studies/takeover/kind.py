"""The dead-end takeover study (protocol 3): restored checkpoints, handed over under arms that differ in text alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from checkpoints.store import Checkpoint
from diag.errors import ConfigError
from diag.grading.certifier import SolverCertifier
from diag.grading.endpoints import among, counts, primary, seconds, shares, twenty_points, yes_no
from diag.records import Event, Outcome, Unit
from diag.records.plan import Block
from diag.running.takeover import take_over
from diag.starts.checkpoints import CHECKPOINTS, CheckpointSource, block_of, require_cohorts
from diag.studies.checks import refuse_twice
from diag.studies.contract import Grade, StudyKind
from diag.studies.notes import panel_note
from diag.studies.study import Study
from diag.studies.takeover.grade import TakeoverLimits, grade_takeover
from diag.studies.takeover.keys import TakeoverKeys
from diag.studies.takeover.sections import after_recovery
from diag.studies.takeover.tables import summary, tables
from games.catalogue import Catalogue
from games.contract import JsonObject
from solvers.registry import certifying_facts

TELLS_THE_STATE = ("evaluator_state", "solver_oracle")
"""Privileges of arms whose recoveries are aided."""


def library_of(study: Study, configured: str) -> str:
    """Return the libraries that the study names, else the configured one."""
    keys: TakeoverKeys = study.own
    return keys.libraries or configured


def blocks(study: Study, library: CheckpointSource) -> tuple[Block, ...]:
    """Return a block per checkpoint, cohort by cohort; chosen ones in the order of the keys, else library order.

    Raises:
        ConfigError: an unknown checkpoint, or a cohort that nothing is of.
    """
    keys: TakeoverKeys = study.own
    require_cohorts([cohort for cohort in study.cohorts if cohort not in keys.apart.values()], library)
    checkpoints = _chosen(keys.checkpoints, library)
    _refuse_unused(study, keys, library)
    chosen = [block_of(study, one, cohort_of(keys, one)) for one in checkpoints]
    return tuple(block for cohort in study.cohorts for block in chosen if block.cohort == cohort and block.arms)


def cohort_of(keys: TakeoverKeys, checkpoint: Checkpoint) -> str:
    """Return the cohort of a checkpoint in this study: that of its game if the game is analysed apart."""
    return keys.apart.get(checkpoint.level.game, checkpoint.cohort)


def _refuse_unused(study: Study, keys: TakeoverKeys, library: CheckpointSource) -> None:
    """Refuse a game set apart that the library does not hold, and a named checkpoint of no cohort of the study."""
    games = {one.level.game for one in library.checkpoints}
    for game in keys.apart:
        if game not in games:
            raise ConfigError(f"study.apart: found {game!r}, wanted one of {', '.join(sorted(games))}")
    refuse_twice("study.checkpoints", keys.checkpoints)
    for one in _chosen(keys.checkpoints, library) if keys.checkpoints else ():
        if cohort_of(keys, one) not in study.cohorts:
            raise ConfigError(
                f"study.checkpoints: {one.checkpoint_id!r} is of cohort {cohort_of(keys, one)}, wanted one of "
                f"{', '.join(study.cohorts)} (study.cohorts)"
            )


def _chosen(names: Sequence[str], library: CheckpointSource) -> tuple[Checkpoint, ...]:
    known: Mapping[str, Checkpoint] = {one.checkpoint_id: one for one in library.checkpoints}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ConfigError(f"study.checkpoints: {unknown[0]!r} is no checkpoint of {library.name!r}")
    return tuple(known[name] for name in names) if names else tuple(library.checkpoints)


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return how many continuations this agent and the whole panel have, a second game apart."""
    apart = set(study.own.apart.values())
    n_apart = sum(unit.cohort in apart for unit in units)
    counts = (len(units) - n_apart, n_apart) if 0 < n_apart < len(units) else (len(units),)
    return panel_note(agent, study.panel, counts, "continuations")


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the takeover grading with a certifier over the registered solvers."""
    certify = SolverCertifier(levels.layout)
    limits = TakeoverLimits(study.limits.timely_actions, study.limits.timely_s, study.limits.takeover_s)

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        arm = study.arms.get(str(events[0].data.get("arm")) if events else "")
        unaided = arm is None or arm.privilege not in TELLS_THE_STATE
        return grade_takeover(events, certify=certify, plan_hash=plan_hash, limits=limits, unaided=unaided)

    return graded


def facts(study: Study) -> JsonObject:
    """Return what certifies a dead end."""
    del study
    return {"certifying": certifying_facts()}


RECOVERED = "continuations with a verified recovery"
RECURRED = "continuations with a recurrence"
ENDPOINTS = (
    *twenty_points(*yes_no(timely_restart="a recovery action within the timely actions and seconds, both")),
    *yes_no(restarted="a recovery action within the limit"),
    *twenty_points(
        *primary(*yes_no(verified_recovery="after one, a board of the level certified solvable, or won (D)")),
        *yes_no(same_level_win="the assigned level was won within the limit"),
    ),
    *among(RECOVERED, *yes_no(
        recovery_late="the recovery came outside the timely window",
        recurrence="after it a board with its game's dead-end certificate (D)",
    )),
    *among(RECURRED, *yes_no(recurrence_after_progress="there was progress from the recovered board before it")),
    *yes_no(
        recovery_kept="a verified recovery and no recurrence by the limit (D)",
        dead_end_reached="a board with its game's certificate after takeover (N)",
    ),
    *among(
        f"{RECOVERED}, or from a solvable board",
        *yes_no(search_dead_end="a board proven dead by search alone, after recovery (D) or takeover (N)"),
    ),
    *seconds(restart_s="until the first recovery action"),
    *among("continuations with a recovery action", *counts(restart_actions="executed actions up to it")),
    *seconds(recovery_s="until the verified recovery"),
    *among(RECOVERED, *counts(recovery_actions="executed actions up to it")),
    *seconds(win_s="until the win"),
    *among("continuations that won", *counts(win_actions="executed actions up to it")),
    *seconds(recurrence_s="until the recurrence"),
    *among(RECURRED, *counts(recurrence_actions="executed actions up to it")),
    *among(RECOVERED, *seconds(recovery_left_s="from the recovery to the limit")),
    *among(RECURRED, *seconds(recurrence_left_s="from the recurrence to the limit")),
    *among(
        RECURRED,
        *seconds(recurrence_after_s="from the recovery to the recurrence"),
        *counts(
            recurrence_after_actions="accepted GUI actions between the two",
            recurrence_after_moves="moves of the rules between the two",
        ),
    ),
    *shares(progress="best potential of the level from takeover on, its first board included"),
    *among(RECOVERED, *shares(progress_after_recovery="best potential minus the recovered board's, to the recurrence")),
    *counts(n_restarts="native restarts", n_moves="accepted moves on the level"),
    *yes_no(first_recovers="the first executed action recovers", first_moves="the first executed action is a move"),
    *counts(n_undecided="boards that the solver left open: neither live nor dead"),
)  # fmt: skip

KIND = StudyKind(
    name="takeover",
    config=TakeoverKeys,
    starts=replace(CHECKPOINTS, blocks=blocks, library=library_of),
    attempt=take_over,
    grader=grader,
    endpoints=ENDPOINTS,
    any_world=True,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(after_recovery,),
)
