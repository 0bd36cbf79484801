"""Whole episodes from the home screen (RQ1): a block per objective; navigation, retry and restart are the agent's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from diag.agents.contract import PublicContext
from diag.plan import Block
from diag.records import Event, Outcome
from diag.studies.contract import Limits
from diag.studies.matched import MatchedStudy
from diag.studies.objectives import COHORT, Objective, Objectives, choose_objectives
from games.contract import JsonObject

if TYPE_CHECKING:
    from games.catalogue import Catalogue

CLUSTERS: Mapping[str, Callable[[Objective], str]] = {
    "game": lambda objective: objective.game,
    "objective": lambda objective: objective.name,
}
EPISODE_LIMITS = Limits(takeover_s=3_600.0, actions=None, invalid_decisions_in_a_row=100)
"""An hour and no action limit. The last guards against an agent that never again produces an action."""


@dataclass(frozen=True)
class EpisodeStudy(MatchedStudy):
    """Which objectives are played, under which arms, within which budget."""

    objectives: Sequence[str] = ()
    """`game/difficulty`; all of the catalogue if empty."""
    cohorts: Sequence[str] = (COHORT,)
    endpoints: Sequence[str] = ("lc", "objective_success", "fgp", "reach")
    cluster: str = "game"
    limits: Limits = field(default_factory=lambda: EPISODE_LIMITS)

    def cluster_names(self) -> tuple[str, ...]:
        """Return what the bootstrap can resample."""
        return tuple(CLUSTERS)

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints of episode grading."""
        from diag.outcomes.episodes.grade import ENDPOINTS

        return ENDPOINTS

    def library_name(self, configured: str) -> str:
        """Return no library: episodes start at the home screen."""
        del configured
        return ""

    def source(self, library_name: str, levels: Catalogue) -> Objectives:
        """Return the objectives. Raises ConfigError for one that the catalogue does not have."""
        del library_name
        return choose_objectives(levels, self.objectives)

    def executor(self) -> Callable[..., Any]:
        """Return the executor that starts at the home screen."""
        from diag.execution.episode import EpisodeExecutor

        return EpisodeExecutor

    def blocks(self, library: Objectives) -> tuple[Block, ...]:
        """Return a block per objective, in catalogue order."""
        arms = self.arms_of(COHORT)
        cluster = CLUSTERS[self.cluster]
        return tuple(Block(one.block_id, COHORT, one.name, one.digest, cluster(one), arms) for one in library.chosen)

    def ordinary_context(self, checkpoint: Objective) -> PublicContext:
        """Return the objective as it is told: game and difficulty with their on-screen names, and how many levels."""
        return PublicContext(self.filled_objective({**checkpoint.labels, "count": len(checkpoint.levels)}))

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the grading of episodes over the registered solvers."""
        from diag.outcomes.episodes import grade_episode, solver_tools

        tools = solver_tools(levels)
        return lambda events, plan_hash: grade_episode(events, tools=tools, plan_hash=plan_hash)

    def identity(self) -> JsonObject:
        """Return everything that can change an outcome, the limits of the searches for regret included."""
        from diag.outcomes.episodes.distances import STATE_LIMIT, STATE_LIMITS, VERDICT_LIMIT

        searches = {**STATE_LIMITS, "other_games": STATE_LIMIT, "verdict": VERDICT_LIMIT}
        return {**super().identity(), "objectives": list(self.objectives), "search_limits": searches}

    def own_tables(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
        """Return the episode summary and the per-objective table."""
        from diag.analysis.episodes import episode_tables

        return episode_tables(rows)

    def summary_lines(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the published measures in words."""
        from diag.analysis.episodes import summary_lines

        return summary_lines(rows)
