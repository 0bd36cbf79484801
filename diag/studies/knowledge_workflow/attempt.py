"""Runs one session of a knowledge x workflow study: an episode with the cell's controllers and the rule probes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from diag.grading.certifier import is_certified
from diag.running.episode import play_episode
from diag.running.executor import Work
from diag.session.controllers import EntryAndAdvance, InTurn, RestartAfterDeadEnd
from diag.session.loop import AttemptSetup
from diag.session.workflow import Probe, Workflow
from diag.starts.home_screens import Objective
from diag.studies.knowledge_workflow.keys import WorkflowKeys


def attempt(work: Work) -> None:
    """Run one session. Raises InfrastructureFailure."""
    play_episode(work, adapt=with_cell)


def with_cell(work: Work, objective: Objective, setup: AttemptSetup) -> AttemptSetup:
    """Return the setup with the controllers of the arm's cell and the probes of the study."""
    workflow = _workflow(work, objective)
    name = None if workflow is None else workflow.name
    questions = probes(work.study.own, objective.labels["game"])
    return replace(setup, workflow=workflow, probes=questions, extra={**setup.extra, "controller": name})


def probes(keys: WorkflowKeys, title: str) -> tuple[Probe, ...]:
    """Return the probes of one session; `title` is the game's name on the screen."""
    question = keys.probe_question.format(game=title).strip()
    return tuple(Probe(at_s, question, f"rules_{place}") for place, at_s in enumerate(keys.probes_at_s, start=1))


def _workflow(work: Work, objective: Objective) -> Workflow | None:
    """Return the cell's controllers, new for each attempt."""
    parts: list[Workflow] = []
    if work.arm.workflow == "controller":
        parts.append(EntryAndAdvance(objective.levels))
    if work.arm.restart_dead_ends:
        parts.append(RestartAfterDeadEnd(partial(is_certified, work.executor.certifier)))
    return None if not parts else parts[0] if len(parts) == 1 else InTurn(tuple(parts))
