"""The token that memory capacities are declared in: a word, a number, a sign, or one Chinese character.

Providers count differently and change how they do; a capacity that arms share needs a count that anybody can repeat.
"""

from __future__ import annotations

import re

TOKENS_VERSION = "words-1"
_TOKEN = re.compile(r"[0-9A-Za-z\u00c0-\u024f]+(?:['\u2019-][0-9A-Za-z\u00c0-\u024f]+)*|[^\s]")


def count_tokens(text: str) -> int:
    """Return how many tokens a text has."""
    return sum(1 for _ in _TOKEN.finditer(text))


def first_tokens(text: str, limit: int) -> str:
    """Return the text up to the end of its `limit`-th token, as it is written; all of it if it has no more."""
    if limit < 1:
        return ""
    for place, token in enumerate(_TOKEN.finditer(text), start=1):
        if place == limit:
            return text[: token.end()]
    return text
