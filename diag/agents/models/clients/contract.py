"""What a client is: one provider's request shape, one way to send it, one way to read its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from diag.agents.models.conversation import Conversation
from diag.agents.models.reply import AnyTool, Reply
from games.contract import JsonObject

Trouble = Literal["rate_limit", "server", "timeout", "connection", "incomplete", "permanent", "blind"]


class CallFailed(Exception):
    """One try at one request failed.

    `permanent` will fail again in the same way, `blind` (the endpoint takes no pictures) with every request that holds
    one; every other kind may pass.
    """

    def __init__(
        self, trouble: Trouble, message: str, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.trouble: Trouble = trouble
        self.message = message
        self.status = status
        self.retry_after_s = retry_after_s


@dataclass(frozen=True)
class Sampling:
    """Settings of the model that can change what it answers."""

    model: str
    max_output_tokens: int = 4096
    temperature: float | None = None
    """None: the endpoint's default (some models refuse the parameter)."""
    reasoning_effort: str | None = None
    seed: int | None = None
    """Sent as it is where the endpoint has such a parameter."""


class Connection(Protocol):
    """An open way to an endpoint; one for each attempt."""

    def send(self, request: JsonObject, timeout_s: float) -> JsonObject:
        """Return the endpoint's JSON answer. Raises CallFailed, in bounded time."""

    def close(self) -> None:
        """Give up what is open."""


class Client(Protocol):
    """One provider's API. Frozen settings; opens connections."""

    api: str
    """Name in records."""

    def request(
        self, conversation: Conversation, tools: tuple[AnyTool, ...], sampling: Sampling, *, may_call: bool = True
    ) -> JsonObject:
        """Return the body of a request: pure. Tools stay declared when none may be called: past turns use them."""

    def read(self, answer: JsonObject) -> Reply:
        """Read an answer: pure. Raises IncompleteReply."""

    def connect(self) -> Connection:
        """Open a connection. Raises ConfigError without a key or a package."""
