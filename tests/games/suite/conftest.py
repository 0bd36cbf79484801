"""What the tests of the suite share: a session, and pages on sessions of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from games.catalogue import Catalogue
from games.suite.page import SuitePage
from games.suite.server import SuiteServer
from games.suite.session import SuiteSession


@pytest.fixture
def session(catalogue: Catalogue) -> SuiteSession:
    return SuiteSession(catalogue)


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
