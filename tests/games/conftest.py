"""What the tests of the games share: our own catalogue, and one browser and server for all that need a page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from games.catalogue import Catalogue, load_catalogue
from games.suite import browser
from games.suite.server import SuiteServer


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")  # an open driver keeps every other one of this process out
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
