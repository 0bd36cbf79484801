"""Clocks, on a fake machine clock."""

from __future__ import annotations

import pytest

from diag.records import InfrastructureFailure
from diag.session.clock import VirtualClock, WallClock, WorkingClock, clock_named


class Machine:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def machine():
    return Machine()


def test_the_virtual_clock_counts_reports_and_nominal_waits_only():
    clock = VirtualClock()
    clock.wait(7)
    clock.start()
    assert clock.inference(12.5, measured_s=0.001) == 12.5
    clock.wait(2.0)
    clock.exclude(100.0)
    assert clock.elapsed_s() == 14.5


def test_the_virtual_clock_measures_agents_that_report_nothing():
    clock = VirtualClock()
    clock.inference(None, measured_s=3.0, throttled_s=1.0)
    assert clock.elapsed_s() == 2.0


def test_the_wall_clock_starts_at_takeover_and_waits_for_a_simulated_latency(machine):
    clock = WallClock(machine.monotonic, machine.sleep)
    assert clock.elapsed_s() == 0.0
    machine.now += 50
    clock.start()
    machine.now += 1
    assert clock.inference(5.0, measured_s=1.0) == 5.0
    clock.wait(2)
    assert clock.elapsed_s() == 7.0


def test_the_working_clock_leaves_out_throttling_and_never_runs_back(machine):
    clock = WorkingClock(1000.0, machine.monotonic, machine.sleep)
    clock.start()
    machine.now += 30
    assert clock.elapsed_s() == 30.0
    clock.inference(None, measured_s=30.0, throttled_s=20.0)
    assert clock.elapsed_s() == 30.0
    machine.now += 25
    assert clock.elapsed_s() == 35.0


def test_throttling_longer_than_the_call_is_no_negative_time(machine):
    clock = WorkingClock(1000.0, machine.monotonic, machine.sleep)
    clock.start()
    machine.now += 5
    assert clock.inference(None, measured_s=5.0, throttled_s=500.0) == 0.0
    machine.now += 1
    assert clock.elapsed_s() == 1.0


def test_the_guard_ends_an_attempt_that_is_throttled_for_ever(machine):
    clock = WorkingClock(600.0, machine.monotonic, machine.sleep)
    clock.start()
    machine.now += 601
    with pytest.raises(InfrastructureFailure, match="the guard is 600 s"):
        clock.inference(None, measured_s=601.0, throttled_s=600.0)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_time_span_is_finite_and_not_negative(seconds):
    with pytest.raises(ValueError, match="finite number of seconds"):
        VirtualClock().wait(seconds)


@pytest.mark.parametrize("name", ["wall", "working", "virtual"])
def test_a_clock_is_found_by_the_name_the_configuration_uses(name):
    assert clock_named(name, 300.0).kind == name


def test_the_guard_of_a_working_clock_grows_with_the_time_limit():
    clock = clock_named("working", 1e-9)
    clock.start()
    with pytest.raises(InfrastructureFailure, match="the guard is 4e-09"):
        clock.inference(None, 0.0)
