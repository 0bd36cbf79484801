"""`python -m diag grade-probes study=FOLDER agent=openai agent.model=NAME`: a model grades a study's rule probes.

Asks the model of `conf/agent/` by the versioned rubric, once for each different answer, and prints how far its verdicts
agree with the fixed matcher's. Replies are kept in the study's `grades/`; asked again, it goes on where it stopped. The
tables are the study's `tables/probes-<grader>.csv` and `agreement.csv`; mode=report shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from omegaconf import OmegaConf

from diag.agents.models import ModelFactory
from diag.agents.models.question import questioner
from diag.errors import ConfigError
from diag.records.csv_text import csv_rows
from diag.records.sealed import write_whole
from diag.studies.knowledge_workflow.cards import Language
from diag.studies.knowledge_workflow.model_grades import (
    Grade,
    Row,
    agreed,
    append_grade,
    distinct_answers,
    grade_tables,
    graded,
    model_rows,
    read_grades,
)
from diag.studies.model_agent import model_factory
from diag.terminal import say


def main(arguments: Sequence[str]) -> int:
    """Grade what is not graded yet, write the tables, print the agreement.

    Raises:
        ConfigError: there is no such study, it has no probes, or the agent is no model.
        InfrastructureFailure, EndpointRefused, LimitReached: the endpoint did not answer; what was graded is kept.
    """
    folder, overrides = _study(arguments)
    rows = _probes(folder)
    factory = model_factory([*overrides, f"outputs={folder.parent.parent}"], "grade-probes")
    grades = _graded(folder, rows, factory)
    _write(folder, rows, grades, factory.name)
    n_unreadable = sum(one.verdicts is None for one in grades)
    say(f"{n_unreadable} replies held no verdicts" if n_unreadable else "every reply held its verdicts")
    return 0


def _graded(folder: Path, rows: Sequence[Row], factory: ModelFactory) -> list[Grade]:
    """Return all grades, each new one kept as it comes."""
    path = folder / "grades" / f"{factory.name.replace('/', '-')}.jsonl"
    known = read_grades(path)
    pairs = distinct_answers(rows)
    say(f"{factory.name}: {len(pairs)} different answers, {len(known)} graded before")
    ask = questioner(factory)
    grades = list(known.values())
    for grade in graded(pairs, lambda prompt: ask(prompt)[0], _language(folder), known):
        append_grade(path, grade)
        grades.append(grade)
    return grades


def _write(folder: Path, rows: Sequence[Row], grades: Sequence[Grade], grader: str) -> None:
    """Write the tables and print the agreement."""
    by_model = model_rows(rows, grades)
    agreements = agreed(rows, by_model)
    for name, text in grade_tables(rows, by_model, agreements, grader).items():
        write_whole(folder / "tables" / name, text.encode())
        say(f"{folder / 'tables' / name}")
    for game, one in agreements.items():
        say(f"{game:<16} {one.words}")


def _study(arguments: Sequence[str]) -> tuple[Path, list[str]]:
    named = [one.removeprefix("study=") for one in arguments if one.startswith("study=")]
    if len(named) != 1:
        raise ConfigError("grade-probes wants study=FOLDER of a recorded study, and agent=NAME of a model")
    return Path(named[0]), [one for one in arguments if not one.startswith("study=")]


def _probes(folder: Path) -> list[dict[str, str]]:
    path = folder / "tables" / "probes.csv"
    if not path.is_file():
        raise ConfigError(
            f"{folder} has no tables/probes.csv; wanted an analysed study of rule probes (+experiment=rq4)"
        )
    rows = csv_rows(path)
    if not rows:
        raise ConfigError(f"{path} holds no probe; wanted a study with study.probes_at_s")
    return rows


def _language(folder: Path) -> Language:
    """Return the language of the study's answers, as its configuration has it."""
    found = OmegaConf.select(OmegaConf.load(folder / "config.yaml"), "suite.language", default="en")
    return "zh" if found == "zh" else "en"
