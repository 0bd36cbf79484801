"""Runs one retry: restore the source failure, restart natively, let the agent write, hand over, record it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from checkpoints.retry_start import Restarted, initial_digest, restore_and_restart
from checkpoints.store import Checkpoint
from diag.grading.certifier import Certifier, is_certified
from diag.records import Ending
from diag.running.executor import Work
from diag.running.station import Seat
from diag.running.takeover import take_over
from diag.session.contract import Agent, PublicContext
from diag.session.history import HistoryPolicy, at_takeover
from diag.session.limits import LevelWon
from diag.session.loop import AttemptSetup
from diag.studies.retry.memory import Memory, Written
from games.contract import LevelId
from games.suite.snapshot import Snapshot, Transition


def attempt(work: Work) -> None:
    """Run one retry. Raises InfrastructureFailure."""
    take_over(work, start=restarted, adapt=with_memory)


def restarted(work: Work, place: Seat, checkpoint: Checkpoint) -> Restarted:
    """Restore the source failure, restart the level natively, and hold it there. Raises RestorationFailure."""
    path = work.executor.restore_path
    return restore_and_restart(place.session, checkpoint, place.page, path=path, browser_build=place.build)


def with_memory(work: Work, agent: Agent, checkpoint: Checkpoint, setup: AttemptSetup) -> AttemptSetup:
    """Return the setup of a retry: what its agent remembers, where it starts, what ends it."""
    memory: Memory = work.arm
    context, record = remembered(
        memory, setup.base_context, setup.context, agent, setup.history, picture=setup.held_picture
    )
    stops: Any = (
        LevelWon(checkpoint.level),
        CertifiedFailure(checkpoint.level, work.executor.certifier),
        AnotherRestart(checkpoint.level),
    )
    source = {
        "mechanism": checkpoint.certificate["mechanism"],
        "player": checkpoint.provenance.get("player"),
        "simulated": checkpoint.provenance.get("simulated"),
    }
    return replace(
        setup,
        context=context,
        stop_conditions=stops,
        expected_digests={"state": initial_digest(checkpoint)},
        extra={**setup.extra, "memory": record, "source": source},
    )


def remembered(
    memory: Memory,
    base: PublicContext,
    treated: PublicContext,
    agent: Agent,
    history: HistoryPolicy,
    *,
    picture: str | None = None,
) -> tuple[PublicContext, dict[str, Any] | None]:
    """Return the context that a retry starts with, and the record of the text that was written for it.

    The failed try enters the window that the agent has anyway: its last turns as its own most recent ones, which later
    ones push out. For the separate call all of its turns are there, and `picture`: the screenshot of the restored
    board.
    """
    if not memory.writes:
        return windowed(treated, history, whole=False), None
    asked = memory.asked(windowed(base, history, whole=True), picture)
    written = Written.of(memory, agent.summarize(asked))
    return replace(windowed(treated, history, whole=False), memory=written.text or None), written.record(memory)


def windowed(context: PublicContext, history: HistoryPolicy, *, whole: bool) -> PublicContext:
    """Return the context with the last turns of its prefix as recent ones; the older ones stay only if `whole`."""
    shown = at_takeover(context, replace(history, prefix_pictures=history.pictures)).prefix
    n_recent = min(history.recent_turns, len(shown))
    split = len(shown) - n_recent
    return replace(context, prefix=shown[:split] if whole else (), recent=shown[split:])


class CertifiedFailure:
    """Ends a retry on a board of its level with its game's dead-end certificate. Built anew for each attempt."""

    name = "certified_failure"

    def __init__(self, level: LevelId, certify: Certifier) -> None:
        self._level, self._certify = level, certify

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return the ending once a certificate holds for a board that was played to."""
        del snapshot
        played = (one for one in transitions if one.level == self._level and one.kind == "move" and not one.won)
        return "certified_failure" if any(is_certified(self._certify, one.level, one.state) for one in played) else None


class AnotherRestart:
    """Ends a retry when its level is begun again, by restart or by leaving and entering. Built per attempt."""

    name = "another_restart"

    def __init__(self, level: LevelId) -> None:
        self._level = level
        self._started = False

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return the ending; the restart that the retry begins with is not another one."""
        del snapshot
        started, self._started = self._started, True
        again = any(one.level == self._level and one.kind in ("restart", "enter") for one in transitions)
        return "another_restart" if again and started else None
