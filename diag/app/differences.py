"""What each arm changes in the context of one block per cohort, a line per arm, for the printed plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diag.arms.difference import TURNS, turns_after

_LONGEST = 120
"""Characters of a text that are shown."""

NOTE = (
    "The exact difference in every block: blocks/*.json in the study's folder. What an arm does or asks for while its "
    'unit runs is no part of this context: see "what it does".'
)


def difference_lines(cohorts: Sequence[str], records: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the lines: for the first block of every cohort, each arm and what it changes.

    Args:
        cohorts: in the order in which they are shown.
        records: block id to its record (`blocks/<block>.json`), in plan order.
    """
    lines: list[str] = []
    for cohort in cohorts:
        found = [(name, record) for name, record in records.items() if record["cohort"] == cohort]
        for name, record in found[:1]:
            lines.append(f"What the arms change in the context of {cohort} block {name} (1 of {len(found)}):")
            base = record["base_context"]
            lines += [f"  {arm}: {arm_line(one['difference'], base)}" for arm, one in record["by_arm"].items()]
    return (*lines, NOTE) if lines else ()


def arm_line(difference: Mapping[str, Sequence[str]], base: Mapping[str, Any]) -> str:
    """Return one line of what an arm changes, field by field; long texts are cut and say so."""
    fields = (f"{name} {_field(name, lines, base)}" for name, lines in difference.items())
    return "; ".join(fields) or "nothing"


def _field(name: str, lines: Sequence[str], base: Mapping[str, Any]) -> str:
    if name not in TURNS:
        return _cut(" ".join(line.strip() for line in lines if line[2:].strip() not in ("", "null")))
    before = len(base[name])
    after = turns_after(before, lines)
    return f"{before} turns, now {after}" if after != before else f"changed within its {before} turns"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} ... ({len(text)} characters)"
