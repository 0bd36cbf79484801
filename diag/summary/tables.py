"""The summary as files: CSV, Parquet and a LaTeX table (booktabs), each complete enough to stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diag.foreign_text import neutral
from diag.reading.effect_rows import Bounds
from diag.reading.style import words
from diag.records.csv_text import frame_cells
from diag.records.sealed import write_whole
from diag.summary.rows import SummaryRow, plain

if TYPE_CHECKING:
    import pandas as pd

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_WHOLE = ("n_pairs", "n_clusters", "n_up", "n_down", "n_missing", "n_not_applicable")
_TEXT = ("study", "agent", "labels", "cohort", "contrast", "treatment", "control", "endpoint", "kind", "sentence")


def summary_frame(rows: Sequence[SummaryRow]) -> pd.DataFrame:
    """Return one line per effect; what could not be computed is a gap, never a number."""
    import pandas as pd

    frame = pd.DataFrame([plain(row) for row in rows])
    kinds = dict.fromkeys(frame.columns, "Float64") | dict.fromkeys(_WHOLE, "Int64")
    return frame.astype(kinds | dict.fromkeys((*_TEXT, "plan_hash"), "string"))


def write_tables(rows: Sequence[SummaryRow], folder: Path) -> tuple[Path, ...]:
    """Write `summary.csv`, `summary.parquet`, `summary.tex`. Raises StorageError if the disk does not take them."""
    frame = summary_frame(rows)
    paths = tuple(folder / f"summary.{end}" for end in ("csv", "parquet", "tex"))
    contents = (frame_cells(frame).to_csv(index=False).encode(), frame.to_parquet(index=False), latex(rows).encode())
    for path, content in zip(paths, contents, strict=True):
        write_whole(path, content)
    return paths


def latex(rows: Sequence[SummaryRow]) -> str:
    r"""Return a `table` environment; it needs `\usepackage{booktabs}`. Shares are in percentage points."""
    lines: list[str] = []
    before: tuple[str, ...] = ()
    for row in rows:
        question = row.question
        head = f"{row.study}, {row.effect.cohort}: {words(row.effect.endpoint)}, ${_contrast(row)}$"
        if question != before:
            lines += [r"\addlinespace"] if before else []
            lines.append(rf"\multicolumn{{6}}{{l}}{{{_head(head)}}} \\")
        lines.append(_line(row))
        before = question
    labels = sorted({label for row in rows for label in row.labels})
    return "\n".join([*_BEGIN, *lines, *_end(labels)]) + "\n"


_BEGIN = (
    r"\begin{table}", r"\centering", r"\begin{tabular}{lrrrrr}", r"\toprule",
    r"Agent & Pairs / clusters & Effect & Percentile 95\,\% & $t$ 95\,\% & Sign-flip $p$ \\", r"\midrule",
)  # fmt: skip


def _end(labels: Sequence[str]) -> list[str]:
    said = f" Labels: {', '.join(labels)}." if labels else ""
    simulated = " Simulated agents validate the pipeline and are no finding about a model." if labels else ""
    caption = (
        "Paired effects, treatment minus control; proportions in percentage points, other endpoints in their own unit. "
        "Intervals resample source levels; both are given because a percentile interval over few clusters is too short."
    )
    return [
        r"\bottomrule", r"\end{tabular}",
        rf"\caption{{{caption}{said}{simulated if 'SIMULATED' in labels else ''}}}", r"\end{table}",
    ]  # fmt: skip


def _contrast(row: SummaryRow) -> str:
    return rf"\mathrm{{{_escaped(row.effect.treatment)}}}-\mathrm{{{_escaped(row.effect.control)}}}"


def _head(text: str) -> str:
    """Escape the words of a heading, its formula left as it is."""
    words_part, formula = text.split("$", 1)
    return rf"\emph{{{_escaped(words_part)}}}${formula}"


def _line(row: SummaryRow) -> str:
    effect = row.effect
    scale = 100.0 if effect.is_share else 1.0
    p = "--" if effect.p_signflip is None else f"{effect.p_signflip:.4f}"
    cells = (
        _escaped(row.who),
        f"{effect.n_pairs} / {effect.n_clusters}",
        _number(effect.estimate, scale),
        _limits(effect.percentile, scale),
        _limits(effect.t, scale),
        p,
    )
    return rf"\quad {' & '.join(cells)} \\"


def _number(value: float | None, scale: float) -> str:
    return "cannot say" if value is None else f"${scale * value + 0.0:+.1f}$"


def _limits(bounds: Bounds | None, scale: float) -> str:
    return "cannot say" if bounds is None else f"$[{scale * bounds.low:+.1f}, {scale * bounds.high:+.1f}]$"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in neutral(text))
