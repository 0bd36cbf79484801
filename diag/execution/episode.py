"""Runs one whole episode: a fresh session at the home screen, the agent owns the rest, everything is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from diag.agents.contract import AgentFactory
from diag.execution.station import StationSettings, catalogue, seat
from diag.records import Event, InfrastructureFailure, Outcome, Unit
from diag.session.clock import ClockName, clock_named
from diag.session.events import ClockTime, EventLog
from diag.session.limits import Limits as AttemptLimits
from diag.session.limits import all_levels_won
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.studies.episodes import EpisodeStudy
from diag.studies.objectives import Objective, Objectives


@dataclass(frozen=True)
class EpisodeExecutor:
    """Everything a worker needs to run any unit of an episode study."""

    study: EpisodeStudy
    agent: AgentFactory
    library: str
    """Unused: an episode needs no checkpoint."""
    station: StationSettings
    clock: ClockName
    settle_wait_s: float
    restore_path: Literal["fast", "replay"]
    """Unused: nothing is restored."""
    plan_hash: str

    @property
    def browser(self) -> bool:
        """False: rules only."""
        return self.station.browser

    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log.

        Raises:
            InfrastructureFailure: the levels or the browser are not what the plan asks for.
        """
        objective = self._objective(unit)
        clock = clock_named(self.clock, self.study.limits.takeover_s)
        time_source = ClockTime(clock.elapsed_s) if self.clock == "virtual" else None
        with seat(self.station) as place, EventLog(log_path, time_source) as log:
            run_attempt(
                self._setup(unit, attempt, objective),
                agent=self.agent.build(unit.seed),
                environment=place.environment,
                clock=clock,
                log=log,
                pictures=PictureStore(pictures),
            )

    def grade(self, events: Sequence[Event], unit: Unit) -> Outcome:
        """Grade a finished log; what the solvers worked out is kept for the whole process."""
        del unit
        outcome: Outcome = self._grader(events, self.plan_hash)
        return outcome

    @cached_property
    def _grader(self) -> Any:
        return self.study.grader(catalogue(self.station.levels))

    @cached_property
    def _objectives(self) -> Objectives:
        return self.study.source(self.library, catalogue(self.station.levels))

    def __getstate__(self) -> dict[str, Any]:
        """Leave what holds caches and closures out of the trip to a worker."""
        return {name: value for name, value in vars(self).items() if name not in ("_grader", "_objectives")}

    def _objective(self, unit: Unit) -> Objective:
        objective = self._objectives.checkpoint(unit.checkpoint_id)
        if objective.digest != unit.checkpoint_digest:
            raise InfrastructureFailure(
                "suite",
                f"levels of {objective.name} are {objective.digest[:12]}, planned {unit.checkpoint_digest[:12]}",
            )
        return objective

    def _setup(self, unit: Unit, attempt: int, objective: Objective) -> AttemptSetup:
        limits, intervention = self.study.limits, self.study.arms[unit.arm]
        base = self.study.ordinary_context(objective)
        goal: Any = all_levels_won(objective.levels)  # frozen, where the protocols declare plain attributes
        return AttemptSetup(
            unit=unit,
            attempt=attempt,
            plan_hash=self.plan_hash,
            study=self.study.name,
            level=None,
            base_context=base,
            context=intervention.apply(base, unit.cohort),
            goal=goal,
            stop_conditions=(goal,),
            limits=AttemptLimits(limits.takeover_s, limits.actions, limits.invalid_decisions_in_a_row),
            history=self.study.history,
            settle_wait_s=self.settle_wait_s,
            extra={
                "objective": [str(level) for level in objective.levels],
                "intervention": intervention.name,
                "intervention_privilege": intervention.privilege,
            },
        )
