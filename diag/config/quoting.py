"""Names of options that Hydra would read as values: `null` is an agent, and `1e3` may be one.

Hydra reads a bare `null`, `true` or number as a value and then refuses it where it wants the name of an option; a plain
word after the `=` of a config group is therefore quoted.
"""

from __future__ import annotations

import re

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException

_GROUPS = ("experiment", "study", "agent", "intervention", "catalog", "clock", "tracking", "execution", "suite", "env")
_GROUP_OVERRIDE = re.compile(rf"(\+{{0,2}}(?:{'|'.join(_GROUPS)})(?:@[^=]*)?=)([\w./,+-]+)")
_READ_AS_VALUE = re.compile(r"null|true|false|nan|inf|[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def quoted_option(argument: str) -> str:
    """Quote the options of a group override that Hydra would read as null, a truth value or a number."""
    found = _GROUP_OVERRIDE.fullmatch(argument)
    if found is None:
        return argument
    names = [f"'{name}'" if _READ_AS_VALUE.fullmatch(name) else name for name in found[2].split(",")]
    return found[1] + ",".join(names)


_PATHS = ("outputs", "catalog.levels", "catalog.library", "tracking.uri", "study.folder")
"""Keys whose value is a path or an address, whatever Hydra would read in it: 1e3 is a folder."""
_LIST = re.compile(r"\[([^\[\]{}'\"]*)\]")


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
