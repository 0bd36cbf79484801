"""The few pieces of HTML that the sections of a study are made of. Everything that is given as `str` is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

Cell = str | Markup


@dataclass(frozen=True)
class Section:
    """One part of a report with a heading of its own."""

    anchor: str
    title: str
    body: Markup
    leads: bool = True
    """Stands before the paired effects, not after them."""


def section(anchor: str, title: str, *parts: Markup, leads: bool = True) -> Section:
    """Return a section of the given parts, in order."""
    return Section(anchor, title, joined(parts), leads)


def table(head: Sequence[Cell], rows: Iterable[Sequence[Cell]], caption: Cell, *, words: int = 1) -> Markup:
    """Return a table whose first `words` columns are words, the others numbers; the first is the row's heading."""
    kinds = ["" if place < words else ' class="n"' for place in range(len(head))]
    heads = "".join(f"<th{kind}>{escape(cell)}</th>" for kind, cell in zip(kinds, head, strict=True))
    lines = joined(_line(kinds, row) for row in rows)
    return Markup(  # noqa: S704 - its parts are escaped
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody>'
        f"<caption>{escape(caption)}</caption></table></div>"
    )


def abreast(parts: Iterable[Markup]) -> Markup:
    """Return parts that stand beside each other where there is room."""
    return Markup(f'<div class="abreast">{joined(parts)}</div>')  # noqa: S704 - its parts are escaped


def titled(title: str, part: Markup) -> Markup:
    """Return a part under a small heading."""
    return Markup("<div><h3>{}</h3>{}</div>").format(title, part)


def folded(summary: str, part: Markup) -> Markup:
    """Return a part that a reader opens."""
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, part)


def quote(text: str) -> Markup:
    """Return a text as it was written."""
    return Markup("<blockquote>{}</blockquote>").format(text)


def note(text: str) -> Markup:
    """Return a sentence in small print."""
    return Markup('<p class="note">{}</p>').format(text)


def chip(text: str, colour: str) -> Markup:
    """Return an arm's name on its colour."""
    return Markup('<span class="chip" style="background:{}">{}</span>').format(colour, text)


def joined(parts: Iterable[Markup]) -> Markup:
    """Return the parts one after the other."""
    return Markup().join(parts)


def _line(kinds: Sequence[str], row: Sequence[Cell]) -> Markup:
    first, *others = zip(kinds, row, strict=True)
    cells = "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in others)
    return Markup(f"<tr><th>{escape(first[1])}</th>{cells}</tr>")  # noqa: S704 - its cells are escaped
