"""Runs one takeover: restore the checkpoint, apply the arm's intervention, let the agent continue, record it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from checkpoints.libraries import Libraries, load_libraries
from checkpoints.store import Checkpoint, Library, load_library
from diag.agents.contract import AgentFactory, PublicContext
from diag.execution.station import Seat, StationSettings, catalogue, seat
from diag.records import Event, InfrastructureFailure, Outcome, Unit
from diag.session.clock import Clock, ClockName, clock_named
from diag.session.events import ClockTime, EventLog
from diag.session.limits import LevelWon
from diag.session.limits import Limits as AttemptLimits
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.studies.takeover import TakeoverStudy


@lru_cache(maxsize=4)
def library(name_or_path: str) -> Library | Libraries:
    """Return a checkpoint library, read and checked once a process; `one+other` are read as one."""
    return load_libraries(name_or_path) if "+" in name_or_path else load_library(name_or_path)


@dataclass(frozen=True)
class TakeoverExecutor:
    """Everything a worker needs to run any unit of a takeover study."""

    study: TakeoverStudy
    agent: AgentFactory
    library: str
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
        """Run one attempt and write its whole log.

        Raises:
            InfrastructureFailure: the checkpoint or the browser is not what the plan asks for.
        """
        store = PictureStore(pictures)
        checkpoint = self._checkpoint(unit)
        base = with_pictures(self.study.ordinary_context(checkpoint), library(self.library), store)
        clock = self._clock()
        with seat(self.station) as place, self._log(log_path, clock) as log:
            self._restore(place, checkpoint)
            run_attempt(
                self._setup(unit, attempt, checkpoint, base),
                agent=self.agent.build(unit.seed),
                environment=place.environment,
                clock=clock,
                log=log,
                pictures=store,
            )

    def grade(self, events: Sequence[Event], unit: Unit) -> Outcome:
        """Grade a finished log; the certifier keeps its verdicts for the whole process."""
        outcome: Outcome = self._grader(events, self.plan_hash)
        return outcome

    @cached_property
    def _grader(self) -> Any:
        return self.study.grader(catalogue(self.station.levels))

    def __getstate__(self) -> dict[str, Any]:
        """Leave the grader, which holds caches and closures, out of the trip to a worker."""
        return {name: value for name, value in vars(self).items() if name != "_grader"}

    def _checkpoint(self, unit: Unit) -> Checkpoint:
        checkpoint = library(self.library).checkpoint(unit.checkpoint_id)
        if checkpoint.digest != unit.checkpoint_digest:
            raise InfrastructureFailure(
                "restoration",
                f"{unit.checkpoint_id} is {checkpoint.digest[:12]}, planned was {unit.checkpoint_digest[:12]}",
            )
        return checkpoint

    def _restore(self, place: Seat, checkpoint: Checkpoint) -> None:
        from checkpoints.controller import RestorationFailure, restore

        try:
            restore(place.session, checkpoint, place.page, path=self.restore_path, browser_build=place.build)
        except RestorationFailure as failure:
            raise InfrastructureFailure("restoration", str(failure)) from failure

    def _setup(self, unit: Unit, attempt: int, checkpoint: Checkpoint, base: PublicContext) -> AttemptSetup:
        limits, intervention = self.study.limits, self.study.arms[unit.arm]
        goal: Any = LevelWon(checkpoint.level)  # frozen, where the protocols declare plain attributes
        return AttemptSetup(
            unit=unit,
            attempt=attempt,
            plan_hash=self.plan_hash,
            study=self.study.name,
            level=checkpoint.level,
            base_context=base,
            context=intervention.apply(base, unit.cohort),
            goal=goal,
            stop_conditions=(goal,),
            limits=AttemptLimits(limits.takeover_s, limits.actions, limits.invalid_decisions_in_a_row),
            history=self.study.history,
            settle_wait_s=self.settle_wait_s,
            expected_digests={"state": checkpoint.state_digest},
            extra={"intervention": intervention.name, "intervention_privilege": intervention.privilege},
        )

    def _clock(self) -> Clock:
        return clock_named(self.clock, self.study.limits.takeover_s)

    def _log(self, path: Path, clock: Clock) -> EventLog:
        """On a virtual clock the log's own times come from it, so that equal runs give equal bytes."""
        return EventLog(path, ClockTime(clock.elapsed_s) if self.clock == "virtual" else None)


def with_pictures(context: PublicContext, source: Library | Libraries, store: PictureStore) -> PublicContext:
    """Put the prefix's pictures into the study's store and name them as the store does."""
    turns = (
        turn if turn.picture is None else replace(turn, picture=store.save(source.picture_png(turn.picture)))
        for turn in context.prefix
    )
    return replace(context, prefix=tuple(turns))
