"""Write docs/statistics-validation.md: do the intervals hold, measured with a known truth?

    make coverage        python -m diag.analysis.validate [--studies 4000] [--output docs/statistics-validation.md]

Everything is drawn from one seed, so the page is the same on every machine but for the processor time it took.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from diag.analysis.calibrate import WHICH_QUESTION, Limits, covered, cr2_limits, percentile_limits
from diag.analysis.cluster_intervals import FEWEST_RESAMPLED, nested_interval
from diag.analysis.clusters import ResamplePlan
from diag.analysis.pairs import FloatArray
from diag.analysis.signflip import EXACT_UP_TO, least_p, sign_flip_p
from diag.analysis.simulate import Assumptions, arm_draws, continuous_draws
from diag.analysis.validation_text import paragraph, percent, sizes_section
from diag.terminal import say

SEED = 7
BLOCKS = 4
TAKEOVER_SIZES = (10, 4, 2, 2, 2, 2, 2)
"""The only sizes that give both published intervals exactly; three others may within the error of 10,000 draws."""
SHAPES = (*((BLOCKS,) * n for n in (2, 3, 5, 7, 10, 20, 50)), TAKEOVER_SIZES)
OUTCOMES = (".5/.5", ".1/.9", ".96/.92", "continuous", "skewed")
"""Rates of control and treatment of a yes/no outcome, or the sort of a measured one."""
ICC = 0.1
PANEL = (2, 3, 4, 3, 3, 1)
"""Objectives of the six games, sixteen in all."""
FLIPS = 2_000
"""Sign patterns above sixteen clusters; a study's own test draws 100,000."""


@dataclass(frozen=True)
class Cell:
    """Coverage of one shape and outcome: by method, at new levels and at these; a share with its Monte Carlo error."""

    sizes: tuple[int, ...]
    outcome: str
    cr2: tuple[str, str]
    inverted: tuple[str, str]
    percentile: tuple[str, str]
    no_interval: float
    """Share of the studies whose clusters do not vary: nothing is said of them, and they count in no coverage."""


def page(studies: int) -> str:
    """Return the whole page."""
    began = time.process_time()
    rows = [_row(measure(sizes, outcome, studies)) for sizes in SHAPES for outcome in OUTCOMES]
    nested, sizes = _nested_section(studies), sizes_section()
    minutes = (time.process_time() - began) / 60
    return "\n".join(
        [
            *_head(studies, minutes),
            "## Coverage of the nominal 95 % intervals, percent",
            "",
            "| clusters | outcome | CR2: new levels | these | inverted: new | these | percentile: new | these | none |",
            "|---|---|---|---|---|---|---|---|---|",
            *rows,
            "",
            *_reading(),
            "## Objectives within games",
            "",
            *nested,
            "## Cluster sizes consistent with the published intervals",
            "",
            *sizes,
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m diag.analysis.validate", description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=4_000, help="simulated studies a figure (default 4000)")
    parser.add_argument("--output", type=Path, default=Path("docs/statistics-validation.md"))
    chosen = parser.parse_args(arguments)
    if chosen.studies < 10:
        parser.error(f"--studies {chosen.studies}: at least 10")
    chosen.output.write_text(page(chosen.studies), encoding="utf-8")
    say(f"wrote {chosen.output}")
    return 0


def measure(sizes: tuple[int, ...], outcome: str, studies: int) -> Cell:
    """Simulate so many studies of a shape and count which intervals hold the truth."""
    rng = np.random.default_rng([SEED, len(sizes), sum(sizes), OUTCOMES.index(outcome)])
    sums, new, here = _drawn(sizes, outcome, studies, rng)
    blocks = np.asarray(sizes, dtype=float)
    varies = np.ptp(sums / blocks[:, None], axis=0) > 1e-12
    sums, here = sums[:, varies], here[varies]
    truths: tuple[FloatArray | float, ...] = (new, here)
    return Cell(
        sizes=sizes,
        outcome=outcome,
        cr2=_both(cr2_limits(sums, blocks), truths),
        inverted=_inverted(sums, blocks, truths),
        percentile=_both(percentile_limits(ResamplePlan().weights(len(sizes)), sums, blocks), truths),
        no_interval=float(1 - varies.mean()),
    )


def _drawn(
    sizes: Sequence[int], outcome: str, studies: int, rng: np.random.Generator
) -> tuple[FloatArray, float, FloatArray]:
    """Return cluster sums of effects, (n_clusters, studies), the effect at new levels and at these, (studies,)."""
    if outcome in ("continuous", "skewed"):
        return continuous_draws(sizes, Assumptions(icc=ICC), skewed=outcome == "skewed", studies=studies, rng=rng)
    control, treatment = map(float, outcome.split("/"))
    sums, here = arm_draws(Assumptions({"A": control, "B": treatment}, icc=ICC), sizes, studies=studies, rng=rng)
    return sums["B"] - sums["A"], treatment - control, here["B"] - here["A"]


def _both(limits: Limits, truths: Sequence[FloatArray | float]) -> tuple[str, str]:
    new, here = (_with_error(covered(limits, truth).estimate, len(limits[0])) for truth in truths)
    return new, here


def _inverted(sums: FloatArray, sizes: FloatArray, truths: Sequence[FloatArray | float]) -> tuple[str, str]:
    """Return how often the sign-flip test keeps the truth, which is when its inversion holds it."""
    if least_p(len(sizes)) >= 0.05:
        return "-", "-"
    flips = np.random.default_rng(SEED)
    kept = [sign_flip_p(sums - sizes[:, None] * truth, rng=flips, draws=FLIPS) >= 0.05 for truth in truths]
    new, here = (_with_error(float(one.mean()), len(one)) for one in kept)
    return new, here


def _with_error(share: float | None, n: int) -> str:
    return "-" if share is None else f"{100 * share:.1f} ± {100 * (share * (1 - share) / n) ** 0.5:.1f}"


def _row(cell: Cell) -> str:
    even = len(set(cell.sizes)) == 1
    sizes = f"{len(cell.sizes)} of {cell.sizes[0]}" if even else ", ".join(map(str, cell.sizes))
    shown = cell.percentile if len(cell.sizes) >= FEWEST_RESAMPLED else tuple(f"({one})" for one in cell.percentile)
    figures = " | ".join((*cell.cr2, *cell.inverted, *shown))
    return f"| {sizes} | {cell.outcome} | {figures} | {percent(cell.no_interval)} |"


def _head(studies: int, minutes: float) -> list[str]:
    return [
        "# Do the intervals hold?",
        "",
        *paragraph(
            f"Written by `make coverage` in {minutes:.1f} minutes of processor time; do not edit. Each figure is a "
            f"share of {studies:,} simulated studies of known truth (`diag/analysis/simulate.py`) with its Monte Carlo "
            "error, analysed with 10,000 draws. ICC 0.1, arm correlation within a cluster 0.5. Outcomes: yes/no with "
            "these rates of control and treatment; normal; log-normal (skewed). Studies whose clusters do not vary "
            "have no interval (last column) and count in no coverage."
        ),
        "",
        *paragraph(WHICH_QUESTION),
        "",
    ]


def _reading() -> list[str]:
    sentences = (
        "- **CR2** is the declared interval. **Percentile** is printed because it was published; in parentheses: below "
        f"{FEWEST_RESAMPLED} clusters it is not printed. Each study prints what it covers for its own sizes.",
        "- **Inverted** holds the truth exactly when the sign-flip test keeps it. Against an effect that is not zero "
        "the test needs symmetry, which rates near 0 and 100 % do not have, so there it covers less; against no effect "
        f"exchangeable arms give it. None up to five clusters. Above {EXACT_UP_TO} clusters: {FLIPS:,} patterns here.",
        "- With 100 % against 0 % in reach (.1/.9, .96/.92) few clusters differ at all: read the last column first.",
        "- More checkpoints of the same levels narrow nothing that lies between levels: plan at least ten clusters.",
    )
    return [line for sentence in sentences for line in paragraph(sentence)] + [""]


def _nested_section(studies: int) -> list[str]:
    """Return coverage of the nested bootstrap on the shape of the main panel: sixteen objectives in six games."""
    n = max(10, min(studies, 500))
    lines = [
        f"Objectives in six games ({', '.join(map(str, PANEL))}), normal effects with standard deviation 1",
        f"between the objectives of a game; {n} studies, 2,000 draws each; Monte Carlo error up to "
        f"{100 * 0.5 / n**0.5:.1f} points.",
        "",
        "| SD between games | nested (games, then objectives) | objectives only, games fixed |",
        "|---|---|---|",
    ]
    for spread in (0.0, 0.5, 1.0):
        rng = np.random.default_rng([SEED, round(10 * spread)])
        covers = [[_nested_covers(spread, rng, resample_groups=way) for way in (True, False)] for _ in range(n)]
        nested, fixed = np.mean(covers, axis=0)
        lines.append(f"| {spread:g} | {percent(nested)} | {percent(fixed)} |")
    return [
        *lines,
        "",
        "Nested speaks about games like these, the other about these six only.",
        "",
    ]


def _nested_covers(spread: float, rng: np.random.Generator, *, resample_groups: bool) -> bool:
    games = [f"g{g}" for g, size in enumerate(PANEL) for _ in range(size)]
    shifts = np.repeat(spread * rng.standard_normal(len(PANEL)), PANEL)
    effects = shifts + rng.standard_normal(len(games))
    names = [f"o{place}" for place in range(len(games))]
    interval = nested_interval(effects, names, games, rng=rng, draws=2_000, resample_groups=resample_groups)
    return not interval.excludes(0.0)


if __name__ == "__main__":
    sys.exit(main())
