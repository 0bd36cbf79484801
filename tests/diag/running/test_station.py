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
    assert len(driver_pids()) == 1
assert len(pictures) == 1, "all browsers draw the same"
assert drivers[0] == drivers[1] != drivers[2] == drivers[3] != drivers[4], drivers
close_stations()
assert driver_pids() == ()
"""


@pytest.mark.browser
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_browser_is_replaced_after_its_sessions_and_never_under_one():
    """In a process of its own, because it closes the browsers of its process."""
    done = subprocess.run([sys.executable, "-c", SEATED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
