"""Sending in bounded time: an SDK's call in a thread of its own, given up at its deadline whatever the socket does.

A read timeout alone bounds the pause between two bytes, not the call: an endpoint that drips would never time out.
"""

from __future__ import annotations

import contextlib
import math
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any

from diag.agents.models.clients.contract import CallFailed
from diag.agents.models.clients.refusals import error_inside, refusal
from diag.agents.models.credentials import Key, secrets_of_addresses
from diag.agents.models.hiding import Hider, credentials_in
from diag.foreign_text import neutral
from diag.incoming_text import read_json
from diag.proxies import spare_loopback, way_to
from games.contract import JsonObject

LONGEST_MESSAGE = 500


class SdkConnection:
    """A connection through an official SDK (`openai` and `anthropic` share their shape)."""

    def __init__(
        self, sdk: ModuleType, make: Callable[[], Any], call: Callable[..., Any], key: Key, address: str | None
    ) -> None:
        self._sdk, self._make, self._call = sdk, make, call
        self._hider = Hider([key.reveal(), *credentials_in(address), *secrets_of_addresses()])
        self._address, self._way = address, ""
        self._client: Any = None

    def send(self, request: JsonObject, timeout_s: float) -> JsonObject:
        """Return the answer's JSON. Raises CallFailed."""
        if self._client is None:
            spare_loopback(self._address)
            self._client = self._make()
            self._way = way_to(str(self._client.base_url))
            weakref.finalize(self, _closed, self._client)  # an attempt's agent has no end of its own
        client, box = self._client, _Box()
        thread = threading.Thread(target=box.fill, args=(self._once, client, request, timeout_s), daemon=True)
        thread.start()
        thread.join(timeout_s)
        if thread.is_alive():
            self.close()
            raise CallFailed("timeout", f"no complete answer within {timeout_s:.1f} s{self._way}")
        if box.error is not None:
            raise box.error
        return self._without_error(_parsed(box.body, self._hider), box.headers)

    def close(self) -> None:
        """Close the SDK's client; a hanging call ends with an error in its own thread."""
        client, self._client = self._client, None
        if client is not None:
            _closed(client)

    def _once(self, client: Any, request: JsonObject, timeout_s: float) -> tuple[str, Mapping[str, str]]:
        sdk: Any = self._sdk
        try:
            raw = self._call(client, request, timeout_s)
            text: str = raw.http_response.text
        except sdk.APITimeoutError as error:
            raise CallFailed("timeout", f"no complete answer within {timeout_s:.1f} s{self._way}") from error
        except sdk.APIStatusError as error:
            words = f"status {error.status_code}{self._way}: {self._words(error)}"
            raise refusal(error.status_code, words, retry_after_s(error.response.headers)) from error
        except sdk.APIConnectionError as error:
            raise CallFailed("connection", self._words(error.__cause__ or error) + self._way) from error
        except sdk.APIError as error:
            raise CallFailed("incomplete", self._words(error)) from error
        return text, raw.http_response.headers

    def _without_error(self, answer: JsonObject, headers: Mapping[str, str]) -> JsonObject:
        """Return an answer that tells of no error. Raises CallFailed for one that does, whatever its status was."""
        found = error_inside(answer)
        if found is None:
            return answer
        after_s = retry_after_s(found.headers)
        words = neutral(" ".join(found.words.split()))[:LONGEST_MESSAGE]
        raise refusal(found.status, words, retry_after_s(headers) if after_s is None else after_s)

    def _words(self, error: BaseException) -> str:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return neutral(self._hider.hide(text))[:LONGEST_MESSAGE]


def _closed(client: Any) -> None:
    with contextlib.suppress(Exception):
        client.close()


@dataclass
class _Box:
    """Brings a thread's result or error back."""

    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    error: CallFailed | None = None

    def fill(self, call: Callable[..., tuple[str, Mapping[str, str]]], *arguments: Any) -> None:
        """Run the call and keep what it comes to."""
        try:
            self.body, self.headers = call(*arguments)
        except CallFailed as error:
            self.error = error
        except Exception as error:  # the transport below the SDK: a broken stream, a closed client
            self.error = CallFailed("connection", f"{type(error).__name__}"[:LONGEST_MESSAGE])


def _parsed(body: str, hider: Hider) -> JsonObject:
    try:
        data = hider.hide_in(read_json(body))
    except (ValueError, RecursionError) as error:
        raise CallFailed("incomplete", f"the answer is no JSON ({len(body)} characters)") from error
    if not isinstance(data, dict):
        raise CallFailed("incomplete", f"the answer is a JSON {type(data).__name__}, wanted an object")
    return data


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return how long the endpoint asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            return _until(value)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    return None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
