"""Runs one takeover: restore the checkpoint, apply the arm's intervention, let the agent continue, record it all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from checkpoints.controller import RestorationFailure, Restored, restore
from checkpoints.libraries import Libraries, library
from checkpoints.retry_start import Restarted
from checkpoints.store import Checkpoint, Library
from diag.agents.contract import Agent, PublicContext
from diag.execution.station import Seat, seat
from diag.execution.study_executor import StudyExecutor
from diag.records import InfrastructureFailure, Unit
from diag.session.limits import LevelWon
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore


@dataclass(frozen=True)
class TakeoverExecutor(StudyExecutor):
    """Everything a worker needs to run any unit of a takeover study."""

    def execute(self, unit: Unit, attempt: int, *, log_path: Path, pictures: Path) -> None:
        """Run one attempt and write its whole log.

        Raises:
            InfrastructureFailure: the start or the browser is not what the plan asks for, or the agent's endpoint
                failed while it wrote.
        """
        store = PictureStore(pictures)
        checkpoint = self._checkpoint(unit)
        base = with_pictures(self.study.ordinary_context(checkpoint), library(self.library), store)
        agent, clock = self.agent.build(unit.seed), self.new_clock()
        with seat(self.station) as place, self.new_log(log_path, clock) as log:
            held_png = self._restore(place, checkpoint)
            run_attempt(
                self._setup_for(agent, unit, attempt, checkpoint, base),
                agent=agent,
                environment=place.environment,
                clock=clock,
                log=log,
                pictures=store,
                held_png=held_png,
            )

    def _checkpoint(self, unit: Unit) -> Checkpoint:
        checkpoint = library(self.library).checkpoint(unit.checkpoint_id)
        if checkpoint.digest != unit.checkpoint_digest:
            raise InfrastructureFailure(
                "restoration",
                f"{unit.checkpoint_id} is {checkpoint.digest[:12]}, planned was {unit.checkpoint_digest[:12]}",
            )
        return checkpoint

    def _restore(self, place: Seat, checkpoint: Checkpoint) -> bytes:
        """Bring the session to where the attempt starts, hold it, and return its screenshot; empty without a page."""
        try:
            return self._restored(place, checkpoint).screenshot_png
        except RestorationFailure as failure:
            raise InfrastructureFailure("restoration", str(failure)) from failure

    def _restored(self, place: Seat, checkpoint: Checkpoint) -> Restored | Restarted:
        return restore(place.session, checkpoint, place.page, path=self.restore_path, browser_build=place.build)

    def _setup_for(
        self, agent: Agent, unit: Unit, attempt: int, checkpoint: Checkpoint, base: PublicContext
    ) -> AttemptSetup:
        """Return the setup of an attempt by an agent, who may have to write something first."""
        del agent
        return self._setup(unit, attempt, checkpoint, base)

    def _setup(self, unit: Unit, attempt: int, checkpoint: Checkpoint, base: PublicContext) -> AttemptSetup:
        return self.attempt_setup(
            unit,
            attempt,
            base,
            level=checkpoint.level,
            goal=LevelWon(checkpoint.level),
            expected_digests={"state": checkpoint.state_digest},
        )


def with_pictures(context: PublicContext, source: Library | Libraries, store: PictureStore) -> PublicContext:
    """Put the prefix's pictures into the study's store and name them as the store does."""
    turns = (
        turn if turn.picture is None else replace(turn, picture=store.save(source.picture_png(turn.picture)))
        for turn in context.prefix
    )
    return replace(context, prefix=tuple(turns))
