"""What a study may add to an attempt besides the agent: a workflow that acts on the menus, and isolated probes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from diag.session.actions import Action
from games.contract import JsonObject
from games.suite.snapshot import Snapshot

MAX_WORKFLOW_ACTIONS_IN_A_ROW = 25
"""A deterministic workflow that needs more to reach a board is broken."""


class Workflow(Protocol):
    """A deterministic controller that works the menus for the agent (workflow P1, restart after a certified dead end).

    Asked before every observation until it has nothing to do. Its actions are real GUI actions; they are recorded as
    `controller` events, take time on the clock, and are not the agent's: they count in no action budget.
    """

    name: str

    def next_action(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, Action] | None:
        """Return what it does for which purpose, or None to let the agent act."""


@dataclass(frozen=True)
class Probe:
    """A question about the rules, asked in isolation: neither question nor answer enters the acting history."""

    at_s: float
    """Asked before the first decision at or after this time on the attempt's clock; left over ones at the end."""
    question: str
    name: str = "rules"

    def __post_init__(self) -> None:
        if self.at_s < 0 or not self.question.strip():
            raise ValueError(f"a probe has a time from 0 and a question, got {self}")
