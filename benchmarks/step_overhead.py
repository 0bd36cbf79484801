"""What the session loop adds to a step: full observe-decide-dispatch-log steps against bare ones, on the same page.

    python benchmarks/step_overhead.py [--steps 100]

A bare step is a Playwright mouse click, a wait for the redraw that answers it, and `page.screenshot()`; a lean step is
the same with the faster encoder that the loop uses, so that its ratio shows what the loop itself adds. A loop step is
what an attempt does between two decisions: validation, the same click with real events, settling, snapshot and
transitions, the event log with a flush per line, the content-addressed picture store, the context. Both lift and put
back one screw of Bolt Unscrew Hard 1, in turn, in one run: the ratio of medians means something on a busy machine too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from diag.records import Unit
from diag.session import (
    AttemptSetup,
    BrowserEnvironment,
    EventLog,
    LevelWon,
    Limits,
    PictureStore,
    VirtualClock,
    run_attempt,
)
from diag.session.contract import Decision, Observation, PublicContext
from games.catalogue import load_catalogue
from games.contract import LevelId, Table
from games.registry import game_named
from games.suite.browser import build_name, ensure_driver, launch
from games.suite.page import SuitePage
from games.suite.server import SuiteServer

LEVEL = LevelId("bolt_unscrew", "hard", 1)
BLOCK = 2
"""Steps of one kind before the other: one lifts, one puts back, so both kinds draw the same pictures."""


class Stopwatch:
    """An agent that clicks one screw, and takes the bare steps itself while the loop waits for its decision."""

    name, simulated, privilege, reads_scene = "stopwatch", True, "none", False

    def __init__(self, page: SuitePage, x: int, y: int, steps: int) -> None:
        self.page, self.x, self.y, self.steps = page, x, y, steps
        self.bare_s: list[float] = []
        self.lean_s: list[float] = []
        self.loop_s: list[float] = []
        self._returned: float | None = None

    def decide(self, observation: Observation) -> Decision:
        """Time the loop step that ends here, take bare steps in turn, and ask for the next click."""
        if self._returned is not None:
            self.loop_s.append(time.perf_counter() - self._returned)
        if len(self.loop_s) % BLOCK == 0:
            self.bare_s.extend(self._bare(self.page.page.screenshot) for _ in range(BLOCK))
            self.lean_s.extend(self._bare(self.page.screenshot) for _ in range(BLOCK))
        stop = len(self.loop_s) >= self.steps
        self._returned = time.perf_counter()
        return Decision(({"name": "click", "x": self.x, "y": self.y},), "a step", latency_s=0.0, stop=stop)

    def summarize(self, context: PublicContext) -> str:
        """Return a short summary, as any agent does every eight turns."""
        return f"{len(context.recent)} turns so far"

    def _bare(self, screenshot: Callable[[], bytes]) -> float:
        began = time.perf_counter()
        self.page.page.mouse.click(self.x, self.y)
        self.page.settle()
        screenshot()
        return time.perf_counter() - began


def main() -> None:
    """Run the comparison and print medians, spread and ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    steps = parser.parse_args().steps
    catalogue, game = load_catalogue(), game_named(LEVEL.game)
    state = game.initial_state(catalogue.layout(LEVEL))
    screw = game.gestures(Table(state), game.legal_moves(state)[0])[0]
    unit = Unit("u", "b", "D", "A", 1, "c", "", str(LEVEL), 0, 0)
    goal, context = LevelWon(LEVEL), PublicContext("measure")
    setup = AttemptSetup(
        unit, 1, "0", "benchmark", LEVEL, context, context, goal, (goal,), Limits(time_s=1e9, actions=10**9)
    )
    ensure_driver()
    with SuiteServer(catalogue) as server, sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launch(playwright)
        session = server.open(animate=False)
        session.place(LEVEL, game.state_to_json(state))
        with SuitePage(browser, server, session) as page, EventLog(Path(folder) / "events.jsonl") as log:
            agent = Stopwatch(page, round(screw.x), round(screw.y), steps)
            run_attempt(
                setup,
                agent=agent,
                environment=BrowserEnvironment(session, catalogue, page, build_name(browser)),
                clock=VirtualClock(),
                log=log,
                pictures=PictureStore(Path(folder) / "pictures"),
            )
        browser.close()
    for name, seconds in (("bare", agent.bare_s), ("lean", agent.lean_s), ("loop", agent.loop_s)):
        low, middle, high = np.percentile(np.array(seconds) * 1000, [10, 50, 90])
        print(f"{name} step: median {middle:.1f} ms, 10 % to 90 %: {low:.1f} to {high:.1f} ms, {len(seconds)} steps")
    loop = np.median(agent.loop_s)
    to_bare, to_lean = loop / np.median(agent.bare_s), loop / np.median(agent.lean_s)
    print(f"loop / bare: {to_bare:.2f} (aim <= 1.15); loop / lean: {to_lean:.2f}")


if __name__ == "__main__":
    main()
