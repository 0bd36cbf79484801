"""One asynchronous Playwright driver and one Chromium on a thread of their own, used by many threads at once.

Every thread sees plain synchronous objects (`Steered`), so that what drives a page reads the same with one page or a
hundred. Each call has a deadline. A call without an answer is `Hung`: the browser is asked whether it still answers
anything; if it does, only the page that hangs is lost, and if it does not, the browser is ended for everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from games.suite.browser import launch

STOP_S = 5.0
"""The longest that closing browser and driver may take, each."""
PROBE_S = 3.0
"""A browser that says nothing about itself for so long, in seconds, has stopped answering."""


class Hung(RuntimeError):
    """A call had no answer within its deadline."""


class BrowserLoop:
    """Driver, browser and event loop; usable from any thread but the loop's own.

    Args:
        limit_s: the longest that any call may take, in seconds.
        starting: what surrounds the driver's start.

    Raises:
        playwright.async_api.Error: the browser does not start.
        BrowserMissing: there is none.
    """

    def __init__(
        self, *, limit_s: float = 18.0, starting: Callable[[], contextlib.AbstractContextManager[None]] | None = None
    ) -> None:
        self.limit_s = limit_s
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._note)
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser-loop", daemon=True)
        self._thread.start()
        self._driver_pid: int | None = None
        try:
            with (starting or contextlib.nullcontext)():
                before = driver_pids()
                self._playwright = self._call(_started(), limit_s=60.0)
                self._driver_pid = next((pid for pid in driver_pids() if pid not in before), None)
            self._browser = self._call(_launched(self._playwright), limit_s=60.0)
            self._cdp = self._call(self._browser.new_browser_cdp_session(), limit_s)
            self._browser_pid = self._call(_browser_pid(self._cdp), limit_s)
        except BaseException:
            self.close()
            raise
        self.browser: Any = Steered(self, self._browser)

    def call(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on the loop and return what it returns. Raises Hung after `limit_s`, and what it raises."""
        return self._call(coroutine, self.limit_s)

    @property
    def answers(self) -> bool:
        """Tell whether driver and browser are there."""
        if self._driver_pid is not None and not _exists(self._driver_pid):
            return False
        with contextlib.suppress(Exception):
            return bool(self._browser.is_connected())
        return False

    def end_if_hung(self) -> bool:
        """Ask the browser for its version; end it, and then its driver, if it does not say. True: it was ended."""
        with contextlib.suppress(Exception):
            self._call(self._cdp.send("Browser.getVersion"), PROBE_S)
            return False
        _kill(self._browser_pid)
        end = threading.Timer(PROBE_S, _kill, (self._driver_pid,))
        end.daemon = True
        end.start()
        return True

    def close(self) -> None:
        """Close browser, driver and loop; what does not close in time is killed."""
        for part, stop in (("_browser", "close"), ("_playwright", "stop")):
            if hasattr(self, part):
                with contextlib.suppress(Exception):
                    self._call(getattr(getattr(self, part), stop)(), STOP_S)
        for pid in (getattr(self, "_browser_pid", None), getattr(self, "_driver_pid", None)):
            _kill(pid)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_S)
        if not self._thread.is_alive():
            self._loop.close()

    def _note(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say what nobody waited for, unless driver or browser died: then the calls that were waited for say so."""
        if self.answers:
            loop.default_exception_handler(context)

    def _call(self, coroutine: Coroutine[Any, Any, Any], limit_s: float) -> Any:
        future: Future[Any] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(limit_s)
        except TimeoutError as error:
            if future.done() and not future.cancelled():
                raise  # the coroutine's own
            future.cancel()
            raise Hung(f"no answer within {limit_s:g} s") from error


class Steered:
    """A Playwright object of the loop as any other thread may use it: attributes as they are, calls on the loop."""

    def __init__(self, loop: BrowserLoop, target: Any) -> None:
        self.loop = loop
        self._target = target

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        return self._method(found) if inspect.ismethod(found) else self._steered(found)

    def _method(self, method: Callable[..., Any]) -> Callable[..., Any]:
        async def on_the_loop(*args: Any, **kwargs: Any) -> Any:
            result = method(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result

        def call(*args: Any, **kwargs: Any) -> Any:
            plain = (arg._target if isinstance(arg, Steered) else arg for arg in args)
            return self._steered(self.loop.call(on_the_loop(*plain, **kwargs)))

        return call

    def _steered(self, value: Any) -> Any:
        from playwright.async_api import Browser, BrowserContext, CDPSession, Keyboard, Mouse, Page

        objects = (Browser, BrowserContext, CDPSession, Keyboard, Mouse, Page)
        return Steered(self.loop, value) if isinstance(value, objects) else value


class LoopGuard:
    """What `games.suite.page` guards its calls with on a shared browser: a hang ends as little as it can."""

    consequence = "the page was ended"

    def __init__(self, loop: BrowserLoop) -> None:
        self.fired = False
        self._loop = loop

    def __enter__(self) -> None:
        """Nothing to start: every call has its deadline."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Hung) and not self.fired:
            self.fired = True
            if self._loop.end_if_hung():
                self.consequence = "the browser was ended"


async def _started() -> Any:
    from playwright.async_api import async_playwright

    return await async_playwright().start()


async def _launched(playwright: Any) -> Any:
    launching: Any = launch(playwright)  # of an asynchronous driver this is a coroutine
    return await launching


async def _browser_pid(cdp: Any) -> int | None:
    processes = (await cdp.send("SystemInfo.getProcessInfo"))["processInfo"]
    return next((int(one["id"]) for one in processes if one["type"] == "browser"), None)


def driver_pids() -> tuple[int, ...]:
    """Return the Playwright drivers that this process has started; empty where there is no /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == os.getpid() and b"run-driver" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return tuple(found)


def _exists(pid: int) -> bool:
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        return not _is_zombie(pid)
    return False


def _is_zombie(pid: int) -> bool:
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return False


def _kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
