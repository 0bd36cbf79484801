"""Clients: one file per API. A key is read from the environment when a connection opens."""

from diag.agents.models.clients.anthropic_messages import AnthropicMessages
from diag.agents.models.clients.contract import CallFailed, Client, Connection, Sampling, Trouble
from diag.agents.models.clients.openai_chat import OpenAIChat
from diag.agents.models.clients.openai_responses import OpenAIResponses

__all__ = [
    "AnthropicMessages",
    "CallFailed",
    "Client",
    "Connection",
    "OpenAIChat",
    "OpenAIResponses",
    "Sampling",
    "Trouble",
]
