"""The documented shapes of an answer, checked where they are read: what is not of its shape is an incomplete answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diag.agents.models.conversation import Call
from diag.agents.models.reply import IncompleteReply, decoded
from games.contract import JsonObject


def mapping(value: Any, what: str) -> JsonObject:
    """Return an object of an answer. Raises IncompleteReply."""
    if not isinstance(value, Mapping):
        raise _misshapen(value, what, "an object")
    return dict(value)


def listed(value: Any, what: str) -> list[Any]:
    """Return a list of an answer. Raises IncompleteReply."""
    if not isinstance(value, list):
        raise _misshapen(value, what, "a list")
    return value


def words(value: Any, what: str) -> str:
    """Return a text of an answer. Raises IncompleteReply."""
    if not isinstance(value, str):
        raise _misshapen(value, what, "text")
    return value


def name_or_none(value: Any) -> str | None:
    """Return what an endpoint calls something (its model, an answer); None for what is no text."""
    return value if isinstance(value, str) else None


def complete(found: Any, wanted: Sequence[str], what: str, why: Any = None) -> None:
    """Check the ending of an answer against the ones that mean "whole". Raises IncompleteReply with the word found."""
    if not isinstance(found, str) or found not in wanted:
        because = "" if why is None else f": {why!r:.200}"
        raise IncompleteReply(f"{what} is {found!r:.100}, wanted {' or '.join(wanted)}{because}")


def call_of(call_id: Any, name: Any, arguments: Any) -> Call:
    """Return a tool call. Raises IncompleteReply: it has no name."""
    read, encoded_twice = arguments_of(arguments)
    return Call(name_or_none(call_id) or "", words(name, "the name of a call"), read, encoded_twice)


def arguments_of(given: Any) -> tuple[JsonObject, bool]:
    """Return the arguments of a call, and whether they came encoded twice (a fault of some servers).

    What is no JSON object is kept under `unreadable` for the format to report.
    """
    once = decoded(given)
    twice = decoded(once) if isinstance(once, str) and isinstance(given, str) else once
    if isinstance(twice, dict):
        return twice, twice is not once
    return {"unreadable": repr(given)[:500]}, False


def count(value: Any) -> int | None:
    """Return a count of tokens; None for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _misshapen(value: Any, what: str, wanted: str) -> IncompleteReply:
    return IncompleteReply(f"{what} is {value!r:.100}, wanted {wanted}")
