"""Waiting for what another process does."""

import time


def wait_for(condition, timeout_s: float = 60.0):
    """Return what `condition` returns once that is true. Fails when it is not in time."""
    deadline = time.monotonic() + timeout_s
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return found
