"""What every test file shares."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hydra._internal.hydra import Hydra

from diag.running.station import close_stations


def pytest_configure() -> None:
    """Hear Ctrl-C: a shell's background job has it ignored, and so would every program that a test starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    compose_once()


def compose_once() -> None:
    """Keep Hydra from composing everything twice, first for `hydra.mode` alone: a third of what a command costs here.

    Commands in processes of their own compose as users' do.
    """
    ask = Hydra.get_mode

    def get_mode(self: Hydra, config_name: str | None, overrides: list[str]) -> Any:
        return ask(self, config_name, overrides) if any("hydra.mode" in one for one in overrides) else None

    Hydra.get_mode = get_mode  # type: ignore[method-assign]


def pytest_collection_finish() -> None:
    """Let the collector pass over the modules and tests that stay to the end, and come less often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True, scope="module")
def no_station_outlives_its_file() -> Iterator[None]:
    """Close the browsers that studies of this process left open: Playwright starts once a thread."""
    yield
    close_stations()
