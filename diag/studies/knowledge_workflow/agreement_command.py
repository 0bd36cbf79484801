"""`python -m diag agreement first=FILE second=FILE`: how far two graders of the same rule probes agree.

Both files have the columns of `tables/probes.csv` (unit_id, probe, rule, stated, game); a person or a model grades by
changing `stated` in a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from diag.errors import ConfigError
from diag.records.csv_text import csv_rows
from diag.studies.knowledge_workflow.probes import agreement_by_game
from diag.terminal import options, say

Key = tuple[str, str, str]


def main(arguments: Sequence[str]) -> int:
    """Print percent agreement and Cohen's kappa, for each game and in all."""
    given = options(arguments, {"first": "", "second": ""})
    first, games = _verdicts(given["first"])
    second, _ = _verdicts(given["second"])
    if set(first) != set(second):
        raise ConfigError(f"the files grade different rules: {len(set(first) ^ set(second))} are in one of them only")
    for game, found in agreement_by_game(first, second, games).items():
        say(f"{game:<16} {found.words}")
    return 0


def _verdicts(path: str) -> tuple[dict[Key, bool], dict[str, str]]:
    """Return key -> verdict and unit id -> game. Raises ConfigError naming the file and what is wrong."""
    if not Path(path).is_file():
        raise ConfigError(f"agreement wants first=FILE second=FILE; there is no {path!r}")
    verdicts: dict[Key, bool] = {}
    games: dict[str, str] = {}
    for row in csv_rows(Path(path)):
        stated = str(row.get("stated", "")).strip().lower()
        if stated not in ("true", "false") or None in (row.get("unit_id"), row.get("probe"), row.get("rule")):
            raise ConfigError(f"{path}: {row!r:.120} is no verdict; wanted unit_id, probe, rule, stated True or False")
        key = (row["unit_id"], row["probe"], row["rule"])
        verdicts[key], games[row["unit_id"]] = stated == "true", row.get("game", "")
    if not verdicts:
        raise ConfigError(f"{path} holds no verdict")
    return verdicts, games
