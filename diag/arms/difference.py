"""What an arm changed: the difference between two contexts, and the proof that it is the declared text alone."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from diag.arms.contract import Intervention
from diag.errors import DiagError
from diag.session.contract import PublicContext

TURNS = ("prefix", "recent")
"""Fields of the context that hold past decisions; every other one is text."""
_TURN = re.compile(r'[-+] {3}"actions": ')
"""The line of a difference that begins a turn: histories are compared as JSON."""


class InterferenceError(DiagError):
    """An intervention changed something else than the text it declares."""


def context_difference(base: PublicContext, treated: PublicContext) -> dict[str, list[str]]:
    """Return, for every field that differs, the lines removed (`- `) and added (`+ `)."""
    pairs = {field.name: (getattr(base, field.name), getattr(treated, field.name)) for field in fields(base)}
    return {name: _changed_lines(*pair) for name, pair in pairs.items() if pair[0] != pair[1]}


def turns_after(before: int, lines: Sequence[str]) -> int:
    """Return how many turns a history of `before` turns has after a difference of its lines."""
    turns = [line[0] for line in lines if _TURN.match(line)]
    return before + turns.count("+") - turns.count("-")


def arm_difference(intervention: Intervention, base: PublicContext, cohort: str) -> dict[str, Any]:
    """Apply an arm to the ordinary context and return what it declares and what it changed.

    Raises:
        InterferenceError: without its declared text the treated instruction is not the ordinary one, or another field
            differs though the intervention declares to change the instruction only.
    """
    treated = intervention.apply(base, cohort)
    difference = context_difference(base, treated)
    declared = declared_text(intervention, cohort)
    if declared is not None:
        others = sorted(set(difference) - {"instruction"})
        if others:
            raise InterferenceError(f"{intervention.name} changes {', '.join(others)}, but declares only text")
        if not _adds_only(declared, base.instruction, treated.instruction):
            raise InterferenceError(
                f"{intervention.name} adds other text than it declares: {difference['instruction']}"
            )
    return {
        "intervention": intervention.name,
        "privilege": intervention.privilege,
        "declared_text": declared,
        "difference": difference,
    }


def _adds_only(declared: str, before: str, after: str) -> bool:
    """Tell whether a text without one of its occurrences of `declared` is the text before, outer space aside."""
    starts = [found.start() for found in re.finditer(f"(?={re.escape(declared)})", after)]
    return any((after[:start] + after[start + len(declared) :]).strip() == before.strip() for start in starts)


def declared_text(intervention: Intervention, cohort: str) -> str | None:
    """Return the text an intervention declares; None for one that declares none (a class that changes the history)."""
    declare = getattr(intervention, "declared_text", None)
    return None if declare is None else str(declare(cohort))


def _changed_lines(before: Any, after: Any) -> list[str]:
    lines = difflib.ndiff(_lines(before), _lines(after))
    return [line for line in lines if line.startswith(("- ", "+ "))]


def _lines(value: Any) -> list[str]:
    return value.splitlines() if isinstance(value, str) else json.dumps(value, indent=1, default=asdict).splitlines()
