"""What the executors of all studies share: their fields, the grader, the log on its clock, the common setup."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from diag.agents.contract import AgentFactory, PublicContext
from diag.execution.station import StationSettings, catalogue
from diag.outcomes.certifier import SolverCertifier
from diag.outcomes.harness import harness_share
from diag.records import Event, Outcome, Unit
from diag.session.clock import Clock, ClockName, clock_named
from diag.session.events import ClockTime, EventLog
from diag.session.limits import Limits as AttemptLimits
from diag.session.loop import AttemptSetup
from games.contract import LevelId

if TYPE_CHECKING:
    from diag.interventions.contract import Intervention
    from diag.session.history import HistoryPolicy
    from games.catalogue import Catalogue


class PlayedStudy(Protocol):
    """What running a unit needs of its study (`diag.studies.matched.MatchedStudy`)."""

    name: str
    arms: Mapping[str, Intervention]
    limits: Any
    """`diag.studies.contract.Limits`."""
    history: HistoryPolicy

    def source(self, library_name: str, levels: Catalogue) -> Any:
        """Return what the blocks are made from."""

    def ordinary_context(self, checkpoint: Any) -> PublicContext:
        """Return what every arm of a block starts from."""

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the pure function (events, plan hash) -> outcome."""


@dataclass(frozen=True)
class StudyExecutor(ABC):
    """Everything a worker needs to run any unit of a study; a subclass says what one attempt is."""

    study: PlayedStudy
    agent: AgentFactory
    library: str
    """Whole episodes need no checkpoint and leave it unused."""
    station: StationSettings
    clock: ClockName
    settle_wait_s: float
    restore_path: Literal["fast", "replay"]
    """Whole episodes restore nothing and leave it unused."""
    plan_hash: str

    @property
    def browser(self) -> bool:
        """False: rules only."""
        return self.station.browser

    @abstractmethod
    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log. Raises InfrastructureFailure if it could not begin."""

    def grade(self, events: Sequence[Event], unit: Unit) -> Outcome:
        """Grade a finished log; what the solvers worked out is kept for the whole process."""
        del unit
        outcome: Outcome = self._grader(events, self.plan_hash)
        return replace(outcome, harness_share=harness_share(events))

    @cached_property
    def _grader(self) -> Any:
        return self.study.grader(catalogue(self.station.levels))

    @cached_property
    def certifier(self) -> SolverCertifier:
        """Certify boards during an attempt; its verdicts are kept for the whole process."""
        return SolverCertifier(catalogue(self.station.levels).layout)

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached properties, which hold caches and closures, out of the trip to a worker."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def new_clock(self) -> Clock:
        """Return the clock of one attempt."""
        return clock_named(self.clock, self.study.limits.takeover_s)

    def new_log(self, path: Path, clock: Clock) -> EventLog:
        """On a virtual clock the log's own times come from it, so that equal runs give equal bytes."""
        return EventLog(path, ClockTime(clock.elapsed_s) if self.clock == "virtual" else None)

    def attempt_setup(
        self,
        unit: Unit,
        attempt: int,
        base: PublicContext,
        *,
        level: LevelId | None,
        goal: Any,
        expected_digests: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> AttemptSetup:
        """Return the setup of an attempt that ends at its goal, with the arm's intervention applied.

        Args:
            unit: what is attempted.
            attempt: its number.
            base: the ordinary context.
            level: the assigned level; None for a whole episode.
            goal: a frozen goal, where the protocols of `AttemptSetup` declare plain attributes.
            expected_digests: what the start must be.
            extra: facts for `episode_start` besides the intervention's.
        """
        limits, intervention = self.study.limits, self.study.arms[unit.arm]
        return AttemptSetup(
            unit=unit,
            attempt=attempt,
            plan_hash=self.plan_hash,
            study=self.study.name,
            level=level,
            base_context=base,
            context=intervention.apply(base, unit.cohort),
            goal=goal,
            stop_conditions=(goal,),
            limits=AttemptLimits(limits.takeover_s, limits.actions, limits.invalid_decisions_in_a_row),
            history=self.study.history,
            settle_wait_s=self.settle_wait_s,
            expected_digests=expected_digests or {},
            extra={
                **(extra or {}),
                "intervention": intervention.name,
                "intervention_privilege": intervention.privilege,
            },
        )
