"""How many units run at a time: worker processes x seats, from cores, memory and whether the agent waits."""

from __future__ import annotations

from dataclasses import dataclass

from diag.errors import ConfigError
from diag.session.clock import ClockName
from diag.session.contract import AgentFactory

MOST_SEATS = 96
"""Seats of one browser that were measured (docs/performance.md); more are allowed, but no default."""
WAITING_SEATS = 16
"""Seats for an agent that waits and does not say how many requests it has open at a time."""
BUSY_SEATS = 3
"""Seats per core in one browser, of an agent that does not wait (docs/performance.md)."""
PROCESS_BYTES = 2**30
"""Memory of a worker process with driver, server and browser, before the first page."""
PAGE_BYTES = 55 * 10**6
"""Memory of one more page (PSS, docs/performance.md)."""
RULES_PROCESS_BYTES = 384 * 2**20
"""Memory of a worker process without a browser."""
RULES_SEAT_BYTES = 8 * 2**20
"""Memory of one more seat without a browser."""


@dataclass(frozen=True)
class Places:
    """What runs at a time."""

    processes: int
    seats: int


@dataclass(frozen=True)
class Room:
    """What this machine has for a study."""

    cores: int
    memory_bytes: int | None
    """None where the machine does not say."""
    browser: bool

    def seats_for(self, processes: int) -> int:
        """Return how many seats each of some processes may have by memory, from 0."""
        if self.memory_bytes is None:
            return MOST_SEATS
        process, seat = (PROCESS_BYTES, PAGE_BYTES) if self.browser else (RULES_PROCESS_BYTES, RULES_SEAT_BYTES)
        return max(0, (self.memory_bytes // processes - process) // seat)


def places_of(
    n_jobs: int | None, seats: int | None, *, room: Room, agent: AgentFactory, clock: ClockName, local: bool
) -> Places:
    """Return processes and seats for what was asked and, where nothing was, for what there is.

    Args:
        n_jobs: `execution.n_jobs`, None for the default.
        seats: `execution.seats`, None for the default: one where `n_jobs` is given.
        room: what the machine has.
        agent: whether it waits, and its requests at a time.
        clock: the study's clock.
        local: False on a cluster, where a task is one attempt.

    Raises:
        ConfigError: more seats than memory or than the agent's requests at a time, or seats on a cluster.
    """
    if not local:
        if seats not in (None, 1):
            raise ConfigError(f"execution.seats: found {seats} on a cluster, wanted 1: its tasks are single attempts")
        return Places(n_jobs or default_places(room, waits(agent, clock), None).processes, 1)
    if n_jobs is None and seats is None:
        return default_places(room, waits(agent, clock), _requests(agent))
    asked = Places(n_jobs or 1, seats or 1)
    if asked.seats > 1:
        _refuse(asked, room, None if clock == "virtual" else _requests(agent))
    return asked


def default_places(room: Room, agent_waits: bool, requests: int | None) -> Places:
    """Return the default: many seats in one process for an agent that waits, a process per core for one that works.

    Args:
        room: what the machine has.
        agent_waits: whether the agent leaves its core idle most of the time.
        requests: how many requests the agent has open at a time; None: not said.
    """
    if agent_waits:
        return Places(1, max(1, min(requests or WAITING_SEATS, MOST_SEATS, room.seats_for(1))))
    if room.browser:
        return _busy_browsers(room)
    by_memory = room.cores if room.memory_bytes is None else room.memory_bytes // RULES_PROCESS_BYTES
    return Places(max(1, min(room.cores, by_memory)), 1)


def _busy_browsers(room: Room) -> Places:
    """Return one browser for every two cores: a page and its browser's own work fill them."""
    processes = max(1, room.cores // 2)
    while processes > 1 and room.seats_for(processes) < BUSY_SEATS:
        processes -= 1
    return Places(processes, max(1, min(BUSY_SEATS * min(room.cores, 2), room.seats_for(processes))))


def waits(agent: AgentFactory, clock: ClockName) -> bool:
    """Tell whether an agent leaves its core idle most of the time.

    An agent says so with `waits`; without it one that is no simulation is taken to wait on a network. On a real clock a
    simulation waits as well, for the time that it says it took.
    """
    declared = getattr(agent, "waits", None)
    return not agent.simulated or clock != "virtual" if declared is None else bool(declared)


def _requests(agent: AgentFactory) -> int | None:
    found = getattr(agent, "places", None)
    return found if isinstance(found, int) else None


def _refuse(asked: Places, room: Room, requests: int | None) -> None:
    most = room.seats_for(asked.processes)
    if asked.seats > most:
        free = (room.memory_bytes or 0) / 1e9
        raise ConfigError(
            f"execution.seats: found {asked.seats} in {_processes(asked)}, wanted at most {most}: "
            f"{free:.1f} GB of memory are free"
        )
    at_once = asked.seats * asked.processes
    if requests is not None and at_once > requests:
        raise ConfigError(
            f"execution.seats: found {at_once} units at a time, wanted at most agent.places={requests}: on a real "
            "clock the others would lose their time waiting for a place"
        )


def _processes(asked: Places) -> str:
    return f"{asked.processes} process" + ("es" if asked.processes > 1 else "")
