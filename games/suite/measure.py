"""Measures what a step costs: a click, the settled redraw, a screenshot, beside the floor of a bare page.

python -m games.suite.measure [--steps 100] [--level bolt_unscrew/hard/1]

Floor and suite steps alternate in one process and one browser, so the ratio of their medians means something on a busy
machine too. The floor is a page whose one canvas fills itself in answer to a click, and Playwright's own screenshot.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from games.catalogue import load_catalogue
from games.contract import BOARD, LevelId, Tap
from games.suite import browser
from games.suite.page import SuitePage
from games.suite.server import SuiteServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_FLOOR_PAGE = """<style>body{margin:0}</style><canvas id="c" width="1280" height="900"></canvas><script>
let drawn = 0; const pen = c.getContext("2d");
const fill = () => { pen.fillStyle = ++drawn % 2 ? "#fed" : "#def"; pen.fillRect(0, 0, 1280, 900); };
c.onpointerup = () => setTimeout(fill);
window.drew = (n) => new Promise((done) => { const f = () => drawn >= n ? done() : setTimeout(f, 0); f(); });
</script>"""


_BOARD_MIDDLE = Tap(BOARD.x + BOARD.width / 2, BOARD.y + BOARD.height / 2)
"""Where to click in a game that is not clicked."""


@dataclass(frozen=True)
class StepTimes:
    """Seconds of every step, in the order they were taken."""

    floor_s: tuple[float, ...]
    suite_s: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median suite step over median floor step."""
        return float(np.median(self.suite_s) / np.median(self.floor_s))


def measure(level: LevelId, steps: int) -> StepTimes:
    """Take `steps` floor steps and suite steps in turn on a level's first board.

    Raises:
        games.suite.browser.BrowserMissing: there is no Chromium.
        games.suite.page.PageFailure: the page fails.
    """
    from playwright.sync_api import sync_playwright

    catalogue = load_catalogue()
    game = catalogue.games[level.game]
    browser.ensure_driver()
    with sync_playwright() as playwright, SuiteServer(catalogue) as server:
        chromium = browser.launch(playwright)
        session = server.open(animate=False)
        session.place(level, game.state_to_json(game.initial_state(catalogue.layout(level))))
        firsts = [option.gestures[0] for option in game.options(session.picture()["board"])]
        taps = [gesture for gesture in firsts if isinstance(gesture, Tap)] or [_BOARD_MIDDLE]
        with SuitePage(chromium, server, session) as page:
            times = _alternate(_floor_step(chromium), _suite_step(page, taps), steps)
        chromium.close()
    return times


def _alternate(floor: Callable[[int], None], suite: Callable[[int], None], steps: int) -> StepTimes:
    found: tuple[list[float], list[float]] = ([], [])
    for index in range(steps):
        for step, seconds in zip((floor, suite), found, strict=True):
            start = time.perf_counter()
            step(index)
            seconds.append(time.perf_counter() - start)
    return StepTimes(tuple(found[0]), tuple(found[1]))


def _floor_step(chromium: Browser) -> Callable[[int], None]:
    page: Page = chromium.new_context(viewport={"width": 1280, "height": 900}, device_scale_factor=1).new_page()
    page.set_content(_FLOOR_PAGE)

    def step(index: int) -> None:
        page.mouse.click(300, 300)
        page.evaluate("n => window.drew(n)", index + 1)
        page.screenshot()

    return step


def _suite_step(page: SuitePage, taps: Sequence[Tap]) -> Callable[[int], None]:
    def step(index: int) -> None:
        tap = taps[index % len(taps)]
        page.click(tap.x, tap.y)
        page.screenshot()

    return step


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m games.suite.measure", description="Measure a step of the suite.")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--level", type=LevelId.parse, default=LevelId("bolt_unscrew", "hard", 1))
    chosen = parser.parse_args(arguments)
    times = measure(chosen.level, chosen.steps)
    for name, seconds in (("floor", times.floor_s), ("suite", times.suite_s)):
        low, middle, high = np.percentile(seconds, (10, 50, 95)) * 1000
        sys.stdout.write(f"{name}: {middle:.1f} ms (10 %: {low:.1f}, 95 %: {high:.1f})\n")
    sys.stdout.write(f"ratio of medians: {times.ratio:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
