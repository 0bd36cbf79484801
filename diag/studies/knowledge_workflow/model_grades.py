"""Rule probes graded by a model: each answer once, verdicts kept as they come, compared with the matcher's.

grades/<grader>.jsonl             every reply with its verdicts, or why it holds none; a later run asks only the rest
tables/probes-<grader>.csv        the export: rows and columns of tables/probes.csv, `stated` as the model says
tables/agreement.csv              percent agreement and Cohen's kappa with the matcher, by game and in all
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diag.errors import CorruptRecord
from diag.records.csv_text import csv_text
from diag.records.lines import lines_of
from diag.studies.knowledge_workflow.cards import Language, card_of
from diag.studies.knowledge_workflow.probes import (
    Agreement,
    RubricError,
    agreement_by_game,
    rubric_prompt,
    rubric_verdicts,
)
from games.digest import sha256_of

PROBE_COLUMNS = ("unit_id", "arm", "game", "probe", "clock_s", "status", "rule", "stated", "answer")
AGREEMENT_COLUMNS = ("game", "n", "n_agree", "share", "kappa", "grader", "n_unreadable")
Row = Mapping[str, str]
Ask = Callable[[str], str]


@dataclass(frozen=True)
class Grade:
    """A model's verdicts on one answer about one game; None where its reply held none."""

    game: str
    answer: str
    prompt_sha256: str
    reply: str
    verdicts: dict[str, bool] | None
    fault: str | None = None


def distinct_answers(rows: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    """Return the different (game, answer) of probes, in order; answers without a word are no question."""
    return tuple(dict.fromkeys((row["game"], row["answer"]) for row in rows if row["answer"].strip()))


def graded(
    pairs: Sequence[tuple[str, str]], ask: Ask, language: Language, known: Mapping[str, Grade]
) -> Iterator[Grade]:
    """Yield a grade for each pair that is not known by its prompt; a reply without verdicts is asked for once more."""
    for game, answer in pairs:
        card = card_of(game)
        prompt = rubric_prompt(answer, card, language)
        name = sha256_of(prompt)
        if name in known:
            continue
        for last in (False, True):
            reply = ask(prompt)
            try:
                yield Grade(game, answer, name, reply, rubric_verdicts(reply, card))
                break
            except RubricError as error:
                if last:
                    yield Grade(game, answer, name, reply, None, str(error))


def read_grades(path: Path) -> dict[str, Grade]:
    """Return the grades of a file with verdicts, by prompt; none if there is no file. Raises CorruptRecord."""
    lines = lines_of(path.read_text(encoding="utf-8")) if path.is_file() else []
    try:
        grades = [Grade(**json.loads(line)) for line in lines]
    except (ValueError, TypeError) as error:
        raise CorruptRecord(f"{path}: {error}; remove it and grade again") from error
    return {one.prompt_sha256: one for one in grades if one.verdicts is not None}


def append_grade(path: Path, grade: Grade) -> None:
    """Add a grade to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(vars(grade), ensure_ascii=False) + "\n")


def model_rows(rows: Sequence[Row], grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return the probes' rows with the model's verdicts; answers without a readable one, or a word, are left out."""
    found = {(one.game, one.answer): one.verdicts for one in grades if one.verdicts is not None}
    return [
        {**row, "stated": verdicts[row["rule"]]}
        for row in rows
        if (verdicts := found.get((row["game"], row["answer"]))) is not None
    ]


def agreed(rows: Sequence[Row], by_model: Sequence[Mapping[str, Any]]) -> dict[str, Agreement]:
    """Return the matcher's agreement with the model, by game and in all, over the verdicts that both have."""
    second = {_key(row): bool(row["stated"]) for row in by_model}
    first = {_key(row): row["stated"] == "True" for row in rows if _key(row) in second}
    return agreement_by_game(first, second, {row["unit_id"]: row["game"] for row in rows}) if second else {}


def grade_tables(
    rows: Sequence[Row], by_model: Sequence[Mapping[str, Any]], agreements: Mapping[str, Agreement], grader: str
) -> dict[str, str]:
    """Return file name below `tables/` -> CSV.

    Args:
        rows: the probes, as the matcher graded them.
        by_model: `model_rows`.
        agreements: `agreed`.
        grader: the model's name.
    """
    asked = {(row["unit_id"], row["probe"]) for row in rows if row["answer"].strip()}
    n_unreadable = len(asked) - len({_key(row)[:2] for row in by_model})
    table = [
        {"game": game, "n": one.n, "n_agree": one.n_agree, "share": one.share, "kappa": one.kappa, "grader": grader,
         "n_unreadable": n_unreadable}
        for game, one in agreements.items()
    ]  # fmt: skip
    return {
        f"probes-{grader.replace('/', '-')}.csv": csv_text(PROBE_COLUMNS, by_model),
        "agreement.csv": csv_text(AGREEMENT_COLUMNS, table),
    }


def _key(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["unit_id"], row["probe"], row["rule"]
