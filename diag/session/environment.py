"""The two worlds an attempt can run in, with one meaning: the browser, and the rules alone.

`BrowserEnvironment` sends real pointer and key events to a page and takes real screenshots. `RulesEnvironment` turns
the same actions into the gestures that the page would have sent and has no picture; it exists for calibration and fast
studies with agents that read the visible scene. A browser test plays one action list in both and compares transitions.
"""

from __future__ import annotations

import math
from typing import Any, Literal, Protocol

from diag.records import InfrastructureFailure
from diag.session.actions import Action
from games.contract import DRAG_THRESHOLD_PX, Drag, Gesture, JsonObject, KeyPress, LevelId, Tap
from games.suite.page import PageFailure, SuitePage
from games.suite.snapshot import Snapshot, Transition

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
Settled = Literal["settled", "unsettled", "unknown"]


class Session(Protocol):
    """The part of `games.suite.session.SuiteSession` that an attempt uses."""

    def gesture(self, gesture: Gesture) -> None:
        """Handle what the page would send."""

    def picture(self) -> JsonObject:
        """Return everything a player sees."""

    def snapshot(self) -> Snapshot:
        """Return what the evaluator sees."""

    def transitions(self, since: int) -> tuple[Transition, ...]:
        """Return the transitions from index `since` on."""

    def release(self) -> None:
        """Let gestures through after a hold."""


class Environment(Protocol):
    """A suite session as an attempt sees it."""

    name: str
    browser: str | None
    """What draws, for the record; None without one."""
    settled: Settled
    """Whether the last screenshot shows a settled picture."""

    def screenshot(self) -> bytes:
        """Return the current picture as PNG; empty without a browser. Raises InfrastructureFailure."""

    def picture(self) -> JsonObject:
        """Return the visible scene: exactly what the picture shows."""

    def snapshot(self) -> Snapshot:
        """Return the evaluator's view; never shown to an agent."""

    def transitions(self, since: int) -> tuple[Transition, ...]:
        """Return the transitions from index `since` on."""

    def perform(self, action: Action) -> None:
        """Do one GUI action and return when it has taken effect. Raises InfrastructureFailure.

        `wait` and `answer` do nothing here: time and claims belong to the dispatcher.
        """

    def release(self) -> None:
        """Let the player's input through; called when the first screenshot has been taken."""

    def layout(self, level: LevelId) -> JsonObject:
        """Return a level's layout as JSON; for agents of privilege `solver_oracle` only."""


class RulesEnvironment:
    """A suite session without a page. Its screenshots are empty bytes."""

    name = "rules"
    browser: str | None = None
    settled: Settled = "settled"

    def __init__(self, session: Session, catalogue: Any) -> None:
        self._session = session
        self._catalogue = catalogue

    def screenshot(self) -> bytes:
        """Return no picture."""
        return b""

    def picture(self) -> JsonObject:
        """Return the visible scene."""
        return self._session.picture()

    def snapshot(self) -> Snapshot:
        """Return the evaluator's view."""
        return self._session.snapshot()

    def transitions(self, since: int) -> tuple[Transition, ...]:
        """Return the transitions from index `since` on."""
        return self._session.transitions(since)

    def perform(self, action: Action) -> None:
        """Send the gestures that the page would send for the action."""
        for gesture in gestures_of(action):
            self._session.gesture(gesture)

    def release(self) -> None:
        """Let the player's input through."""
        self._session.release()

    def layout(self, level: LevelId) -> JsonObject:
        """Return a level's layout as JSON."""
        layout: JsonObject = self._catalogue.level(level).layout_json
        return layout


class BrowserEnvironment(RulesEnvironment):
    """A suite session played through a real page."""

    name = "browser"

    def __init__(self, session: Session, catalogue: Any, page: SuitePage, browser: str | None = None) -> None:
        super().__init__(session, catalogue)
        self._page = page
        self.browser = browser
        self.settled: Settled = "settled"  # a page is handed over settled

    def screenshot(self) -> bytes:
        """Return the current picture as PNG.

        Raises:
            InfrastructureFailure: the page failed or did not answer in time (kind `browser`).
        """
        png: bytes = self._guarded(self._page.screenshot)
        if not png.startswith(PNG_SIGNATURE):
            raise InfrastructureFailure("browser", f"the screenshot is no PNG: {png[:16]!r}")
        return png

    def perform(self, action: Action) -> None:
        """Do the action with real events and wait until the page has drawn the scene that answers it.

        Raises:
            InfrastructureFailure: the page failed or did not answer in time (kind `browser`).
        """
        a: Any = action
        page = self._page
        match action.name:
            case "click":
                self._guarded(page.click, a.x, a.y)
            case "double_click":
                self._guarded(page.double_click, a.x, a.y)
            case "long_press":
                self._guarded(page.long_press, a.x, a.y)
            case "drag" | "swipe":
                self._guarded(page.drag, a.x, a.y, a.x2, a.y2, a.via or ())
            case "scroll":
                self._guarded(page.scroll, a.x, a.y, a.dy)
            case "key":
                self._guarded(page.key, a.key)
            case "type":
                self._guarded(page.type_text, a.text)
            case "wait" | "answer":
                pass

    def _guarded(self, call: Any, *arguments: Any) -> Any:
        """Call the page; its failures are infrastructure failures, everything else is a programming error."""
        self.settled = "unknown"
        try:
            result = call(*arguments)
        except PageFailure as failure:
            kind = "suite" if failure.kind in ("suite_error", "page_error") else "browser"
            raise InfrastructureFailure(kind, str(failure)) from failure
        self.settled = "settled"
        return result


def gestures_of(action: Action) -> tuple[Gesture, ...]:
    """Return the gestures a page sends for an action: pure, the page's assembly of pointer and key events restated."""
    a: Any = action
    match action.name:
        case "click" | "long_press":
            return (Tap(a.x, a.y),)
        case "double_click":
            return (Tap(a.x, a.y), Tap(a.x, a.y))
        case "drag" | "swipe":
            return (_drag((a.x, a.y), *(a.via or ()), (a.x2, a.y2)),)
        case "key":
            return (KeyPress(a.key),)
        case "type":
            return tuple(KeyPress(key) for key in map(_key_of, a.text) if key is not None)
        case "scroll" | "wait" | "answer":
            return ()


def _drag(start: tuple[float, float], *path: tuple[float, float]) -> Gesture:
    """Return a drag once the pointer has been far from its start: it stays one when it comes back."""
    if max(math.dist(start, point) for point in path) < DRAG_THRESHOLD_PX:
        return Tap(*start)
    return Drag(*start, *path[-1])


def _key_of(character: str) -> str | None:
    """Return the key a typed character is to the suite; None for one it does not know."""
    if character == " ":
        return "Space"
    if character == "\n":
        return "Enter"
    lower = character.lower()
    return lower if lower.isascii() and lower.isalpha() else None
