"""What every test file shares."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from diag.running.station import close_stations


def pytest_configure() -> None:
    """Hear Ctrl-C: a shell's background job has it ignored, and so would every program that a test starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def no_station_outlives_its_file() -> Iterator[None]:
    """Close the browsers that studies of this process left open: Playwright starts once a thread."""
    yield
    close_stations()
