"""Runs one whole episode: a fresh session at the home screen, the agent owns the rest, everything is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from diag.execution.station import catalogue, seat
from diag.execution.study_executor import StudyExecutor
from diag.records import InfrastructureFailure, Unit
from diag.session.limits import all_levels_won
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.studies.objectives import Objective, Objectives


@dataclass(frozen=True)
class EpisodeExecutor(StudyExecutor):
    """Everything a worker needs to run any unit of an episode study."""

    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log.

        Raises:
            InfrastructureFailure: the levels or the browser are not what the plan asks for.
        """
        objective = self._objective(unit)
        clock = self.new_clock()
        with seat(self.station) as place, self.new_log(log_path, clock) as log:
            run_attempt(
                self._setup(unit, attempt, objective),
                agent=self.agent.build(unit.seed),
                environment=place.environment,
                clock=clock,
                log=log,
                pictures=PictureStore(pictures),
            )

    @cached_property
    def _objectives(self) -> Objectives:
        objectives: Objectives = self.study.source(self.library, catalogue(self.station.levels))
        return objectives

    def _objective(self, unit: Unit) -> Objective:
        objective = self._objectives.checkpoint(unit.checkpoint_id)
        if objective.digest != unit.checkpoint_digest:
            raise InfrastructureFailure(
                "suite",
                f"levels of {objective.name} are {objective.digest[:12]}, planned {unit.checkpoint_digest[:12]}",
            )
        return objective

    def _setup(self, unit: Unit, attempt: int, objective: Objective) -> AttemptSetup:
        return self.attempt_setup(
            unit,
            attempt,
            self.study.ordinary_context(objective),
            level=None,
            goal=all_levels_won(objective.levels),
            extra={"objective": [str(level) for level in objective.levels]},
        )
