"""Runs one branch: restore the state, execute the arm's action through the real interface, hand over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from checkpoints.branch import branch_of
from checkpoints.controller import action_of
from checkpoints.store import Checkpoint
from diag.agents.contract import PublicContext
from diag.execution.takeover import TakeoverExecutor
from diag.records import InfrastructureFailure, Unit
from diag.session.actions import Action, parse_action
from diag.session.loop import AttemptSetup
from games.contract import JsonObject, Table
from games.registry import game_named
from games.suite.snapshot import Snapshot


class FirstActions:
    """A workflow that performs given GUI actions once, before the agent is first asked, and then nothing more."""

    def __init__(self, name: str, actions: tuple[Action, ...]) -> None:
        self.name = name
        self._left = list(actions)

    def next_action(self, snapshot: Snapshot, picture: JsonObject) -> tuple[str, Action] | None:
        """Return the next of the actions."""
        del snapshot, picture
        return (self.name, self._left.pop(0)) if self._left else None


@dataclass(frozen=True)
class BranchExecutor(TakeoverExecutor):
    """Everything a worker needs to run any unit of an action branch study."""

    def _setup(self, unit: Unit, attempt: int, checkpoint: Checkpoint, base: PublicContext) -> AttemptSetup:
        setup = super()._setup(unit, attempt, checkpoint, base)
        arm: Any = self.study.arms[unit.arm]
        branch: Mapping[str, Any] = branch_of(checkpoint)[arm.branch]
        extra = {
            "branch": arm.branch,
            "branch_move": branch["move"],
            "extra_cost": branch["extra_cost"],
            "distance_before": branch["distance_before"],
        }
        actions = branch_actions(checkpoint, branch["move"])
        return replace(setup, workflow=FirstActions(f"branch {arm.branch}", actions), extra={**setup.extra, **extra})


def branch_actions(checkpoint: Checkpoint, move: Any) -> tuple[Action, ...]:
    """Return the GUI actions that perform a move from a checkpoint. Raises InfrastructureFailure if it is not legal."""
    game = game_named(checkpoint.level.game)
    state = game.state_from_json(game.parse_layout(checkpoint.layout), checkpoint.state)
    chosen = game.move_from_json(move)
    if chosen not in game.legal_moves(state):
        raise InfrastructureFailure("restoration", f"{checkpoint.checkpoint_id}: {move!r} is not legal in its state")
    return tuple(parse_action(action_of(gesture)) for gesture in game.gestures(Table(state), chosen))
