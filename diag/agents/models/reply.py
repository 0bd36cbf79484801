"""What a model answered, whatever its provider's shape, and what the answer took."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from diag.agents.models.conversation import Call
from diag.incoming_text import read_json
from games.contract import JsonObject


@dataclass(frozen=True)
class Tokens:
    """Counts as the endpoint reported them; None where it reported none, never a guess and never 0 for unknown."""

    input: int | None = None
    """All input tokens, cached ones included."""
    output: int | None = None
    """All output tokens, reasoning included."""
    cached: int | None = None
    """The part of `input` that was read from a cache."""


@dataclass(frozen=True)
class Reply:
    """One complete answer."""

    text: str
    calls: tuple[Call, ...] = ()
    """Tool calls; unreadable arguments are under the key `unreadable`."""
    kept: tuple[JsonObject, ...] = ()
    """Blocks that the provider wants back unchanged with this turn; empty for most."""
    safety_checks: tuple[JsonObject, ...] = ()
    """What the provider (OpenAI) asks to be acknowledged before its calls go on; recorded with the decision."""
    tokens: Tokens = field(default_factory=Tokens)
    model: str | None = None
    """The model as the endpoint names it."""
    response_id: str | None = None


class IncompleteReply(ValueError):
    """The endpoint sent no complete answer: cut off, filtered, or not of its own documented shape."""


def decoded(value: Any) -> Any:
    """Return what a JSON text says; any other value, and text that is no JSON, as it is."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except (ValueError, RecursionError):
        return value


@dataclass(frozen=True)
class Tool:
    """A function the model may call."""

    name: str
    description: str
    schema: JsonObject


@dataclass(frozen=True)
class ComputerTool:
    """The provider's own computer-use tool, for an image of this size."""

    width: int
    height: int


AnyTool = Tool | ComputerTool
