"""Names, colours and number formats: one place, so that a table, a figure and MLflow show the same thing the same way.

Colours are from Okabe and Ito's palette (distinguishable with every common colour vision); shape or text always repeats
what a colour says.
"""

from __future__ import annotations

import math

MATCHED_BY_RULES = (
    "Codes are matched by rules, fixed expressions that nobody checks here; "
    "how often they err: docs/reference/codes.md."
)
"""Stands below every table that shows codes of what was written."""
ARM_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5c00", "#555555")
VERDICT_COLOURS = {"solvable": "#56b4e9", "solved": "#009e73", "dead_end": "#d55e00", "undecided": "#b8b8b8"}
VERDICT_WORDS = {"solvable": "solvable", "solved": "solved", "dead_end": "dead end", "undecided": "undecided"}
MINUS = "\u2212"
DASH = "\u2013"
PRIVILEGE_WORDS = {
    "none": "none",
    "rule_knowledge": "rule knowledge",
    "public_history": "public history",
    "evaluator_state": "evaluator state",
    "solver_oracle": "solver oracle",
}


NAMES = {
    "lc": "LC",
    "fgp": "FGP",
    "n_actions_model": "model's actions",
    "n_actions_controller": "controller's actions",
    "n_actions_total": "actions in all",
    "rules_first": "rules stated, first probe",
    "rules_last": "rules stated, last probe",
    "rules_best": "rules stated, best probe",
}
"""Identifiers whose own words would not be understood."""


def arm_colour(arm: str, arms: tuple[str, ...]) -> str:
    """Return the colour of an arm: fixed by its place among the study's arms."""
    place = arms.index(arm) if arm in arms else len(ARM_COLOURS) - 1
    return ARM_COLOURS[place % len(ARM_COLOURS)]


def words(name: str) -> str:
    """Return an identifier as words: `recovery_s` becomes `recovery (s)`, `n_moves` becomes `number of moves`."""
    if name in NAMES:
        return NAMES[name]
    if name.startswith("n_"):
        return f"number of {name.removeprefix('n_').replace('_', ' ')}"
    if name.startswith("first_"):
        return f"first action {name.removeprefix('first_').replace('_', ' ')}"
    for suffix, unit in (("_s", " (s)"), ("_actions", " (actions)"), ("_moves", " (moves)")):
        if name.endswith(suffix):
            return name.removesuffix(suffix).replace("_", " ") + unit
    return name.replace("_", " ")


def contrast_words(treatment: str, control: str) -> str:
    """Return a contrast as it is read: treatment minus control."""
    return f"{treatment} {MINUS} {control}"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun: `1 block`, `0 blocks`, `24 blocks`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def signed(value: float | None, digits: int = 1, scale: float = 1.0) -> str:
    """Return a number with its sign; an en dash for None; zero has no sign."""
    if value is None or not math.isfinite(value):
        return DASH
    text = f"{abs(value * scale):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def number(value: float | None, digits: int = 1, scale: float = 1.0) -> str:
    """Return a number, a true minus in front of a negative one that is not shown as zero; an en dash for None."""
    if value is None or not math.isfinite(value):
        return DASH
    text = f"{abs(value * scale):.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and float(text) != 0 else text


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, four below 0.01, and a bound below 0.0001."""
    if value is None or not math.isfinite(value):
        return DASH
    if value < 0.0001:
        return "< 0.0001"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"
