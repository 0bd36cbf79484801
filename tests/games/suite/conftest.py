"""What the tests of the suite share: our own catalogue, and one browser and server for all that need a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from games.catalogue import Catalogue, load_catalogue
from games.suite import browser
from games.suite.page import SuitePage
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def session(catalogue: Catalogue) -> SuiteSession:
    return SuiteSession(catalogue)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    try:
        browser.ensure_driver()
        browser.find()
    except browser.BrowserMissing as error:
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        found = browser.launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def server(catalogue: Catalogue) -> Iterator[SuiteServer]:
    with SuiteServer(catalogue) as running:
        yield running


@pytest.fixture
def new_page(chromium: Browser, server: SuiteServer) -> Iterator[Callable[..., SuitePage]]:
    pages: list[SuitePage] = []

    def make(**options: bool) -> SuitePage:
        pages.append(SuitePage(chromium, server, server.open(animate=False, **options), deadline_s=10))
        return pages[-1]

    yield make
    for page in pages:
        page.close()
        server.close(page.session)
