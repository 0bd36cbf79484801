"""Same-state action branches (protocol 2.1): from one state, a costly action that was observed or a shortest one.

The controller restores a solvable state, executes the arm's action, and hands over. Both successors are certified
solvable, so the branches differ in the price of one action and not in whether the level can still be won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from diag.errors import ConfigError
from diag.grading.certifier import Certifier, SolverCertifier
from diag.grading.continuation import Continuation
from diag.grading.endpoints import among, counts, primary, seconds, shares, yes_no
from diag.grading.episodes.grade import WITH_CODE
from diag.grading.log import AttemptLog, Value
from diag.records import Event, Outcome, Unit
from diag.records.plan import AVERAGES
from diag.starts.checkpoints import CHECKPOINTS
from diag.studies.action_branch.attempt import attempt
from diag.studies.action_branch.first_action import FirstAction
from diag.studies.action_branch.keys import BranchKeys, FirstActionConfig
from diag.studies.action_branch.sections import branches_by_state
from diag.studies.contract import Grade, StudyKind
from diag.studies.study import Study
from games.catalogue import Catalogue

OF_THE_STATE = {
    "extra_cost": "moves that the first action costs beyond a shortest path, exact",
    "distance_before": "least moves to a win before the first action, exact",
}
"""Facts of the branch state that the outcome table repeats."""


def check(study: Study) -> None:
    """Check the arms. Raises ConfigError."""
    branches = sorted(one.branch for one in study.arms.values() if isinstance(one, FirstAction))
    if branches != ["costly", "shortest"] or len(study.arms) != 2:
        found = ", ".join(f"{arm}: {one.name}" for arm, one in sorted(study.arms.items()))
        raise ConfigError(f"study.arms: found {found}; wanted one costly and one shortest FirstAction")


def library_of(study: Study, configured: str) -> str:
    """Return the library of branch states."""
    del configured
    keys: BranchKeys = study.own
    return keys.states


def first_place(study: Study, agent: str) -> int:
    """Return the agent's place in the panel, so that over the panel both branches come first equally often."""
    return list(study.panel).index(agent) if agent in study.panel else 0


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return how many pairs this agent and the whole panel have, and how often each branch comes first."""
    n_units, pairs = len(units), len(units) // 2
    firsts = _costly_first(study, agent, units)
    n_agents, costly = len(firsts), sum(firsts)
    whole = (
        f"panel of {n_agents} agents ({', '.join(study.panel)}): {pairs * n_agents} pairs, {n_units * n_agents} "
        f"continuations; the costly branch comes first in {costly}, the shortest in {pairs * n_agents - costly}"
    )
    return (f"{agent}: {pairs} pairs, {n_units} continuations", *((whole,) if study.panel else ()))


def _costly_first(study: Study, agent: str, units: Sequence[Unit]) -> list[int]:
    """Return how often the costly branch comes first, by agent: one at an odd distance has each pair the other way."""
    first: dict[tuple[str, int], str] = {}
    for unit in units:
        first.setdefault((unit.block_id, unit.repeat), unit.arm)
    mine = sum(getattr(study.arms[arm], "branch", "") == "costly" for arm in first.values())
    apart = [first_place(study, name) - first_place(study, agent) for name in study.panel or (agent,)]
    return [len(first) - mine if places % 2 else mine for places in apart]


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of a continuation from a solvable board, with the facts of its state."""
    certify, limit_s = SolverCertifier(levels.layout), study.limits.takeover_s

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        return grade_branch(events, certify=certify, plan_hash=plan_hash, limit_s=limit_s)

    return graded


def grade_branch(events: Sequence[Event], *, certify: Certifier, plan_hash: str | None, limit_s: float) -> Outcome:
    """Return what one branch came to. Raises LogError."""
    log = AttemptLog.read(events, plan_hash=plan_hash)
    if log.failed:
        return log.outcome({})
    played = Continuation.of(log, certify, limit_s)
    facts: dict[str, Value] = {name: events[0].data.get(name) for name in OF_THE_STATE}
    return log.outcome({**played.win(), **played.play(), **facts})


KIND = StudyKind(
    name="action_branch",
    repeats_serve=AVERAGES,
    config=BranchKeys,
    starts=replace(CHECKPOINTS, library=library_of),
    attempt=attempt,
    grader=grader,
    unread=("limits.timely_actions", "limits.timely_s"),
    endpoints=(
        *primary(*yes_no(same_level_win="the level was won within the limit")),
        *seconds(win_s="until the win"),
        *among("branches that won", *counts(win_actions="executed actions up to it")),
        *shares(progress="best potential after the first action"),
        *counts(
            n_restarts="native restarts",
            n_moves="accepted moves on the level",
            n_undecided="boards that the solver left open",
        ),
        *among(
            WITH_CODE,
            *shares(ngar="native steps of all action steps"),
            *counts(native_steps="native action steps", other_steps="other action steps"),
        ),
        *counts(**OF_THE_STATE),
    ),
    check=check,
    first_place=first_place,
    plan_notes=plan_notes,
    sections=(branches_by_state,),
    commands={"branches": "diag.studies.action_branch.command:main"},
    arm_configs={"first_action": FirstActionConfig},
)  # fmt: skip
