"""A fake OpenAI- and Anthropic-compatible server that answers correctly or in every way an endpoint goes wrong.

Each request takes the next `Behaviour` of a script (the last one repeats). A correct answer comes from a `Brain`: a
function of the request, so equal requests get equal answers whatever the order.
"""

from __future__ import annotations

import base64
import io
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Brain = Callable[[dict[str, Any]], dict[str, Any]]
"""Request -> `{"text": ..., "actions": [...] | None}`; actions are arguments of the tool `act`.

For other tools (Chat Completions): `{"tool": name, "arguments": {...}}`, or `{"calls": [(name, arguments), ...]}`.
"""


@dataclass(frozen=True)
class Behaviour:
    """What becomes of one request."""

    kind: str = "ok"
    """ok, slow, status, reset, cut_json, short_body, hang, drip, length, empty, other_tool, bad_arguments."""
    status: int = 200
    retry_after: str | None = None
    seconds: float = 0.0
    body: str | None = None


@dataclass
class FakeServer:
    """State that tests read."""

    brain: Brain
    script: list[Behaviour] = field(default_factory=lambda: [Behaviour()])
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    url: str = ""
    open_now: int = 0
    most_open: int = 0
    storm_above: int | None = None
    """While the storm lasts, what comes when this many are open already is refused with 429."""
    storm_until: int = 0
    """How many requests the storm lasts."""
    refused: int = 0
    open_at: list[int] = field(default_factory=list)
    """How many requests were open when each came, itself included."""
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, request: dict[str, Any], headers: dict[str, str]) -> Behaviour:
        with self.lock:
            self.requests.append(request)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            return self.script[min(len(self.requests), len(self.script)) - 1]

    def pictures(self) -> list[bytes]:
        """Return the pictures of the last request."""
        return pictures_of(self.requests[-1])


_PICTURE = re.compile(r'(?:base64,|"data": ")([A-Za-z0-9+/=]{60,})')


def pictures_of(request: Any) -> list[bytes]:
    return [base64.b64decode(data) for data in _PICTURE.findall(json.dumps(request))]


def words_of(request: dict[str, Any]) -> str:
    """Return all words of a request, without picture data."""
    return _PICTURE.sub("", json.dumps(request, ensure_ascii=False))


@contextmanager
def serving(brain: Brain, *script: Behaviour) -> Iterator[FakeServer]:
    """Run a server until the block is left."""
    fake = FakeServer(brain, list(script) or [Behaviour()])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(fake: FakeServer) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"fake": fake})


class _Handler(BaseHTTPRequestHandler):
    fake: FakeServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour = self.fake.take(request, {name.lower(): value for name, value in self.headers.items()})
        with self.fake.lock:
            self.fake.open_now += 1
            self.fake.most_open = max(self.fake.most_open, self.fake.open_now)
            self.fake.open_at.append(self.fake.open_now)
            storming = self.fake.storm_above is not None and len(self.fake.open_at) <= self.fake.storm_until
            if storming and self.fake.open_now > self.fake.storm_above:
                self.fake.refused += 1
                behaviour = Behaviour("status", status=429, retry_after="0.1")
        try:
            self._behave(behaviour, request)
        except OSError:
            self.close_connection = True  # the client gave up
        finally:
            with self.fake.lock:
                self.fake.open_now -= 1

    def _behave(self, behaviour: Behaviour, request: dict[str, Any]) -> None:
        if behaviour.seconds and behaviour.kind != "drip":
            self.fake.released.wait(behaviour.seconds)
        match behaviour.kind:
            case "status":
                self._send(behaviour.status, behaviour.body or '{"error": {"message": "no"}}', behaviour)
            case "reset":
                self._reset()
            case "hang":
                self.fake.released.wait(60)
                self.close_connection = True
            case "drip":
                self._drip(behaviour.seconds)
            case "cut_json":
                self._send(200, self._answer(request, behaviour)[:-20], behaviour)
            case "short_body":
                self._short(self._answer(request, behaviour))
            case "body":
                self._send(200, behaviour.body or "", behaviour)
            case _:
                wrong = misshapen(self.path, request)
                if wrong is not None:
                    self._send(
                        400, json.dumps({"error": {"type": "invalid_request_error", "message": wrong}}), behaviour
                    )
                else:
                    self._send(200, self._answer(request, behaviour), behaviour)

    def _answer(self, request: dict[str, Any], behaviour: Behaviour) -> str:
        said = self.fake.brain(request)
        if said.get("thinking") is not None:  # a signed block, as it must come back
            said = {**said, "thinking": {"type": "thinking", "thinking": said["thinking"], "signature": SIGNATURE}}
        if self.path.endswith("/messages"):
            return json.dumps(anthropic_answer(request, said, behaviour.kind))
        if self.path.endswith("/responses"):
            return json.dumps(responses_answer(request, said, behaviour.kind))
        return json.dumps(chat_answer(request, said, behaviour.kind))

    def _send(self, status: int, body: str, behaviour: Behaviour) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if behaviour.retry_after is not None:
            self.send_header("Retry-After", behaviour.retry_after)
        self.end_headers()
        self.wfile.write(data)

    def _short(self, body: str) -> None:
        """Promise more bytes than come, then close."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) + 100))
        self.end_headers()
        self.wfile.write(body.encode())
        self.close_connection = True

    def _drip(self, seconds: float) -> None:
        """Send one byte at a time: no pause is long, the whole never ends."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.fake.released.wait(seconds):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.close_connection = True
        self.connection.close()


def _arguments(said: dict[str, Any], kind: str) -> str:
    if "arguments" in said:
        return json.dumps(said["arguments"])
    return '{"actions": [{"name": "cl' if kind == "bad_arguments" else json.dumps({"actions": said.get("actions")})


def chat_answer(request: dict[str, Any], said: dict[str, Any], kind: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.get("text", "")}
    if kind == "empty":
        return {"id": "1", "model": request["model"], "choices": []}
    if said.get("actions") is not None and request.get("tools") and request.get("tool_choice") != "none":
        name = "shell" if kind == "other_tool" else said.get("tool", "act")
        function = {"name": name, "arguments": _arguments(said, kind)}
        message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    if said.get("calls"):
        message["tool_calls"] = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for n, (name, arguments) in enumerate(said["calls"])
        ]
    if "tool" in said:
        function = {"name": said["tool"], "arguments": json.dumps(said["arguments"])}
        message["tool_calls"] = [{"id": f"c{len(request['messages'])}", "type": "function", "function": function}]
    finish = "length" if kind == "length" else "stop"
    words = len(words_of(request))
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": words, "completion_tokens": 7, "total_tokens": words + 7},
    }  # fmt: skip


def responses_answer(request: dict[str, Any], said: dict[str, Any], kind: str) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said.get("text", "")}]}
    ]
    if said.get("computer") is not None:
        calls = said["computer"] if isinstance(said["computer"], list) else [said["computer"]]
        checks = said.get("safety_checks", [])
        output += [
            {"type": "computer_call", "id": f"cu_{n}", "call_id": f"c{n}", "pending_safety_checks": checks, **call}
            for n, call in enumerate(calls)
        ]
    elif said.get("actions") is not None and request.get("tool_choice") != "none":
        output.append(
            {
                "type": "function_call",
                "call_id": "c1",
                "name": said.get("tool", "act"),
                "arguments": _arguments(said, kind),
            }
        )
    status = "incomplete" if kind == "length" else "completed"
    usage = {"input_tokens": 11, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 4}}
    return {"id": "resp-1", "model": request["model"], "status": status, "output": output, "usage": usage}


def anthropic_answer(request: dict[str, Any], said: dict[str, Any], kind: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": said.get("text", "") or "ok"}]
    if said.get("thinking") is not None:
        content.insert(0, said["thinking"])
    if said.get("computer") is not None:
        calls = said["computer"] if isinstance(said["computer"], list) else [said["computer"]]
        content += [
            {"type": "tool_use", "id": f"c{n}", "name": "computer", "input": call} for n, call in enumerate(calls)
        ]
    elif said.get("actions") is not None and request.get("tool_choice") != {"type": "none"}:
        content.append(
            {
                "type": "tool_use",
                "id": "c1",
                "name": said.get("tool", "act"),
                "input": said.get("arguments", {"actions": said["actions"]}),
            }
        )
    stop = "max_tokens" if kind == "length" else "tool_use"
    usage = {"input_tokens": 10, "output_tokens": 7, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1}
    return {
        "id": "msg-1", "type": "message", "role": "assistant", "model": request["model"], "content": content,
        "stop_reason": stop, "usage": usage,
    }  # fmt: skip


SIGNATURE = "c2lnbmVk"


def misshapen(path: str, request: dict[str, Any]) -> str | None:
    """Return what the real endpoint would refuse a request for (status 400), or None."""
    if path.endswith("/messages"):
        return _misshapen_messages(request)
    return _misshapen_items(request) if path.endswith("/responses") else None


def _misshapen_messages(request: dict[str, Any]) -> str | None:
    """Roles alternate; results answer the calls before them and come first; thinking comes back with its calls."""
    thinks = request.get("thinking", {}).get("type") in ("enabled", "adaptive")
    asked: list[str] = []
    for place, message in enumerate(request["messages"]):
        wanted = "assistant" if place % 2 else "user"
        blocks = message["content"]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if message["role"] != wanted:
            return f"messages.{place}: role {message['role']}, wanted {wanted}"
        if sorted(results) != sorted(asked) or [block["type"] for block in blocks[: len(results)]] != [
            "tool_result"
        ] * len(results):
            return f"messages.{place}: tool_use ids were found without tool_result blocks immediately after"
        if calls and len(set(calls)) < len(calls):
            return f"messages.{place}: tool_use ids must be unique"
        signed = blocks and blocks[0].get("type") == "thinking" and blocks[0].get("signature") == SIGNATURE
        if thinks and calls and not signed:
            return f"messages.{place}.content.0.type: Expected thinking, but found {blocks[0]['type']}"
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return f"messages.{place}: text content blocks must contain non-whitespace text"
        asked = calls
    return None


def _misshapen_items(request: dict[str, Any]) -> str | None:
    """Outputs answer a call of the same request; no computer_call comes back without what the endpoint keeps of it."""
    calls: list[str] = []
    for item in request["input"]:
        if item.get("type") == "function_call":
            calls.append(item["call_id"])
        elif item.get("type") == "function_call_output" and item["call_id"] not in calls:
            return f"No tool call found for function call output with call_id {item['call_id']}."
        elif item.get("type") in ("computer_call", "computer_call_output"):
            return "computer_call was provided without its required reasoning item"
    return None


def swiper(request: dict[str, Any]) -> dict[str, Any]:
    """Play by words alone: a swipe chosen by the length of the request, sometimes a click or a refused key."""
    n = len(words_of(request))
    keys = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
    actions: list[dict[str, Any]] = [{"name": "key", "key": keys[n % 4]}]
    if n % 3 == 0:
        actions.append({"name": "click", "x": n % 1280, "y": n % 900})
    if n % 7 == 0:
        actions.append({"name": "key", "key": "F13"})
    return {"text": f"I see {n} characters.", "actions": actions}


def marked(request: dict[str, Any], colour: tuple[int, int, int]) -> tuple[float, float]:
    """Look: return the middle of all pixels of a colour in the last picture, in its own pixels."""
    import numpy as np
    from PIL import Image

    pixels = np.asarray(Image.open(io.BytesIO(pictures_of(request)[-1])).convert("RGB")).astype(int)
    rows, columns = np.nonzero((np.abs(pixels - np.array(colour)) < 40).all(axis=2))
    return float(columns.mean()), float(rows.mean())
