"""The bench: where a build is started, opened and judged: on its real page, or without a browser by what is known.

Nothing here belongs to an agent. The judges are two: the oracle, whose verdicts are the truth, and the one that sees
the page only. Without a browser the seeded defects that are left say which criteria fail.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from diag.records import InfrastructureFailure
from diag.running.station import StationSettings, seat
from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.builds.page import BuildPage
from diag.studies.playtest.builds.serving import BuildDoesNotStart, BuildServer
from diag.studies.playtest.judging import Session
from diag.studies.playtest.oracle import CleanLooks, Oracle, clean_looks
from diag.studies.playtest.page_judge import PageJudge
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.playtest.script import steps_of
from diag.studies.playtest.verdicts import Judged, Judgement, verdicts_of_defects
from games.suite.page import PageFailure

SEEDED, ORACLE, PAGE = "seeded", "oracle", "page"
"""Judges: what the seeded defects say, the evaluator's, the one before the page."""
TRUTHS = (ORACLE, SEEDED)
"""Judges whose verdicts are the truth, the better first."""


@dataclass(frozen=True)
class Bill:
    """What the judges say of one build."""

    judgements: tuple[Judgement, ...]
    portrait: bytes = b""
    """Level 1 as it appears; empty without a page, or if it does not."""


class Bench(Protocol):
    """Starts, opens and judges builds of one game."""

    def verify(self, build: Build) -> str:
        """Return why a build does not start, "" if it does."""

    def open_page(self, build: Build) -> AbstractContextManager[BuildPage | None]:
        """Open a build that starts. Raises InfrastructureFailure."""

    def judge(self, build: Build) -> Bill:
        """Have every judge judge a build, each in a session of its own. Raises InfrastructureFailure."""


@contextlib.contextmanager
def bench(station: StationSettings, judge_limit_s: float) -> Iterator[Bench]:
    """Give one attempt its bench. Raises InfrastructureFailure, ConfigError as a seat does."""
    if not station.browser:
        yield RulesBench()
        return
    with seat(station) as place:
        assert place.page is not None
        yield PageBench(place.page.page.context.browser, judge_limit_s)


class RulesBench:
    """Without a browser: nothing is served, and verdicts follow from the seeded defects."""

    def verify(self, build: Build) -> str:
        """Return that a broken draft does not start."""
        return "its code cannot be imported" if build.broken else ""

    def open_page(self, build: Build) -> AbstractContextManager[None]:
        """Open nothing."""
        del build
        return contextlib.nullcontext()

    def judge(self, build: Build) -> Bill:
        """Return what the seeded defects say."""
        why = self.verify(build)
        return Bill((dead(SEEDED, build.game, why) if why else seeded(build),))


def seeded(build: Build) -> Judgement:
    """Return the verdicts that the seeded defects of a build say."""
    names = [one.name for one in rubric_of(build.game).criteria]
    return Judgement(SEEDED, build.game, verdicts_of_defects(names, build.broken_criteria))


def dead(judge: str, game: str, why: str) -> Judgement:
    """Return the verdicts on a build that does not start: every criterion fails."""
    return Judgement(judge, game, tuple(Judged(one.name, "FAIL", (), why) for one in rubric_of(game).criteria))


@dataclass
class PageBench:
    """With a browser: each build is served from the jail and seen on its real page."""

    browser: Any
    """Of the station; many attempts share it."""
    judge_limit_s: float
    _started: dict[Build, str] = field(default_factory=dict)

    def verify(self, build: Build) -> str:
        """Start a build and open its page, and return why that fails; asked once a build, tried twice."""
        if build not in self._started:
            self._started[build] = self._start(build) and self._start(build)
        return self._started[build]

    def _start(self, build: Build) -> str:
        try:
            with self._served(build) as server, BuildPage(self.browser, server):
                return ""
        except BuildDoesNotStart as error:
            return str(error)
        except PageFailure as error:
            self._require_browser()
            return f"its page does not open: {error}"

    @contextlib.contextmanager
    def open_page(self, build: Build) -> Iterator[BuildPage]:
        """Serve a build and open its page."""
        try:
            with self._served(build) as server, BuildPage(self.browser, server) as page:
                yield page
        except BuildDoesNotStart as error:
            raise InfrastructureFailure("suite", f"a build that was started before: {error}") from error
        self._require_browser()

    def _require_browser(self) -> None:
        """Raise InfrastructureFailure if it was the browser that failed, and not the build."""
        if not self.browser.is_connected():
            raise InfrastructureFailure("browser", "the browser died")

    @contextlib.contextmanager
    def _served(self, build: Build) -> Iterator[Any]:
        with (
            tempfile.TemporaryDirectory(prefix="diag-playtest-") as folder,
            BuildServer(build.write(Path(folder) / "build")) as server,
        ):
            yield server

    def judge(self, build: Build) -> Bill:
        """Return the verdicts of the oracle and of the judge before the page, each on a page of its own."""
        if why := self.verify(build):
            return Bill((dead(ORACLE, build.game, why), dead(PAGE, build.game, why)))
        meant = _clean_looks(build.game, self)
        return Bill((self._judged(build, Oracle(meant)), self._judged(build, PageJudge())), self._portrait(build))

    def _judged(self, build: Build, looker: Any) -> Judgement:
        with self.open_page(build) as page:
            return Session(looker, page, self.judge_limit_s).judge(rubric_of(build.game))

    def _portrait(self, build: Build) -> bytes:
        with self.open_page(build) as page:
            try:
                for step in steps_of(build.game, ("enter",)):
                    if step.gesture is not None:
                        page.perform(step.gesture)
                return page.screenshot()
            except PageFailure:
                return b""


_clean: dict[str, CleanLooks] = {}
_cleaning = threading.Lock()


def _clean_looks(game: str, where: PageBench) -> CleanLooks:
    """Return the clean build's looks, taken once a process."""
    with _cleaning:
        if game not in _clean:
            with where.open_page(Build(game, ())) as page:
                _clean[game] = clean_looks(page, rubric_of(game))
        return _clean[game]
