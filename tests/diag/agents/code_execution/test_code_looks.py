"""Screenshots taken inside code: what was asked for so far is performed first, and the run stands still until then."""

import io
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from diag.agents.code_execution import Sandbox, SandboxLimits
from diag.agents.code_execution import sandbox as sandbox_module
from diag.errors import ConfigError

LIMITS = SandboxLimits(wall_s=20.0, cpu_s=5, memory_mb=400, file_mb=8)


def screen(shade: int) -> bytes:
    """Return a screenshot of one grey."""
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 900), (shade, shade, shade)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def jail():
    try:
        sandbox_module.require()
    except ConfigError as error:
        pytest.skip(f"no isolation on this machine: {error}")
    one = Sandbox(LIMITS)
    yield one
    one.close()


def clicks(ran) -> list[int]:
    return [one["x"] for one in ran.actions]


LOOKS = """
print("before", screenshot[0, 0, 0])
gui.click(1, 5)
gui.click(2, 5)
seen = gui.screenshot()
print("seen", seen[0, 0, 0], gui.screenshot()[0, 0, 0])
gui.click(int(seen[0, 0, 0]), 5)
again = gui.screenshot()
again[:] = 0
print("again", gui.screenshot()[0, 0, 0], seen[0, 0, 0], screenshot[0, 0, 0])
gui.click(4, 5)
"""


def test_code_sees_what_its_inputs_came_to_and_goes_on_from_there(jail):
    first = jail.run(LOOKS, screen(10))
    assert (first.output, clicks(first), first.waits) == ("before 10", [1, 2], True)
    second = jail.go_on(screen(20))  # a second look without an input in between is of the same screen
    assert (second.output, clicks(second), second.waits) == ("seen 20 20", [20], True)
    last = jail.go_on(screen(30))
    assert (last.output, clicks(last), last.waits) == ("again 30 20 10", [4], False)
    assert jail.run("print(seen.shape, again[0, 0, 0])", b"").output == "(900, 1280, 3) 0"  # kept like any variable


def test_a_run_that_waits_computes_nothing_in_any_thread_and_its_time_stands_still(jail):
    code = """
import threading, time
n = [0]
def count():
    while True:
        n[0] += 1
threading.Thread(target=count, daemon=True).start()
gui.click(1, 1)
before = time.process_time()
gui.screenshot()
print(time.process_time() - before < 0.5)
"""
    jail.limits = SandboxLimits(wall_s=4.0, cpu_s=5, memory_mb=400, file_mb=8)
    assert jail.run(code, screen(1)).waits
    time.sleep(4.5)
    ran = jail.go_on(screen(2))
    assert ran.output.splitlines()[0] == "True"
    assert ran.took_s < 4


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("while True: pass", "ended by a limit|stopped after"),
        ("import os; os._exit(7)", "status 7"),
        ("raise SystemExit", ""),
    ],
)
def test_what_was_done_before_a_look_stands_and_the_rest_of_a_run_that_met_a_limit_does_not(jail, code, why):
    jail.limits = SandboxLimits(wall_s=3.0, cpu_s=2, memory_mb=400, file_mb=8)
    assert clicks(jail.run(f"gui.click(1, 1)\ngui.screenshot()\ngui.click(2, 2)\n{code}", screen(1))) == [1]
    ran = jail.go_on(screen(2))
    assert clicks(ran) == ([] if why else [2])
    assert ("no further action was asked for" in ran.output) == bool(why)


def test_screenshots_of_a_run_are_limited(jail, monkeypatch):
    monkeypatch.setattr(sandbox_module, "MOST_SCREENS", 4)
    ran = jail.run("for n in range(10_000):\n    gui.click(n, n)\n    gui.screenshot()", screen(1))
    seen = [ran]
    while seen[-1].waits:
        seen.append(jail.go_on(screen(1)))
    assert list(map(clicks, seen)) == [[0], [1], [2], []]
    assert "more than 4 screenshots; no further action" in seen[-1].output


def test_a_forged_request_ends_the_run(jail):
    code = (
        "import os\nfor n in range(3, 100):\n    try: os.write(n, b'[]\\n')\n    except OSError: pass\nwhile True: pass"
    )
    ran = jail.run(code, screen(1))
    assert (ran.actions, ran.waits) == ((), False)
    assert "cannot be read" in ran.output


@pytest.mark.parametrize("how", ["close", "forgotten", "another run"])
def test_nothing_of_a_run_that_waits_outlives_its_attempt(how, jail):
    one = Sandbox(LIMITS)
    assert one.run("gui.click(1, 1)\ngui.screenshot()", screen(1)).waits
    pid = one._waiting._jailed.run.pid
    deadline = time.monotonic() + 10
    while (stat := Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split())[0] != "T":
        assert time.monotonic() < deadline, stat[0]
    if how == "close":
        one.close()
    elif how == "another run":
        assert one.run("print(1)", b"").output == "1"
    else:
        del one
    assert not Path(f"/proc/{pid}").exists()


def test_without_a_picture_a_look_is_empty(jail):
    assert jail.run("gui.key('a')\nprint(gui.screenshot().shape)", b"").waits
    assert jail.go_on(b"").output == str(np.zeros((0, 0, 3)).shape)
