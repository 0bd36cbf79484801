"""loky's helper that counts semaphores, without a traceback for those that it never heard of.

When the helper is killed, loky starts another one, which then hears of semaphores that the first had counted. It
would print a traceback for each, though nothing is lost: what is left behind is taken away at the next start. That it
was started is no news for a user either.
"""

from __future__ import annotations

import sys
import warnings
from types import TracebackType


def main(fd: int, verbose: int = 0) -> None:
    """Be the helper, in its process; loky starts it by the name of this module."""
    from joblib.externals.loky.backend import resource_tracker

    sys.excepthook = _report
    resource_tracker.main(fd, verbose)


def install() -> None:
    """Let helpers that this process starts be quiet ones."""
    from joblib.externals.loky.backend import resource_tracker

    resource_tracker.main = main
    warnings.filterwarnings("ignore", "resource_tracker: process died", UserWarning)


def _report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not isinstance(error, KeyError):
        sys.__excepthook__(kind, error, trace)
