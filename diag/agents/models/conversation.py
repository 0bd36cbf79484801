"""What a model is shown, before any provider's shape: messages of text, pictures, calls and results.

Built from an `Observation` alone. A picture that the context names must be one the agent saw in this attempt or one of
the study's own store, checked by its SHA-256; there is no other way for bytes to get in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from diag.agents.models.prompts import Prompts
from diag.session.contract import Observation, PublicContext, Turn
from games.contract import JsonObject


@dataclass(frozen=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True)
class Picture:
    """A screenshot as it is sent."""

    sha256: str
    """Name of the screenshot it was made from."""
    png: bytes
    size: tuple[int, int]


@dataclass(frozen=True)
class Call:
    """A tool call the model made."""

    call_id: str
    name: str
    arguments: JsonObject
    encoded_twice: bool = False
    """The server sent its arguments as a JSON text of a JSON text; read, and counted as malformed."""


@dataclass(frozen=True)
class Result:
    """What a tool call came to."""

    call_id: str
    text: str


@dataclass(frozen=True)
class Kept:
    """Blocks of the model's own earlier answer that its provider wants back unchanged (Anthropic: signed thinking)."""

    blocks: tuple[JsonObject, ...]


Part = Text | Picture | Call | Result | Kept


@dataclass(frozen=True)
class Message:
    """One message; calls only in the assistant's, results only in the user's."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Conversation:
    """A whole request: system prompt, messages, the last one the user's."""

    system: str
    messages: tuple[Message, ...]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, oldest first."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Picture))

    @property
    def texts(self) -> tuple[str, ...]:
        """All words that are sent, call arguments aside."""
        words = [part.text for message in self.messages for part in message.parts if isinstance(part, Text | Result)]
        return self.system, *words


def picture_name(png: bytes) -> str:
    """Return the SHA-256 name under which the session records a screenshot."""
    return hashlib.sha256(png).hexdigest()


Rendered = tuple[tuple[Part, ...], tuple[Part, ...]]
RenderTurn = Callable[[Turn, int], Rendered]
"""A format's rendering of a past turn (with its place): the assistant's parts, and those of the reply to it."""
LoadPicture = Callable[[str], Picture]


def converse(
    observation: Observation, *, prompts: Prompts, system: str, render: RenderTurn, load: LoadPicture
) -> Conversation:
    """Return the request for one decision: context, past turns with the pictures still in context, the screenshot."""
    history = _history(observation.context, prompts, render, load)
    return Conversation(system, merged((*history, Message("user", _now(observation, prompts, load)))))


def summary_request(
    context: PublicContext, *, prompts: Prompts, system: str, render: RenderTurn, load: LoadPicture
) -> Conversation:
    """Return the request for a summary of the turns in context, or for the text that the context asks for."""
    history = _history(context, prompts, render, load)
    return Conversation(system, merged((*history, Message("user", _closing(context, prompts, load)))))


def _closing(context: PublicContext, prompts: Prompts, load: LoadPicture) -> tuple[Part, ...]:
    """Return what closes the request for a text; one that a context asks for comes with the current screenshot."""
    if context.asked is None:
        return (Text(prompts.text("summary")),)
    picture = context.asked.picture
    shown: tuple[Part, ...] = () if picture is None else (Text(prompts.text("now")), load(picture))
    return (*shown, Text(context.asked.request))


def _history(context: PublicContext, prompts: Prompts, render: RenderTurn, load: LoadPicture) -> list[Message]:
    messages = [Message("user", (Text(opening(context, prompts)),))]
    messages += _turns(context.prefix, 0, render, load)
    between = _between(context, prompts)
    messages += [Message("user", (Text(between),))] if between else []
    return messages + _turns(context.recent, len(context.prefix), render, load)


def opening(context: PublicContext, prompts: Prompts) -> str:
    """Return the first words: the instruction, then where the prefix comes from."""
    parts = [context.instruction]
    if context.prefix:
        parts.append(prompts.text("prefix"))
    return "\n\n".join(parts)


def _between(context: PublicContext, prompts: Prompts) -> str:
    parts = []
    if context.memory is not None:
        parts.append(prompts.text("memory").format(text=context.memory))
    if context.summary is not None:
        parts.append(prompts.text("earlier").format(text=context.summary))
    return "\n\n".join(parts)


def _turns(turns: Sequence[Turn], first: int, render: RenderTurn, load: LoadPicture) -> list[Message]:
    messages = []
    for place, turn in enumerate(turns, start=first):
        if turn.picture is not None:
            messages.append(Message("user", (load(turn.picture),)))
        said, answered = render(turn, place)
        messages += [Message("assistant", said), Message("user", answered)]
    return messages


def _now(observation: Observation, prompts: Prompts, load: LoadPicture) -> tuple[Part, ...]:
    if not observation.screenshot_png:
        return (Text(prompts.text("no_picture")),)
    return Text(prompts.text("now")), load(picture_name(observation.screenshot_png))


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Join neighbours of one role: some endpoints insist that roles alternate."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, joined[-1].parts + message.parts)
        elif message.parts:
            joined.append(message)
    return tuple(joined)
