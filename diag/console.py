"""The console of every command that draws tables: what others wrote is shown neutral."""

from __future__ import annotations

from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from diag.foreign_text import neutral

FILE_WIDTH = 170


class NeutralConsole(Console):
    """A console that renders each text neutral; only its own styles reach the terminal as control characters."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text as the console draws it."""
        return super().render_str(neutral(text), **options)


def console(out: TextIO | None = None) -> Console:
    """Return the console on a stream (standard output); wide tables stay whole when the output is a file."""
    found = NeutralConsole(file=out)
    return found if found.is_terminal else NeutralConsole(file=out, width=FILE_WIDTH)
