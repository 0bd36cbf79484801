"""A small picture of one continuation over time: progress as a line, certificates as a band, restarts as ticks."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from diag.grading.track import VerdictPoint
from diag.reading.style import VERDICT_COLOURS, VERDICT_WORDS
from diag.report.continuation import ProgressPoint

WIDTH, LEFT, RIGHT = 760.0, 58.0, 12.0
_TOP, _BASE, _BAND, _BAND_HEIGHT = 10.0, 74.0, 84.0, 14.0


def x_of(clock_s: float, end_s: float) -> float:
    """Return the place of a moment on the time axis, in the SVG's units."""
    share = min(1.0, clock_s / end_s) if end_s > 0 else 0.0
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def track_svg(progress: Sequence[ProgressPoint], verdicts: Sequence[VerdictPoint], end_s: float) -> Markup:
    """Return the track; without verdicts the band is left out."""
    height = 134 if verdicts else 112
    parts = [
        f'<svg viewBox="0 0 {WIDTH:g} {height}" role="img" aria-label="Progress and certificate over time" '
        'font-family="inherit" font-size="11" fill="#5a6470">'
    ]
    parts += _frame(end_s, height)
    parts += _band(verdicts, end_s)
    parts += _line(progress, end_s)
    parts += _restarts(progress, end_s)
    line = f'x1="{LEFT}" x2="{LEFT}" y1="4" y2="{height - 22}" stroke="#d0006f" stroke-width="2"'
    parts.append(f'<line class="cursor" {line}/></svg>')
    return Markup("".join(parts))  # noqa: S704 - every text inside is a number or escaped


def _frame(end_s: float, height: float) -> list[str]:
    parts = [
        f'<text x="0" y="{_TOP + 4}">progress 1</text><text x="46" y="{_BASE + 4}">0</text>',
        f'<path d="M{LEFT} {_TOP}H{WIDTH - RIGHT}M{LEFT} {_BASE}H{WIDTH - RIGHT}" stroke="#dfe3e8" fill="none"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        anchor = "end" if share == 1 else "start" if share == 0 else "middle"
        place = f'x="{x_of(share * end_s, end_s)}" y="{height - 6}" text-anchor="{anchor}"'
        parts.append(f"<text {place}>{share * end_s:.0f} s</text>")
    return parts


def _line(progress: Sequence[ProgressPoint], end_s: float) -> list[str]:
    path, started = "", False
    for point in progress:
        if point.potential is None:
            continue
        x, y = x_of(point.clock_s, end_s), _BASE - (_BASE - _TOP) * max(0.0, min(1.0, point.potential))
        path += f"H{x}V{y:.1f}" if started else f"M{x} {y:.1f}"
        started = True
    if not started:
        return []
    return [f'<path d="{path}H{x_of(end_s, end_s)}" fill="none" stroke="#22272e" stroke-width="1.8"/>']


def _band(verdicts: Sequence[VerdictPoint], end_s: float) -> list[str]:
    if not verdicts:
        return []
    parts = [f'<text x="0" y="{_BAND + 11}">board</text>']
    ends = [*(point.clock_s for point in verdicts[1:]), end_s]
    runs: list[tuple[str, float, float]] = []
    for point, end in zip(verdicts, ends, strict=True):
        if runs and runs[-1][0] == point.verdict:
            runs[-1] = (point.verdict, runs[-1][1], end)
        else:
            runs.append((point.verdict, point.clock_s, end))
    for verdict, start, end in runs:
        parts += _run(verdict, x_of(start, end_s), x_of(end, end_s))
    return parts


def _run(verdict: str, x0: float, x1: float) -> list[str]:
    word = str(escape(VERDICT_WORDS.get(verdict, verdict)))
    colour = VERDICT_COLOURS.get(verdict, "#b8b8b8")
    parts = [
        f'<rect x="{x0}" y="{_BAND}" width="{max(1.0, x1 - x0):.1f}" height="{_BAND_HEIGHT}" fill="{colour}">'
        f"<title>{word}</title></rect>"
    ]
    if verdict == "dead_end":  # a pattern as well, for print and for eyes that see the two colours alike
        lines = "".join(f"M{x} {_BAND + _BAND_HEIGHT}l6 -{_BAND_HEIGHT}" for x in range(int(x0) + 1, int(x1) - 5, 7))
        parts.append(f'<path d="{lines}" stroke="#fff" stroke-opacity=".55" stroke-width="1.3"/>')
    if x1 - x0 > 7.0 * len(word):
        parts.append(
            f'<text x="{x0 + 5}" y="{_BAND + 11}" fill="#000" stroke="#fff" stroke-width="3" paint-order="stroke" '
            f'stroke-opacity=".75">{word}</text>'
        )
    return parts


def _restarts(progress: Sequence[ProgressPoint], end_s: float) -> list[str]:
    moments = [point.clock_s for point in progress if any(move.split()[0] == "restart" for move in point.moves)]
    parts = []
    for moment in moments:
        x = x_of(moment, end_s)
        parts.append(f'<path d="M{x} {_TOP}V{_BASE}" stroke="#0072b2" stroke-dasharray="3 3"/>')
        parts.append(f'<text x="{x + 3}" y="{_TOP + 9}" fill="#0072b2">restart</text>')
    return parts
