"""Serves the suite's page on the loopback interface: static files, and one WebSocket per session.

What the page gets is `SuiteSession.picture()` and an acknowledgement of its events; what it sends are pointer and key
events. Snapshots, transitions and anything of a solver have no route here.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from starlette.applications import Starlette
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from games.catalogue import Catalogue, game_folder
from games.suite.connection import Connection
from games.suite.session import SuiteSession
from games.suite.state import Unlock
from games.suite.texts import LANGUAGES, Instructions, Language

if TYPE_CHECKING:
    import uvicorn

HOST = "127.0.0.1"
MOST_VISITORS = 1000
"""Sessions of the front door at a time."""
_HERE = Path(__file__).parent
_FOR_PEOPLE = '<script type="module" src="/suite/people.js"></script>\n</body>'
"""What visitors of the front door get on top of the page that agents see: buttons, a role and a label."""
_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


class ServerError(RuntimeError):
    """The server cannot start; the message says why and what to do."""


@dataclass
class SuiteServer:
    """A context manager that serves sessions of one catalogue from a daemon thread.

    Args:
        catalogue: the levels on offer.
        port: a TCP port of the loopback interface; 0 takes a free one.
        front_door: whether `/` makes a new session for anybody who comes, for people who want to play.
        front_language: the language of those sessions, unless the address says `?language=zh` or `en`.
        front_instructions: what stands beside their boards.
        front_unlock: which levels their menus open.
        start_limit_s: the longest start that is accepted, in seconds.
        unvisited_s: how long a session of the front door lives to which no page has ever connected, in seconds.
        left_s: how long one lives whose page has gone, in seconds.

    Raises:
        ServerError: on entering, if the port is occupied or the server does not start in time.
    """

    catalogue: Catalogue
    port: int = 0
    front_door: bool = False
    front_language: Language = "en"
    front_instructions: Instructions = "full"
    front_unlock: Unlock = "all"
    start_limit_s: float = 10.0
    unvisited_s: float = 60.0
    left_s: float = 12 * 3600.0
    max_age_s: int = 0
    """How long a browser may keep files without asking, in seconds; for one that lives no longer than the server."""
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._sessions: dict[str, SuiteSession] = {}
        self._connections: dict[str, Connection] = {}
        self._from_door: dict[str, float] = {}
        """Sessions of the front door and when each is forgotten, on the clock; never while a page shows it."""
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        import uvicorn

        listener = _listen(self.port)
        self.port = listener.getsockname()[1]
        keep = f"max-age={self.max_age_s}" if self.max_age_s else "no-cache"
        app = TrustedHostMiddleware(Starlette(routes=self._routes()), [HOST, "localhost"])
        config = uvicorn.Config(
            _WithHeaders(app, (*_HEADERS, (b"cache-control", keep.encode()))),
            log_level="error",
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=64 * 1024,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, name="suite-server", daemon=True
        )
        self._thread.start()
        deadline = time.monotonic() + self.start_limit_s
        while not self._server.started:
            if time.monotonic() > deadline or not self._thread.is_alive():
                self.__exit__(None, None, None)
                raise ServerError(f"the suite server did not start within {self.start_limit_s:g} s")
            time.sleep(0.002)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in tuple(self._connections.values()):
            connection.close_soon()
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(timeout=10)
        self._sessions.clear()

    def open(
        self,
        language: Language = "en",
        animate: bool = True,
        instructions: Instructions = "brief",
        unlock: Unlock = "all",
    ) -> SuiteSession:
        """Return a new session with an unguessable id. Raises ValueError on a setting that the suite does not have."""
        session = SuiteSession(self.catalogue, language, animate=animate, instructions=instructions, unlock=unlock)
        self._sessions[session.id] = session
        return session

    def close(self, session: SuiteSession) -> None:
        """Forget a session and end its connection; closing twice is harmless."""
        self._sessions.pop(session.id, None)
        self._from_door.pop(session.id, None)
        connection = self._connections.pop(session.id, None)
        if connection is not None:
            connection.close_soon()

    def url(self, session: SuiteSession) -> str:
        """Return the address of a session's page."""
        return f"http://{HOST}:{self.port}/play/{session.id}"

    def _routes(self) -> list[BaseRoute]:
        views = [
            Mount(f"/games/{name}/view", StaticFiles(directory=game_folder(game) / "view", check_dir=False))
            for name, game in self.catalogue.games.items()
        ]
        return [
            Route("/", self._front),
            Route("/play/{session_id}", self._page),
            WebSocketRoute("/play/{session_id}/socket", self._socket),
            Mount("/suite/fonts", StaticFiles(directory=_HERE / "fonts", check_dir=False)),
            Mount("/suite", StaticFiles(directory=_HERE / "view")),
            *views,
        ]

    async def _front(self, request: Request) -> Response:
        if not self.front_door:
            return PlainTextResponse("no such page", status_code=404)
        asked = request.query_params.get("language")
        language = next((known for known in LANGUAGES if known == asked), self.front_language)
        self._expire()
        if len(self._from_door) >= MOST_VISITORS:
            return PlainTextResponse("too many visitors; come back in a minute", status_code=503)
        session = self.open(language, instructions=self.front_instructions, unlock=self.front_unlock)
        self._from_door[session.id] = self.clock() + self.unvisited_s
        return RedirectResponse(self.url(session))

    def _expire(self) -> None:
        """Forget the sessions of the front door that nobody came back to."""
        now = self.clock()
        for name in [name for name, end in tuple(self._from_door.items()) if end <= now]:
            if name in self._sessions:
                self.close(self._sessions[name])
            self._from_door.pop(name, None)

    async def _page(self, request: Request) -> Response:
        self._expire()
        session_id = request.path_params["session_id"]
        if session_id not in self._sessions:
            return PlainTextResponse("this session does not exist or has ended", status_code=404)
        page = (_HERE / "view" / "page.html").read_text()
        return HTMLResponse(page.replace("</body>", _FOR_PEOPLE) if session_id in self._from_door else page)

    async def _socket(self, websocket: WebSocket) -> None:
        self._expire()
        session = self._sessions.get(websocket.path_params["session_id"])
        if session is None or websocket.headers.get("origin") not in self._origins():
            await websocket.close(1008)
            return
        connection = Connection(websocket, session)
        earlier = self._connections.get(session.id)
        if earlier is not None:
            earlier.replace()
        self._connections[session.id] = connection
        if session.id in self._from_door:
            self._from_door[session.id] = math.inf
        try:
            await connection.run()
        finally:
            if self._connections.get(session.id) is connection:
                del self._connections[session.id]
                if session.id in self._from_door:
                    self._from_door[session.id] = self.clock() + self.left_s

    def _origins(self) -> tuple[str, ...]:
        return f"http://{HOST}:{self.port}", f"http://localhost:{self.port}"


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ServerError(
            f"port {port} on {HOST} cannot be used ({error.strerror}); choose another, or 0 for a free one"
        ) from error
    return listener


@dataclass
class _WithHeaders:
    """Adds the security headers to every response."""

    app: ASGIApp
    headers: tuple[tuple[bytes, bytes], ...]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)
