"""OpenAI Responses, without state on the endpoint: every request carries its whole context (`store` is false)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diag.agents.models.clients.contract import Connection, Sampling
from diag.agents.models.clients.openai_chat import data_url, openai_connection
from diag.agents.models.clients.shapes import call_of, complete, count, listed, mapping, name_or_none, words
from diag.agents.models.conversation import Call, Conversation, Message, Part, Picture, Result, Text
from diag.agents.models.reply import AnyTool, Reply, Tokens, Tool
from games.contract import JsonObject

_COMPLETE = ("completed",)


@dataclass(frozen=True)
class OpenAIResponses:
    """Responses at `base_url` (None: the SDK's own default)."""

    base_url: str | None = None
    key_env: str = "OPENAI_API_KEY"
    detail: str = "auto"
    """Image detail: low, high, auto, and `original` where the endpoint knows it."""
    computer_tool: str = "computer_use_preview"
    """Type of the computer tool: `computer` for models that have the newer one."""
    extra_body: JsonObject | None = None
    api: str = "openai_responses"

    def request(
        self, conversation: Conversation, tools: tuple[AnyTool, ...], sampling: Sampling, *, may_call: bool = True
    ) -> JsonObject:
        """Return the body of a request."""
        body: dict[str, Any] = {
            "model": sampling.model,
            "instructions": conversation.system,
            "input": [item for message in conversation.messages for item in self._items(message)],
            "max_output_tokens": sampling.max_output_tokens,
            "store": False,
        }
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if sampling.reasoning_effort is not None:
            body["reasoning"] = {"effort": sampling.reasoning_effort}
        if tools:
            body["tools"] = [self._declared(tool) for tool in tools]
            if any(not isinstance(tool, Tool) for tool in tools):
                body["truncation"] = "auto"
        body |= self.extra_body or {}
        if tools and not may_call:
            body["tool_choice"] = "none"
        return body

    def read(self, answer: JsonObject) -> Reply:
        """Read an answer. Raises IncompleteReply."""
        complete(answer.get("status"), _COMPLETE, "status", answer.get("incomplete_details"))
        output = [mapping(item, "an item of the output") for item in listed(answer.get("output"), "output")]
        for item in output:
            complete(item.get("status", "completed"), _COMPLETE, f"the status of a {item.get('type')!r:.60} item")
        text = "\n".join(said for item in output for said in _texts(item))
        calls = tuple(_call(item) for item in output if item.get("type") in ("function_call", "computer_call"))
        checks = tuple(check for item in output for check in _checks(item))
        model, name = name_or_none(answer.get("model")), name_or_none(answer.get("id"))
        used = _tokens(answer.get("usage"))
        return Reply(text, calls, safety_checks=checks, tokens=used, model=model, response_id=name)

    def connect(self) -> Connection:
        """Open a connection. Raises ConfigError without a key where one is needed."""
        return openai_connection(self.base_url, self.key_env, _create)

    def _items(self, message: Message) -> list[JsonObject]:
        if message.role == "assistant":
            return _assistant(message.parts)
        results = [
            {"type": "function_call_output", "call_id": part.call_id, "output": part.text}
            for part in message.parts
            if isinstance(part, Result)
        ]
        content = [self._content(part) for part in message.parts if isinstance(part, Text | Picture)]
        return results + ([{"role": "user", "content": content}] if content else [])

    def _content(self, part: Text | Picture) -> JsonObject:
        if isinstance(part, Text):
            return {"type": "input_text", "text": part.text}
        return {"type": "input_image", "image_url": data_url(part), "detail": self.detail}

    def _declared(self, tool: AnyTool) -> JsonObject:
        if isinstance(tool, Tool):
            declared = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
            return {"type": "function", **declared, "strict": False}
        if self.computer_tool == "computer":
            return {"type": "computer"}
        size = {"display_width": tool.width, "display_height": tool.height}
        return {"type": self.computer_tool, **size, "environment": "browser"}


def _create(client: Any, request: JsonObject, timeout_s: float) -> Any:
    known = {name: request[name] for name in ("model", "input")}
    rest = {name: value for name, value in request.items() if name not in known}
    return client.responses.with_raw_response.create(**known, extra_body=rest, timeout=timeout_s)


def _assistant(parts: Sequence[Part]) -> list[JsonObject]:
    items: list[JsonObject] = []
    for part in parts:
        if isinstance(part, Text):
            items.append({"role": "assistant", "content": part.text})
        elif isinstance(part, Call):
            arguments = json.dumps(part.arguments, ensure_ascii=False)
            items.append({"type": "function_call", "call_id": part.call_id, "name": part.name, "arguments": arguments})
    return items


def _texts(item: JsonObject) -> list[str]:
    if item.get("type") != "message":
        return []
    parts = [mapping(part, "a part of a message") for part in listed(item.get("content"), "the content of a message")]
    return [words(part.get("text"), "a text part") for part in parts if part.get("type") == "output_text"]


def _checks(item: JsonObject) -> list[JsonObject]:
    checks = item.get("pending_safety_checks")
    return [mapping(check, "a safety check") for check in listed([] if checks is None else checks, "safety checks")]


def _call(item: JsonObject) -> Call:
    if item["type"] == "computer_call":
        asked = {name: item[name] for name in ("action", "actions") if item.get(name)}
        return call_of(item.get("call_id"), "computer", asked)
    return call_of(item.get("call_id"), item.get("name"), item.get("arguments"))


def _tokens(usage: Any) -> Tokens:
    if not isinstance(usage, dict):
        return Tokens()
    details = usage.get("input_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return Tokens(count(usage.get("input_tokens")), count(usage.get("output_tokens")), cached)
