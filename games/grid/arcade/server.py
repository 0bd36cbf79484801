"""The socket: an `Arcade` on 127.0.0.1, for those who name it so. No other address is ever bound."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from games.grid.arcade.service import DEFAULT_KEY, Answer, Arcade
from games.grid.arcade.wire import SERVER, VALIDATION

HOST = "127.0.0.1"
MOST_BYTES = 256 * 1024
"""Of a request's body."""


@dataclass
class ArcadeServer:
    """A context manager that serves an arcade from a daemon thread.

    Args:
        arcade: what is served.
        port: of the loopback interface; 0 takes a free one.

    Raises:
        OSError: on entering, if the port is taken.
        OverflowError: on entering, if it is no port.
    """

    arcade: Arcade
    port: int = 0

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"arcade": self.arcade})
        self._server = ThreadingHTTPServer((HOST, self.port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="arcade", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"http://{HOST}:{self.port}"


class _Handler(BaseHTTPRequestHandler):
    arcade: Arcade
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._reply(*self._answered("GET", None))

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "0")
        if not size.isdecimal() or int(size) > MOST_BYTES:
            self.close_connection = True  # the body is not read
            self._reply(413, {"error": VALIDATION, "message": f"body of {size:.20} bytes, wanted at most {MOST_BYTES}"})
            return
        try:
            body = json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            self._reply(400, {"error": VALIDATION, "message": "request body must be a JSON object"})
            return
        self._reply(*self._answered("POST", body))

    def _answered(self, method: str, body: Any) -> Answer:
        if urlsplit(f"//{self.headers.get('Host', '')}").hostname not in (HOST, "localhost"):
            return 403, {"error": SERVER, "message": f"this server is for {HOST} alone"}
        if self.path == "/api/healthcheck":
            return 200, "okay"
        return self.arcade.answer(method, self.path, body, self.headers.get("X-API-Key", DEFAULT_KEY))

    def _reply(self, status: int, found: Any) -> None:
        text = isinstance(found, str)
        body = (found if text else json.dumps(found)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if text else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing: the terminal is for errors."""
