"""The keys of the arms that have a schema; every other kind of arm says its keys in its own dataclass."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diag.config.roles import identity


@dataclass
class TextConfig:
    """An intervention made of one sentence per cohort."""

    _target_: str = identity("diag.arms.Text")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("none")
    """none, rule_knowledge, public_history, evaluator_state or solver_oracle: what writing the sentence took."""
    sentences: dict[str, Any] = identity(dict)
    """Cohort -> sentence, one or one per language {en: ..., zh: ...}; `any` stands for every cohort. A cohort
    that is not named has no such arm."""
    position: str = identity("after_instruction")
    """after_instruction or before_instruction."""
