"""A conversation with a model over tools, through the client that its agent has."""

from __future__ import annotations

from dataclasses import dataclass, field

from diag.agents.models.agent import ModelAgent
from diag.agents.models.conversation import Conversation, Kept, Message, Part, Text
from diag.agents.models.recording import RecordingEnds
from diag.agents.models.reply import Reply, Tool
from diag.records import InfrastructureFailure
from games.contract import JsonObject


@dataclass
class Spent:
    """What calls took."""

    latency_s: float = 0.0
    throttled_s: float = 0.0
    usage: list[JsonObject] = field(default_factory=list)

    def add(self, latency_s: float, throttled_s: float, usage: JsonObject) -> None:
        """Add one call."""
        self.latency_s += latency_s
        self.throttled_s += throttled_s
        self.usage.append(usage)


@dataclass
class Talk:
    """One conversation; the model's answers stay in it, with what its provider wants back."""

    agent: ModelAgent
    system: str
    tools: tuple[Tool, ...]
    spent: Spent
    elapsed_s: float
    """Seconds of the attempt before this conversation."""
    _messages: list[Message] = field(default_factory=list, init=False)

    def ask(self, *parts: Part) -> Reply:
        """Say something and return the answer. Raises InfrastructureFailure, DiagError as the agent's own calls do."""
        self._messages.append(Message("user", parts))
        agent, sent = self.agent, Conversation(self.system, tuple(self._messages))
        elapsed_s = self.elapsed_s + self.spent.latency_s
        request = agent.client.request(sent, self.tools, agent.sampling)
        try:
            got = agent.asker.ask("code", elapsed_s, request, sent, agent.attempt_limit_s - elapsed_s)
        except RecordingEnds as end:
            raise InfrastructureFailure("api", "the recording ends before the task does") from end
        self.spent.add(got.latency_s, got.throttled_s, agent.asker.usage(got, sent))
        self._messages.append(Message("assistant", _said(got.reply)))
        return got.reply


def _said(reply: Reply) -> tuple[Part, ...]:
    words = (Text(reply.text),) if reply.text.strip() else ()
    kept = (Kept(reply.kept),) if reply.kept else ()
    return (*kept, *words, *reply.calls) or (Text("(nothing)"),)
