"""Model agents: any vision model behind an API plays through the same door as the simulated ones.

A model agent is a client (one provider's API), a format (how the model is told to act), a coordinate contract (what its
numbers mean) and prompts. `docs/how-to/run-on-your-model.md` shows the use,
`docs/reference/model-faults.md` what becomes of faults.
"""

from diag.agents.models.agent import ModelAgent
from diag.agents.models.calling import EndpointRefused, Patience
from diag.agents.models.clients import AnthropicMessages, OpenAIChat, OpenAIResponses
from diag.agents.models.coordinates import CoordinateContract, FitWithin, Multiples, Same
from diag.agents.models.factory import ModelFactory
from diag.agents.models.formats import Computer, Qwen3VL, ToolCall, UiTars
from diag.agents.models.image_tokens import Area, Patches, Tiles
from diag.agents.models.ledger import LimitReached, SpendingLimits
from diag.agents.models.pricing import Price

__all__ = [
    "AnthropicMessages",
    "Area",
    "Computer",
    "CoordinateContract",
    "EndpointRefused",
    "FitWithin",
    "LimitReached",
    "ModelAgent",
    "ModelFactory",
    "Multiples",
    "OpenAIChat",
    "OpenAIResponses",
    "Patches",
    "Patience",
    "Price",
    "Qwen3VL",
    "Same",
    "SpendingLimits",
    "Tiles",
    "ToolCall",
    "UiTars",
]
