"""`python -m diag status [FOLDER] [every=SECONDS]`: how far running studies are, in the terminal; no outcome is shown.

FOLDER is a study (outputs/rq2/simulated-sol) or holds some (outputs, the default). `every=5` looks again every five
seconds until no study runs. Reads files alone, so it works over ssh and beside any run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from diag.console import console as neutral_console
from diag.errors import ConfigError
from diag.reading.live import Live, Watcher
from diag.summary.rows import study_folders
from diag.terminal import options

BLIND = "Outcomes are not shown while a study runs: no one should stop it for what it seems to find."


def main(arguments: Sequence[str]) -> int:
    """Show every study below the folder; return 0."""
    root, every_s = given_folder(arguments, {"every": "0"}, "every")
    watchers = [Watcher(folder) for folder in study_folders([root])]
    console = neutral_console()
    while True:
        lives = [watcher.look() for watcher in watchers]
        for live in lives:
            show(live, console)
        console.print(BLIND, style="dim")
        if not every_s or not any(live.runner for live in lives):
            return 0
        time.sleep(every_s)


def given_folder(arguments: Sequence[str], known: dict[str, str], number: str) -> tuple[Path, float]:
    """Return the folder and the one number of a command that looks at studies. Raises ConfigError."""
    folders = [word for word in arguments if "=" not in word or Path(word).exists()]
    if len(folders) > 1:
        raise ConfigError(f"found {' '.join(folders)}, wanted one folder")
    value = options([word for word in arguments if word not in folders], known)[number]
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e6:
        raise ConfigError(f"found {number}={value}, wanted a number from 0")
    return Path(folders[0] if folders else "outputs"), found


def show(live: Live, console: Console) -> None:
    """Print one study."""
    console.rule(f"[bold]{escape(live.study)}[/]  {escape(live.agent)}  {live.state}", align="left")
    for word, value in facts(live):
        console.print(f"[dim]{word:<9}[/] {escape(value)}", highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("cohort", "arm", "valid", "to run", "infrastructure failures"):
        table.add_column(name, justify="left" if name in ("cohort", "arm") else "right")
    for cohort, arm, n_units, n_valid, n_failures in live.arms:
        table.add_row(cohort, arm, f"{n_valid}/{n_units}", str(n_units - n_valid), str(n_failures))
    console.print(table)


def facts(live: Live) -> tuple[tuple[str, str], ...]:
    """Return a word and what is to be said of it."""
    standing = live.standing
    errors = "; ".join(f"{count} {kind} ({message or 'no message'})" for kind, count, message in live.errors)
    return (
        *((word, sentence) for word, sentence in standing.sentences if word != "PARTIAL"),
        ("folder", str(live.folder)),
        ("run", live.runner or f"none under way: {live.state}"),
        ("units", f"{standing.n_valid} of {standing.n_units} valid, {live.n_running} being played"),
        ("screens", f"{live.n_screens} seen, {live.n_decisions} decisions"),
        ("errors", errors or "none"),
        ("cost", _cost(live)),
        ("pace", _pace(live)),
    )


def _cost(live: Live) -> str:
    used = live.used
    if not used.calls:
        return "no model was asked"
    tokens = (
        "tokens not reported" if used.input_tokens is None else f"{used.input_tokens} + {used.output_tokens} tokens"
    )
    money = "price unknown" if used.cost is None else f"{used.cost:.4f} in the price table's currency"
    return f"{money}; {used.calls} calls, {tokens}, {used.images} images"


def _pace(live: Live) -> str:
    if live.per_hour is None:
        return "not known before the second valid unit"
    left = "" if live.left_s is None else f", about {timedelta(seconds=round(live.left_s))} left"
    return f"{live.per_hour:.0f} units an hour{left}"
