"""States of a page that is not ours, as checkpoints: reached twice, the same in every picture, certified if played out.

A page has no rules here. What is proven of a state is at most that a list of gestures wins from it, because it did so
twice; every other state is uncertified.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from checkpoints.build import N_PICTURES
from checkpoints.controller import RestorationFailure, perform, restore
from checkpoints.store import Checkpoint, Library, PrefixTurn, save_library
from games.contract import JsonObject, LevelId
from games.digest import canonical_json, state_digest
from games.picture import decoded_digest
from games.suite.browser import build_name, ensure_driver, launch
from games.suite.session import SuiteSession
from games.web.adapter import AdapterError, checked_gestures
from games.web.page import WebPage
from games.web.session import WebSession
from games.web.world import Web

OpenPage = Callable[[], Any]
UNCERTIFIED: JsonObject = {"kind": "uncertified"}


class UnsteadyPage(ValueError):
    """A page that is not the same twice; the message names the first picture that differs."""

    def __init__(self, message: str, pngs: tuple[bytes, ...] = ()) -> None:
        super().__init__(message)
        self.pngs = pngs
        """The picture as it was the first time and the second."""


@dataclass(frozen=True)
class Wanted:
    """A state to harvest: the start that it belongs to, and how it is reached."""

    name: str
    start: int
    gestures: tuple[JsonObject, ...]
    state: JsonObject | None = None
    """Set after the gestures, where the adapter can."""


@dataclass
class Harvest:
    """Makes checkpoints of a page; pages are opened as needed, each on a session of its own."""

    web: Web
    open_page: OpenPage
    build: str
    say: Callable[[str], None]
    pictures: dict[str, bytes] = field(default_factory=dict)
    """Digest -> PNG, of the prefixes."""

    def library(self, folder: Path) -> Library:
        """Return the library of everything that the adapter asks for, in its order.

        Raises:
            AdapterError: it asks for nothing, or a state is there twice.
            UnsteadyPage, PageFailure, RestorationFailure: the page does not do twice what it did once.
        """
        checkpoints: dict[str, Checkpoint] = {}
        for wanted in self._wanted():
            one = self._checkpoint(wanted)
            twin = next((old for old in checkpoints.values() if old.state == one.state), None)
            if twin is not None:
                self.say(f"{wanted.name}: left out, the same state as {twin.checkpoint_id}")
                continue
            checkpoints[wanted.name] = one
            self.say(f"{wanted.name}: {len(one.prefix)} gestures, {one.certificate['kind']}")
        if not checkpoints:
            raise AdapterError("states: found none to harvest, wanted states or walks")
        return Library(folder.name, tuple(checkpoints.values()), folder)

    def _wanted(self) -> Iterator[Wanted]:
        adapter = self.web.page
        for start, one in enumerate(adapter.states, start=1):
            yield Wanted(str(one["id"]), start, tuple(one.get("gestures", ())), one.get("state"))
        for walk in range(int(adapter.walks.get("count", 0))):
            yield from self._walk(walk, len(adapter.states) + walk + 1)

    def _walk(self, walk: int, start: int) -> Iterator[Wanted]:
        """Play at random, and yield the states that are to be kept; the last one if nothing says which."""
        adapter = self.web.page
        dice = random.Random(f"{adapter.walks.get('seed', 1)}/{walk}")  # noqa: S311 - a design, no secret
        done: list[JsonObject] = []
        kept: list[Wanted] = []
        with self.open_page() as (session, page):
            for step in range(int(adapter.walks.get("length", 20))):
                moves = page.read().moves
                if not moves or session.snapshot().won:
                    break
                move = dice.choice(moves)
                for gesture in move["gestures"]:
                    perform(session, page, gesture)
                    done.append(gesture)
                seen = page.read()
                if not seen.won and (adapter.keep is None or page.judged(adapter.keep, seen.state, "keep")):
                    kept.append(Wanted(f"W{walk + 1:02d}-{step + 1:02d}", start, tuple(done)))
        yield from kept if adapter.keep is not None else kept[-1:]

    def _checkpoint(self, wanted: Wanted) -> Checkpoint:
        first, second = self._replayed(wanted), self._replayed(wanted)
        self._refuse_unsteady(wanted, first, second)
        level = LevelId(self.web.page.name, "page", wanted.start)
        turns = [PrefixTurn(gesture, "executed", None) for gesture in wanted.gestures]
        for index in range(max(0, len(turns) - N_PICTURES), len(turns)):
            digest = decoded_digest(first.pngs[index])
            self.pictures[digest] = first.pngs[index]
            turns[index] = PrefixTurn(turns[index].action, "executed", digest)
        bare = Checkpoint(
            checkpoint_id=wanted.name,
            cohort="uncertified",
            level=level,
            layout=self.web.page.identity,
            state=first.state,
            state_digest=state_digest(level, first.state),
            moves=(),
            prefix=tuple(turns),
            certificate=UNCERTIFIED,
            restart_solution=(),
            pixels={self.build: decoded_digest(first.pngs[-1])},
            provenance={"player": "adapter", "simulated": True, "verified": "browser replay twice, pixels"},
        )
        return self._certified(self._verified(bare, by_state=wanted.state is not None))

    def _replayed(self, wanted: Wanted) -> _Replay:
        with self.open_page() as (session, page):
            pngs = [page.screenshot()]
            for gesture in wanted.gestures:
                perform(session, page, gesture)
                pngs.append(page.screenshot())
            if wanted.state is not None:
                session.place(LevelId(self.web.page.name, "page", wanted.start), wanted.state)
                pngs.append(page.screenshot())
            session.hold()
            page.settle()
            pngs[-1] = page.screenshot()
            seen = page.read()
            if seen.won:
                raise AdapterError(f"{wanted.name}: found a state that is won, wanted one with something left to do")
            return _Replay(tuple(pngs), seen.state)

    def _refuse_unsteady(self, wanted: Wanted, first: _Replay, second: _Replay) -> None:
        for index, (one, other) in enumerate(zip(first.pngs, second.pngs, strict=True)):
            if decoded_digest(one) != decoded_digest(other):
                steps = ["at the start", *(f"after {canonical_json(one)}" for one in wanted.gestures), "after `set`"]
                raise UnsteadyPage(
                    f"{wanted.name}: the page is not the same twice: picture {index} ({steps[index]}) "
                    f"found {decoded_digest(other)[:12]}, wanted {decoded_digest(one)[:12]} as the first time",
                    (one, other),
                )
        if first.state != second.state:
            raise UnsteadyPage(
                f"{wanted.name}: found the state {canonical_json(second.state):.80}, wanted "
                f"{canonical_json(first.state):.80} as the first time"
            )

    def _verified(self, checkpoint: Checkpoint, *, by_state: bool) -> Checkpoint:
        """Restore it as a study does: the same state and the same pixels.

        A state that shows another picture when it is set than after its gestures is replayed in every study.
        """
        try:
            self._restored(checkpoint)
        except RestorationFailure:
            if by_state or self.web.page.set is None:
                raise
            self.say(f"{checkpoint.checkpoint_id}: shows another picture when set than after its gestures; replayed")
            checkpoint = replace(checkpoint, provenance={**checkpoint.provenance, "restored_by": "replay"})
            self._restored(checkpoint)
        return checkpoint

    def _restored(self, checkpoint: Checkpoint) -> None:
        with self.open_page() as (session, page):
            restore(session, checkpoint, page, browser_build=self.build)

    def _certified(self, checkpoint: Checkpoint) -> Checkpoint:
        """Play out what the adapter's solver says, twice; a state whose solution wins is solvable."""
        solver = self.web.page.solver
        if solver is None:
            return checkpoint
        with self.open_page() as (_, page):
            said = page.judged(solver, checkpoint.state, "solver")
        if not said:
            return checkpoint
        solution = checked_gestures(said, f"{checkpoint.checkpoint_id}: solver")
        if not all(self._wins(checkpoint, solution) for _ in range(2)):
            self.say(f"{checkpoint.checkpoint_id}: the solver's {len(solution)} gestures do not win; uncertified")
            return checkpoint
        claim = {"kind": "solvable", "gestures": list(solution), "checked": "played out on the page twice"}
        return replace(checkpoint, cohort="N", certificate=claim)

    def _wins(self, checkpoint: Checkpoint, solution: Sequence[JsonObject]) -> bool:
        with self.open_page() as (session, page):
            restore(session, checkpoint, page, browser_build=self.build)
            for gesture in solution:
                perform(session, page, gesture)
            return bool(session.snapshot().won)


@dataclass(frozen=True)
class _Replay:
    pngs: tuple[bytes, ...]
    state: JsonObject


def harvest(web: Web, into: Path, say: Callable[[str], None]) -> Library:
    """Harvest everything that the adapter asks for and write the library.

    Raises:
        AdapterError, UnsteadyPage, PageFailure, RestorationFailure, ServerError, BrowserMissing, CheckpointError
    """
    with _pages(web) as (open_page, build):
        work = Harvest(web, open_page, build, say)
        try:
            library = work.library(into)
        except UnsteadyPage as error:
            for time, png in zip(("first", "second"), error.pngs, strict=False):
                path = into.with_name(f"{into.name}-differs-{time}.png")
                path.write_bytes(png)
                say(f"{time} time: {path}")
            raise
    save_library(library, work.pictures)
    return library


@contextmanager
def _pages(web: Web) -> Iterator[tuple[OpenPage, str]]:
    from playwright.sync_api import sync_playwright

    ensure_driver()
    with web.server(0) as server, sync_playwright() as playwright:
        browser = launch(playwright)

        @contextmanager
        def open_page() -> Iterator[tuple[SuiteSession, WebPage]]:
            session: WebSession = server.open()
            with web.open_page(browser, server, session) as page:
                yield cast("SuiteSession", session), page

        try:
            yield open_page, build_name(browser)
        finally:
            browser.close()
