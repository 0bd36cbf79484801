"""Hands a restored board over to an agent: restore, apply the arm, let the agent continue, record it all.

Kinds of study that start from checkpoints share this; what they do differently they pass in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from checkpoints.controller import PICTURED_LOOK, RestorationFailure, Restored, pictures_along, restore
from checkpoints.libraries import library
from checkpoints.retry_start import Restarted
from checkpoints.store import Checkpoint
from diag.records import InfrastructureFailure
from diag.running.executor import Work
from diag.running.station import Seat, StationSettings, seat
from diag.session.contract import Agent, PublicContext
from diag.session.limits import LevelWon
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from games.once import once

Restore = Callable[[Work, Seat, Checkpoint], Restored | Restarted]
Adapt = Callable[[Work, Agent, Checkpoint, AttemptSetup], AttemptSetup]


def restored(work: Work, place: Seat, checkpoint: Checkpoint) -> Restored:
    """Bring the session to the checkpoint's board and hold it there. Raises RestorationFailure."""
    path = work.executor.restore_path
    return restore(place.session, checkpoint, place.page, path=path, browser_build=place.build)


def unchanged(work: Work, agent: Agent, checkpoint: Checkpoint, setup: AttemptSetup) -> AttemptSetup:
    """Return the setup as it is."""
    del work, agent, checkpoint
    return setup


def take_over(work: Work, *, start: Restore = restored, adapt: Adapt = unchanged) -> None:
    """Run one attempt from a checkpoint and write its whole log.

    Args:
        work: the attempt.
        start: brings the session to where the attempt starts and holds it.
        adapt: what the kind of study changes of the setup; the agent may have to write something first.

    Raises:
        InfrastructureFailure: the start or the browser is not what the plan asks for, or the agent's endpoint failed
            while it wrote.
    """
    executor, store = work.executor, PictureStore(work.pictures)
    checkpoint = planned_checkpoint(work)
    context = executor.study.kind.starts.context(work.study, checkpoint)
    base = with_pictures(context, _pictures(work, checkpoint), store)
    agent, clock = executor.agent.build(work.unit.seed), executor.new_clock()
    with seat(executor.station) as place, executor.new_log(work.log_path, clock) as log:
        held_png = _held(start, work, place, checkpoint)
        setup = work.setup(
            base,
            level=checkpoint.level,
            goal=LevelWon(checkpoint.level),
            expected_digests={"state": checkpoint.state_digest},
        )
        setup = replace(setup, held_picture=store.save(held_png) if held_png else None)
        run_attempt(
            adapt(work, agent, checkpoint, setup),
            agent=agent,
            environment=place.environment,
            clock=clock,
            log=log,
            pictures=store,
            held_png=held_png,
        )


def planned_checkpoint(work: Work) -> Checkpoint:
    """Return the unit's checkpoint. Raises InfrastructureFailure if it is not the one that was planned."""
    unit, checkpoint = work.unit, library(work.executor.library).checkpoint(work.unit.checkpoint_id)
    if checkpoint.digest != unit.checkpoint_digest:
        raise InfrastructureFailure(
            "restoration",
            f"{unit.checkpoint_id} is {checkpoint.digest[:12]}, planned was {unit.checkpoint_digest[:12]}",
        )
    return checkpoint


def _held(start: Restore, work: Work, place: Seat, checkpoint: Checkpoint) -> bytes:
    """Bring the session to where the attempt starts, hold it, and return its screenshot; empty without a page."""
    try:
        return start(work, place, checkpoint).screenshot_png
    except RestorationFailure as failure:
        raise InfrastructureFailure("restoration", str(failure)) from failure


def _pictures(work: Work, checkpoint: Checkpoint) -> Callable[[str], bytes | None]:
    """Return what gives the prefix's pictures by their stored names, in the words of this study's screen."""
    executor = work.executor
    if executor.station.look == PICTURED_LOOK:
        return library(executor.library).picture_png
    if not executor.station.browser:  # nothing draws a screen with these words
        return lambda name: None
    return _drawn_again(executor.library, checkpoint.checkpoint_id, executor.station).get


@once(maxsize=64)
def _drawn_again(library_name: str, checkpoint_id: str, station: StationSettings) -> dict[str, bytes]:
    with seat(station) as place:
        assert place.page is not None, "a station with a browser"
        return pictures_along(place.session, place.page, library(library_name).checkpoint(checkpoint_id))


def with_pictures(context: PublicContext, png_of: Callable[[str], bytes | None], store: PictureStore) -> PublicContext:
    """Put the prefix's pictures into the study's store and name them as the store does; what has no PNG is left out."""

    def stored(name: str | None) -> str | None:
        png = None if name is None else png_of(name)
        return None if png is None else store.save(png)

    return replace(context, prefix=tuple(replace(turn, picture=stored(turn.picture)) for turn in context.prefix))
