"""Anthropic Messages; needs the extra `anthropic`."""

from __future__ import annotations

import base64
import importlib
import json
from dataclasses import dataclass
from typing import Any

from diag.agents.models.clients.contract import Connection, Sampling
from diag.agents.models.clients.sending import SdkConnection
from diag.agents.models.clients.shapes import call_of, complete, count, listed, mapping, name_or_none, words
from diag.agents.models.conversation import Call, Conversation, Kept, Message, Part, Picture, Result, Text
from diag.agents.models.credentials import read_key
from diag.agents.models.reply import AnyTool, Reply, Tokens, Tool
from diag.errors import ConfigError
from games.contract import JsonObject

_COMPLETE = ("end_turn", "tool_use", "stop_sequence")
_THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True)
class AnthropicMessages:
    """Messages at `base_url` (None: the SDK's own default)."""

    base_url: str | None = None
    key_env: str = "ANTHROPIC_API_KEY"
    computer_tool: str = "computer_20250124"
    """Type of the computer tool; `beta` names the header it needs."""
    beta: str | None = None
    extra_body: JsonObject | None = None
    api: str = "anthropic_messages"

    def request(
        self, conversation: Conversation, tools: tuple[AnyTool, ...], sampling: Sampling, *, may_call: bool = True
    ) -> JsonObject:
        """Return the body of a request."""
        body: dict[str, Any] = {
            "model": sampling.model,
            "max_tokens": sampling.max_output_tokens,
            "system": conversation.system,
            "messages": [_message(message) for message in self._as_allowed(conversation.messages)],
        }
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if tools:
            body["tools"] = [self._declared(tool) for tool in tools]
        body |= self.extra_body or {}
        if tools and not may_call:
            body["tool_choice"] = {"type": "none"}
        return body

    def read(self, answer: JsonObject) -> Reply:
        """Read an answer. Raises IncompleteReply."""
        complete(answer.get("stop_reason"), _COMPLETE, "stop_reason")
        content = [mapping(block, "a block of the content") for block in listed(answer.get("content"), "content")]
        text = "\n".join(words(block.get("text"), "a text block") for block in content if block.get("type") == "text")
        calls = tuple(
            call_of(block.get("id"), block.get("name"), block.get("input"))
            for block in content
            if block.get("type") == "tool_use"
        )
        kept = tuple(block for block in content if block.get("type") in _THINKING)
        model, name = name_or_none(answer.get("model")), name_or_none(answer.get("id"))
        return Reply(text, calls, kept, tokens=_tokens(answer.get("usage")), model=model, response_id=name)

    def connect(self) -> Connection:
        """Open a connection. Raises ConfigError without the package or a key."""
        try:
            anthropic = importlib.import_module("anthropic")
        except ImportError as error:
            raise ConfigError('this agent needs a package: pip install "gui-diagnostics[anthropic]"') from error
        key = read_key((self.key_env,), required=self.base_url is None)
        headers = {"anthropic-beta": self.beta} if self.beta else {}

        def make() -> Any:
            return anthropic.Anthropic(
                api_key=key.reveal(), base_url=self.base_url, max_retries=0, default_headers=headers
            )

        return SdkConnection(anthropic, make, _create, key, self.base_url)

    def _as_allowed(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Return messages that the API takes: with thinking on, calls whose thinking is not there are told in words.

        A takeover's prefix was played by another agent, so there is no signed thinking for its calls.
        """
        thinking = (self.extra_body or {}).get("thinking")
        if not isinstance(thinking, dict) or thinking.get("type") == "disabled":
            return messages
        bare = {
            part.call_id
            for message in messages
            if not any(isinstance(part, Kept) for part in message.parts)
            for part in message.parts
            if isinstance(part, Call)
        }
        return tuple(
            Message(message.role, tuple(_in_words(part, bare) for part in message.parts)) for message in messages
        )

    def _declared(self, tool: AnyTool) -> JsonObject:
        if isinstance(tool, Tool):
            return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        size = {"display_width_px": tool.width, "display_height_px": tool.height}
        return {"type": self.computer_tool, "name": "computer", **size}


def _create(client: Any, request: JsonObject, timeout_s: float) -> Any:
    known = {name: request[name] for name in ("model", "max_tokens", "messages")}
    rest = {name: value for name, value in request.items() if name not in known}
    return client.messages.with_raw_response.create(**known, extra_body=rest, timeout=timeout_s)


def _message(message: Message) -> JsonObject:
    """Return a message: what its provider wants back first, results before all else, a screenshot in its result."""
    first = [part for part in message.parts if isinstance(part, Result | Kept)]
    others = [part for part in message.parts if not isinstance(part, Result | Kept)]
    blocks = [block for part in first for block in _blocks(part)]
    after = [block for part in others for block in _blocks(part)]
    if blocks and blocks[-1]["type"] == "tool_result" and any(isinstance(part, Picture) for part in others):
        last = max(place for place, block in enumerate(after) if block["type"] == "image") + 1
        said = {"type": "text", "text": blocks[-1]["content"]}
        blocks[-1] = {**blocks[-1], "content": [said, *after[:last]]}
        after = after[last:]
    return {"role": message.role, "content": [*blocks, *after]}


def _in_words(part: Part, bare: set[str]) -> Part:
    match part:
        case Call(call_id, name, arguments) if call_id in bare:
            return Text(f"{name} {json.dumps(arguments, ensure_ascii=False)}")
        case Result(call_id, text) if call_id in bare:
            return Text(text)
    return part


def _blocks(part: Part) -> list[JsonObject]:
    return [dict(block) for block in part.blocks] if isinstance(part, Kept) else [_block(part)]


def _block(part: Text | Picture | Call | Result) -> JsonObject:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Picture():
            data = base64.b64encode(part.png).decode()
            return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
        case Call(call_id, name, arguments):
            return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
        case Result(call_id, text):
            return {"type": "tool_result", "tool_use_id": call_id, "content": text}


def _tokens(usage: Any) -> Tokens:
    """Return the counts; `input_tokens` leaves cached ones out here, our `input` holds them."""
    if not isinstance(usage, dict):
        return Tokens()
    fresh, cached = count(usage.get("input_tokens")), count(usage.get("cache_read_input_tokens"))
    made = count(usage.get("cache_creation_input_tokens"))
    total = None if fresh is None else fresh + (cached or 0) + (made or 0)
    return Tokens(total, count(usage.get("output_tokens")), cached)
