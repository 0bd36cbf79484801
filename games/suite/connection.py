"""One page's WebSocket: events in, acknowledgements and pictures out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from games.suite.pointer import MalformedEvent, PointerAssembler
from games.suite.session import SuiteSession

GOING_AWAY, MALFORMED, SUITE_FAULT, REPLACED = 1001, 1008, 1011, 4001
"""Close codes; the page does not come back after the last three."""

_log = logging.getLogger(__name__)


class Connection:
    """Serves one session to one page until either side ends it. Lives on the server's event loop.

    Page to server: {"n": 1-based event number, "type": "down" | "move" | "up" | "cancel" | "key", ...}.
    Server to page: {"ack": number of the last event handled, "animate": bool, "picture": picture | null if unchanged}.
    """

    def __init__(self, websocket: WebSocket, session: SuiteSession) -> None:
        self._websocket = websocket
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._ack = 0
        self._close_code: int | None = None

    def close_soon(self) -> None:
        """End the connection; callable from any thread."""
        self._end(GOING_AWAY)

    def replace(self) -> None:
        """End the connection because another page has opened the session."""
        self._end(REPLACED)

    async def run(self) -> None:
        """Serve until the page leaves or the connection is ended."""
        await self._websocket.accept()
        unsubscribe = self._session.subscribe(self._wake_from_any_thread)
        reader = asyncio.create_task(self._read())
        try:
            await self._write()
        finally:
            unsubscribe()
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader

    async def _read(self) -> None:
        pointer = PointerAssembler()
        try:
            while self._close_code is None:
                self._handle(pointer, await self._websocket.receive_text())
        except WebSocketDisconnect:
            self._end(GOING_AWAY)
        except (MalformedEvent, KeyError) as error:
            _log.warning("the page sent a malformed event: %s", error)
            self._end(MALFORMED)
        except Exception:
            _log.exception("the suite failed on a gesture")
            self._end(SUITE_FAULT)

    def _handle(self, pointer: PointerAssembler, text: str) -> None:
        try:
            event = json.loads(text)
        except (ValueError, RecursionError) as error:  # a number of 5,000 digits; brackets nested too deep
            raise MalformedEvent(f"not JSON: {text:.80}") from error
        gesture = pointer.feed(event)
        if gesture is not None:
            self._session.gesture(gesture)
        number = event.get("n")
        if not isinstance(number, int) or isinstance(number, bool):
            raise MalformedEvent(f"n: wanted the event's number, got {number!r:.80}")
        self._ack = number
        self._wake.set()

    async def _write(self) -> None:
        sent_seq, sent_ack = -1, 0
        self._wake.set()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while self._close_code is None:
                await self._wake.wait()
                self._wake.clear()
                ack = self._ack
                picture = self._session.picture() if self._session.seq != sent_seq else None
                if picture is None and ack == sent_ack:
                    continue
                if picture is not None:
                    if sent_seq < 0:
                        picture["motion"] = None  # a page that has just come sees the board at rest
                    sent_seq = picture["seq"]
                sent_ack = ack
                message = {"ack": ack, "animate": self._session.animate, "picture": picture}
                await self._websocket.send_text(json.dumps(message, separators=(",", ":"), allow_nan=False))
            await self._websocket.close(self._close_code)

    def _end(self, code: int) -> None:
        if self._close_code is None:
            self._close_code = code
        self._wake_from_any_thread()

    def _wake_from_any_thread(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and every connection with it
            self._loop.call_soon_threadsafe(self._wake.set)
