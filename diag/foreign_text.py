"""Text from outside: the one place where it enters, and the one way to read files of one JSON text a line.

A model, a server or an agent may write any characters. Half of a surrogate pair is none of them: no file and no request
can hold it, so it becomes U+FFFD as it enters. Every other character stays as it is, also those that `str.splitlines`
takes for the end of a line; a line of our files ends at a line feed alone.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")


def well_formed(value: Any) -> Any:
    """Return a value of any nesting with half surrogate pairs in its texts replaced by U+FFFD."""
    if isinstance(value, str):
        return _HALF.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(map(well_formed, value))
    if isinstance(value, dict):
        return {well_formed(key): well_formed(one) for key, one in value.items()}
    return value


def read_json(text: str) -> Any:
    """Return what a JSON text says, well formed. Raises ValueError, RecursionError."""
    return well_formed(json.loads(text))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file of JSON lines. Raises OSError, ValueError (no UTF-8)."""
    text = path.read_bytes().decode("utf-8")
    return text.removesuffix("\n").split("\n") if text else []
