"""Runs the attempts of a study: what a worker process is sent, and the tools that an attempt has there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from diag.arms.contract import Intervention
from diag.grading.certifier import SolverCertifier
from diag.grading.harness import harness_share
from diag.records import Event, Outcome, Unit
from diag.records.event_log import ClockTime, EventLog
from diag.running.station import StationSettings
from diag.session.clock import Clock, ClockName, clock_named
from diag.session.contract import AgentFactory, PublicContext
from diag.session.history import HistoryPolicy, history_of
from diag.session.limits import Limits as AttemptLimits
from diag.session.loop import AttemptSetup
from diag.starts.contract import Starts
from games.catalogue import Catalogue
from games.contract import LevelId


class PlayedKind(Protocol):
    """What running a unit needs of its kind of study (`diag.starts.contract.StudyKind`)."""

    @property
    def starts(self) -> Starts:
        """What its blocks are made of."""

    @property
    def attempt(self) -> Callable[[Work], None]:
        """Runs one attempt and writes its whole log."""

    @property
    def grader(self) -> Callable[[Any, Catalogue], Callable[[Sequence[Event], str], Outcome]]:
        """Makes the pure function (events, plan hash) -> outcome."""


class PlayedStudy(Protocol):
    """What running a unit needs of its study (`diag.studies.study.Study`)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def kind(self) -> Any:
        """Its kind, a `PlayedKind`."""

    @property
    def own(self) -> Any:
        """The keys as they were composed, those of the kind among them."""

    @property
    def arms(self) -> Mapping[str, Intervention]:
        """Arm letter -> intervention."""

    @property
    def limits(self) -> Any:
        """Its `diag.studies.settings.Limits`."""

    @property
    def history(self) -> HistoryPolicy:
        """What an agent keeps in context."""


@dataclass(frozen=True)
class StudyExecutor:
    """Everything a worker needs to run any unit of a study; the kind of the study says what one attempt is."""

    study: PlayedStudy
    agent: AgentFactory
    library: str
    """Name or folder of the checkpoint library; empty for a study that starts without one."""
    station: StationSettings
    clock: ClockName
    settle_wait_s: float
    restore_path: Literal["fast", "replay"]
    plan_hash: str

    @property
    def browser(self) -> bool:
        """False: rules only."""
        return self.station.browser

    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log. Raises InfrastructureFailure if it could not begin."""
        kind: PlayedKind = self.study.kind
        kind.attempt(Work(self, unit, attempt, log_path, pictures))

    @cached_property
    def source(self) -> Any:
        """What the blocks are made from, opened once a process."""
        kind: PlayedKind = self.study.kind
        return kind.starts.source(self.study, self.library, self.station.catalogue)

    def grade(self, events: Sequence[Event], unit: Unit) -> Outcome:
        """Grade a finished log; what the solvers worked out is kept for the whole process."""
        del unit
        outcome: Outcome = self._grader(events, self.plan_hash)
        return replace(outcome, harness_share=harness_share(events))

    @cached_property
    def _grader(self) -> Any:
        kind: PlayedKind = self.study.kind
        return kind.grader(self.study, self.station.catalogue)

    @cached_property
    def certifier(self) -> SolverCertifier:
        """Certify boards during an attempt; its verdicts are kept for the whole process."""
        return SolverCertifier(self.station.catalogue.layout)

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached properties, which hold caches and closures, out of the trip to a worker."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def new_clock(self) -> Clock:
        """Return the clock of one attempt."""
        return clock_named(self.clock, self.study.limits.takeover_s)

    def new_log(self, path: Path, clock: Clock) -> EventLog:
        """On a virtual clock the log's own times come from it, so that equal runs give equal bytes."""
        return EventLog(path, ClockTime(clock.elapsed_s) if self.clock == "virtual" else None)


@dataclass(frozen=True)
class Work:
    """One attempt to be made: at which unit, where its log and pictures go, and the executor whose tools it uses."""

    executor: StudyExecutor
    unit: Unit
    attempt: int
    """1-based."""
    log_path: Path
    pictures: Path

    @property
    def study(self) -> PlayedStudy:
        """The study."""
        return self.executor.study

    @property
    def arm(self) -> Any:
        """The unit's intervention; a kind whose arms have more than the common members knows their class."""
        return self.study.arms[self.unit.arm]

    def setup(
        self,
        base: PublicContext,
        *,
        level: LevelId | None,
        goal: Any,
        expected_digests: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> AttemptSetup:
        """Return the setup of an attempt that ends at its goal, with the arm's intervention applied.

        Args:
            base: the ordinary context.
            level: the assigned level; None for a whole episode.
            goal: a frozen goal, where the protocols of `AttemptSetup` declare plain attributes.
            expected_digests: what the start must be.
            extra: facts for `episode_start` besides the intervention's.
        """
        limits, executor = self.study.limits, self.executor
        return AttemptSetup(
            unit=self.unit,
            attempt=self.attempt,
            plan_hash=executor.plan_hash,
            study=self.study.name,
            level=level,
            base_context=base,
            context=self.arm.apply(base, self.unit.cohort),
            goal=goal,
            stop_conditions=(goal,),
            limits=AttemptLimits(limits.takeover_s, limits.actions, limits.invalid_decisions_in_a_row),
            history=history_of(executor.agent, self.study.history),
            settle_wait_s=executor.settle_wait_s,
            expected_digests=expected_digests or {},
            extra={
                **(extra or {}),
                "intervention": self.arm.name,
                "intervention_privilege": self.arm.privilege,
            },
        )
