"""Text from outside, at the one place where it enters.

A model, a server or an agent may write any characters. Half of a surrogate pair is none of them: no file and no request
can hold it, so it becomes U+FFFD as it enters. Every other character stays as it is, also those that `str.splitlines`
takes for the end of a line (`diag.records.lines` reads them back).
"""

from __future__ import annotations

import json
import re
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
