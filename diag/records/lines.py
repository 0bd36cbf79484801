"""Lines of a file that is written line by line: a text inside one may hold every other separator of Unicode."""

from __future__ import annotations


def lines_of(text: str) -> list[str]:
    r"""Return the lines that are not empty; only ``\n`` ends one, not the U+2028 or U+0085 of a model's words."""
    return [line for line in text.split("\n") if line]
