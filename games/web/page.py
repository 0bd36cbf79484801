"""Drives somebody else's page with real events, and reads its state on the evaluator's side.

The expressions of an adapter go to the browser's debugger: by default into an isolated world, which shares the document
and the storage with the page and nothing else, so that neither the page nor an agent's input can reach what they do.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from games.contract import JsonObject
from games.digest import canonical_json
from games.suite.browser_loop import Steered
from games.suite.page import PageFailure, SuitePage
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession
from games.web.adapter import Adapter, AdapterError, Judge, checked_gestures
from games.web.server import WebServer
from games.web.session import Seen, WebSession

if TYPE_CHECKING:
    from playwright.sync_api import Browser


_STEADY = (Path(__file__).parent / "view" / "steady.js").read_text(encoding="utf-8")
_TRIES, _TRY_MS = 100, 100
_EPOCH_MS = 1_700_000_000_000
_DOOR = 'window[Symbol.for("steady")]'

_READ = """(async () => {
  const said = {};
  let at = "state";
  try {
    const state = said[at] = await (STATE
    );
    STEPS
    return JSON.stringify(said);
  } catch (error) {
    return JSON.stringify({at, failed: String(error)});
  }
})()"""


class Unreadable(PageFailure):
    """A page whose state cannot be read; one line with found and wanted."""

    def __init__(self, message: str) -> None:
        super().__init__("page_error", message)


class WebPage(SuitePage):
    """One browser context with one page, which can reach its own server alone.

    Raises:
        PageFailure: here and from every method.
    """

    def __init__(
        self, browser: Browser | Steered, server: WebServer, session: WebSession, *, deadline_s: float = 15.0
    ) -> None:
        self.adapter: Adapter = session.adapter
        self._web = session
        self._due_ms = 0
        self._placed = False
        self._prepared = False
        session.put, session.steady = self.put, self._steady
        super().__init__(
            browser,
            cast("SuiteServer", server),
            cast("SuiteSession", session),
            deadline_s=deadline_s,
            reachable=server.reachable,
        )

    def show(self, session: SuiteSession) -> None:
        """Load the page and wait until it can be played; a page that cannot be read is refused."""
        self.session = session
        with self._failures():
            if not self._prepared:
                self._context.add_init_script(f"({_STEADY})({json.dumps(self._options)})")
                self._prepared = True
            self._load(self._server.url(session))
        self._due_ms = self.adapter.settle_ms
        self.settle()

    def settle(self) -> None:
        """Wait until the page is at rest, and read it."""
        with self._failures():
            self._rest()
            try:
                seen = self.read()
            except Unreadable:
                if not self._web.seq:
                    raise  # at its start a page must be readable; later an agent may have left it
                seen = None
            self._web.saw(seen, placed=self._placed)
        self._placed = False

    def put(self, state: JsonObject) -> None:
        """Put the page into a state and read it."""
        assert self.adapter.set is not None, "an adapter that can set"
        with self._failures():
            self._evaluate(f"(async (state) => {{ {self.adapter.set}\n }})({canonical_json(state)})", "set")
            if self.adapter.reload:
                self._load(self._server.url(self.session))
        self._due_ms, self._placed = self.adapter.settle_ms, True
        self.settle()

    def read(self) -> Seen:
        """Return the page's state and what the adapter makes of it. Raises Unreadable."""
        asked = {name: getattr(self.adapter, name) for name in ("won", "progress", "moves")}
        texts = {name: text for name, text in asked.items() if isinstance(text, str)}
        steps = "".join(f"at = {json.dumps(name)}; said[at] = await ({text}\n);\n" for name, text in texts.items())
        script = _READ.replace("STEPS", steps).replace("STATE", self.adapter.state)
        found = json.loads(self._evaluate(script, "state"))
        if "failed" in found:
            raise Unreadable(f"{found['at']}: found {_short(found['failed'])}, wanted a value")
        return self._seen(found, asked)

    def judged(self, judge: Judge, state: JsonObject, what: str) -> Any:
        """Return what an expression or a method of the adapter says of a state. Raises Unreadable."""
        if callable(judge):
            return _called(judge, state, what)
        with self._failures():
            return self._evaluate(f"(async (state) => ({judge}\n))({canonical_json(state)})", what)

    @property
    def _options(self) -> dict[str, Any]:
        one = self.adapter
        return {"fixed": one.time == "fixed", "seeded": one.random == "seeded", "seed": one.seed, "epoch": _EPOCH_MS}

    def _seen(self, found: JsonObject, asked: dict[str, Judge]) -> Seen:
        state = found.get("state")
        if not isinstance(state, dict):
            raise Unreadable(f"state: found {_short(state)}, wanted a JSON object")
        said = {
            name: _called(judge, state, name) if callable(judge) else found.get(name) for name, judge in asked.items()
        }
        won, progress = bool(said["won"]), said["progress"]
        if progress is None:
            progress = float(won)
        if isinstance(progress, bool) or not isinstance(progress, int | float) or not 0 <= progress <= 1:
            raise Unreadable(f"progress: found {_short(progress)}, wanted a number from 0 to 1")
        return Seen(state, won, float(progress), _moves(said["moves"]))

    def _load(self, address: str) -> None:
        answer = self.page.goto(address, wait_until="load")
        if answer is not None and answer.status >= 400:
            raise PageFailure("page_error", f"page {address}: found status {answer.status}, wanted a page that loads")
        for _ in range(_TRIES):
            with contextlib.suppress(Unreadable):
                if self.adapter.ready == "true" or self._evaluate(f"(async () => ({self.adapter.ready}\n))()", "ready"):
                    return
            self._due_ms = _TRY_MS
            self._rest()
            self.page.wait_for_timeout(_TRY_MS)
        raise Unreadable(f"ready: found no true value of {self.adapter.ready!r:.60}, wanted one within {_TRIES} looks")

    def _rest(self) -> None:
        """Let the page's clock move by what is due, and wait until it is drawn."""
        due, self._due_ms = self._due_ms, 0
        with contextlib.suppress(Unreadable):  # a page that the agent left for no page at all
            self._evaluate(f"{_DOOR}.settle({due})", "settle", world="page")

    def _steady(self) -> None:
        """Let nothing be left of the way that led here: pointer and focus nowhere, chance at its beginning."""
        with self._failures(), contextlib.suppress(Unreadable):
            self.page.mouse.move(0, 0)
            self._evaluate(f"{_DOOR}.reseed()", "seed", world="page")

    def _evaluate(self, expression: str, what: str, *, world: str = "") -> Any:
        """Ask the browser's debugger. Raises Unreadable, or Playwright's errors."""
        asked: dict[str, Any] = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        if (world or self.adapter.world) == "isolated":
            frame = self._cdp.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            made = self._cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "evaluator"})
            asked["contextId"] = made["executionContextId"]
        answer = self._cdp.send("Runtime.evaluate", asked)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text", "an error")
            raise Unreadable(f"{what}: found {_short(str(said).splitlines()[0])}, wanted a value")
        return answer["result"].get("value")

    @contextlib.contextmanager
    def _answered(self) -> Iterator[None]:
        self._due_ms = self.adapter.settle_ms
        with super()._answered():
            yield


def _called(judge: Any, state: JsonObject, what: str) -> Any:
    try:
        return judge(state)
    except Exception as error:
        raise Unreadable(f"{what}: found {type(error).__name__}: {_short(str(error))}, wanted a value") from error


def _moves(found: Any) -> tuple[JsonObject, ...]:
    for place, one in enumerate(found or ()):
        if not isinstance(one, dict) or not {"name", "gestures"} <= set(one):
            raise Unreadable(f"moves[{place}]: found {_short(one)}, wanted name, gestures and perhaps appeal")
        try:
            checked_gestures(one["gestures"], f"moves[{place}]")
        except AdapterError as error:
            raise Unreadable(str(error)) from error
    return tuple(found or ())


def _short(found: Any) -> str:
    return f"{found!r:.100}" if not isinstance(found, str) else found[:200]
