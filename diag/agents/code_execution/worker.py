"""Runs inside the jail: the agent's code with the screenshot as an array and the GUI API, nothing else of the suite.

Names of earlier runs are there (`kept.py`). Prints what the code prints; the last line is the run's token and the GUI
actions it asked for, as JSON.
"""

from __future__ import annotations

import _thread
import errno
import json
import os
import sys
import threading
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

sys.path.insert(0, "/packages")
sys.path.insert(0, "/in")
LIMIT = 3
"""Exit status of code that a limit ended."""
THREADS = 4
"""Exit status of code that wanted more threads than it may have."""
_STARTERS = ("start_new_thread", "start_new", "start_joinable_thread")


class Gui:
    """Asks for GUI actions; they are performed, in order, before the next screenshot or after the code has ended.

    Args:
        asks: where actions are written when a screenshot is to follow them.
        answers: where the number of the screenshot is read.
        screen: the current screenshot.
    """

    def __init__(self, asks: BinaryIO, answers: BinaryIO, screen: Any) -> None:
        self.actions: list[dict[str, Any]] = []
        self._asks, self._answers, self._screen = asks, answers, screen

    def screenshot(self) -> Any:
        """Return the screen, once everything asked for so far has been performed, as an array of its own."""
        import numpy as np

        if self.actions:
            sys.stdout.flush()
            self._asks.write(json.dumps(self.actions).encode() + b"\n")
            self._asks.flush()
            number = self._answers.readline().strip().decode()  # the run is stopped until the screen is there
            self.actions.clear()
            self._screen = np.load(f"/in/screenshot-{number}.npy")
        return self._screen.copy()

    def act(self, name: str, **fields: Any) -> None:
        """Ask for any action of the GUI action set."""
        self.actions.append({"name": name, **fields})

    def click(self, x: float, y: float) -> None:
        """Click at a screenshot pixel."""
        self.act("click", x=int(x), y=int(y))

    def drag(self, x: float, y: float, x2: float, y2: float) -> None:
        """Drag from one screenshot pixel to another."""
        self.act("drag", x=int(x), y=int(y), x2=int(x2), y2=int(y2))

    def swipe(self, x: float, y: float, x2: float, y2: float) -> None:
        """Swipe from one screenshot pixel to another."""
        self.act("swipe", x=int(x), y=int(y), x2=int(x2), y2=int(y2))

    def key(self, key: str) -> None:
        """Press a key."""
        self.act("key", key=str(key))

    def wait(self, seconds: float) -> None:
        """Wait."""
        self.act("wait", seconds=float(seconds))


def _met_a_limit(error: BaseException) -> bool:
    """Tell whether code ended because it was given no more memory, file size, files or room."""
    numbers = (errno.ENOMEM, errno.EFBIG, errno.EMFILE, errno.ENOSPC)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in numbers)


def _line(error: BaseException) -> int:
    """Return the line of the code at which an error left it; 0 if none of it ran."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "code"]
    return lines[0] if lines else 0


def _limit_threads(most: int) -> None:
    """End the run where Python would start one thread more than `most`, the first included; all are counted exactly.

    The host counts too, now and then: threads that code makes past Python are its to see.
    """
    running = [None]  # the first thread; Python's own count learns of a thread only once that runs

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            finally:
                running.pop()

        return run

    def limited(start: Callable[..., Any]) -> Callable[..., Any]:
        def start_or_end(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            running.append(None)
            if len(running) > most:
                sys.stdout.flush()
                os._exit(THREADS)
            try:
                return start(counted(function), *args, **kwargs)
            except BaseException:
                running.pop()
                raise

        return start_or_end

    for module, prefix in ((_thread, ""), (threading, "_")):
        for name in _STARTERS:
            if start := getattr(module, prefix + name, None):
                setattr(module, prefix + name, limited(start))


def main() -> None:
    """Run the code and report."""
    _limit_threads(int(sys.argv[1]))
    answers, asks = os.fdopen(os.dup(0), "rb"), os.fdopen(int(sys.argv[2]), "wb")
    token = answers.readline().strip().decode()
    sys.stdin.close()
    import kept  # type: ignore[import-not-found]  # beside this file in the jail
    import numpy as np

    screenshot, text = np.load("/in/screenshot-1.npy"), Path("/in/code.py").read_text(encoding="utf-8")
    gui = Gui(asks, answers, screenshot)
    module = types.ModuleType("__main__")
    sys.modules["__main__"], names = module, vars(module)  # what code defines is pickled by its name here
    session = kept.Session(Path("/job/.session"), names)
    names.update(gui=gui, np=np, screenshot=screenshot)
    session.restore()
    names.update(gui=gui, np=np)
    until: int | None = None
    try:
        exec(compile(text, "code", "exec"), names)  # noqa: S102 - running the agent's code is what the jail is for
    except SystemExit as error:
        until = _line(error)
    except BaseException as error:
        traceback.print_exc(file=sys.stdout)
        if _met_a_limit(error):
            sys.stdout.flush()
            os._exit(LIMIT)
        until = _line(error)
    session.save(text, until=until)
    sys.stdout.flush()
    sys.stdout.write("\n" + token + json.dumps(gui.actions) + "\n")
    sys.stdout.flush()


_MODULE = sys.modules[__name__]
"""Kept alive: the code's namespace takes its name."""
main()
