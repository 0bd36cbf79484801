"""`python -m diag pool STUDY STUDY ...`: one effect over several agents of the same plan, from their tables alone.

Paired within agent and block. The agents are the ones given, not a sample; what they share, a source level, is one
cluster for all of them, so more agents add pairs and no clusters. Each agent's own effect stands above the pooled one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from rich.table import Table

from diag.analysis.clusters import ResamplePlan
from diag.analysis.compare import UnpairedStudies, refuse_unpaired
from diag.analysis.effects import Effect, analyse, interim_effects
from diag.analysis.estimand import Estimand
from diag.analysis.pairs import TableProblem, pool
from diag.commands.compare import asked_of, limits_text, number_text, standing_of_folder
from diag.console import console as neutral_console
from diag.errors import ConfigError, CorruptRecord
from diag.reading.study_files import read_outcomes
from diag.records.looks import interim_of
from diag.records.plan import flatten
from diag.records.study_folder import StudyFolder
from diag.terminal import Words

MAY_DIFFER = ("name", "title", "question", "seed", "panel", "endpoints", "contrasts", "analysis")
"""Keys of a study that change neither what an agent meets nor what a unit's outcome is."""


@dataclass(frozen=True)
class Pooled:
    """The effects of a panel, and of each of its agents."""

    agents: Mapping[str, tuple[Effect, ...]]
    effects: tuple[Effect, ...]
    simulated: tuple[str, ...]
    plan: ResamplePlan

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {
            "agents": {agent: [one.to_json() for one in effects] for agent, effects in self.agents.items()},
            "pooled": [one.to_json() for one in self.effects],
            "simulated": list(self.simulated),
            "resampling": {"seed": self.plan.seed, "draws": self.plan.draws},
        }


def main(arguments: Sequence[str]) -> int:
    """Pool study folders and print the effects."""
    parser = Words("pool", __doc__)
    parser.add_argument("studies", type=Path, nargs="+", help="folders of studies, each of another agent")
    parser.add_argument("--json", type=Path, help="also write the pooled effects to this file")
    chosen = parser.parse_args(arguments)
    found = pool_folders(chosen.studies)
    _show(found, chosen.studies)
    if chosen.json:
        chosen.json.write_text(json.dumps(found.to_json(), indent=1, allow_nan=False) + "\n")
    return 0


def pool_folders(folders: Sequence[Path]) -> Pooled:
    """Pool studies on disk, with the estimands that all of them ask and the resampling plan of the first.

    Raises:
        ConfigError: fewer than two, a folder holds no analysed study, or their units, arms or limits differ.
        CorruptRecord: a table cannot be read.
    """
    if len(folders) < 2:
        raise ConfigError(f"pool: found {len(folders)} study, wanted at least two, each of another agent")
    asked = [asked_of(folder) for folder in folders]
    tables = [read_outcomes(folder / "tables" / "outcomes.csv") for folder in folders]
    for folder, table in zip(folders[1:], tables[1:], strict=True):
        _refuse_other(folders[0], folder)
        try:
            refuse_unpaired(tables[0], table)
        except UnpairedStudies as error:
            raise ConfigError(f"{folders[0]} and {folder} cannot be pooled: {error}") from error
    shared = [one for one in asked[0][0] if all(one in estimands for estimands, _ in asked)]
    if not shared:
        raise ConfigError(f"{', '.join(map(str, folders))} ask different questions: no estimand is in all")
    try:
        panel = pool(*tables)
    except TableProblem as error:
        raise ConfigError(f"cannot be pooled: {error}; repeats of one agent are no second agent") from error
    return _pooled(panel, tables, shared, asked[0][1], "; ".join(filter(None, map(interim_of, folders))))


def _pooled(
    panel: pd.DataFrame, tables: Sequence[pd.DataFrame], asked: Sequence[Estimand], plan: ResamplePlan, how_far: str
) -> Pooled:
    """Return the effects over all agents and of each, marked where a study has not ended."""

    def effects(table: pd.DataFrame) -> tuple[Effect, ...]:
        try:
            found = analyse(table, asked, plan=plan)
        except TableProblem as error:
            raise CorruptRecord(str(error)) from error
        return interim_effects(found, how_far) if how_far else found

    named = {str(agent): table for table in tables for agent in table["agent"].unique()}
    simulated = [name for name, table in named.items() if "simulated" in table and table["simulated"].any()]
    return Pooled({name: effects(table) for name, table in named.items()}, effects(panel), tuple(simulated), plan)


def _refuse_other(first: Path, other: Path) -> None:
    """Refuse studies whose arms, limits, levels or suite differ: one letter would then mean two things."""
    trials = [standing_of_folder(folder).apart for folder in (first, other)]
    if trials[0] != trials[1]:
        raise ConfigError(
            f"{(first, other)[trials.index(True)]} is a trial or a selection, wanted whole studies beside whole ones"
        )
    studies = [StudyFolder(folder) for folder in (first, other)]
    if not all(study.has_plan() for study in studies):
        return
    one, two = (
        flatten({part: study.read_plan().identity.get(part) for part in ("study", "catalog", "suite")})
        for study in studies
    )
    for name in sorted({*one, *two}):
        if one.get(name) != two.get(name) and name.split(".")[1] not in MAY_DIFFER:
            raise ConfigError(
                f"{first} and {other} cannot be pooled: {name} is {one.get(name)!r:.80} and {two.get(name)!r:.80}"
            )


def _show(found: Pooled, folders: Sequence[Path]) -> None:
    console = neutral_console()
    if found.simulated:
        mixed = " beside models: the pooled effect is of neither" if len(found.simulated) < len(found.agents) else ""
        console.print(
            f"Simulated: {', '.join(found.simulated)}{mixed}. No finding about a model.",
            style="yellow",
            highlight=False,
        )
    table = Table(title=f"Pooled over {len(found.agents)} agents (points for yes/no endpoints)", title_justify="left")
    for name in ("what", "agent", "control", "treatment", "effect", "up/down", "pairs", "clusters", "95% CR2",
                 "95% percentile", "sign-flip p", "max-T p"):  # fmt: skip
        table.add_column(name, justify="left" if name in ("what", "agent") else "right", overflow="fold")
    for place, effect in enumerate(found.effects):
        for agent, effects in found.agents.items():
            table.add_row(effect.name, agent, *_cells(effects[place])[:6])
        table.add_row(effect.name, "ALL", *_cells(effect))
        table.add_section()
    console.print(table)
    console.print(
        "These agents, levels like these: a level that agents share is one cluster, and more agents add none.",
        highlight=False,
    )
    for place, effect in enumerate(found.effects):
        own = {agent: effects[place].estimate or 0.0 for agent, effects in found.agents.items()}
        against = [agent for agent, estimate in own.items() if estimate * (effect.estimate or 0.0) < 0]
        other = f" The other way: {', '.join(against)}." if against else ""
        console.print(f"{effect.name}: {effect.sentence}{other}", highlight=False, soft_wrap=True)
    for folder in folders:
        for word, sentence in standing_of_folder(folder).sentences:
            console.print(f"[yellow]{word}: {folder}: {sentence}[/]", highlight=False, soft_wrap=True)


def _cells(effect: Effect) -> list[str]:
    scale = 100.0 if effect.kind in ("binary", "proportion") else 1.0
    p = ("-" if value is None else f"{value:.4f}" for value in (effect.sign_flip_p, effect.adjusted_p))
    return [
        *(_rate(value, effect) for value in (effect.rate_control, effect.rate_treatment)),
        number_text(effect.estimate, scale),
        f"{effect.up}/{effect.down}",
        str(effect.n_pairs) + (f" (-{effect.n_missing})" if effect.n_missing else ""),
        str(effect.n_clusters),
        *(limits_text(interval, scale) for interval in (effect.cr2, effect.percentile)),
        *p,
    ]


def _rate(value: float | None, effect: Effect) -> str:
    """Return a mean; of yes/no outcomes in blocks that weigh alike, the count."""
    if value is None:
        return "-"
    hits = value * effect.n_pairs
    whole = effect.kind == "binary" and abs(hits - round(hits)) < 1e-6 and effect.estimand.group is None
    return f"{round(hits)}/{effect.n_pairs}" if whole else f"{value:.3f}"
