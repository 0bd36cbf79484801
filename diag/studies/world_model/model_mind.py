"""A model as actor and builder: the study's tools as tool calls, on the clients, limits and recordings that exist."""

from __future__ import annotations

from dataclasses import dataclass

from diag.agents.models.agent import ModelAgent
from diag.agents.models.conversation import Conversation, Kept
from diag.agents.models.recording import RecordingEnds
from diag.session.contract import Privilege
from diag.studies.world_model.dialogue import Answer, Question


@dataclass
class ToolMind:
    """One model in one play, actor and builder alike; it sees frames and evidence alone."""

    model: ModelAgent
    privilege: Privilege = "none"

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.model.name

    @property
    def simulated(self) -> bool:
        """Whether the endpoint is no model."""
        return self.model.simulated

    def answer(self, question: Question) -> Answer:
        """Ask. Raises InfrastructureFailure when the endpoint failed, and what a limit or a refusal raises."""
        model = self.model
        sent = Conversation(question.system, question.messages)
        request = model.client.request(sent, question.tools, model.sampling)
        remaining_s = model.attempt_limit_s - question.elapsed_s
        try:
            got = model.asker.ask(question.stage, question.elapsed_s, request, sent, remaining_s)
        except RecordingEnds:
            return Answer(latency_s=max(remaining_s, 0.0) + 1.0, usage={"recording": "ended"})
        counted = got.reply.tokens
        return Answer(
            calls=got.reply.calls,
            text=got.reply.text,
            latency_s=got.latency_s,
            tokens=(counted.input or 0) + (counted.output or 0),
            usage=model.asker.usage(got, sent),
            throttled_s=got.throttled_s,
            kept=(Kept(got.reply.kept),) if got.reply.kept else (),
        )
