"""Serves a folder on the loopback interface for one page, or stands for the server that somebody runs already."""

from __future__ import annotations

import functools
import http.client
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from games.catalogue import Catalogue
from games.suite.server import HOST, ServerError
from games.web.adapter import Adapter
from games.web.session import WebSession

ANSWER_LIMIT_S = 10.0


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    def log_message(self, *_said: Any) -> None:
        """Say nothing."""

    def list_directory(self, path: Any) -> None:
        """Show no folder."""
        del path
        self.send_error(404)


class WebServer:
    """A context manager with the parts of `games.suite.server.SuiteServer` that a station uses.

    Raises:
        ServerError: on entering, if the port is occupied or the page does not load.
    """

    def __init__(self, adapter: Adapter, catalogue: Catalogue, port: int = 0) -> None:
        self.adapter, self.catalogue, self.port = adapter, catalogue, port
        self._server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        if self.adapter.address is None:
            handler = functools.partial(_Quiet, directory=str(self.adapter.root))
            try:
                self._server = ThreadingHTTPServer((HOST, self.port), handler)
            except OSError as error:
                raise ServerError(f"port {self.port}: found {error.strerror}, wanted a free one") from error
            self.port = self._server.server_port
            threading.Thread(target=self._server.serve_forever, name="web-server", daemon=True).start()
        else:
            self.port = int(urlsplit(self.adapter.address).port or 0)
        try:
            self._refuse_missing()
        except ServerError:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self.adapter.address or f"http://{HOST}:{self.port}/{self.adapter.start}"

    @property
    def reachable(self) -> str:
        """What the page may reach: its own server."""
        return urlsplit(self.address).netloc

    def url(self, session: object) -> str:
        """Return where the page is; every session has a browser context of its own."""
        del session
        return self.address

    def open(self, **_options: Any) -> WebSession:
        """Return a new session at the page's start."""
        return WebSession(self.adapter, self.catalogue)

    def close(self, session: WebSession) -> None:
        """Forget a session: nothing is kept of it here."""

    def _refuse_missing(self) -> None:
        """Raises ServerError if the page does not answer with itself."""
        at = urlsplit(self.address)
        connection = http.client.HTTPConnection(str(at.hostname), at.port, timeout=ANSWER_LIMIT_S)
        try:
            connection.request("GET", f"{at.path or '/'}{f'?{at.query}' if at.query else ''}")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise ServerError(f"page {self.address}: found {error}, wanted a page that loads") from error
        finally:
            connection.close()
        if status >= 400:
            raise ServerError(f"page {self.address}: found status {status}, wanted a page that loads")
