"""One question in words to a model, without a screen, tools or history: for graders, never for acting."""

from __future__ import annotations

from collections.abc import Callable

from diag.agents.models.conversation import Conversation, Message, Text
from diag.agents.models.factory import ModelFactory
from diag.agents.models.formats.thoughts import spoken
from games.contract import JsonObject

SYSTEM = "You grade texts as you are told."
LIMIT_S = 600.0


def questioner(factory: ModelFactory, seed: int = 0) -> Callable[[str], tuple[str, JsonObject]]:
    """Return a function from a question to the model's words and the record of the call (tokens, cost, tries).

    Thoughts are no words. It asks under the factory's patience, gate, limits and recording. The function raises
    InfrastructureFailure (kinds `api`, `response`), EndpointRefused and LimitReached as an attempt would. Raises
    ConfigError without a key.
    """
    agent = factory.build(seed)

    def ask(question: str) -> tuple[str, JsonObject]:
        sent = Conversation(SYSTEM, (Message("user", (Text(question),)),))
        request = agent.client.request(sent, (), agent.sampling, may_call=False)
        got = agent.asker.ask("question", 0.0, request, sent, LIMIT_S)
        return spoken(got.reply.text), agent.asker.usage(got, sent)

    return ask
