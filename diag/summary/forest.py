"""The forest figure across studies: one panel per question, one line per agent, SVG and PDF of equal content."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diag.reading.effect_rows import Bounds
from diag.reading.style import MINUS, signed, words
from diag.records.sealed import write_whole
from diag.summary.rows import SummaryRow

INK, FAINT, ESTIMATE, BAND, RULE = "#22272e", "#6f7883", "#0b4f7d", "#8cbfe0", "#dfe3e8"
_RC: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "diag", "pdf.fonttype": 42, "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"], "font.size": 9, "text.color": INK, "axes.edgecolor": FAINT,
    "axes.labelcolor": INK, "xtick.color": INK,
}  # fmt: skip
_ROW_IN, _HEAD_IN, _FOOT_IN = 0.27, 0.3, 0.95


def write_forest(rows: Sequence[SummaryRow], folder: Path) -> tuple[Path, ...]:
    """Write `summary-forest.svg` and `.pdf`; nothing if no effect is a proportion (an axis of points holds no seconds).

    Equal rows give equal bytes.
    """
    shown = [row for row in rows if row.effect.is_share]
    if not shown:
        return ()
    import matplotlib as mpl

    paths = folder / "summary-forest.svg", folder / "summary-forest.pdf"
    with mpl.rc_context(_RC):
        figure = _figure(shown)
        for path, dates in zip(paths, ({"Date": None}, {"CreationDate": None}), strict=True):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=path.suffix[1:], metadata=dates)
            write_whole(path, buffer.getvalue())
    return paths


def _figure(rows: Sequence[SummaryRow]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = _lines(rows)
    height = _FOOT_IN + _HEAD_IN + _ROW_IN * len(lines)
    figure = Figure(figsize=(10.0, height))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.34, _FOOT_IN / height, 0.36, _ROW_IN * len(lines) / height))
    axes.set_xlim(*_span(rows))
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_yticks([])
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"Paired effect, percentage points (treatment {MINUS} control)")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    _words(axes, -0.8, ("Pairs / clusters", "Effect", "Percentile 95 %"), bold=True)
    for y, line in enumerate(lines):
        _heading(axes, line, y) if isinstance(line, str) else _effect(axes, line, y)
    figure.text(0.02, 0.1 / height, _legend(rows), fontsize=7.5, color=FAINT, va="bottom")
    return figure


def _lines(rows: Sequence[SummaryRow]) -> list[str | SummaryRow]:
    """Return headings and rows in drawing order."""
    lines: list[str | SummaryRow] = []
    before: tuple[str, ...] = ()
    for row in rows:
        if row.question != before:
            contrast = row.effect.label
            lines.append(f"{row.study}  {row.effect.cohort}  {contrast}: {words(row.effect.endpoint)}")
        lines.append(row)
        before = row.question
    return lines


def _heading(axes: Any, text: str, y: int) -> None:
    place = axes.get_yaxis_transform()
    axes.text(-0.92, y, text, transform=place, va="center", fontweight="bold", fontsize=8.5)
    if y:
        axes.plot([-0.92, 1.8], [y - 0.5, y - 0.5], transform=place, clip_on=False, color=RULE)


def _effect(axes: Any, row: SummaryRow, y: int) -> None:
    effect = row.effect
    axes.text(-0.9, y, row.who, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    limits = effect.percentile
    span = "cannot say" if limits is None else f"{signed(limits.low, 1, 100)} to {signed(limits.high, 1, 100)}"
    _words(axes, y, (f"{effect.n_pairs} / {effect.n_clusters}", signed(effect.estimate, 1, 100), span))
    _bar(axes, limits, y, color=BAND, linewidth=5, solid_capstyle="butt", zorder=1)
    _bar(axes, effect.t, y, color=INK, linewidth=1.1, marker="|", markersize=7, zorder=2)
    if effect.estimate is not None:
        known = limits is not None or effect.t is not None
        fill = ESTIMATE if known else "white"
        axes.plot([100 * effect.estimate], [y], marker="D", markersize=5, color=ESTIMATE, markerfacecolor=fill)


def _words(axes: Any, y: float, texts: tuple[str, str, str], *, bold: bool = False) -> None:
    for x, text in zip((1.24, 1.42, 1.8), texts, strict=True):
        style: dict[str, Any] = {"fontweight": "bold"} if bold else {}
        if text == "cannot say":
            style = {"style": "italic", "color": FAINT}
        axes.text(x, y, text, transform=axes.get_yaxis_transform(), ha="right", va="center", fontsize=8, **style)


def _bar(axes: Any, bounds: Bounds | None, y: int, **style: Any) -> None:
    if bounds is not None:
        axes.plot([100 * bounds.low, 100 * bounds.high], [y, y], **style)


def _span(rows: Sequence[SummaryRow]) -> tuple[float, float]:
    ends = [0.0]
    for row in rows:
        ends += [] if row.effect.estimate is None else [100 * row.effect.estimate]
        for bounds in (row.effect.percentile, row.effect.t):
            ends += [] if bounds is None else [100 * bounds.low, 100 * bounds.high]
    margin = max(4.0, 0.06 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin


def _legend(rows: Sequence[SummaryRow]) -> str:
    text = (
        "Diamond: mean paired effect, open if no interval can be given. Band: percentile interval. Line: CR2 interval."
    )
    if any("SIMULATED" in row.labels for row in rows):
        text += "\nSIMULATED agents validate the pipeline; their numbers are no finding about a model."
    return text
