"""`python -m diag summary FOLDER...`: effects of many studies and models, as a table, files and a forest figure.

A FOLDER is a study (outputs/rq2/simulated-sol) or holds some (outputs/rq2, outputs). `studies=FOLDER` means the same.
Nothing is estimated here and nothing is pooled: every line is what the study's own analysis wrote. A study that was
planned or run and not analysed is named and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from diag.console import console as neutral_console
from diag.reading.effect_rows import Bounds
from diag.reading.style import number, p_value, signed, words
from diag.summary.forest import write_forest
from diag.summary.rows import SummaryRow, analysed_folders, summary_rows
from diag.summary.tables import write_tables
from diag.terminal import Words, say


def main(arguments: Sequence[str]) -> int:
    """Summarise the studies; return 0."""
    parser = Words("summary", __doc__)
    parser.add_argument("studies", nargs="+", help="folders of studies, or folders that hold some")
    parser.add_argument("--output", type=Path, default=Path("summary"), help="where files go (summary/)")
    parser.add_argument("--endpoint", action="append", help="only this endpoint; may be given more than once")
    chosen = parser.parse_args(arguments)
    folders = [Path(name) for name in chosen.studies]
    analysed, left_out = analysed_folders(folders)
    for line in left_out:
        say(line)
    rows = [row for row in summary_rows(analysed) if not chosen.endpoint or row.effect.endpoint in chosen.endpoint]
    if not rows:
        parser.error("the studies have no effect of that endpoint" if chosen.endpoint else "the studies have no effect")
    written = (*write_tables(rows, chosen.output), *write_forest(rows, chosen.output))
    show(rows, neutral_console())
    say(f"{chosen.output}/: {' '.join(path.name for path in written)}")
    return 0


def show(rows: Sequence[SummaryRow], console: Console) -> None:
    """Print a table per study and contrast."""
    for key in dict.fromkeys(row.question[:3] for row in rows):
        console.print(_table([row for row in rows if row.question[:3] == key]))
    labels = sorted({next(word for word in _LABELS if label.startswith(word)) for row in rows for label in row.labels})
    for label in labels:
        console.print(f"[yellow]{_LABELS[label]}[/]", highlight=False)


_LABELS = {
    "SIMULATED": "SIMULATED: the agent is simulated; its numbers validate the pipeline, no finding about a model",
    "ORACLE": "ORACLE: the agent reads the solver; a ceiling, not a competitor",
    "TRIAL": "TRIAL: the first units of a study; they show that a set-up works and are no result",
    "SELECTION": "SELECTION: units chosen by name; exploratory and no result of the study",
    "FINER": "FINER: clusters finer than the design's own; p is too small where their outcomes go together",
    "PARTIAL": "PARTIAL: units without a valid outcome; nothing of such a study is final",
    "RULES ONLY": "RULES ONLY: played without a browser; no pixels were seen",
}


def _table(rows: Sequence[SummaryRow]) -> Table:
    first = rows[0]
    contrast = first.effect.label
    title = f"{first.study}, cohort {first.effect.cohort}: {contrast} (points for proportions)"
    table = Table(title=escape(title), title_justify="left")
    limits = ("95% percentile", "CR2")
    for name in ("endpoint", "agent", "pairs", "clusters", "effect", *limits, "sign-flip p", "max-T p", "Holm p"):
        table.add_column(name, justify="left" if name in ("endpoint", "agent") else "right", overflow="fold")
    before = ""
    for row in rows:
        effect = row.effect
        scale = 100.0 if effect.is_share else 1.0
        missing = f" (-{effect.n_missing})" if effect.n_missing else ""
        table.add_row(
            "" if effect.endpoint == before else words(effect.endpoint),
            escape(row.who),
            f"{effect.n_pairs}{missing}",
            str(effect.n_clusters),
            signed(effect.estimate, 1, scale),
            _limits(effect.percentile, scale),
            _limits(effect.t, scale),
            p_value(effect.p_signflip),
            p_value(effect.p_adjusted),
            p_value(effect.p_holm),
        )
        before = effect.endpoint
    return table


def _limits(bounds: Bounds | None, scale: float) -> str:
    if bounds is None:
        return "cannot say"
    return escape(f"[{number(bounds.low, 1, scale)}, {number(bounds.high, 1, scale)}]")
