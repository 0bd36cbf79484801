"""Figures of episode studies: level completion per objective and agent, and level completion over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from diag.reading.drawing import FAINT, INK, LINE
from diag.reading.style import ARM_COLOURS

DASHES = ("-", "--", ":", "-.")


def write_heat_map(cells: Mapping[str, Mapping[str, float | None]], stem: Path) -> tuple[Path, ...]:
    """Write the heat map of one share by objective and agent as SVG and PNG.

    Args:
        cells: agent -> objective (`game/difficulty`) -> share in [0, 1], None where no episode is valid.
        stem: path without a suffix.
    """
    objectives = list(dict.fromkeys(name for row in cells.values() for name in row))
    with _figure(max(5.4, 1.9 + 0.62 * len(objectives)), 1.75 + 0.42 * len(cells)) as figure:
        axes = figure.add_subplot()
        grid = [[_value(row.get(name)) for name in objectives] for row in cells.values()]
        axes.imshow(grid, cmap=_colours(), vmin=0, vmax=1, aspect="auto")
        for y, values in enumerate(grid):
            for x, value in enumerate(values):
                _write_cell(axes, x, y, value)
        axes.set_xticks(range(len(objectives)), [_label(name) for name in objectives], fontsize=7.5)
        axes.set_yticks(range(len(cells)), list(cells))
        _lines_between_games(axes, objectives)
        axes.tick_params(length=0)
        axes.set_title("Level completion (%), mean over an objective's episodes", loc="left", fontsize=9)
        for side in axes.spines.values():
            side.set_visible(False)
        return _save(figure, stem)


def write_curves(
    curves: Mapping[str, Sequence[tuple[float, float | None]]], stem: Path, *, n_of: Mapping[str, int]
) -> tuple[Path, ...]:
    """Write level completion over time, game-macro, as SVG and PNG.

    Args:
        curves: agent -> (minutes, share in [0, 1]).
        stem: path without a suffix.
        n_of: agent -> episodes behind its curve.
    """
    with _figure(6.4, 3.5) as figure:
        axes = figure.add_subplot()
        for place, (name, points) in enumerate(curves.items()):
            known = [(minute, 100 * value) for minute, value in points if value is not None]
            if not known:
                continue
            axes.plot(
                *zip(*known, strict=True),
                color=ARM_COLOURS[place % len(ARM_COLOURS)],
                linestyle=DASHES[place % len(DASHES)],
                linewidth=1.8,
                label=f"{name} ({n_of[name]} episodes)",
            )
        axes.set_xlabel("Minutes on the episode's clock")
        axes.set_ylabel("Level completion (%)")
        axes.set_ylim(-2, 104)
        axes.grid(color=LINE, linewidth=0.8)
        axes.legend(frameon=False, fontsize=8, loc="best")
        for name in ("top", "right"):
            axes.spines[name].set_visible(False)
        return _save(figure, stem)


@contextmanager
def _figure(width_in: float, height_in: float) -> Iterator[Any]:
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "diag", "font.size": 9, "text.color": INK}
    with mpl.rc_context(style):
        figure = Figure(figsize=(width_in, height_in), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure


def _save(figure: Any, stem: Path) -> tuple[Path, ...]:
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = (stem.with_suffix(".svg"), stem.with_suffix(".png"))
    figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=160, facecolor="white")
    return paths


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("completion", ["#f4f6f8", "#9ecae1", "#0b4f7d"])
    return scale.with_extremes(bad="#ffffff")


def _write_cell(axes: Any, x: int, y: int, value: float) -> None:
    known = value == value  # noqa: PLR0124 - NaN marks a missing cell
    text = f"{100 * value:.0f}" if known else "no valid\nepisode"
    colour = FAINT if not known else "white" if value > 0.6 else INK
    axes.text(x, y, text, ha="center", va="center", color=colour, fontsize=8 if known else 5.5)


def _lines_between_games(axes: Any, objectives: Sequence[str]) -> None:
    games = [name.split("/")[0] for name in objectives]
    for place in range(1, len(games)):
        if games[place] != games[place - 1]:
            axes.axvline(place - 0.5, color="white", linewidth=3)


def _label(objective: str) -> str:
    game, difficulty = objective.split("/")
    return "\n".join([*game.split("_"), difficulty])


def _value(value: float | None) -> float:
    return float("nan") if value is None else value
