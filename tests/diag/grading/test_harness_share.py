"""The harness's share: elapsed time that is neither the agent's answer nor a nominal wait."""

import pytest

from diag.grading.harness import harness_share
from diag.records import Event
from diag.session.clock import VirtualClock, WallClock, WorkingClock


class Hands:
    """A clock's time, moved by hand; a sleep oversleeps by `late_s`."""

    def __init__(self, late_s=0.0):
        self.now, self.late_s = 100.0, late_s

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds + self.late_s


def end(clock_s, **data):
    return (Event(0, "episode_end", clock_s, 0.0, "", data),)


def test_what_is_neither_answer_nor_wait_is_the_harness_s():
    hands = Hands(late_s=0.01)
    clock = WallClock(hands.monotonic, hands.sleep)
    clock.start()
    hands.now += 5.0
    clock.inference(None, 5.0)
    hands.now += 0.2  # acting and the screenshot
    clock.wait(2.0)
    assert clock.harness_s() == pytest.approx(0.21)
    assert harness_share(end(clock.elapsed_s(), harness_s=clock.harness_s())) == pytest.approx(0.21 / 7.21)


def test_a_probe_and_a_rate_limit_are_nobody_s():
    hands = Hands()
    clock = WorkingClock(1000.0, hands.monotonic, hands.sleep)
    clock.start()
    hands.now += 9.0
    clock.inference(None, 9.0, throttled_s=6.0)
    hands.now += 4.0
    clock.exclude(4.0)
    hands.now += 0.5
    assert (clock.elapsed_s(), clock.harness_s()) == (pytest.approx(3.5), pytest.approx(0.5))


def test_a_latency_that_is_waited_for_is_the_agent_s():
    hands = Hands()
    clock = WallClock(hands.monotonic, hands.sleep)
    clock.start()
    clock.inference(3.0, 0.0)
    assert clock.harness_s() == 0.0


def test_a_virtual_clock_and_an_older_log_have_none():
    assert VirtualClock().harness_s() is None
    assert harness_share(end(10.0)) is None
    assert harness_share(end(0.0, harness_s=0.0)) is None
