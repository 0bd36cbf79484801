"""The random part of the campaign: kills at random times, corrupt bytes, and their table in docs/reliability.md."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chaos.campaign import Campaign, analyse
from chaos.corrupt import Bytes, Finished, corrupt
from chaos.document import BEGIN, END
from chaos.rounds import KINDS, Tally, kill_at_random
from chaos.scenes import scene_for
from chaos.victim import run_victim
from diag.terminal import say

COUNTS = {"rules": 1000, "browser": 100, "tracking": 200, "bytes": 10_000}
"""What `make chaos` does; options choose other counts."""


@dataclass(frozen=True)
class AtRandom:
    """What the random part came to."""

    seed: int
    kills: Mapping[str, Tally]
    corrupted: Bytes | None

    @property
    def broken(self) -> list[str]:
        """Return every broken promise."""
        return [one for tally in self.kills.values() for one in tally.broken] + (
            self.corrupted.broken if self.corrupted else []
        )


def run_at_random(scratch: Path, counts: Mapping[str, int], seed: int) -> AtRandom:
    """Kill and corrupt as often as `counts` says, one after the other."""
    campaign, kills = Campaign(scratch / "random"), dict[str, Tally]()
    for kind in KINDS:
        if counts[kind.name]:
            began = time.monotonic()
            kills[kind.name] = tally = kill_at_random(campaign, scratch, kind, counts[kind.name], seed)
            took_s = time.monotonic() - began
            say(f"{kind.name}: {tally.kills} kills, {len(tally.broken)} broken promises, {took_s:.0f} s")
            _say(*tally.broken)
    corrupted = None
    if counts["bytes"]:
        corrupted = corrupt(finished_study(scratch, tracked=True), counts["bytes"], seed, scratch)
        say(f"{corrupted.tried.total()} bytes, {len(corrupted.broken)} broken promises")
        _say(*corrupted.broken)
    return AtRandom(seed, kills, corrupted)


def _say(*lines: str) -> None:
    for line in lines:
        say(line)


def finished_study(scratch: Path, *, tracked: bool) -> Finished:
    """Run a study to its end, report and tracker included. Raises RuntimeError: it does not run."""
    folder = scratch / "to-corrupt"
    folder.mkdir()
    with scene_for(KINDS[2 if tracked else 0].cell(1), folder) as scene:
        words = [*scene.words, "execution.n_jobs=1", "execution.progress=false", f"outputs={scene.outputs}"]
        mode = "all" if tracked else "run"
        ended = run_victim([*words, f"mode={mode}"], mark=str(folder), folder=folder, limit_s=300)
        if ended.code != 0:
            raise RuntimeError(f"the study to corrupt ended with {ended.code}: {ended.errors[-500:]}")
        if not tracked:
            analyse([*words, "mode=run"])
    return Finished(words, scene.outputs)


def table(found: AtRandom) -> str:
    """Return the section of the page, with the counts that were run."""
    lines = [
        f"Seed {found.seed}. Counts are what the run that wrote this page did; `make chaos` alone does "
        + ", ".join(f"{n:,} {name}" for name, n in COUNTS.items())
        + ".\n\n",
        "| killed at random times | kills | came too late | studies finished afterwards | broken promises |\n",
        "| --- | --- | --- | --- | --- |\n",
    ]
    for name, tally in found.kills.items():
        lines.append(f"| {name} | {tally.kills} | {tally.late} | {tally.rounds} | {len(tally.broken)} |\n")
    if found.corrupted is not None:
        seen = found.corrupted
        lines.append("\n| corrupt bytes in | tried | refused | no effect, or named | broken promises |\n")
        lines.append("| --- | --- | --- | --- | --- |\n")
        for kind, n in sorted(seen.tried.items()):
            lines.append(f"| {kind} | {n} | {seen.refused[kind]} | {n - seen.refused[kind] - seen.broken_in[kind]} | ")
            lines.append(f"{seen.broken_in[kind]} |\n")
    return "".join(lines)


def with_section(page: str, section: str) -> str:
    """Return the page with its random section replaced."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + section + END + rest.partition(END)[2]


def section_of(page: str) -> str:
    """Return the random section of a page; empty if it has none."""
    return page.partition(BEGIN)[2].partition(END)[0]


def counts_of(*given: int | None) -> dict[str, int]:
    """Return the counts given, and for those that are not what `make chaos` does."""
    wanted = zip(COUNTS.items(), given, strict=True)
    return {name: usual if number is None else number for (name, usual), number in wanted}
