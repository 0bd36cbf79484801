"""Precision and recall of the codes over the labelled sentences, as docs/reference/codes.md reports them.

`python tests/diag/grading/codes/measured.py` prints the table. A sentence of the part `blind` was scored once before
the expressions were changed in its sight; `found_blind` keeps what they found in it then.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from diag.grading.rationale import blames_click, names_cause
from diag.studies.knowledge_workflow.cards import card_of
from diag.studies.knowledge_workflow.probes import grade_answer
from diag.studies.retry.accounts import HEADINGS, account_codes

SENTENCES = Path(__file__).parent / "sentences.tsv"
CODES = (
    "blames_click", "names_cause", "blames_execution", "names_holes", "resumes_plan", "different_plan", "states_rule",
)  # fmt: skip
LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True)
class Sentence:
    """One labelled sentence."""

    part: str
    read_as: str
    """What it is a sentence of: reason, failure or attempt (sections of an account), or rules:<game>."""
    language: str
    codes: frozenset[str]
    found_blind: frozenset[str]
    text: str

    def found(self) -> frozenset[str]:
        """Return the codes that the expressions find now."""
        if self.read_as == "reason":
            held = {"blames_click": blames_click(self.text), "names_cause": names_cause(self.text)}
        elif self.read_as.startswith("rules:"):
            held = grade_answer(self.text, card_of(self.read_as.removeprefix("rules:")), self.language)  # type: ignore[arg-type]
        else:
            failure, attempt = HEADINGS[self.language == "zh"]
            bodies = (self.text, "") if self.read_as == "failure" else ("", self.text)
            held = account_codes(f"{failure}\n{bodies[0]}\n\n{attempt}\n{bodies[1]}")
        return frozenset(name for name, holds in held.items() if holds)

    def code_of(self, name: str) -> str:
        """Return the line of the table a code belongs to: all rules are one."""
        return "states_rule" if self.read_as.startswith("rules:") else name


def sentences() -> tuple[Sentence, ...]:
    """Return the labelled sentences."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(
        Sentence(
            row["part"],
            row["read_as"],
            row["language"],
            frozenset(row["codes"].split()),
            frozenset(row["found_blind"].split()),
            row["text"],
        )
        for row in rows
    )


def counts(scored: Iterable[tuple[Sentence, frozenset[str]]]) -> Mapping[tuple[str, str], Counter[str]]:
    """Return (code, language) -> how many were right, wrong and missed."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for one, held in scored:
        for name in one.codes | held:
            how = "right" if name in one.codes & held else "wrong" if name in held else "missed"
            found.setdefault((one.code_of(name), one.language), Counter())[how] += 1
    return found


def table() -> str:
    """Return the table of docs/reference/codes.md."""
    every = sentences()
    blind = counts((one, one.found_blind) for one in every if one.part == "blind")
    now = counts((one, one.found()) for one in every)
    lines = [
        "| code | language | blind: precision | blind: recall | now: precision | now: recall |",
        "|---|---|---|---|---|---|",
    ]
    for code in CODES:
        for language, words in LANGUAGES.items():
            cells = (
                _share(part.get((code, language), Counter()), how)
                for part in (blind, now)
                for how in ("wrong", "missed")
            )
            lines.append(f"| `{code}` | {words} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(found: Counter[str], against: str) -> str:
    n = found["right"] + found[against]
    return f"{found['right']}/{n}" if n else "none"


if __name__ == "__main__":
    print(table())  # noqa: T201 - what the command is for
