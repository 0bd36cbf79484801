"""Work in several processes: the order is kept, errors come as they are, a killed process costs nothing but time."""

import math
import operator
import os
import signal
import subprocess
import sys
import time

import pytest

from chaos.processes import below, command
from diag.running.process import alive, wait_until_gone
from diag.running.spread import spread, usable_cores


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(n_jobs: int):
    assert spread(operator.neg, [3, 1, 2], n_jobs) == [-3, -1, -2]


def test_several_processes_are_others_than_this_and_one_is_this():
    assert os.getpid() not in spread(operator.call, [os.getpid, os.getpid], 2)
    assert spread(operator.call, [os.getpid, os.getpid], 1) == [os.getpid()] * 2


def test_a_run_with_more_processes_may_have_gone_before():
    assert spread(operator.neg, [1, 2, 3], 3) == [-1, -2, -3]
    assert spread(operator.neg, [1, 2, 3], 2) == [-1, -2, -3]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_comes_as_it_is(n_jobs: int):
    with pytest.raises(ValueError, match="math domain error"):
        spread(math.sqrt, [4.0, -1.0], n_jobs)


def test_what_a_killed_process_had_to_do_is_done_here():
    dies_elsewhere = f"import os, signal\nif os.getpid() != {os.getpid()}: os.kill(os.getpid(), signal.SIGKILL)"
    assert spread(exec, [dies_elsewhere, dies_elsewhere], 2) == [None, None]
    assert spread(operator.neg, [1, 2], 2) == [-1, -2], "the next work has new processes"


def test_there_is_a_core():
    assert usable_cores() >= 1


SLEEPER = """
import sys, time
from diag.running.spread import spread
if __name__ == "__main__":
    spread(time.sleep, [600, 600], 2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_an_interrupted_or_killed_one(number: signal.Signals):
    runner = subprocess.Popen([sys.executable, "-c", SLEEPER], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while sum("loky" in command(pid) and "--process-name" in command(pid) for pid in below(runner.pid)) < 2:
        assert time.monotonic() < deadline, "the processes did not start"
        time.sleep(0.1)
    time.sleep(1.0)  # each has its task
    workers = below(runner.pid)
    runner.send_signal(number)
    assert runner.wait(timeout=60) != 0
    wait_until_gone(workers, timeout_s=30)
    assert [pid for pid in workers if alive(pid)] == []
