"""Words that Hydra would read as values: `null` is an agent, `1e3` may be an arm, and `1_0` and `0.10` name studies.

Hydra reads a bare `null`, `true` or number as a value before it knows what the key holds: the word as typed is lost, or
refused where an option is wanted. So such a word is quoted after the `=` of a config group and of a key of text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException

from diag.config.text_keys import ANY

_GROUPS = ("experiment", "study", "agent", "intervention", "catalog", "clock", "tracking", "execution", "suite", "env")
_GROUP_OVERRIDE = re.compile(rf"(\+{{0,2}}(?:{'|'.join(_GROUPS)})(?:@[^=]*)?=)([\w./,+-]+)")
_READ_AS_VALUE = re.compile(r"null|true|false|[+-]?(?:nan|inf|[\d._]*\d[\d._]*(?:e[+-]?[\d_]+)?)", re.IGNORECASE)
_OVERRIDE = re.compile(r"(\+{0,2}([\w.]+)=)(.*)", re.DOTALL)
_IN_A_LIST = re.compile(r"""('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|([^\s,:'"\[\]{}()][^,:'"\[\]{}()]*)""", re.DOTALL)
_PATHS = ("env.adapter", "outputs", "catalog.levels", "catalog.library", "tracking.uri", "study.folder")
"""Keys whose value is a path or an address, whatever Hydra would read in it: 1e3 is a folder."""
_LIST = re.compile(r"\[([^\[\]{}'\"]*)\]")


def as_typed(argument: str, text_keys: Mapping[str, bool]) -> str:
    """Quote the words of an override that Hydra would read as values where an option's name or text is wanted.

    Args:
        argument: an override as typed.
        text_keys: dotted key -> whether null is a value of it (`diag.config.text_keys`).
    """
    option = _GROUP_OVERRIDE.fullmatch(argument)
    if option is not None:
        return option[1] + ",".join(_quoted(name, null_is_a_value=False) for name in option[2].split(","))
    found = _OVERRIDE.fullmatch(argument)
    null_is_a_value = None if found is None else null_of_text(found[2], text_keys)
    if found is None or null_is_a_value is None:
        return argument
    return found[1] + _text(found[3], null_is_a_value=null_is_a_value)


def null_of_text(key: str, text_keys: Mapping[str, bool]) -> bool | None:
    """Return whether null is a value of a key; None for a key that holds no text."""
    if key in text_keys:
        return text_keys[key]
    parts = key.split(".")
    for pattern, null_is_a_value in text_keys.items():
        wanted = pattern.split(".")
        if len(wanted) == len(parts) and all(a in (ANY, b) for a, b in zip(wanted, parts, strict=True)):
            return null_is_a_value
    return None


def _text(value: str, *, null_is_a_value: bool) -> str:
    """Quote what would be read as a value: the whole text, each of several for a sweep, or the words of a list."""
    if value.lstrip()[:1] in ("[", "{"):
        return _IN_A_LIST.sub(lambda part: part[1] or _quoted(part[2], null_is_a_value=False), value)
    if any(mark in value for mark in "'\"()[]{}"):
        return value
    return ",".join(_quoted(one, null_is_a_value=null_is_a_value) for one in value.split(","))


def _quoted(word: str, *, null_is_a_value: bool) -> str:
    bare = word.strip()
    if not _READ_AS_VALUE.fullmatch(bare) or (null_is_a_value and bare.lower() == "null"):
        return word
    return f"'{bare}'"


def quoted_value(argument: str) -> str:
    """Quote a value that the shell gave whole and Hydra's grammar does not read: umlauts, spaces, brackets, commas.

    A value that is quoted, a mapping, an interpolation or a list is the user's own grammar and stays; the plain
    elements of a list are quoted if it cannot be read without.
    """
    key, equals, value = argument.partition("=")
    if not equals or not value or value[0] in "'\"{" or "${" in value:
        return argument
    name = key.lstrip("+")
    if value[0] != "[" and value != "null" and (name in _PATHS or not _readable(argument)):
        return f"{key}={quoted(value)}"
    elements = _LIST.fullmatch(value)
    if elements and not _readable(argument):
        return f"{key}=[{','.join(quoted(one.strip()) for one in elements[1].split(','))}]"
    return argument


def _readable(argument: str) -> bool:
    try:
        OverridesParser.create().parse_override(argument)
    except HydraException:
        return False
    return True


def quoted(text: str) -> str:
    """Return a text in single quotes, as Hydra reads it back whatever it holds."""
    escaped = re.sub(r"(\\*)'", r"\1\1\\'", text)
    trailing = len(escaped) - len(escaped.rstrip("\\"))
    return f"'{escaped}{chr(92) * trailing}'"
