"""The inks of all figures, and a figure's SVG as a part of a page."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

INK, FAINT, LINE = "#22272e", "#6f7883", "#dfe3e8"


def inline_svg(path: Path, prefix: str, name: str) -> str:
    """Return a figure as a page shows it: without XML header, ids made unique by `prefix`, named, scaled by its box."""
    text = path.read_text()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(xlink:href="|href=")#', rf"\1#{prefix}-", text)
    text = text.replace("url(#", f"url(#{prefix}-")
    return re.sub(
        r'<svg([^>]*?) width="([\d.]+)pt"',
        rf'<svg\1 role="img" aria-label="{escape(name)}" style="max-width:\2pt" width="100%"',
        _no_height(text),
        count=1,
    )


def _no_height(text: str) -> str:
    head, tail = text.split(">", 1)
    return re.sub(r' height="[\d.]+pt"', "", head) + ">" + tail
