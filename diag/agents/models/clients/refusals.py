"""What an endpoint's error means for the next try: by its status, or by the code inside an answer of status 200."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diag.agents.models.clients.contract import CallFailed
from games.contract import JsonObject

_PASSING_STATUS = frozenset((408, 409, 425))
_TAKES_NO_PICTURES = re.compile(
    r"image input is not supported|not a multimodal model|at most 0 image|image_url is only supported by"
    r"|(?:does not|doesn't) support (?:image|vision)|no endpoints found that support image",
    re.IGNORECASE,
)
"""How llama.cpp (with status 500), vLLM, OpenAI, Ollama and routers refuse the pictures of a request."""
_STATUS_OF: Mapping[str, int] = {
    "rate_limit_exceeded": 429, "rate_limit_error": 429, "rate_limit": 429, "too_many_requests": 429,
    "insufficient_quota": 429, "overloaded_error": 529, "overloaded": 529, "api_error": 500, "server_error": 500,
    "internal_server_error": 500, "internal_error": 500, "service_unavailable": 503, "timeout_error": 408,
    "timeout": 408, "invalid_request_error": 400, "invalid_prompt": 400, "context_length_exceeded": 400,
    "authentication_error": 401, "invalid_api_key": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "model_not_found": 404, "request_too_large": 413,
}  # fmt: skip
"""The status that goes with a code or type that OpenAI, Anthropic and routers write in words."""


@dataclass(frozen=True)
class ErrorInside:
    """What an answer of status 200 tells of an error."""

    words: str
    status: int | None
    """The status it names; None for one that names none."""
    headers: Mapping[str, str]
    """Headers that a router passes on."""


def refusal(status: int | None, words: str, retry_after_s: float | None) -> CallFailed:
    """Return the failure of a try that an endpoint refused; one without a status is an incomplete answer."""
    if _TAKES_NO_PICTURES.search(words):
        return CallFailed("blind", words, status=status)
    if status is None:
        return CallFailed("incomplete", words)
    if status == 429 and "insufficient_quota" not in words:
        return CallFailed("rate_limit", words, status=status, retry_after_s=retry_after_s)
    if status >= 500 or status in _PASSING_STATUS:
        return CallFailed("server", words, status=status, retry_after_s=retry_after_s)
    return CallFailed("permanent", words, status=status)


def error_inside(answer: JsonObject) -> ErrorInside | None:
    """Return the error that an answer of status 200 tells of; None for an answer that tells of none.

    Routers answer with status 200 before the model has answered, and put what went wrong into the body: beside the
    choices, or inside the first of them.
    """
    error = _error_of(answer)
    if not error:
        return None
    return ErrorInside(f"error in an answer of status 200: {_said(error)}", _status_of(error), _headers_of(error))


def _error_of(answer: JsonObject) -> Any:
    if answer.get("error"):
        return answer["error"]
    if answer.get("object") == "error" or answer.get("type") == "error":
        return {name: value for name, value in answer.items() if name not in ("object", "type")} or "error"
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first.get("error") if isinstance(first, Mapping) else None


def _said(error: Any) -> str:
    if not isinstance(error, Mapping):
        return str(error)
    names = ("code", "type", "message")
    return ", ".join(f"{name} {error[name]}" for name in names if error.get(name) is not None) or repr(dict(error))


def _status_of(error: Any) -> int | None:
    """Return the HTTP status an error names, in figures or in words; None for one that names none."""
    if not isinstance(error, Mapping):
        return None
    for value in (error.get("code"), error.get("status"), error.get("type")):
        if isinstance(value, bool) or not isinstance(value, int | str):
            continue
        text = str(value).strip().lower()
        status = int(text) if text.isdecimal() and text.isascii() else _STATUS_OF.get(text)
        if status is not None and 400 <= status <= 599:
            return status
    return None


def _headers_of(error: Any) -> dict[str, str]:
    """Return the headers that a router passes on inside an error."""
    metadata = error.get("metadata") if isinstance(error, Mapping) else None
    headers = metadata.get("headers") if isinstance(metadata, Mapping) else None
    return {str(name).lower(): str(value) for name, value in headers.items()} if isinstance(headers, Mapping) else {}
