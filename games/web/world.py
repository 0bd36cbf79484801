"""The environment `web`: a page of the user's in place of the suite, for studies that start from states."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.catalogue import Catalogue, Level
from games.contract import LevelId
from games.once import once
from games.registry import admit
from games.suite.browser_loop import Steered
from games.web.adapter import Adapter, adapter_of
from games.web.guest import PageGame
from games.web.page import WebPage
from games.web.server import WebServer
from games.web.session import WebSession

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@dataclass(frozen=True)
class Web:
    """A page and its adapter; made by `env=web env.adapter=FILE`.

    Raises:
        AdapterError: there is no such adapter, or it is not as it should be.
    """

    adapter: str
    """Path of a YAML file, or `package.module:Class`."""

    def __post_init__(self) -> None:
        if self.adapter.endswith((".yaml", ".yml")):
            object.__setattr__(self, "adapter", str(Path(self.adapter).expanduser().resolve()))
        self.catalogue()

    def __reduce__(self) -> tuple[type[Web], tuple[str]]:
        """Be made anew in a worker process, which then knows the page as well."""
        return (Web, (self.adapter,))

    @property
    def page(self) -> Adapter:
        """The adapter as it was read."""
        return adapter_of(self.adapter)

    @property
    def library(self) -> str:
        """Folder of the states that were harvested from the page, unless another is named."""
        return str(Path(self.page.home) / f"{self.page.name}-states")

    def catalogue(self) -> Catalogue:
        """Return the page's starts as levels, and make it known as a game to this process."""
        return _catalogue(self.adapter)

    def server(self, port: int) -> WebServer:
        """Return what serves the page; a context manager."""
        return WebServer(self.page, self.catalogue(), port)

    def open_page(self, browser: Browser | Steered, server: Any, session: Any) -> WebPage:
        """Return a page on a session. Raises PageFailure."""
        one: WebSession = session
        return WebPage(browser, server, one)


@once(maxsize=16)
def _catalogue(source: str) -> Catalogue:
    adapter = adapter_of(source)
    game = PageGame.of(adapter)
    admit(game)
    starts = range(1, adapter.n_starts + 1)
    levels = (Level(LevelId(game.name, "page", k), adapter.identity, None, False, None, {}) for k in starts)
    return Catalogue(tuple(levels), {game.name: game})
