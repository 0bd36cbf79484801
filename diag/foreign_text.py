"""Text that others wrote (a model, an endpoint, a file) where people read it: terminals, pages, cells of tables.

A terminal obeys control characters, a page and a terminal obey marks of direction, a spreadsheet computes a cell that
begins like a formula. Records keep what was said as it was said; what is shown shows such characters by their names.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

_SUSPECT = re.compile(r"[^\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u05ff\u2e80-\ud7ff]")
"""Everything but the characters that most texts are made of, so that long texts are read fast."""
_JOINERS = "\u200c\u200d"
"""They shape words of some scripts and join emoji; they move nothing."""
_FORMULA = re.compile(r"'*[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]")
_CREDENTIALS = re.compile(r"://[^\s/?#'\"@]*:[^\s/'\"]*@")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?inf|[+-]")


def neutral(text: str) -> str:
    r"""Return a text with control characters, marks of direction and lone surrogates as `\x1b`, `\u202e`, `\ud800`.

    Line feeds and tabs stay.
    """
    return _SUSPECT.sub(_named, text)


def cell(value: Any) -> Any:
    """Return what a CSV cell holds: a text neutral, with `'` before what a spreadsheet would compute.

    Numbers stay numbers. `as_written` takes the mark away again.
    """
    if not isinstance(value, str):
        return value
    text = neutral(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def as_written(text: str) -> str:
    """Return the text of a cell without the mark that `cell` put before it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def without_credentials(text: str) -> str:
    """Return a text whose addresses have lost their user and password."""
    return _CREDENTIALS.sub("://[key]@", text)


def _named(found: re.Match[str]) -> str:
    character = found[0]
    if character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character
    number = ord(character)
    if number > 0xFFFF:
        return f"\\U{number:08x}"
    return f"\\u{number:04x}" if number > 0xFF else f"\\x{number:02x}"
