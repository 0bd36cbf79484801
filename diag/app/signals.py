"""Ctrl-C, `kill` and a closed terminal: the first one ends the run in order, a second one at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP


class Interrupted(KeyboardInterrupt):
    """A signal asked this process to end; a `KeyboardInterrupt`, so that nothing takes it for a fault."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number
        """What a shell expects of a process that a signal ended."""


@contextmanager
def interruptions() -> Iterator[None]:
    """Turn the first signal into `Interrupted` and leave the next one to the system, which ends the process at once.

    A signal that whoever started this process has it ignore (`nohup`) stays ignored. Handlers belong to the main
    thread; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    for each in SIGNALS:
        if signal.getsignal(each) is _interrupt:
            signal.signal(each, signal.SIG_DFL)
    raise Interrupted(number)
