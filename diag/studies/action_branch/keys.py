"""The keys of a study of same-state action branches, and of its arms."""

# ruff: noqa: RUF009 - identity() and runtime() are dataclasses.field with their metadata, not default values

from __future__ import annotations

from dataclasses import dataclass

from diag.config.roles import identity
from diag.config.study import StudyConfig


@dataclass
class BranchKeys(StudyConfig):
    """Same-state action branches (protocol 2.1)."""

    kind: str = identity("action_branch")
    cohorts: list[str] = identity(lambda: ["S"])
    cluster: str = identity("source_level")
    states: str = identity("action_branch")
    """A shipped library of branch states, or the folder of one."""


@dataclass
class FirstActionConfig:
    """An arm of an action branch study: the action that the controller executes first."""

    _target_: str = identity("diag.studies.action_branch.FirstAction")
    name: str = identity()
    """Name in tables and records."""
    description: str = identity("")
    """One line for `python -m diag list` and the plan."""
    privilege: str = identity("solver_oracle")
    """What choosing the action took."""
    branch: str = identity()
    """Action branches only: costly or shortest."""
