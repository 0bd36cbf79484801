"""What an agent of this study is: it is told something, works as long as it likes through its hands, and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from diag.session.contract import Privilege
from diag.studies.continuation.client import Client


class TimeIsUp(Exception):
    """The attempt's time is over: nothing the agent does any more counts."""


class Hands(Protocol):
    """What an agent has of its environment: its client and workspace, and a clock that its own time is told to."""

    @property
    def client(self) -> Client:
        """The client of its workspace."""

    def act(self, action: dict[str, Any], latency_s: float | None = None) -> str:
        """Send one action. Returns what the client says; a refusal is said too.

        Raises:
            TimeIsUp: the time was over before the action was sent.
            InfrastructureFailure: the environment does not answer.
        """

    def spend(self, latency_s: float | None) -> None:
        """Count time that led to no action. Raises TimeIsUp."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one invocation, over all its model calls."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    """Part of the input."""
    output_tokens: int = 0
    model_calls: int = 0


@dataclass(frozen=True)
class Returned:
    """An agent that has come back."""

    report: str
    usage: Usage


class Conversing(Protocol):
    """One agent in one attempt: one conversation, resumed by every `invoke`."""

    name: str
    simulated: bool
    privilege: Privilege

    def invoke(self, prompt: str, hands: Hands) -> Returned:
        """Go on with the conversation until the agent returns. Raises InfrastructureFailure, TimeIsUp."""


@runtime_checkable
class ConversingFactory(Protocol):
    """A factory whose agents can hold such a conversation."""

    def converse(self, seed: int) -> Conversing:
        """Return an agent for one attempt."""
