"""The browser of a worker is kept for many units, and replaced before what it keeps of them adds up."""

import subprocess
import sys

import pytest

SEATED = """
from diag.running import station
from diag.running.station import StationSettings, close_stations, seat
from games.suite.page import driver_pids
station.SEATS_OF_A_BROWSER = 2
settings = StationSettings(browser=True, animate=False, language="en", levels=None)
pictures, drivers = set(), []
for _ in range(5):
    with seat(settings) as one:
        pictures.add(one.page.screenshot())
        drivers.append(*driver_pids())
with seat(settings) as one, seat(settings) as other:  # the second is past its number, and nobody is put out for it
    one.page.settle()
    other.page.settle()
    assert len(driver_pids()) == 2
assert len(driver_pids()) == 1, "the first closed behind the last who left it"
assert len(pictures) == 1, "all browsers draw the same"
assert drivers[0] == drivers[1] != drivers[2] == drivers[3] != drivers[4], drivers
close_stations()
assert driver_pids() == ()
"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_browser_is_replaced_after_its_sessions_and_never_under_one():
    """In a process of its own, because it closes the browsers of its process."""
    done = subprocess.run([sys.executable, "-c", SEATED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


SHARED = """
import os, signal, threading, types
from diag.running.station import StationSettings, close_stations, seat
from diag.records import InfrastructureFailure
from games.suite.browser_loop import BrowserLoop
settings = StationSettings(browser=True, animate=False, language="en", levels=None)
N = 6
ready, go = threading.Barrier(N + 1), threading.Event()
found = {}
loops = set()

def sit(number, play):
    try:
        with seat(settings) as one:
            loops.add(one.page._browser.loop)
            ready.wait(60)
            go.wait(60)
            found[number] = play(number, one)
    except InfrastructureFailure as failure:
        found[number] = f"{failure.kind} {failure.message}"

def all_seats(play):
    found.clear(), loops.clear(), go.clear(), ready.reset()
    threads = [threading.Thread(target=sit, args=(number, play)) for number in range(N)]
    [thread.start() for thread in threads]
    ready.wait(60)
    yield
    go.set()
    [thread.join(60) for thread in threads]
    assert not any(thread.is_alive() for thread in threads)
"""
KILLED = """
for _ in all_seats(lambda number, one: one.environment.screenshot()):
    (loop,) = loops
    os.kill(loop._browser_pid, signal.SIGKILL)
assert len(found) == N and all(str(one).startswith("browser crashed") for one in found.values()), found
with seat(settings) as one:
    assert one.page._browser.loop is not loop
    assert one.environment.screenshot()
close_stations()
"""
DRIVER = """
for _ in all_seats(lambda number, one: one.environment.screenshot()):
    (loop,) = loops
    os.kill(loop._driver_pid, signal.SIGKILL)
assert len(found) == N and all(str(one).startswith("browser ") for one in found.values()), found
with seat(settings) as one:
    assert one.page._browser.loop is not loop
close_stations()
"""
HANGS = """
def play(number, one):
    if number == 0:
        shared = one.page._browser.loop
        one.page.page.loop = types.SimpleNamespace(call=lambda coroutine: shared._call(coroutine, 3.0))  # its own alone
        with one.page._failures():
            one.page.page.evaluate("for (;;);")
    pictures = [one.environment.screenshot() for _ in range(20)]
    return len(set(pictures))

for _ in all_seats(play):
    (loop,) = loops
assert found.pop(0) == "browser hung: no answer within 15 s; the page was ended", found
assert set(found.values()) == {1} and len(found) == N - 1, found
with seat(settings) as one:
    assert one.page._browser.loop is loop, "the browser is as it was"
close_stations()
"""


REUSED = """
from diag.running.station import StationSettings, close_stations, seat
settings = StationSettings(browser=True, animate=False, language="en", levels=None)
CLICKS = [(300, 300), (200, 400), (640, 450)]

def played(one):
    pictures = [one.page.screenshot()]
    for x, y in CLICKS:
        one.page.click(x, y)
        pictures.append(one.page.screenshot())
    return pictures

with seat(settings) as used, seat(settings) as other:
    fresh, used_page, failed_page = played(other), used.page, other.page
    for x, y in CLICKS:
        used.page.drag(x, y, y, x)
        used.page.key("Tab")
    used.page.type_text("abc")
    used.page.page.evaluate("window.left = localStorage.left = document.cookie = 'left'")
    used.page.page.mouse.down()
    failed_page._failure("timeout", "of this attempt")
with seat(settings) as again, seat(settings) as new:
    assert again.page is used_page and new.page is not failed_page, "what failed is not used again"
    assert again.page.page.evaluate("[window.left, localStorage.length, document.cookie]") == [None, 0, ""]
    assert played(again) == fresh
    assert again.session.transitions() == new.session.transitions() == ()
close_stations()
"""


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_that_is_used_again_is_no_different_from_a_fresh_one():
    """In a process of its own, because it closes the browsers of its process."""
    done = subprocess.run([sys.executable, "-c", REUSED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="kills by process id")
@pytest.mark.parametrize(
    "what", [KILLED, DRIVER, HANGS], ids=["browser killed under six seats", "driver killed", "a seat that hangs"]
)
def test_a_dead_browser_costs_its_seats_and_a_hanging_seat_only_itself(what):
    done = subprocess.run([sys.executable, "-c", SHARED + what], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "never retrieved" not in done.stderr
