"""Runs one session of a knowledge x workflow study: an episode with the cell's controllers and the rule probes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from diag.execution.episode import EpisodeExecutor
from diag.records import Unit
from diag.session.controllers import EntryAndAdvance, InTurn, RestartAfterDeadEnd
from diag.session.loop import AttemptSetup
from diag.session.workflow import Workflow
from diag.studies.objectives import Objective


@dataclass(frozen=True)
class WorkflowExecutor(EpisodeExecutor):
    """Everything a worker needs to run any unit of a knowledge x workflow study."""

    def _setup(self, unit: Unit, attempt: int, objective: Objective) -> AttemptSetup:
        setup = super()._setup(unit, attempt, objective)
        study: Any = self.study
        probes = study.probes(objective.labels["game"])
        workflow = self._workflow(study.arms[unit.arm], objective)
        name = None if workflow is None else workflow.name
        return replace(setup, workflow=workflow, probes=probes, extra={**setup.extra, "controller": name})

    def _workflow(self, cell: Any, objective: Objective) -> Workflow | None:
        """Return the cell's controllers, new for each attempt."""
        parts: list[Workflow] = []
        if cell.workflow == "controller":
            parts.append(EntryAndAdvance(objective.levels))
        if cell.restart_dead_ends:
            parts.append(RestartAfterDeadEnd(self.certifier))
        return None if not parts else parts[0] if len(parts) == 1 else InTurn(tuple(parts))
