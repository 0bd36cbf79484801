"""`python -m diag compare STUDY_A STUDY_B`: the paired difference of two finished studies, from their tables alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from diag.analysis.clusters import ResamplePlan
from diag.analysis.compare import Comparison, UnpairedStudies, compare, interim_comparison
from diag.analysis.effects import Effect
from diag.analysis.estimand import Estimand
from diag.analysis.interval import Interval
from diag.analysis.pairs import TableProblem
from diag.console import console as neutral_console
from diag.errors import ConfigError, CorruptRecord
from diag.reading.standing import Standing, standing_of
from diag.reading.study_files import read_outcomes
from diag.records.looks import interim_of
from diag.records.study_folder import StudyFolder
from diag.terminal import Words


def main(arguments: Sequence[str]) -> int:
    """Compare two study folders and print the differences."""
    parser = Words("compare", __doc__)
    parser.add_argument("first", type=Path, help="a study's folder, such as outputs/rq2/simulated-sol")
    parser.add_argument("second", type=Path, help="another one with the same plan of blocks")
    parser.add_argument("--json", type=Path, help="also write the comparison to this file")
    chosen = parser.parse_args(arguments)
    found, plan = compare_folders(chosen.first, chosen.second)
    _show(found)
    for folder in (chosen.first, chosen.second):
        for word, sentence in standing_of_folder(folder).sentences:
            neutral_console().print(f"[yellow]{word}: {folder}: {sentence}[/]", highlight=False, soft_wrap=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(comparison_json(found, plan), indent=1, allow_nan=False) + "\n")
    return 0


def compare_folders(first: Path, second: Path) -> tuple[Comparison, ResamplePlan]:
    """Compare two studies on disk, with the estimands and the resampling plan of the first.

    Raises:
        ConfigError: a folder holds no analysed study, or the studies cannot be paired.
        CorruptRecord: a table cannot be read.
    """
    estimands, plan = asked_of(first)
    theirs, _ = asked_of(second)
    trials = [standing_of_folder(folder).apart for folder in (first, second)]
    if trials[0] != trials[1]:
        raise ConfigError(
            f"{(first, second)[trials.index(True)]} is a trial or a selection, wanted a whole study beside a whole one"
        )
    shared = [one for one in estimands if one in theirs]
    if not shared:
        raise ConfigError(f"{first} and {second} ask different questions: no estimand is in both")
    tables = [read_outcomes(folder / "tables" / "outcomes.csv") for folder in (first, second)]
    try:
        found = compare(tables[0], tables[1], shared, plan=plan)
    except UnpairedStudies as error:
        raise ConfigError(f"the studies cannot be paired: {error}") from error
    except TableProblem as error:
        raise CorruptRecord(str(error)) from error
    how_far = "; ".join(filter(None, map(interim_of, (first, second))))
    return (interim_comparison(found, how_far) if how_far else found), plan


def comparison_json(found: Comparison, plan: ResamplePlan) -> dict[str, Any]:
    """Return a comparison as JSON."""
    parts = ("effects_a", "effects_b", "differences", "arms")
    return {
        "first": found.name_a,
        "second": found.name_b,
        "simulated": list(found.simulated),
        "resampling": {"seed": plan.seed, "draws": plan.draws},
        **{part: [effect.to_json() for effect in getattr(found, part)] for part in parts},
    }


def standing_of_folder(folder: Path) -> Standing:
    """Return how far a study stands; tables that have no plan beside them say nothing of it."""
    study = StudyFolder(folder)
    valid = read_outcomes(folder / "tables" / "outcomes.csv")["validity"].eq("valid")
    return standing_of(study.read_plan(), int(valid.sum())) if study.has_plan() else Standing(len(valid), len(valid))


def asked_of(folder: Path) -> tuple[list[Estimand], ResamplePlan]:
    """Return what a study asked and the draws it was answered with. Raises ConfigError, CorruptRecord."""
    path = folder / "tables" / "effects.json"
    if not path.is_file():
        raise ConfigError(f"{folder} holds no analysed study: wanted {path.name} in tables; mode=analyse writes it")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        estimands = [Estimand(**effect["estimand"]) for effect in content["effects"]]
        return estimands, ResamplePlan(**content["resampling"])
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{path}: not the effects of a study: {error!r}; mode=analyse writes them") from error


def _show(found: Comparison) -> None:
    console = neutral_console()
    if found.simulated:
        agents = " and ".join(found.simulated)
        console.print(
            f"Simulated: {agents}. It validates the pipeline; it is no finding about a model.", style="yellow"
        )
    suffix = f": {found.name_a} - {found.name_b}"
    both = f"{found.name_a} minus {found.name_b} (points for yes/no endpoints)"
    console.print(_table(f"Effects: {both}", found.differences, suffix))
    console.print(_table(f"Arms: {both}", found.arms, suffix))
    for effect in found.differences:
        console.print(f"{effect.name.removesuffix(suffix)}: {effect.sentence}", highlight=False)


def _table(title: str, effects: Sequence[Effect], suffix: str) -> Table:
    table = Table(title=title, title_justify="left")
    for name in (
        "what",
        "first",
        "second",
        "difference",
        "pairs",
        "clusters",
        "95% percentile",
        "95% CR2",
        "sign-flip p",
        "max-T p",
        "Holm p",
    ):
        table.add_column(name, justify="left" if name == "what" else "right", overflow="fold")
    for effect in effects:
        scale = 100.0 if effect.kind in ("binary", "proportion") else 1.0
        table.add_row(
            effect.name.removesuffix(suffix),
            number_text(effect.rate_treatment, scale),
            number_text(effect.rate_control, scale),
            number_text(effect.estimate, scale),
            str(effect.n_pairs),
            str(effect.n_clusters),
            limits_text(effect.percentile, scale),
            limits_text(effect.cr2, scale),
            "-" if effect.sign_flip_p is None else f"{effect.sign_flip_p:.4f}",
            "-" if effect.adjusted_p is None else f"{effect.adjusted_p:.4f}",
            "-" if effect.holm_p is None else f"{effect.holm_p:.4f}",
        )
    return table


def number_text(value: float | None, scale: float) -> str:
    """Return an effect with its sign; a dash for none."""
    return "-" if value is None else f"{scale * value:+.1f}"


def limits_text(interval: Interval, scale: float) -> str:
    """Return an interval's limits, or that none can be given."""
    if interval.low is None or interval.high is None:
        return "cannot say"
    return f"[{scale * interval.low:+.1f}, {scale * interval.high:+.1f}]"
