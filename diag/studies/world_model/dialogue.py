"""What an agent of this study is, model or script: it is told things and answers with words and calls of tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from diag.agents.models.conversation import Call, Message, Part, Result, Text, merged
from diag.agents.models.reply import Tool
from diag.session.contract import Privilege
from games.contract import JsonObject

Role = Literal["actor", "builder"]
LEFT_OUT = "(Earlier turns are left out here; the evidence and your files hold them.)"


@dataclass(frozen=True)
class Answer:
    """One answer of an agent."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    latency_s: float | None = None
    """None: measured."""
    tokens: int = 0
    """In and out; what an endpoint did not report counts as none."""
    usage: JsonObject = field(default_factory=dict)
    throttled_s: float = 0.0
    kept: tuple[Part, ...] = ()
    """What the provider wants back with this answer."""


@dataclass(frozen=True)
class Question:
    """What an agent is asked with."""

    role: Role
    stage: Literal["act", "build", "notes"]
    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    elapsed_s: float
    facts: Mapping[str, Any]
    """The same things as values, for scripts; no model is shown them."""


class Mind(Protocol):
    """One agent in one play, as actor and as builder."""

    name: str
    simulated: bool
    privilege: Privilege

    def answer(self, question: Question) -> Answer:
        """Answer. Raises InfrastructureFailure when the endpoint, not the agent, failed."""


@dataclass(frozen=True)
class Seen(Text):
    """The words about a turn with its grid; `short` stands for it once newer turns have come."""

    short: str = ""


@dataclass
class Dialogue:
    """A conversation of one role; cleared by making a new one."""

    messages: list[Message] = field(default_factory=list)

    def tell(self, *parts: Part) -> None:
        """Add what the agent is told."""
        self.messages.append(Message("user", tuple(parts)))

    def said(self, answer: Answer) -> None:
        """Add an answer."""
        words: tuple[Part, ...] = (Text(answer.text),) if answer.text.strip() else ()
        self.messages.append(Message("assistant", (*answer.kept, *words, *answer.calls)))

    def answered(self, calls: Sequence[Call], texts: Sequence[str]) -> None:
        """Add what the calls of the last answer came to."""
        self.tell(*(Result(call.call_id, text) for call, text in zip(calls, texts, strict=True)))

    def shown(self, kept_grids: int, characters: int) -> tuple[Message, ...]:
        """Return the conversation as it is sent.

        Args:
            kept_grids: turns whose grid stays; of earlier ones it says where the evidence is.
            characters: most characters; beyond, the oldest answers after the first words go, with what they came to.
        """
        whole = merged(self._without_old_grids(kept_grids))
        first, rest = whole[:1], list(whole[1:])
        while len(rest) > 2 and sum(map(_length, (*first, *rest))) > characters:
            del rest[:2]
        if len(rest) + 1 == len(whole):
            return whole
        return merged((*first, Message("user", (Text(LEFT_OUT),)), *rest))

    def _without_old_grids(self, kept_grids: int) -> list[Message]:
        n_seen = sum(isinstance(part, Seen) for message in self.messages for part in message.parts)
        found, place = [], 0
        for message in self.messages:
            parts: list[Part] = []
            for part in message.parts:
                if isinstance(part, Seen):
                    place += 1
                    parts.append(Text(part.text if place > n_seen - kept_grids else part.short))
                else:
                    parts.append(part)
            found.append(Message(message.role, tuple(parts)))
        return found


def _length(message: Message) -> int:
    return sum(
        len(part.text) if isinstance(part, Text | Result) else len(str(part.arguments)) if isinstance(part, Call) else 0
        for part in message.parts
    )
