"""OpenAI Chat Completions, and every server that speaks it: vLLM, llama.cpp, SGLang, Ollama, hosted routers."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from diag.agents.models.clients.contract import Connection, Sampling
from diag.agents.models.clients.sending import SdkConnection
from diag.agents.models.clients.shapes import call_of, complete, count, listed, mapping, name_or_none, words
from diag.agents.models.conversation import Call, Conversation, Message, Part, Picture, Result, Text
from diag.agents.models.credentials import read_key
from diag.agents.models.reply import AnyTool, Reply, Tokens, Tool
from games.contract import JsonObject

_COMPLETE = ("stop", "tool_calls", "function_call")


@dataclass(frozen=True)
class OpenAIChat:
    """Chat Completions at `base_url` (None: the SDK's own default)."""

    base_url: str | None = None
    key_env: str = "OPENAI_API_KEY"
    """Environment variable with the key; a server at a `base_url` of your own may need none."""
    detail: str | None = None
    """Image detail (low, high, auto) where the endpoint knows it."""
    max_tokens_field: str = "max_tokens"
    """`max_completion_tokens` for OpenAI's reasoning models."""
    extra_body: JsonObject | None = None
    """Further fields of every request, as they are."""
    api: str = "openai_chat"

    def request(
        self, conversation: Conversation, tools: tuple[AnyTool, ...], sampling: Sampling, *, may_call: bool = True
    ) -> JsonObject:
        """Return the body of a request."""
        messages: list[JsonObject] = [{"role": "system", "content": conversation.system}]
        for message in conversation.messages:
            messages += self._messages(message)
        body: dict[str, Any] = {
            "model": sampling.model,
            "messages": messages,
            self.max_tokens_field: sampling.max_output_tokens,
        }
        for name in ("temperature", "reasoning_effort", "seed"):
            if getattr(sampling, name) is not None:
                body[name] = getattr(sampling, name)
        if tools:
            body["tools"] = [_declared(tool) for tool in tools]
        body |= self.extra_body or {}
        if tools and not may_call:
            body["tool_choice"] = "none"
        return body

    def read(self, answer: JsonObject) -> Reply:
        """Read an answer. Raises IncompleteReply."""
        choices = listed(answer.get("choices"), "choices")
        choice = mapping(choices[0] if choices else None, "the first choice")
        complete(choice.get("finish_reason"), _COMPLETE, "finish_reason")
        message = mapping(choice.get("message"), "the message")
        text = _text(message.get("content"))
        calls = tuple(map(_call, _listed_or_none(message.get("tool_calls"))))
        used = tokens(answer.get("usage"))
        model, name = name_or_none(answer.get("model")), name_or_none(answer.get("id"))
        return Reply(text, calls, tokens=used, model=model, response_id=name)

    def connect(self) -> Connection:
        """Open a connection. Raises ConfigError without a key where one is needed."""
        return openai_connection(self.base_url, self.key_env, _create)

    def _messages(self, message: Message) -> list[JsonObject]:
        """Return one or more messages: results are messages of their own and come before what else the user says."""
        if message.role == "assistant":
            return [_assistant(message.parts)]
        results = [
            {"role": "tool", "tool_call_id": part.call_id, "content": part.text}
            for part in message.parts
            if isinstance(part, Result)
        ]
        content = [self._content(part) for part in message.parts if isinstance(part, Text | Picture)]
        return results + ([{"role": "user", "content": content}] if content else [])

    def _content(self, part: Text | Picture) -> JsonObject:
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        image = {"url": data_url(part)} | ({"detail": self.detail} if self.detail else {})
        return {"type": "image_url", "image_url": image}


def _create(client: Any, request: JsonObject, timeout_s: float) -> Any:
    known = {name: request[name] for name in ("model", "messages")}
    rest = {name: value for name, value in request.items() if name not in known}
    return client.chat.completions.with_raw_response.create(**known, extra_body=rest, timeout=timeout_s)


def openai_connection(base_url: str | None, key_env: str, call: Any) -> Connection:
    """Open a connection through the OpenAI SDK; retries and deadlines are ours, so its own are off."""
    import openai

    key = read_key((key_env,), required=base_url is None)

    def make() -> Any:
        return openai.OpenAI(api_key=key.reveal(), base_url=base_url, max_retries=0)

    return SdkConnection(openai, make, call, key, base_url)


def data_url(picture: Picture) -> str:
    """Return a picture as a data URL."""
    return "data:image/png;base64," + base64.b64encode(picture.png).decode()


def _declared(tool: AnyTool) -> JsonObject:
    if not isinstance(tool, Tool):
        raise TypeError("Chat Completions has no computer tool; use format tool_call, or the client OpenAIResponses")
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _assistant(parts: Sequence[Part]) -> JsonObject:
    said = "\n".join(part.text for part in parts if isinstance(part, Text))
    calls = [
        {
            "id": part.call_id,
            "type": "function",
            "function": {"name": part.name, "arguments": json.dumps(part.arguments, ensure_ascii=False)},
        }
        for part in parts
        if isinstance(part, Call)
    ]
    message: JsonObject = {"role": "assistant", "content": said}
    return {**message, "tool_calls": calls} if calls else message


def _text(content: Any) -> str:
    """Return what the model says: a text, none, or the text parts of a list; other parts are not its words."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [mapping(part, "a part of the content") for part in listed(content, "the content")]
    return "".join(words(part.get("text"), "a text part") for part in parts if part.get("type", "text") == "text")


def _listed_or_none(calls: Any) -> list[Any]:
    return [] if calls is None else listed(calls, "tool_calls")


def _call(given: Any) -> Call:
    call = mapping(given, "a tool call")
    function = mapping(call.get("function"), "the function of a tool call")
    return call_of(call.get("id"), function.get("name"), function.get("arguments"))


def tokens(usage: Any) -> Tokens:
    """Return the counts of a `usage` object; None for each that is missing."""
    if not isinstance(usage, dict):
        return Tokens()
    details = usage.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return Tokens(count(usage.get("prompt_tokens")), count(usage.get("completion_tokens")), cached)
