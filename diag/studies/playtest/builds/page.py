"""A browser page on a build. What a playtester or a judge on the page may do stands in `Surface`, and no more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from diag.studies.playtest.builds.serving import HOST, BuildServer
from games.contract import Drag, Gesture, JsonObject, Tap
from games.suite.page import PageFailure, SuitePage
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocket


class Surface(Protocol):
    """The page as somebody before the screen has it."""

    def reopen(self) -> None:
        """Load the build anew: a fresh session at its home screen. Raises PageFailure."""

    def perform(self, gesture: Gesture) -> None:
        """Make a gesture with the mouse or the keyboard, on whole pixels. Raises PageFailure."""

    def screenshot(self) -> bytes:
        """Return the viewport as PNG. Raises PageFailure."""


@dataclass(frozen=True)
class _Door:
    """Stands in for the suite's server: the build makes a session for whoever comes."""

    address: str

    def url(self, _session: object) -> str:
        return self.address


@dataclass(frozen=True)
class _UnknownSession:
    """Stands in for the suite's session, which lives in the build's process: its newest picture counts."""

    seq: int = 0
    fault: Exception | None = None


class BuildPage(SuitePage):
    """A page on a build that can reach that build alone.

    Raises:
        PageFailure: here and from every method.
    """

    def __init__(self, browser: Browser, server: BuildServer, *, deadline_s: float = 15.0) -> None:
        self._received: list[JsonObject] = []
        self._listens = False
        door = cast("SuiteServer", _Door(server.address))
        super().__init__(
            browser,
            door,
            cast("SuiteSession", _UnknownSession()),
            deadline_s=deadline_s,
            reachable=f"{HOST}:{server.port}",
        )

    def show(self, session: SuiteSession) -> None:
        """Go to the build; waits until it is drawn."""
        if not self._listens:
            self.page.on("websocket", self._listen)
            self._listens = True
        self._received.clear()
        super().show(session)

    def reopen(self) -> None:
        """Load the build anew: a fresh session at its home screen; on a page of its own if this one hangs."""
        try:
            self.show(self.session)
        except PageFailure:
            self._renew()
            self.show(self.session)

    def _renew(self) -> None:
        """Leave a page that hangs or crashed, and open another in the same context."""
        with self._failures():
            self.page = self._context.new_page()
            self.page.on("crash", self._on_crash)
            self._cdp = self._context.new_cdp_session(self.page)
        self._crashed = self._listens = self._guard.fired = False

    def perform(self, gesture: Gesture) -> None:
        """Make a gesture on whole pixels."""
        if isinstance(gesture, Tap):
            self.click(round(gesture.x), round(gesture.y))
        elif isinstance(gesture, Drag):
            self.drag(round(gesture.x0), round(gesture.y0), round(gesture.x1), round(gesture.y1))
        else:
            self.key(gesture.key)

    def picture(self) -> JsonObject:
        """Return the newest picture that the page was sent, for the evaluator only."""
        wanted = self.page.evaluate("window.suite.status().newestSeq")
        for _ in range(100):
            if self._received and self._received[-1]["seq"] == wanted:
                return self._received[-1]
            self.page.wait_for_timeout(10)
        raise PageFailure("socket", f"picture {wanted} was not seen on its way to the page")

    def _listen(self, websocket: WebSocket) -> None:
        websocket.on("framereceived", self._receive)

    def _receive(self, frame: Any) -> None:
        picture = json.loads(frame)["picture"]
        if picture is not None:
            self._received.append(picture)
