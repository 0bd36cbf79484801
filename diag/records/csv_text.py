"""Rows as CSV text and back: the line ends that all tables of a study have, and cells that a spreadsheet only shows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diag.foreign_text import as_written, cell

if TYPE_CHECKING:
    import pandas as pd


def csv_text(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a header and one line per row; keys that are no column are left out."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [cell(name) for name in columns], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({cell(name): cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def csv_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file as text, without the marks that `csv_text` put before formulas.

    Raises:
        OSError, ValueError, csv.Error: it cannot be read.
    """
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {name: as_written(text) if isinstance(text, str) else text for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def frame_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose texts are cells as `csv_text` writes them; columns of other types are untouched."""
    texts = [name for name in frame.columns if frame[name].dtype.kind == "O"]
    made = {name: type(frame[name])(map(cell, frame[name]), index=frame.index, dtype=object) for name in texts}
    return frame.assign(**made).rename(columns=cell)


def marked(text: str, share: str) -> str:
    """Return CSV with one more column, `interim`, that says in every line how far the study was (`40 of 96 units`)."""
    if not text:
        return text
    head, *lines = csv.reader(io.StringIO(text))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[*head, "interim"], *([*line, share] for line in lines)])
    return written.getvalue()
