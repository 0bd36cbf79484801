"""What an attempt takes over: memory from the task before it, and the finished rounds of its own killed attempt.

Every condition begins each order with empty memories. One that remembers across tasks waits for the same condition's
task before; its memory is read from that task's log, so nothing is kept beside the logs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diag.errors import ConfigError
from diag.records import Event, InfrastructureFailure
from diag.records.event_log import LogError, read_events
from diag.records.study_folder import StudyFolder
from diag.running.executor import Work
from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.condition import LAYERS
from diag.studies.playtest.loop import ROOM, State, finished_part, folded
from diag.studies.playtest.memory import Entry, carried, entry_of
from diag.studies.playtest.starts import Task
from games.contract import JsonObject

POLL_S = 0.2
DEAD_S = 60.0
"""A running attempt that has given no sign of life for so long, in seconds, is dead; one that lives does every ten."""


@dataclass(frozen=True)
class Inheritance:
    """What a task begins with from the tasks before it."""

    memory: tuple[Entry, ...] = ()
    unit_id: str | None = None
    """Where it is from; None: nothing is taken over."""


def inherited(work: Work, task: Task) -> Inheritance:
    """Return the memory that the same condition's task before this one left, waiting while that one runs.

    Raises:
        InfrastructureFailure: that task has no valid attempt; the kind is that of its own failure.
        ConfigError: the plan leaves it out.
    """
    if not work.arm.carries or task.previous is None:
        return Inheritance()
    name = f"{task.previous}-{work.unit.arm}-r{work.unit.repeat}"
    beside = work.log_path.with_name(f"{name}.jsonl")
    if work.log_path.stem == work.unit.unit_id and beside.is_file():  # a calibration: logs side by side, no folder
        return Inheritance(left_memory(read_events(beside)), name)
    folder = StudyFolder(work.log_path.parents[3])
    _require_planned(folder, name, work)
    return Inheritance(left_memory(_awaited(folder, name)), name)


def left_memory(events: Sequence[Event]) -> tuple[Entry, ...]:
    """Return what outlives a task under its condition, from its log."""
    return carried(state_of(events).memory, LAYERS[events[0].data["condition"]["memory"]])


def state_of(events: Sequence[Event]) -> State:
    """Return where the task of a log stands."""
    own = ((event.kind.removeprefix(f"{ROOM}."), event.data) for event in events if event.kind.startswith(f"{ROOM}."))
    return folded(first_state(events[0].data), own)


def first_state(start: JsonObject) -> State:
    """Return the state that `episode_start` describes: the draft, and what is remembered of earlier tasks."""
    task = start["task"]
    memory = tuple(entry_of(one) for one in start["memory"])
    return State(Build(str(task["game"]), tuple(task["defects"])), memory=memory)


def finished_rounds(work: Work) -> tuple[Event, ...]:
    """Return the events that are kept of this attempt if it was killed before, its start first; empty if it was not.

    Of several kills the one that got furthest counts.
    """
    partial = work.log_path.parent
    stem = partial.name.removesuffix(".partial")
    kept = [finished_part(_whole_lines(one)) for one in sorted(partial.parent.glob(f"{stem}.interrupted-*"))]
    mine = [events for events in kept if events and _is_mine(events[0], work)]
    return max(mine, key=len, default=())


def _is_mine(start: Event, work: Work) -> bool:
    wanted = (work.unit.unit_id, work.attempt, work.executor.plan_hash)
    return tuple(start.data.get(name) for name in ("unit_id", "attempt", "plan_hash")) == wanted


def _whole_lines(folder: Path) -> tuple[Event, ...]:
    """Return the events of a log up to the line that was being written; empty if it cannot be trusted."""
    try:
        raw = (folder / "events.jsonl").read_bytes()
        with tempfile.TemporaryDirectory(prefix="diag-playtest-") as scratch:
            whole = Path(scratch) / "events.jsonl"
            whole.write_bytes(raw[: raw.rfind(b"\n") + 1])
            return read_events(whole)
    except (OSError, LogError):
        return ()


def _require_planned(folder: StudyFolder, name: str, work: Work) -> None:
    if not any(unit.unit_id == name for unit in folder.read_plan().units):
        raise ConfigError(
            f"{work.unit.unit_id} remembers {name}, which this plan leaves out; wanted whole orders, or conditions "
            "that remember nothing across tasks"
        )


def _awaited(folder: StudyFolder, name: str) -> tuple[Event, ...]:
    """Return the log of a unit's valid attempt, once it is there. Raises InfrastructureFailure if it does not come."""
    while (primary := folder.primary(name)) is None and any(map(_is_alive, folder.partials(name))):
        time.sleep(POLL_S)
    primary = primary or folder.primary(name)  # it may have ended between the two looks
    if primary is None:
        tried = folder.attempts(name)
        kind = (tried[-1].failure_kind if tried else None) or "suite"
        raise InfrastructureFailure(kind, f"{name}, the task before, has no valid attempt yet")
    return folder.read_events(primary)


def _is_alive(partial: Path) -> bool:
    try:
        last = max(one.stat().st_mtime for one in (partial, *partial.iterdir()))
    except OSError:  # it was finished or set aside under the look
        return True
    return time.time() - last < DEAD_S
