"""What every test file shares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from diag.execution.station import close_stations


@pytest.fixture(autouse=True, scope="module")
def no_station_outlives_its_file() -> Iterator[None]:
    """Close the browsers that studies of this process left open: Playwright starts once a thread."""
    yield
    close_stations()
