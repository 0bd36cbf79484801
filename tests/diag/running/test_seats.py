"""Many seats in one process: the records of one at a time, in any order; a dead worker is told, a stop is quick."""

import os
import signal
import time

import pytest

from diag.errors import ConfigError, DiagError
from diag.running.cluster import WorkersDied, run_on
from diag.running.seats import crew


def work(_job, unit, attempt):
    if unit == "dies":
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    if unit == "refuses":
        raise ConfigError("found this, wanted that")
    time.sleep(60 if unit == "hangs" else 0.3)
    return unit, attempt


def run(units, n_processes=1, n_seats=20):
    with crew(n_processes, n_seats, os.getpid()) as seats:
        yield from run_on(seats, None, [(unit, 1) for unit in units], n_jobs=seats.size, task=work)


def test_seats_work_at_the_same_time():
    names = [f"u{number}" for number in range(20)]
    statuses = run(names)
    first = next(statuses)
    began = time.monotonic()
    assert {first[0], *(name for name, _ in statuses)} == set(names)
    assert time.monotonic() - began < 3.0  # one after the other they take six seconds


def test_a_worker_that_dies_is_told_after_those_of_other_processes_are_done():
    found = []
    with pytest.raises(WorkersDied, match="exit -9"):
        found += iter_all(run(["dies", "u1"], n_processes=2, n_seats=1), found)
    assert [name for name, _ in found] == ["u1"]


def iter_all(statuses, found):
    for status in statuses:
        found.append(status)
    return []


def test_an_error_of_an_attempt_comes_as_it_is():
    with pytest.raises(DiagError, match="found this, wanted that"):
        list(run(["refuses"]))


def test_a_seat_that_hangs_stops_no_other_and_is_ended_with_the_run():
    statuses = run(["hangs", *(f"u{number}" for number in range(40))], n_seats=8)
    assert len([next(statuses) for _ in range(40)]) == 40
    began = time.monotonic()
    statuses.close()
    assert time.monotonic() - began < 5.0
