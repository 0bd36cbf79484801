"""Same-state action branches (protocol 2.1): from one state, a costly action that was observed or a shortest one.

The controller restores a solvable state, executes the arm's action, and hands over. Both successors are certified
solvable, so the branches differ in the price of one action and not in whether the level can still be won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from diag.errors import ConfigError
from diag.interventions.branch import COHORT, FirstAction
from diag.records import Event, Outcome
from diag.studies.takeover import TakeoverStudy
from games.contract import JsonObject

if TYPE_CHECKING:
    from games.catalogue import Catalogue

KEPT = (
    *("same_level_win", "win_s", "win_actions", "progress", "n_moves", "n_restarts", "n_undecided"),
    *("ngar", "native_steps", "other_steps"),
)
"""Endpoints of a takeover that mean something from a solvable state."""
OF_THE_STATE = ("extra_cost", "distance_before")
"""Facts of the branch state that the outcome table repeats."""


@dataclass(frozen=True)
class ActionBranchStudy(TakeoverStudy):
    """Which branch states are continued, how often, by which panel of agents."""

    states: str = "action_branch"
    """A shipped library of branch states, or the folder of one."""
    panel: Sequence[str] = ()
    """Agents of the whole panel: each runs its own study, and its place turns the order of the branches."""
    cohorts: Sequence[str] = (COHORT,)
    endpoints: Sequence[str] = ("same_level_win",)

    def __post_init__(self) -> None:
        """Check the arms. Raises ConfigError."""
        super().__post_init__()
        branches = sorted(one.branch for one in self.arms.values() if isinstance(one, FirstAction))
        if branches != ["costly", "shortest"] or len(self.arms) != 2:
            found = ", ".join(f"{arm}: {one.name}" for arm, one in sorted(self.arms.items()))
            raise ConfigError(f"study.arms: found {found}; wanted one costly and one shortest FirstAction")

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints that are kept."""
        return (*KEPT, *OF_THE_STATE)

    def library_name(self, configured: str) -> str:
        """Return the library of branch states."""
        del configured
        return self.states

    def executor(self) -> Callable[..., Any]:
        """Return the executor that performs the arm's action before the agent plays."""
        from diag.execution.branch import BranchExecutor

        return BranchExecutor

    def first_place(self, agent: str) -> int:
        """Return the agent's place in the panel, so that over the panel both branches come first equally often."""
        return list(self.panel).index(agent) if agent in self.panel else 0

    def plan_notes(self, agent: str, n_blocks: int, n_units: int) -> tuple[str, ...]:
        """Return how many pairs this agent and the whole panel have, and how often each branch comes first."""
        pairs = n_units // 2
        firsts = [self._costly_first(n_blocks, self.first_place(name)) for name in self.panel or (agent,)]
        n_agents, costly = len(firsts), sum(firsts)
        whole = (
            f"panel of {n_agents} agents ({', '.join(self.panel)}): {pairs * n_agents} pairs, {n_units * n_agents} "
            f"continuations; the costly branch comes first in {costly}, the shortest in {pairs * n_agents - costly}"
        )
        return (f"{agent}: {pairs} pairs, {n_units} continuations", *((whole,) if self.panel else ()))

    def _costly_first(self, n_blocks: int, shift: int) -> int:
        arms = sorted(self.arms)
        order = [arms[(place + repeat + shift) % 2] for place in range(n_blocks) for repeat in range(self.repeats)]
        return sum(getattr(self.arms[arm], "branch", "") == "costly" for arm in order)

    def identity(self) -> JsonObject:
        """Return everything that can change an outcome."""
        return {**super().identity(), "panel": list(self.panel)}

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the takeover grading without the endpoints that presuppose a dead end."""
        grade = super().grader(levels)

        def branch(events: Sequence[Event], plan_hash: str) -> Outcome:
            outcome = grade(events, plan_hash)
            kept = {name: value for name, value in outcome.endpoints.items() if name in KEPT}
            start = events[0].data
            if kept:
                kept |= {name: start.get(name) for name in OF_THE_STATE}
            return replace(outcome, endpoints=kept, codes={})

        return branch
