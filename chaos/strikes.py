"""The faults, each done from inside the process that has reached the moment.

A victim's runner leads its session, so every process of it knows the runner: `os.getsid(0)`.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaos.processes import browsers, renderers

if TYPE_CHECKING:
    from chaos.hooking import Orders

DAY_S = 86_400.0
FILLER = "filler"
"""File of the outputs folder that fills the disk."""


def _kill_runner(_: Orders) -> None:
    os.kill(os.getsid(0), signal.SIGKILL)
    time.sleep(60)  # a worker waits here for its own end


def _kill_self(_: Orders) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_game(_: Orders) -> None:
    """Kill the process that serves this worker's games; the phase has imported the module."""
    os.kill(sys.modules["diag.studies.continuation.place"].SERVER.pid, signal.SIGKILL)


def _kill_browser(_: Orders) -> None:
    _kill_all(browsers(os.getpid()), signal.SIGKILL)


def _freeze_browser(_: Orders) -> None:
    """Stop the browser in the middle: it is there and answers nothing."""
    _kill_all(browsers(os.getpid()), signal.SIGSTOP)


def _crash_page(_: Orders) -> None:
    _kill_all(renderers(os.getpid()), signal.SIGKILL)
    time.sleep(0.5)  # the browser notices


def _end_server(_: Orders) -> None:
    """End the suite server, a thread of the worker: its socket is closed, nobody answers."""
    from games.suite.server import SuiteServer

    for server in _living(SuiteServer):
        server.__exit__(None, None, None)


def _hang_server(_: Orders) -> None:
    """Keep the suite server's loop busy for longer than any deadline: it accepts and does not answer."""
    from games.suite.server import SuiteServer

    for server in _living(SuiteServer):
        for connection in server._connections.values():
            connection._loop.call_soon_threadsafe(time.sleep, 120)


def _drop_sockets(_: Orders) -> None:
    from games.suite.server import SuiteServer

    for server in _living(SuiteServer):
        for connection in tuple(server._connections.values()):
            connection.close_soon()


def _slow_page(_: Orders) -> None:
    from games.suite.page import SuitePage

    for page in _living(SuitePage):
        if page.page.is_closed():
            continue  # an earlier attempt's
        page._cdp.send("Emulation.setCPUThrottlingRate", {"rate": 20})


def _hang_seat(_: Orders) -> None:
    """Keep the script of one page busy for ever; its neighbours' pages answer."""
    from games.suite.page import SuitePage

    page = next(one for one in _living(SuitePage) if not one.page.is_closed()).page
    page.evaluate("setTimeout(() => { for (;;); }, 0), 0")


def _jump_ahead(_: Orders) -> None:
    _shift_clock(DAY_S)


def _jump_back(_: Orders) -> None:
    _shift_clock(-DAY_S)


def _shift_clock(by_s: float) -> None:
    """Shift the time of day for this process; the machine's own clock is everybody's and stays."""
    real, real_ns = time.time, time.time_ns
    time.time = lambda: real() + by_s
    time.time_ns = lambda: real_ns() + int(by_s * 1e9)

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Shifted:
            return cls.fromtimestamp(real() + by_s, tz)

    for name, module in tuple(sys.modules.items()):
        if name.startswith("diag.") and getattr(module, "datetime", None) is datetime:
            module.datetime = Shifted  # type: ignore[attr-defined]


def _fill_disk(orders: Orders) -> None:
    """Leave no byte on the disk that holds the outputs."""
    with (Path(orders.outputs) / FILLER).open("ab", buffering=0) as filler:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while filler.write(b"\0" * size) == size:
                    pass
            except OSError:
                continue


def _make_read_only(orders: Orders) -> None:
    """Put a read-only mount over the outputs: what is open stays writable, nothing can be opened for writing."""
    subprocess.run(["mount", "--bind", orders.outputs, orders.outputs], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", orders.outputs], check=True)


def _cut_line_and_kill(orders: Orders) -> None:
    """Leave half a line at the end of every open log, as a power cut does, and kill the runner."""
    for log in Path(orders.outputs).glob("*/*/units/*/*.partial/events.jsonl"):
        with log.open("ab") as file:
            file.write(b'{"kind":"action","clo')
    _kill_runner(orders)


def _interrupt(_: Orders) -> None:
    """Press Ctrl-C: the terminal sends SIGINT to the whole foreground group."""
    os.killpg(os.getsid(0), signal.SIGINT)
    time.sleep(0.2)


def _terminate(_: Orders) -> None:
    """What `kill`, a batch scheduler and a shutting down machine send, to the runner alone."""
    os.kill(os.getsid(0), signal.SIGTERM)
    time.sleep(0.2)


def _hold(orders: Orders) -> None:
    """Wait until the campaign lets the victim go on."""
    deadline = time.monotonic() + 60
    while not (Path(orders.marks) / "released").exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def _kill_all(pids: tuple[int, ...], number: signal.Signals) -> None:
    if not pids:
        raise RuntimeError("there is no process to strike")
    for pid in pids:
        os.kill(pid, number)


def _living(kind: type[Any]) -> list[Any]:
    return [one for one in gc.get_objects() if isinstance(one, kind)]


STRIKES: Mapping[str, Callable[[Orders], None]] = {
    "kill runner": _kill_runner,
    "kill worker": _kill_self,
    "kill game": _kill_game,
    "kill browser": _kill_browser,
    "freeze browser": _freeze_browser,
    "crash page": _crash_page,
    "end server": _end_server,
    "hang server": _hang_server,
    "drop sockets": _drop_sockets,
    "slow page": _slow_page,
    "hang seat": _hang_seat,
    "jump ahead": _jump_ahead,
    "jump back": _jump_back,
    "fill disk": _fill_disk,
    "make read-only": _make_read_only,
    "cut line": _cut_line_and_kill,
    "interrupt": _interrupt,
    "terminate": _terminate,
    "hold": _hold,
}
