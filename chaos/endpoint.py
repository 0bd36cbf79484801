"""A model endpoint for cells about outages: OpenAI's Chat Completions, answered by words alone. It is no model.

An answer is a function of the request only, so equal sessions go equally whatever was tried twice on the way.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint:
    """An endpoint that is up or down; down, its port refuses connections."""

    def __init__(self, delay_s: float = 0.0) -> None:
        self._delay_s = delay_s
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """The base URL, the same whenever it is up."""
        return f"http://127.0.0.1:{self._port}/v1"

    def up(self) -> None:
        """Serve; does nothing if it does."""
        if self._server is None:
            self._server = _Server(("127.0.0.1", self._port), _Handler)
            self._server.delay_s = self._delay_s
            self._server.daemon_threads = True
            self._port = self._server.server_address[1]
            self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
            self._thread.start()

    def down(self) -> None:
        """Stop serving; does nothing if it is down."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._server = None


@contextmanager
def serving(delay_s: float = 0.0) -> Iterator[Endpoint]:
    """Give an endpoint that is up and answers after a delay, until the block is left."""
    endpoint = Endpoint(delay_s)
    endpoint.up()
    try:
        yield endpoint
    finally:
        endpoint.down()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return a tool call: a click at a place that depends on how many answers the request shows."""
    n_turns = json.dumps(request).count('"assistant"')
    action = {"name": "click", "x": 300 + 61 * n_turns % 600, "y": 300 + 37 * n_turns % 400}
    call = {"name": "act", "arguments": json.dumps({"actions": [action]})}
    message = {
        "role": "assistant",
        "content": "a click",
        "tool_calls": [{"id": "c1", "type": "function", "function": call}],
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
    }


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    delay_s = 0.0


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer one request and close, so that a port that goes down has no open connection left."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answer(request)).encode()
        if isinstance(self.server, _Server) and self.server.delay_s:
            time.sleep(self.server.delay_s)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""
