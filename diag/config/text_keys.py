"""Which keys hold text, by the schemas: what is typed for them stays as typed, though it may look like a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from diag.config.arms import TextConfig
from diag.config.schema import Config

ANY = "*"
"""Stands for a name that the user chooses: an arm's letter, a cohort."""
_AGENT = {
    **dict.fromkeys(("model", "name", "client.key_env", "price.currency"), False),
    **dict.fromkeys(("record", "replay", "reasoning_effort", "client.base_url", "prices"), True),
}
"""Text keys of agents, which have no schema, and of agents inside agents -> whether null is a value of each."""
_SENTENCES = ("study.objective", f"study.arms.{ANY}.sentences.{ANY}")
"""Texts of one language or one per language."""


def text_keys(studies: Mapping[str, type[Any]], arms: Mapping[str, type[Any]]) -> dict[str, bool]:
    """Return dotted key -> whether null is a value of it; lists and mappings of texts are among them.

    Args:
        studies: kind of study -> its keys.
        arms: name of a kind of arm -> its keys, beside the text arms of the core.
    """
    found = {f"{place}.{key}": null for place in ("agent", "agent.agent") for key, null in _AGENT.items()}
    found |= {key + end: False for key in _SENTENCES for end in ("", f".{ANY}")}
    found.update(_below(Config, ""))
    for schema in studies.values():
        found.update(_below(schema, "study."))
    schemas: tuple[type[Any], ...] = (TextConfig, *arms.values())
    for schema in schemas:
        found.update(_below(schema, f"study.arms.{ANY}."))
    return found


def _below(schema: type[Any], place: str) -> Iterator[tuple[str, bool]]:
    for name, hint in get_type_hints(schema).items():
        yield from _of(hint, place + name)


def _of(hint: Any, key: str) -> Iterator[tuple[str, bool]]:
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if get_origin(hint) is list and any(True for _ in _of(kinds[0], key)):
        yield key, False
        yield from _of(kinds[0], f"{key}.{ANY}")
    elif hint is str or kinds == [str]:
        yield key, NoneType in get_args(hint)
    elif isinstance(hint, type) and is_dataclass(hint):
        yield from _below(hint, f"{key}.")
    elif get_origin(hint) is dict and kinds == [str, str]:
        yield f"{key}.{ANY}", False
