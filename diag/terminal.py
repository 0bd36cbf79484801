"""What every command of `python -m diag` shares: saying a line, and reading `key=value` words.

Whatever it says is neutral: a file or an endpoint that put control characters into a text does not reach the terminal.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping, Sequence
from typing import TextIO

from diag.errors import ConfigError
from diag.foreign_text import neutral


def say(line: object) -> None:
    """Write a line to standard output and flush it."""
    sys.stdout.write(f"{neutral(str(line))}\n")
    sys.stdout.flush()


def complain(line: object, out: TextIO | None = None) -> None:
    """Write a line to standard error, or to what stands for it, and flush it."""
    out = out or sys.stderr
    out.write(f"{neutral(str(line))}\n")
    out.flush()


def options(arguments: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the known keys with the values given or their defaults.

    Raises:
        ConfigError: an argument is no `key=value`, or its key is not known.
    """
    found = dict(known)
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or key not in known:
            near = difflib.get_close_matches(key, list(known), n=1)
            hint = f"; did you mean {near[0]}=?" if near else ""
            raise ConfigError(f"found {argument!r}, wanted {', '.join(f'{name}=VALUE' for name in known)}{hint}")
        found[key] = value
    return found
