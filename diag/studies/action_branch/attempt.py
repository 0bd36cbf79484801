"""Runs one branch: restore the state, execute the arm's action through the real interface, hand over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from checkpoints.branch import branch_of
from checkpoints.controller import action_of
from checkpoints.store import Checkpoint
from diag.records import InfrastructureFailure
from diag.running.executor import Work
from diag.running.takeover import take_over
from diag.session.actions import Action, parse_action
from diag.session.contract import Agent
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


def attempt(work: Work) -> None:
    """Run one branch. Raises InfrastructureFailure."""
    take_over(work, adapt=with_first_action)


def with_first_action(work: Work, agent: Agent, checkpoint: Checkpoint, setup: AttemptSetup) -> AttemptSetup:
    """Return the setup in which the controller performs the arm's action before the agent is asked."""
    del agent
    branch: Mapping[str, Any] = branch_of(checkpoint)[work.arm.branch]
    extra = {
        "branch": work.arm.branch,
        "branch_move": branch["move"],
        "extra_cost": branch["extra_cost"],
        "distance_before": branch["distance_before"],
    }
    actions = branch_actions(checkpoint, branch["move"])
    return replace(setup, workflow=FirstActions(f"branch {work.arm.branch}", actions), extra={**setup.extra, **extra})


def branch_actions(checkpoint: Checkpoint, move: Any) -> tuple[Action, ...]:
    """Return the GUI actions that perform a move from a checkpoint. Raises InfrastructureFailure if it is not legal."""
    game = game_named(checkpoint.level.game)
    state = game.state_from_json(game.parse_layout(checkpoint.layout), checkpoint.state)
    chosen = game.move_from_json(move)
    if chosen not in game.legal_moves(state):
        raise InfrastructureFailure("restoration", f"{checkpoint.checkpoint_id}: {move!r} is not legal in its state")
    return tuple(parse_action(action_of(gesture)) for gesture in game.gestures(Table(state), chosen))
