"""Effects of many studies as rows: what `tables/effects.json` of each says, with the labels that must not be lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.errors import ConfigError
from diag.reading.effect_rows import Bounds, EffectRow, grouped
from diag.reading.standing import standing_of
from diag.reading.study_files import StudyFiles, read_study
from diag.records.plan import plan_from_json
from diag.records.study_folder import StudyFolder


@dataclass(frozen=True)
class SummaryRow:
    """One paired effect of one study of one agent."""

    study: str
    agent: str
    labels: tuple[str, ...]
    """SIMULATED, ORACLE, RULES ONLY, TRIAL, PARTIAL: what its reader must know before the number."""
    plan_hash: str
    folder: str
    effect: EffectRow

    @property
    def question(self) -> tuple[str, str, str, str]:
        """What is asked: rows of different agents with an equal question stand together."""
        return (self.study, self.effect.cohort, self.effect.contrast, self.effect.endpoint)

    @property
    def who(self) -> str:
        """The agent with its labels."""
        return f"{self.agent} [{', '.join(self.labels)}]" if self.labels else self.agent


def summary_rows(folders: Sequence[Path]) -> tuple[SummaryRow, ...]:
    """Return the effects of all studies, question by question, agents in the order given.

    Args:
        folders: folders of studies, or folders that hold such (`outputs/rq2`, `outputs`).

    Raises:
        ConfigError: a folder holds no study, or a study was not analysed (`analysed_folders` leaves such out).
        CorruptRecord: a plan or a table is not what was written.
    """
    rows = [row for folder in study_folders(folders) for row in _rows(read_study(folder), folder)]
    order = {question: place for place, question in enumerate(_questions(rows))}
    return tuple(sorted(rows, key=lambda row: order[row.question]))


def study_folders(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Return the studies in the folders, each once.

    Raises:
        ConfigError: a folder does not exist or holds no study.
    """
    found: dict[Path, Path] = {}
    for folder in folders:
        inside = list(_inside(folder))
        if not inside:
            raise ConfigError(f"{folder} holds no study: wanted a plan.json in it, or one or two folders below it")
        for path in inside:
            found.setdefault(path.resolve(), path)
    return tuple(found.values())


def analysed_folders(folders: Sequence[Path], *, trials_too: bool = False) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the studies that were analysed, and a line for each that was only planned or run, or is a part.

    Trials and selections never stand level with whole studies: they are returned if there is nothing else, or for
    `trials_too`.
    A study with any table counts as analysed: what is missing beside it is for its reader to refuse.

    Raises:
        ConfigError: a folder holds no study, or none of them was analysed.
        CorruptRecord: the plan of a study that was not analysed is damaged.
    """
    found = study_folders(folders)
    with_tables = tuple(folder for folder in found if _has_tables(folder))
    trials = tuple(folder for folder in with_tables if _is_part(folder))
    whole = tuple(folder for folder in with_tables if folder not in trials)
    analysed = with_tables if trials_too or not whole else whole
    lines = (
        *(_not_analysed(folder) for folder in found if folder not in with_tables),
        *(
            f"{folder}: a trial or a selection, left out beside whole studies"
            for folder in trials
            if folder not in analysed
        ),
    )
    if not analysed:
        raise ConfigError(f"{'; '.join(lines)}; mode=analyse writes the tables of a study that has run")
    return analysed, lines


def _has_tables(folder: Path) -> bool:
    return any((folder / "tables" / name).is_file() for name in ("analysis.json", "effects.json", "outcomes.csv"))


def _is_part(folder: Path) -> bool:
    plan = folder / "plan.json"
    return standing_of(plan_from_json(json.loads(plan.read_text()), str(plan)), 0).apart


def _not_analysed(folder: Path) -> str:
    study = StudyFolder(folder)
    plan = study.read_plan()
    agent = dict(plan.identity.get("agent") or {}).get("name", folder.name)
    return f"{plan.study} {agent}: {'run' if study.has_outcomes() else 'planned'}, not analysed"


def _inside(folder: Path) -> Iterator[Path]:
    for pattern in ("plan.json", "*/plan.json", "*/*/plan.json"):
        paths = sorted(folder.glob(pattern))
        if paths:
            yield from (path.parent for path in paths)
            return


def _rows(files: StudyFiles, folder: Path) -> Iterator[SummaryRow]:
    if not (folder / "tables" / "effects.json").is_file():
        raise ConfigError(f"{folder} was not analysed: no tables/effects.json; mode=analyse writes it")
    labels = study_labels(files)
    for effect in grouped(files.effects):
        yield SummaryRow(files.study, files.agent, labels, files.plan.plan_hash, str(folder), effect)


def study_labels(files: StudyFiles) -> tuple[str, ...]:
    """Return what a reader must know of the study's numbers."""
    facts = (
        ("SIMULATED", files.simulated),
        ("ORACLE", files.privilege == "solver_oracle"),
        ("RULES ONLY", files.identity("suite", "browser") is False),
    )
    return (*(label for label, holds in facts if holds), *files.standing.labels)


def _questions(rows: Sequence[SummaryRow]) -> tuple[tuple[str, str, str, str], ...]:
    """Return the questions: study by study, contrast by contrast, in the order of their first appearance."""
    contrasts = {place: n for n, place in enumerate(dict.fromkeys(row.question[:3] for row in rows))}
    studies = {name: n for n, name in enumerate(dict.fromkeys(row.study for row in rows))}
    questions = tuple(dict.fromkeys(row.question for row in rows))
    return tuple(sorted(questions, key=lambda q: (studies[q[0]], contrasts[q[:3]])))


def plain(row: SummaryRow) -> dict[str, Any]:
    """Return a row as flat values; effects and limits in the endpoint's own unit (a share, not points)."""
    effect = row.effect
    return {
        "study": row.study, "agent": row.agent, "labels": "; ".join(row.labels), "cohort": effect.cohort,
        "contrast": effect.contrast, "treatment": effect.treatment, "control": effect.control,
        "endpoint": effect.endpoint, "kind": effect.kind, "estimate": effect.estimate,
        "percentile_low": _low(effect.percentile), "percentile_high": _high(effect.percentile),
        "t_low": _low(effect.t), "t_high": _high(effect.t), "p_signflip": effect.p_signflip,
        "p_adjusted": effect.p_adjusted, "p_holm": effect.p_holm,
        "leave_one_out_low": _low(effect.leave_one_out), "leave_one_out_high": _high(effect.leave_one_out),
        "n_pairs": effect.n_pairs, "n_clusters": effect.n_clusters, "n_up": effect.n_up, "n_down": effect.n_down,
        "n_missing": effect.n_missing, "n_not_applicable": effect.n_not_applicable,
        "missing_low": _low(effect.missing_bounds), "missing_high": _high(effect.missing_bounds),
        "sentence": effect.sentence, "plan_hash": row.plan_hash,
    }  # fmt: skip


def _low(bounds: Bounds | None) -> float | None:
    return None if bounds is None else bounds.low


def _high(bounds: Bounds | None) -> float | None:
    return None if bounds is None else bounds.high
