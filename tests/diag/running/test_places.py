"""Processes x seats: the default from cores, memory and the agent; what is refused, in one line."""

from types import SimpleNamespace

import pytest

from diag.errors import ConfigError
from diag.running.places import Places, Room, default_places, places_of, waits

GB = 10**9
MODEL = SimpleNamespace(simulated=False, places=16)
SIMULATED = SimpleNamespace(simulated=True)


def room(cores=2, memory_gb=24.0, browser=True):
    return Room(cores, None if memory_gb is None else int(memory_gb * GB), browser)


@pytest.mark.parametrize(
    ("space", "agent_waits", "requests", "wanted"),
    [
        (room(), True, 16, (1, 16)),
        (room(), True, 200, (1, 96)),  # more were never measured
        (room(), True, None, (1, 16)),
        (room(memory_gb=2.0), True, 96, (1, 16)),  # (2.00 - 1.07) GB in pages of 55 MB
        (room(memory_gb=0.5), True, 96, (1, 1)),
        (room(), False, None, (1, 6)),
        (room(cores=1), False, None, (1, 3)),
        (room(cores=8), False, None, (4, 6)),
        (room(cores=64, browser=False), False, None, (59, 1)),  # memory is what ends first
        (room(cores=8, memory_gb=None, browser=False), False, None, (8, 1)),
    ],
)
def test_the_default_comes_from_cores_memory_and_the_agent(space, agent_waits, requests, wanted):
    assert default_places(space, agent_waits, requests) == Places(*wanted)


def test_processes_that_are_asked_for_have_one_seat_unless_seats_are_too():
    assert places_of(3, None, room=room(), agent=MODEL, clock="wall", local=True) == Places(3, 1)
    assert places_of(2, 8, room=room(), agent=MODEL, clock="wall", local=True) == Places(2, 8)
    assert places_of(None, 8, room=room(), agent=MODEL, clock="wall", local=True) == Places(1, 8)


@pytest.mark.parametrize(
    ("asked", "space", "clock", "local", "message"),
    [
        ((1, 500), room(), "virtual", True, "found 500 in 1 process, wanted at most 416: 24.0 GB of memory are free"),
        ((2, 300), room(), "virtual", True, "found 300 in 2 processes, wanted at most 198"),
        ((2, 9), room(), "wall", True, "found 18 units at a time, wanted at most agent.places=16"),
        ((2, 9), room(), "wall", False, "found 9 on a cluster, wanted 1"),
    ],
)
def test_more_seats_than_there_is_room_for_are_refused(asked, space, clock, local, message):
    with pytest.raises(ConfigError, match=message):
        places_of(*asked, room=space, agent=MODEL, clock=clock, local=local)


def test_an_agent_says_itself_whether_it_waits_and_on_a_real_clock_everybody_does():
    assert waits(MODEL, "virtual")
    assert not waits(SIMULATED, "virtual")
    assert waits(SIMULATED, "wall")
    assert not waits(SimpleNamespace(simulated=False, waits=False), "wall")
    assert waits(SimpleNamespace(simulated=True, waits=True), "virtual")
