"""Names of options that Hydra would read as values: `null` is an agent, and `1e3` may be one.

Hydra reads a bare `null`, `true` or number as a value and then refuses it where it wants the name of an option; a plain
word after the `=` of a config group is therefore quoted.
"""

from __future__ import annotations

import re

_GROUPS = ("experiment", "study", "agent", "intervention", "catalog", "clock", "tracking", "execution", "suite")
_GROUP_OVERRIDE = re.compile(rf"(\+{{0,2}}(?:{'|'.join(_GROUPS)})(?:@[^=]*)?=)([\w./,+-]+)")
_READ_AS_VALUE = re.compile(r"null|true|false|nan|inf|[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def quoted_option(argument: str) -> str:
    """Quote the options of a group override that Hydra would read as null, a truth value or a number."""
    found = _GROUP_OVERRIDE.fullmatch(argument)
    if found is None:
        return argument
    names = [f"'{name}'" if _READ_AS_VALUE.fullmatch(name) else name for name in found[2].split(",")]
    return found[1] + ",".join(names)
