"""`python -m diag settings NATIVE CODE [NATIVE CODE ...] [--output FOLDER]`: native actions beside code execution.

Each pair of folders holds the episode studies (`+experiment=rq1`) of one agent, first with native actions, then with
code execution; their episodes are paired by objective, arm and repeat. Writes `settings.json`, `pairs.csv` and
`matched_levels.csv`. The two settings differ in more than the channel, so this describes the episodes and estimates no
effect.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from diag.console import console as neutral_console
from diag.errors import ConfigError, DiagError
from diag.grading.episodes.log import EpisodeLog
from diag.records.csv_text import csv_text
from diag.records.study_folder import StudyFolder
from diag.studies.episodes.calls import calls_of, slips_of, solved_levels
from diag.studies.episodes.settings import SETTINGS, Pair, Played, comparison, matched_levels

PAIR_COLUMNS = (
    "agent", "objective",
    *(f"{what}_{name}" for name in SETTINGS for what in ("won", "success", "ending", "calls", "restarts")),
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Compare the settings; return 0."""
    parser = argparse.ArgumentParser(prog="python -m diag settings", description=__doc__)
    parser.add_argument("studies", nargs="+", type=Path, help="folders: native, code, native, code, ...")
    parser.add_argument("--output", type=Path, default=Path("settings"), help="where the tables go (settings/)")
    chosen = parser.parse_args(arguments)
    compare(chosen.studies, chosen.output, neutral_console())
    return 0


def compare(folders: Sequence[Path], output: Path, console: Console) -> None:
    """Write and show the comparison.

    Raises:
        DiagError: a folder holds no episode study.
        ConfigError: an odd number of folders, a study with or without code in the wrong place, or no pair.
    """
    if len(folders) % 2:
        raise ConfigError(f"found {len(folders)} folders; wanted pairs of native and code-execution studies")
    pairs = [pair for native, code in zip(folders[::2], folders[1::2], strict=True) for pair in _pairs(native, code)]
    if not pairs:
        raise ConfigError("no objective has a valid episode in both settings")
    found = comparison(pairs)
    output.mkdir(parents=True, exist_ok=True)
    (output / "settings.json").write_text(json.dumps(found, indent=1, allow_nan=False) + "\n")
    (output / "pairs.csv").write_text(csv_text(PAIR_COLUMNS, [_pair_line(pair) for pair in pairs]))
    lines = matched_levels(pairs)
    (output / "matched_levels.csv").write_text(csv_text(tuple(lines[0]) if lines else ("agent", "level"), lines))
    _show(found, console)
    console.print(f"{output}/: settings.json pairs.csv matched_levels.csv", highlight=False)


def _pairs(native: Path, code: Path) -> list[Pair]:
    played = {}
    for name, folder in zip(SETTINGS, (native, code), strict=True):
        played[name], executes = read_episodes(folder)
        if executes != (name == "code"):
            wanted = "code execution" if name == "code" else "native actions"
            raise ConfigError(f"{folder} is no study with {wanted}; the order is native, code")
    shared = [key for key in played["native"] if key in played["code"]]
    return [Pair(code.name, played["native"][key], played["code"][key]) for key in shared]


def read_episodes(folder: Path) -> tuple[dict[tuple[str, str, int], Played], bool]:
    """Return the valid episodes by objective, arm and repeat, and whether their agent executes code."""
    study = StudyFolder(folder)
    if not study.has_plan():
        raise DiagError(f"{folder} holds no study; run it first with +experiment=rq1")
    plan = study.read_plan()
    if plan.identity["study"]["kind"] != "episodes":
        raise DiagError(f"{folder} holds a {plan.identity['study']['kind']}; wanted an episode study")
    found = {}
    executes = "runs_per_decision" in plan.identity["agent"]
    for unit in plan.units:
        status = study.primary(unit.unit_id)
        if status is not None:
            outcome, events = study.read_outcome(status), study.read_events(status)
            found[unit.checkpoint_id, unit.arm, unit.repeat] = _played(unit.checkpoint_id, outcome, events)
    return found, executes


def _played(objective: str, outcome: Any, events: Any) -> Played:
    log, ends = EpisodeLog.read(events), outcome.endpoints
    return Played(
        objective=objective,
        n_won=int(ends["n_won"]),
        success=bool(ends["objective_success"]),
        ending=outcome.ending,
        premature_exit=bool(ends["premature_exit"]),
        n_restarts=int(ends["n_restarts"]),
        calls=calls_of(events),
        levels=solved_levels(events, log),
        slips=slips_of(log),
    )


def _pair_line(pair: Pair) -> dict[str, Any]:
    line: dict[str, Any] = {"agent": pair.agent, "objective": pair.native.objective}
    for name in SETTINGS:
        one: Played = getattr(pair, name)
        values = (one.n_won, one.success, one.ending, len(one.calls), one.n_restarts)
        line |= dict(zip((f"{what}_{name}" for what in ("won", "success", "ending", "calls", "restarts")), values,
                         strict=True))  # fmt: skip
    return line


def _show(found: Mapping[str, Any], console: Console) -> None:
    gaps, matched = found["pairs"], found["matched"]
    table = Table(title=f"Native actions and code execution, {found['n_pairs']} pairs", title_justify="left")
    for name in ("", *SETTINGS):
        table.add_column(name, justify="left" if not name else "right")
    table.add_row("objectives solved", *(str(gaps[f"solved_{name}"]) for name in SETTINGS))
    for name in found["native"]:
        if name != "calls":
            table.add_row(name.replace("_", " "), *(_cell(name, found[setting][name]) for setting in SETTINGS))
    for name in found["native"]["calls"]:
        label = "calls" if name == "n" else name.replace("_", " ")
        table.add_row(label, *(_cell(name, found[setting]["calls"][name]) for setting in SETTINGS))
    for group, medians in matched.items():
        for name in ("time_s", "calls", "screenshots", "inputs"):
            label = f"matched levels ({group.replace('_', ' ')}, {medians['n']}): median {name.replace('_', ' ')}"
            table.add_row(label, *(_cell(name, medians[f"{name}_{setting}"]) for setting in SETTINGS))
    console.print(table)
    console.print(
        f"code solves more levels in {gaps['code_solves_more']} pairs, fewer in {gaps['code_solves_fewer']}; of "
        f"{gaps['native_timeouts_n']} native timeouts it completes {gaps['native_timeouts_code_completes']}, of "
        f"{gaps['native_exits_n']} native exits {gaps['native_exits_code_completes']}",
        highlight=False,
    )


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    shares = name.endswith("_share") or name.startswith("one_call")
    return f"{100 * value:.1f} %" if shares else f"{value:.10g}" if isinstance(value, int) else f"{value:.2f}"
