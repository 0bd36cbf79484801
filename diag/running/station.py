"""A worker's seat: one suite server and one browser, kept for all its units; a fresh context and session for each."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import http.client
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from diag.errors import ConfigError, one_line
from diag.records import InfrastructureFailure
from diag.session.environment import BrowserEnvironment, RulesEnvironment
from games.catalogue import Catalogue, load_catalogue
from games.suite.session import SuiteSession

ANSWER_LIMIT_S = 3.0
"""A suite server that takes longer than this, in seconds, for an empty answer has stopped serving."""

SEATS_OF_A_BROWSER = 500
"""Sessions after which a browser and its driver are replaced: what they keep of each is little, but they keep it."""


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


@dataclass(frozen=True)
class Seat:
    """One fresh session, with its page if there is a browser."""

    session: SuiteSession
    page: Any | None
    environment: RulesEnvironment
    build: str | None
    """Name under which pixels of this browser may be compared."""


@lru_cache(maxsize=4)
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
    levels = catalogue(settings.levels)
    if not settings.browser:
        session = SuiteSession(levels, settings.language, animate=False)
        yield Seat(session, None, RulesEnvironment(session, levels), None)
        return
    from games.suite.page import PageFailure

    try:
        with _station(settings).seat() as one:
            yield one
    except PageFailure as failure:
        raise InfrastructureFailure("browser", str(failure)) from failure


class _Station:
    """Server and browser of one process."""

    def __init__(self, settings: StationSettings) -> None:
        from playwright.sync_api import sync_playwright

        from games.suite.browser import build_name, ensure_driver, launch
        from games.suite.server import SuiteServer

        self._settings = settings
        self._levels = catalogue(settings.levels)
        self._n_seats = self._n_taken = 0
        self._open = contextlib.ExitStack()
        with contextlib.ExitStack() as opening:
            self._server = opening.enter_context(SuiteServer(self._levels, port=settings.port))
            ensure_driver()
            with _out_of_the_terminals_group():
                playwright = opening.enter_context(sync_playwright())
            self._browser = launch(playwright)
            self._build = build_name(self._browser)
            self._open = opening.pop_all()

    @property
    def worn(self) -> bool:
        """Tell whether it has had its sessions, and nobody is in one."""
        return self._n_seats >= SEATS_OF_A_BROWSER and not self._n_taken

    @property
    def alive(self) -> bool:
        """Tell whether the browser is still connected to its driver, the driver still there, and the server answers."""
        from games.suite.page import driver_pids
        from games.suite.server import HOST

        connected = self._browser.is_connected() and (bool(driver_pids()) or not _HAS_PROC)
        return connected and _answers(HOST, self._server.port)

    @contextlib.contextmanager
    def seat(self) -> Iterator[Seat]:
        """Open a session in a fresh browser context."""
        from games.suite.page import SuitePage

        session = self._server.open(language=self._settings.language, animate=self._settings.animate)
        self._n_seats += 1
        self._n_taken += 1
        try:
            with SuitePage(self._browser, self._server, session) as page:
                yield Seat(session, page, BrowserEnvironment(session, self._levels, page, self._build), self._build)
        finally:
            self._n_taken -= 1
            self._server.close(session)

    def close(self) -> None:
        """Close browser, driver and server; a dead browser cannot be closed any better."""
        with contextlib.suppress(Exception):
            self._browser.close()
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


_HAS_PROC = Path("/proc/self").exists()
_stations: dict[StationSettings, _Station] = {}


def _station(settings: StationSettings) -> _Station:
    """Return this process's station, a new one if its browser died or has had its sessions."""
    if settings in _stations and (_stations[settings].worn or not _stations[settings].alive):
        _stations.pop(settings).close()
    if settings not in _stations:
        from playwright.sync_api import Error

        from games.suite.browser import BrowserMissing
        from games.suite.server import ServerError

        try:
            _stations[settings] = _Station(settings)
        except Error as error:
            raise InfrastructureFailure("browser", str(error).strip().splitlines()[0]) from error
        except (BrowserMissing, ServerError) as error:  # no other attempt would fare better
            raise ConfigError(one_line(error)) from error
    return _stations[settings]


@atexit.register
def close_stations() -> None:
    """Close what this process keeps open for its units: server, browser, driver."""
    while _stations:
        _stations.popitem()[1].close()
