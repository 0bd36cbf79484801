"""A worker's seats: one suite server and one browser, kept for all its units; a fresh session and document for each.

A page that never failed is navigated to the next session, which costs half of a new one;
`tests/diag/running/test_station.py` holds it to a fresh page's pixels, whatever was done in it before. Any number of
threads may take a seat. A browser that died or has had its sessions takes nobody in any more, and is closed when the
last has left it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import http.client
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from diag.errors import ConfigError, one_line
from diag.records import InfrastructureFailure
from diag.session.environment import BrowserEnvironment, RulesEnvironment
from games.catalogue import Catalogue, load_catalogue
from games.once import once
from games.suite.browser import BrowserMissing, build_name, ensure_driver
from games.suite.browser_loop import BrowserLoop, Hung
from games.suite.page import PageFailure, SuitePage
from games.suite.server import HOST, ServerError, SuiteServer
from games.suite.session import SuiteSession

ANSWER_LIMIT_S = 3.0
"""A suite server that takes longer than this, in seconds, for an empty answer has stopped serving."""

SEATS_OF_A_BROWSER = 500
"""Sessions after which a browser and its driver are replaced: what they keep of each is little, but they keep it."""


OPENING_AT_ONCE = 4
"""Pages that are opened at a time: more would only slow down those that play already."""


class World(Protocol):
    """Where sessions are played if not in the suite: hashable and picklable; `env=NAME` makes one."""

    @property
    def library(self) -> str:
        """Folder of the states to start from, unless another is named."""

    def catalogue(self) -> Catalogue:
        """Return what is played, as levels."""

    def server(self, port: int) -> Any:
        """Return what has the parts of `games.suite.server.SuiteServer` that a station uses."""

    def open_page(self, browser: Any, server: Any, session: Any) -> SuitePage:
        """Return a page on a session. Raises PageFailure."""


@dataclass(frozen=True)
class StationSettings:
    """What a seat is made of; equal settings share a seat within a process."""

    browser: bool
    animate: bool
    language: Any
    """A `games.suite.texts.Language`."""
    levels: Path | None
    """Folder of a level pack; None for the shipped levels."""
    port: int = 0
    instructions: Any = "brief"
    """A `games.suite.texts.Instructions`."""
    unlock: Any = "all"
    """A `games.suite.state.Unlock`."""
    world: World | None = None
    """None: the suite."""

    @property
    def catalogue(self) -> Catalogue:
        """What is played, read once a process."""
        return catalogue(self.levels) if self.world is None else self.world.catalogue()

    @property
    def look(self) -> str:
        """The words on the screen, as `SuiteSession.look` names them."""
        return f"{self.language}-{self.instructions}"


@dataclass(frozen=True)
class Seat:
    """One fresh session, with its page if there is a browser."""

    session: SuiteSession
    page: Any | None
    environment: RulesEnvironment
    build: str | None
    """Name under which pixels of this browser may be compared."""


@once(maxsize=4)
def catalogue(levels: Path | None) -> Catalogue:
    """Return the level pack, read once a process."""
    return load_catalogue(levels)


@contextlib.contextmanager
def seat(settings: StationSettings) -> Iterator[Seat]:
    """Give one attempt its own session; the browser behind it is launched on first use, and again when needed.

    Raises:
        InfrastructureFailure: browser or page do not start, or fail in the middle (kind `browser`).
        ConfigError: there is no browser, or the server's port is taken: nothing of the study can run.
    """
    if not settings.browser:
        levels = settings.catalogue
        session = SuiteSession(
            levels,
            settings.language,
            animate=False,
            instructions=settings.instructions,
            unlock=settings.unlock,
        )
        yield Seat(session, None, RulesEnvironment(session, levels), None)
        return
    try:
        with _place(settings) as station, station.seat() as one:
            yield one
    except PageFailure as failure:
        raise InfrastructureFailure("browser", str(failure)) from failure


class _Station:
    """Server and browser of one process."""

    def __init__(self, settings: StationSettings) -> None:
        self._settings = settings
        self._levels = settings.catalogue
        self._n_seats = 0
        self.n_taken = 0
        """Seats that somebody is in."""
        self._idle: list[SuitePage] = []
        self._opening = threading.BoundedSemaphore(OPENING_AT_ONCE)
        self._open = contextlib.ExitStack()
        with contextlib.ExitStack() as opening:
            world, port = settings.world, settings.port
            server = SuiteServer(self._levels, port=port, max_age_s=3600) if world is None else world.server(port)
            self._server = opening.enter_context(server)
            ensure_driver()
            self._loop = BrowserLoop(starting=_out_of_the_terminals_group)
            opening.callback(self._loop.close)
            self._build = build_name(self._loop.browser)
            self._open = opening.pop_all()

    @property
    def usable(self) -> bool:
        """Tell whether it has sessions left, its browser and driver are there, and its server answers."""
        return self._n_seats < SEATS_OF_A_BROWSER and self._loop.answers and _answers(HOST, self._server.port)

    @contextlib.contextmanager
    def seat(self) -> Iterator[Seat]:
        """Open a session in a page of its own, which is kept for the next if nothing failed in it."""
        session = self._server.open(
            language=self._settings.language,
            animate=self._settings.animate,
            instructions=self._settings.instructions,
            unlock=self._settings.unlock,
        )
        page, keep = None, False
        try:
            with self._opening:
                page = self._page(session)
            yield Seat(session, page, BrowserEnvironment(session, self._levels, page, self._build), self._build)
            keep = page.sound and self._settings.world is None
        finally:
            self._server.close(session)
            if keep and page is not None:
                self._idle.append(page)
            elif page is not None:
                page.close()

    def _page(self, session: SuiteSession) -> SuitePage:
        if self._settings.world is not None:
            return self._settings.world.open_page(self._loop.browser, self._server, session)
        with contextlib.suppress(IndexError):
            page = self._idle.pop()
            try:
                page.show_afresh(session)
            except PageFailure:
                page.close()
            else:
                return page
        return SuitePage(self._loop.browser, self._server, session)

    def take(self) -> None:
        """Count somebody in."""
        self._n_seats += 1
        self.n_taken += 1

    def close(self) -> None:
        """Close browser, driver and server; a dead browser cannot be closed any better."""
        with contextlib.suppress(Exception):
            self._open.close()


def _answers(host: str, port: int) -> bool:
    """Tell whether a server of this machine answers a request at all; a healthy one takes a millisecond or two."""
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_LIMIT_S)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    else:
        return True
    finally:
        connection.close()


@contextlib.contextmanager
def _out_of_the_terminals_group() -> Iterator[None]:
    """Start the driver in a process group of its own: Ctrl-C is for this process, which then ends its driver.

    In the terminal's group the driver would end first, and the attempt would end as a browser's failure. Playwright has
    no option for it; on systems without process groups the driver is started as always.
    """
    start = asyncio.create_subprocess_exec
    if hasattr(os, "setpgid"):
        options: dict[str, Any] = {"process_group": 0}
        asyncio.create_subprocess_exec = functools.partial(start, **options)
    try:
        yield
    finally:
        asyncio.create_subprocess_exec = start


_stations: dict[StationSettings, _Station] = {}
_door = threading.RLock()
"""Held by whoever comes, goes or opens a station."""


@contextlib.contextmanager
def _place(settings: StationSettings) -> Iterator[_Station]:
    """Give a place in this process's station; one that is of no use any more closes behind the last who leaves."""
    with _door:
        station = _station(settings)
        station.take()
    try:
        yield station
    finally:
        with _door:
            station.n_taken -= 1
            if station.n_taken == 0 and _stations.get(settings) is not station:
                station.close()


def _station(settings: StationSettings) -> _Station:
    """Return this process's station, a new one if its browser died or has had its sessions."""
    if settings in _stations and not _stations[settings].usable:
        left = _stations.pop(settings)
        if left.n_taken == 0:
            left.close()
    if settings not in _stations:
        from playwright.sync_api import Error

        try:
            _stations[settings] = _Station(settings)
        except (Error, Hung) as error:
            raise InfrastructureFailure("browser", str(error).strip().splitlines()[0]) from error
        except (BrowserMissing, ServerError) as error:  # no other attempt would fare better
            raise ConfigError(one_line(error)) from error
    return _stations[settings]


@atexit.register
def close_stations() -> None:
    """Close what this process keeps open for its units: server, browser, driver."""
    with _door:
        while _stations:
            _stations.popitem()[1].close()
