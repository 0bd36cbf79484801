"""The figures of a study, drawn by matplotlib without a display: forest plot, outcome grid, time-to-event curves.

Every caption states its denominator. A figure's SVG is byte-identical for equal data.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from diag.grading.track import VerdictPoint
from diag.reading.drawing import FAINT, INK, LINE
from diag.reading.effect_rows import Bounds, EffectRow, grouped
from diag.reading.study_files import StudyFiles
from diag.reading.style import MINUS, arm_colour, counted, signed, words
from diag.report.harness import draw_harness, harness_rows
from diag.report.live_curves import by_arm, live_shares
from diag.report.tallies import BlockRow, arm_rows, block_rows, recovery_steps, time_endpoints, yes_no_endpoints

ESTIMATE, BAND = "#0b4f7d", "#8cbfe0"
MOST_IN_A_GRID = 300
"""Blocks of an outcome grid."""
_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "diag",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def write_figures(files: StudyFiles, folder: Path) -> tuple[Path, ...]:
    """Write `forest.svg` and `.png`, `outcome-grid.svg`, `recovery-curves.svg`, `harness.svg`.

    A figure without data is left out; so is the grid of a study with more blocks than a reader can tell apart; an
    earlier one is removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    with _quiet_style():
        rows = forest_rows(files)
        if rows:
            written += _save(_forest(rows), folder, "forest", png=True)
        (folder / "outcome-grid.svg").unlink(missing_ok=True)
        if yes_no_endpoints(files) and len({unit.block_id for unit in files.plan.units}) <= MOST_IN_A_GRID:
            written += _save(_grid(files), folder, "outcome-grid")
        if time_endpoints(files):
            written += _save(_curves(files), folder, "recovery-curves")
        if harness_rows(files):
            written += _save(_harness(files), folder, "harness")
    return tuple(written)


def _harness(files: StudyFiles) -> Any:
    rows, arms = harness_rows(files), tuple(sorted({unit.arm for unit in files.plan.units}))
    figure = _figure(6.4, 0.9 + 0.5 * len(rows))
    draw_harness(figure.subplots(), rows, {arm: arm_colour(arm, arms) for arm in arms})
    return figure


def write_live_curves(
    files: StudyFiles, verdicts: Mapping[str, Sequence[VerdictPoint]], folder: Path
) -> tuple[Path, ...]:
    """Write `live-curves.svg`; nothing if no unit has a verdict. `verdicts`: unit id to its certificates over time."""
    valid = {unit_id: points for unit_id, points in verdicts.items() if files.is_valid(unit_id)}
    cohorts = by_arm(valid, {unit.unit_id: (unit.cohort, unit.arm) for unit in files.plan.units})
    if not cohorts:
        return ()
    with _quiet_style():
        return tuple(_save(_live(files, cohorts), folder, "live-curves"))


def _live(files: StudyFiles, cohorts: Mapping[str, Mapping[str, Sequence[Sequence[VerdictPoint]]]]) -> Any:
    arms = tuple(sorted({unit.arm for unit in files.plan.units}))
    figure = _figure(4.6 * len(cohorts), 3.0)
    panels = figure.subplots(1, len(cohorts), squeeze=False, sharey=True)[0]
    last_s = [points[-1].clock_s for found in cohorts.values() for units in found.values() for points in units]
    end_s = max([*last_s, float(files.outcomes["elapsed_s"].max()) if "elapsed_s" in files.outcomes else 0.0])
    for axes, (cohort, found) in zip(panels, cohorts.items(), strict=True):
        for arm in sorted(found):
            steps = (*live_shares(found[arm]), (end_s, live_shares(found[arm])[-1][1]))
            style = ("-", "--", ":", "-.")[arms.index(arm) % 4]
            label = f"{arm}: n = {len(found[arm])}"
            axes.step(
                *zip(*steps, strict=True), where="post", color=arm_colour(arm, arms), linestyle=style, label=label
            )
        _curve_axes(axes, f"{cohort}: boards that can still be won", end_s)
    panels[0].set_ylabel("Share of the arm's units")
    return figure


def forest_rows(files: StudyFiles) -> tuple[EffectRow, ...]:
    """Return the effects on proportions; seconds and counts have no place on an axis of points."""
    return tuple(row for row in grouped(files.effects) if row.is_share)


@contextmanager
def _quiet_style() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(_RC):
        yield


def _figure(width: float, height: float, layout: Any = "constrained") -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def _save(figure: Any, folder: Path, name: str, *, png: bool = False) -> list[Path]:
    paths = [folder / f"{name}.svg"]
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    paths[0].write_bytes(buffer.getvalue())
    if png:
        paths.append(folder / f"{name}.png")
        figure.savefig(paths[1], dpi=160, facecolor="white")
    return paths


def _forest(rows: Sequence[EffectRow]) -> Any:
    """Draw names and counts on the left, intervals in the middle, numbers on the right."""
    row_in, top_in, foot_in = 0.34, 0.42, 0.86
    height = top_in + foot_in + row_in * len(rows)
    figure = _figure(9.6, height, layout="none")
    axes = figure.add_axes((0.325, foot_in / height, 0.415, row_in * len(rows) / height))
    axes.set_xlim(*_limits(rows))
    before = ""
    for place, row in enumerate(rows):
        y = len(rows) - 1 - place
        group = f"{row.cohort} {row.label}"
        _forest_words(axes, row, y, group if group != before else "")
        _forest_row(axes, row, y)
        if place and group != before:
            axes.plot(
                [-0.78, 1.62], [y + 0.5, y + 0.5], transform=axes.get_yaxis_transform(), clip_on=False, color=LINE
            )
        before = group
    _forest_head(axes, len(rows))
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.set_yticks([])
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel(f"Paired effect, percentage points (treatment {MINUS} control)")
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    _forest_legend(figure)
    return figure


_COLUMNS = (("left", -0.78), ("left", -0.54), ("right", -0.05), ("right", 1.15), ("right", 1.62))
"""Alignment and place, in widths of the axes: contrast, endpoint, counts, estimate, percentile limits."""


def _forest_head(axes: Any, n_rows: int) -> None:
    heads = ("Contrast", "Endpoint", "Pairs / clusters", "Effect", "Percentile 95 %")
    for (align, x), text in zip(_COLUMNS, heads, strict=True):
        _beside(axes, x, n_rows - 0.25, text, align, fontweight="bold", fontsize=8)
    ends = {"transform": axes.get_yaxis_transform(), "clip_on": False, "color": INK, "linewidth": 1}
    axes.plot([_COLUMNS[0][1], _COLUMNS[-1][1]], [n_rows - 0.5, n_rows - 0.5], **ends)


def _forest_words(axes: Any, row: EffectRow, y: float, group: str) -> None:
    limits = row.percentile
    span = "cannot say" if limits is None else f"{signed(limits.low, 1, 100)} to {signed(limits.high, 1, 100)}"
    texts = (group, words(row.endpoint), f"{row.n_pairs} / {row.n_clusters}", signed(row.estimate, 1, 100), span)
    for (align, x), text in zip(_COLUMNS, texts, strict=True):
        plain = {"color": FAINT, "style": "italic"} if text == "cannot say" else {}
        _beside(axes, x, y, text, align, fontweight="bold" if x == _COLUMNS[0][1] else "normal", **plain)


def _beside(axes: Any, x: float, y: float, text: str, align: str, **style: Any) -> None:
    axes.text(x, y, text, transform=axes.get_yaxis_transform(), ha=align, va="center", **style)


def _forest_legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=ESTIMATE, marker="D", markersize=6, linestyle="none", label="mean paired effect"),
        Line2D([], [], color=BAND, linewidth=4.5, label="percentile interval"),
        Line2D([], [], color=INK, linewidth=1.3, marker="|", markersize=7, label="CR2 interval"),
    ]
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=8, bbox_to_anchor=(0.53, 0.0))


def _forest_row(axes: Any, row: EffectRow, y: float) -> None:
    if row.estimate is None:
        _say(axes, 0.0, y, "cannot say")
        return
    x, known = 100 * row.estimate, row.percentile is not None or row.t is not None
    _bar(axes, row.percentile, y, capped=False)
    _bar(axes, row.t, y, capped=True)
    axes.plot(
        [x], [y], marker="D", markersize=6, color=ESTIMATE, markerfacecolor=ESTIMATE if known else "white", zorder=3
    )
    if not known:
        _say(axes, x, y, "no interval can be given")


def _say(axes: Any, x: float, y: float, text: str) -> None:
    low, high = axes.get_xlim()
    right = x <= low + 0.65 * (high - low)
    style = {"va": "center", "ha": "left" if right else "right", "color": FAINT, "style": "italic", "fontsize": 8}
    axes.annotate(text, (x, y), xytext=(9 if right else -9, 0), textcoords="offset points", **style)


def _bar(axes: Any, bounds: Bounds | None, y: float, *, capped: bool) -> None:
    if bounds is None:
        return
    ends = [100 * bounds.low, 100 * bounds.high]
    if capped:
        axes.plot(ends, [y, y], color=INK, linewidth=1.2, marker="|", markersize=8, zorder=2)
    else:
        axes.plot(ends, [y, y], color=BAND, linewidth=6, solid_capstyle="butt", zorder=1)


def _limits(rows: Sequence[EffectRow]) -> tuple[float, float]:
    ends = [0.0]
    for row in rows:
        ends += [] if row.estimate is None else [100 * row.estimate]
        for bounds in (row.percentile, row.t):
            ends += [] if bounds is None else [100 * bounds.low, 100 * bounds.high]
    margin = max(4.0, 0.06 * (max(ends) - min(ends)))
    return min(ends) - margin, max(ends) + margin


def _grid(files: StudyFiles) -> Any:
    blocks, arms = block_rows(files), tuple(dict.fromkeys(row.arm for row in arm_rows(files)))
    endpoints = yes_no_endpoints(files)[:4]
    row_in = min(0.17, 30 / max(1, len(blocks)))
    width, height = 1.6 + 1.6 * len(endpoints), 0.75 + row_in * len(blocks)
    figure = _figure(width, height, layout="none")
    panels = figure.subplots(1, len(endpoints), sharey=True, squeeze=False)[0]
    figure.subplots_adjust(left=1.3 / width, right=1 - 0.1 / width, top=1 - 0.3 / height, bottom=0.45 / height)
    for axes, endpoint in zip(panels, endpoints, strict=True):
        _grid_panel(axes, files, blocks, arms, endpoint, size=min(5.5, 30 * row_in))
    panels[0].set_yticks(range(len(blocks)), [b.block_id for b in blocks], fontsize=min(7.5, 40 * row_in))
    legend = f"{counted(len(blocks), 'block')}; filled: yes, open: no, dot: does not apply, cross: no valid outcome"
    figure.text(0.5, 0.08 / height, legend, ha="center", va="bottom", fontsize=8, color=FAINT)
    return figure


def _grid_panel(
    axes: Any, files: StudyFiles, blocks: Sequence[BlockRow], arms: Sequence[str], endpoint: str, *, size: float
) -> None:
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for y, block in enumerate(blocks):
        for arm, members in block.units.items():
            places.setdefault((arm, _grid_mark(files, members, endpoint)), []).append((arms.index(arm), y))
    for (arm, mark), points in places.items():
        colour = arm_colour(arm, tuple(arms))
        styles: dict[str, dict[str, Any]] = {
            "yes": {"marker": "o", "color": colour},
            "no": {"marker": "o", "color": colour, "markerfacecolor": "white", "markeredgewidth": 0.9},
            "lost": {"marker": "x", "color": INK},
            "na": {"marker": ".", "color": FAINT, "markersize": 2},
        }
        axes.plot(*zip(*points, strict=True), linestyle="none", **{"markersize": size, **styles[mark]})
    axes.set_title(words(endpoint), fontsize=9)
    axes.set_xticks(range(len(arms)), list(arms))
    axes.set_xlim(-0.6, len(arms) - 0.4)
    axes.set_ylim(len(blocks) - 0.3, -0.7)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _grid_mark(files: StudyFiles, members: Sequence[str], endpoint: str) -> str:
    """Return yes, no, na or lost; over replicates, what at least half of the valid ones came to."""
    valid = [row for unit_id in members if files.is_valid(unit_id) and (row := files.rows[unit_id])["primary"]]
    found = [bool(row[endpoint]) for row in valid if row[endpoint] is not None]
    if not found:
        return "na" if valid else "lost"
    return "yes" if sum(found) >= len(found) / 2 else "no"


def _curves(files: StudyFiles) -> Any:
    panels = [
        (cohort, name)
        for name in time_endpoints(files)[:4]
        for cohort in dict.fromkeys(r.cohort for r in arm_rows(files))
        if _reached(files, name, cohort)
    ]
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    figure = _figure(4.6 * columns, 3.0 * lines)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=True)
    flat = list(grid.ravel())
    for axes in flat[len(panels) :]:
        axes.set_visible(False)
    for axes, (cohort, name) in zip(flat, panels, strict=False):
        _curve_panel(axes, files, cohort, name)
    for row in grid:
        row[0].set_ylabel("Share of all units of the arm")
    return figure


def _reached(files: StudyFiles, name: str, cohort: str) -> bool:
    return bool(files.outcomes.loc[files.outcomes["cohort"] == cohort, name].notna().any())


def _curve_panel(axes: Any, files: StudyFiles, cohort: str, name: str) -> None:
    arms = tuple(dict.fromkeys(row.arm for row in arm_rows(files)))
    end_s = float(files.outcomes["elapsed_s"].max()) if "elapsed_s" in files.outcomes else 0.0
    end_s = max(end_s, float(files.outcomes[name].max()))
    styles = ("-", "--", ":", "-.")
    for place, arm in enumerate(arms):
        times, shares, n = recovery_steps(files, name, cohort, arm)
        if n:
            label = f"{arm}: {len(times)} of {n}"
            axes.step(
                [0, *times, end_s],
                [0, *shares, shares[-1] if shares else 0],
                where="post",
                color=arm_colour(arm, arms),
                linestyle=styles[place % 4],
                linewidth=1.8,
                label=label,
            )
    _curve_axes(axes, f"{cohort}: {words(name).replace(' (s)', '')}", end_s)


def _curve_axes(axes: Any, title: str, end_s: float) -> None:
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_xlabel("Seconds on the takeover clock")
    axes.set_ylim(-0.02, 1.04)
    axes.set_xlim(0, end_s * 1.02 or 1)
    axes.grid(color=LINE, linewidth=0.8)
    axes.legend(frameon=False, fontsize=8, loc="best")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
