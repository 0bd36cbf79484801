"""Drives the suite's page with real pointer and key events and waits until it has drawn the answer.

Every wait has a deadline. What goes wrong is a `PageFailure` with a kind, in bounded time: a page that does not answer
is ended with its browser's process, because Playwright's input calls have no timeout of their own.
"""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self
from weakref import WeakKeyDictionary

from games.contract import VIEWPORT
from games.picture import decoded_digest
from games.suite.browser_loop import Hung, LoopGuard, Steered, driver_pids
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

__all__ = ["FailureKind", "PageFailure", "SuitePage", "decoded_digest", "driver_pids"]

FailureKind = Literal["timeout", "crashed", "hung", "socket", "page_error", "suite_error", "browser"]
"""`timeout`: the page is alive but did not settle; `hung`: it did not answer at all and was ended; `crashed`: its
process or the browser's died; `socket`: the connection was lost with events on the way; `page_error`: its script
failed; `suite_error`: the session failed on a gesture; `browser`: anything else Playwright reports."""

_NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there, for every request that is not for this machine: it fails at once. Playwright's own routing
would do, but makes opening a page three times slower."""
_DRAG_STEP_PX = 60.0
_TYPE_AT_ONCE = 100
"""Characters typed under one deadline."""


class PageFailure(RuntimeError):
    """The page cannot be driven any further; an infrastructure failure, never an outcome."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind: FailureKind = kind


class SuitePage:
    """One browser context with one page on one session; a context manager.

    Args:
        browser: a launched Chromium, or one of a `BrowserLoop`, which many threads share.
        server: the running server of the session.
        session: what to show.
        deadline_s: the longest wait for anything, in seconds.
        reachable: the hosts the page may reach, separated by commas, each with or without a port.

    Raises:
        PageFailure: here and from every method.
    """

    def __init__(
        self,
        browser: Browser | Steered,
        server: SuiteServer,
        session: SuiteSession,
        *,
        deadline_s: float = 15.0,
        reachable: str = "127.0.0.1,localhost",
    ) -> None:
        self.session = session
        self._browser = browser
        self._server = server
        self._deadline_s = deadline_s
        self._crashed = False
        self.sound = True
        """Nothing has failed in it: it may be shown another session."""
        self._guard = LoopGuard(browser.loop) if isinstance(browser, Steered) else _Guard(browser, deadline_s)
        with self._failures():
            self._context: BrowserContext = browser.new_context(
                viewport={"width": int(VIEWPORT.width), "height": int(VIEWPORT.height)},
                device_scale_factor=1,
                locale="en-US",
                timezone_id="UTC",
                service_workers="block",
                accept_downloads=False,
                proxy={"server": _NOWHERE, "bypass": reachable},
            )
            self._context.set_default_timeout(deadline_s * 1000)
            self.page: Page = self._context.new_page()
            self.page.on("crash", self._on_crash)
            self._cdp: CDPSession = self._context.new_cdp_session(self.page)
        self.show(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def show(self, session: SuiteSession) -> None:
        """Go to another session in the same page; waits until it is drawn."""
        self.session = session
        with self._failures():
            self.page.goto(self._server.url(session), wait_until="commit")
        self.settle()

    def show_afresh(self, session: SuiteSession) -> None:
        """Go to another session as a new page would: nothing pressed, nothing kept but the suite's files."""
        with self._failures():
            self.page.mouse.up()
            origin = self._server.url(session).partition("/play/")[0]
            self._cdp.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.show(session)

    def close(self) -> None:
        """Close the context; harmless on a dead browser."""
        with contextlib.suppress(PageFailure), self._failures():
            self._context.close()

    # actions: each returns when the page has drawn the settled scene that answers it ---------------------------------

    def click(self, x: float, y: float) -> None:
        """Click at a viewport pixel."""
        with self._answered():
            self.page.mouse.click(x, y)

    def double_click(self, x: float, y: float) -> None:
        """Click twice in quick succession; the suite takes it as two taps."""
        with self._answered():
            self.page.mouse.dblclick(x, y)

    def long_press(self, x: float, y: float, hold_s: float = 0.6) -> None:
        """Press, wait, release at one place; the suite takes it as a tap."""
        with self._answered():
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            self.page.wait_for_timeout(hold_s * 1000)
            self.page.mouse.up()

    def drag(self, x: float, y: float, x2: float, y2: float, via: Sequence[tuple[float, float]] = ()) -> None:
        """Press at (x, y), move through each corner of `via` in straight lines of fixed steps, release at (x2, y2)."""
        with self._answered():
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            for to_x, to_y in (*via, (x2, y2)):
                steps = max(2, min(8, round((abs(to_x - x) + abs(to_y - y)) / _DRAG_STEP_PX)))
                self.page.mouse.move(to_x, to_y, steps=steps)
                x, y = to_x, to_y
            self.page.mouse.up()

    def swipe(self, x: float, y: float, x2: float, y2: float) -> None:
        """Swipe; with a mouse this is a drag."""
        self.drag(x, y, x2, y2)

    def scroll(self, x: float, y: float, dy: float) -> None:
        """Turn the wheel by `dy` pixels, positive downwards, over a place; nothing in the suite scrolls."""
        with self._answered():
            self.page.mouse.move(x, y)
            self.page.mouse.wheel(0, dy)

    def key(self, key: str) -> None:
        """Press one key, in the names of the GUI action set."""
        with self._answered():
            self.page.keyboard.press(key)

    def type_text(self, text: str) -> None:
        """Type characters one by one."""
        for start in range(0, len(text), _TYPE_AT_ONCE):
            with self._answered():
                self.page.keyboard.type(text[start : start + _TYPE_AT_ONCE])

    # looking ---------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Wait until the page has drawn the session's current picture at rest."""
        with self._failures():
            verdict = self._settled()
        if verdict["kind"] != "settled":
            raise self._failure(verdict["kind"], verdict["message"])

    def screenshot(self) -> bytes:
        """Return the viewport as PNG.

        Asked of the browser directly with its fast encoder: the pixels of `page.screenshot()` in less than half the
        time, in a file a quarter larger.
        """
        with self._failures():
            answer = self._cdp.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return base64.b64decode(answer["data"])

    # ---------------------------------------------------------------------------------------------------------------

    def _settled(self) -> dict[str, Any]:
        limit_ms = self._deadline_s * 900  # the page gives up before the guard does
        answer: dict[str, Any] = self.page.evaluate(_SETTLED, [self.session.seq, limit_ms])
        return answer

    @contextlib.contextmanager
    def _answered(self) -> Iterator[None]:
        with self._failures():
            yield
        self.settle()

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as PlaywrightTimeout

        try:
            with self._guard:
                yield
        except Hung as error:
            raise self._failure("hung", _first_line(error)) from error
        except PlaywrightTimeout as error:
            raise self._failure("timeout", _first_line(error)) from error
        except Error as error:
            raise self._failure("browser", _first_line(error)) from error

    def _failure(self, kind: FailureKind, message: str) -> PageFailure:
        """Name the cause rather than the symptom, where it is known."""
        self.sound = False
        if self._guard.fired:
            return PageFailure("hung", f"no answer within {self._deadline_s:g} s; {self._guard.consequence}")
        if self._crashed or "crashed" in message or (kind == "browser" and self._is_crashed()):
            return PageFailure("crashed", message)
        if self.session.fault is not None:
            return PageFailure("suite_error", repr(self.session.fault))
        return PageFailure(kind, message)

    def _is_crashed(self) -> bool:
        """Ask the page for anything: a call that meets a crash on its way names other symptoms."""
        from playwright.sync_api import Error

        if not self._browser.is_connected():
            return True
        try:
            with self._guard:
                self.page.evaluate("0")
        except Hung:
            return False
        except Error as error:
            return "crashed" in str(error)
        return False

    def _on_crash(self, _page: Page) -> None:
        self._crashed, self.sound = True, False


_SETTLED = """async ([seq, limitMs]) => {
  const ready = async () => {
    while (!window.suite) await new Promise((resolve) => setTimeout(resolve, 0));
    return window.suite.settled(seq);
  };
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({
      kind: "timeout",
      message: `not settled after ${limitMs} ms: ${window.suite ? JSON.stringify(window.suite.status()) : "no script"}`,
    }), limitMs);
  });
  const verdict = await Promise.race([ready(), late]);
  clearTimeout(timer);
  return verdict;
}"""


class _Guard:
    """Ends the browser's process when a guarded call takes longer than the deadline and a margin.

    A call that a dying browser left without an answer stays so when the browser is dead; then Playwright's driver is
    ended too, which answers every call with an error.
    """

    _MARGIN_S = 3.0
    consequence = "the browser was ended"

    def __init__(self, browser: Browser, deadline_s: float) -> None:
        self.fired = False
        self._limit_s = deadline_s + self._MARGIN_S
        self._depth = 0
        self._timer: threading.Timer | None = None
        self._pid = _browser_pid(browser)

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._start(self._limit_s, self._fire)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()

    def _start(self, after_s: float, then: Callable[[], None]) -> None:
        self._timer = threading.Timer(after_s, then)
        self._timer.daemon = True
        self._timer.start()

    def _fire(self) -> None:
        self.fired = True
        _kill(self._pid)
        self._start(self._MARGIN_S, _kill_drivers)


def _kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _kill_drivers() -> None:
    for pid in driver_pids():
        _kill(pid)


_PIDS: WeakKeyDictionary[Browser, int | None] = WeakKeyDictionary()


def _browser_pid(browser: Browser) -> int | None:
    """Return the browser's own process, as the browser reports it. Raises PageFailure: it is gone.

    Asked once a browser, while it is healthy: a browser that dies under this call would leave it without an answer.
    """
    from playwright.sync_api import Error

    if browser not in _PIDS:
        try:
            session = browser.new_browser_cdp_session()
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            session.detach()
        except Error as error:
            raise PageFailure("browser", _first_line(error)) from error
        _PIDS[browser] = next((int(one["id"]) for one in processes if one["type"] == "browser"), None)
    return _PIDS[browser]


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
