"""The dead-end takeover study (protocol 3): restored checkpoints, handed over under arms that differ in text alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from checkpoints.store import Checkpoint
from diag.agents.contract import PublicContext, Turn
from diag.errors import ConfigError
from diag.plan import Block
from diag.records import Event, Outcome
from diag.studies.contract import CheckpointSource, Source
from diag.studies.matched import MatchedStudy

if TYPE_CHECKING:
    from games.catalogue import Catalogue

CLUSTERS: Mapping[str, Callable[[Checkpoint], str]] = {
    "source_level": lambda checkpoint: checkpoint.source_level,
    "checkpoint": lambda checkpoint: checkpoint.checkpoint_id,
}


@dataclass(frozen=True)
class TakeoverStudy(MatchedStudy):
    """Which checkpoints are handed over, under which arms, within which limits."""

    cohorts: Sequence[str] = ("D", "N")
    endpoints: Sequence[str] = ("timely_restart", "verified_recovery", "same_level_win")
    cluster: str = "source_level"

    def cluster_names(self) -> tuple[str, ...]:
        """Return what the bootstrap can resample."""
        return tuple(CLUSTERS)

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints of takeover grading."""
        from diag.outcomes.takeover import ENDPOINTS

        return ENDPOINTS

    def source(self, library_name: str, levels: Catalogue) -> Source:
        """Return the checkpoint library. Raises CheckpointError."""
        del levels
        from checkpoints.libraries import library

        return library(library_name)

    def executor(self) -> Callable[..., Any]:
        """Return the executor that restores a checkpoint and hands it over."""
        from diag.execution.takeover import TakeoverExecutor

        return TakeoverExecutor

    def own_cohorts(self) -> tuple[str, ...]:
        """Return cohorts that the study forms itself and that no library names."""
        return ()

    def blocks(self, library: CheckpointSource) -> tuple[Block, ...]:
        """Return a block per checkpoint, cohort by cohort, in library order. Raises ConfigError for an empty cohort."""
        for cohort in self.cohorts:
            if cohort not in {*self.own_cohorts(), *(checkpoint.cohort for checkpoint in library.checkpoints)}:
                raise ConfigError(f"checkpoint library {library.name!r} has no checkpoint of {cohort}")
        found = tuple(
            _block(checkpoint, CLUSTERS[self.cluster](checkpoint), self.arms_of(cohort))
            for cohort in self.cohorts
            for checkpoint in library.checkpoints
            if checkpoint.cohort == cohort
        )
        return tuple(block for block in found if block.arms)

    def ordinary_context(self, checkpoint: Checkpoint) -> PublicContext:
        """Return the objective and the public prefix: what every arm starts from."""
        level = checkpoint.level
        words = {
            "game": level.game.replace("_", " ").title(),
            "difficulty": level.difficulty.title(),
            "number": level.number,
            "level": str(level),
        }
        return PublicContext(self.filled_objective(words), tuple(_turn(turn) for turn in checkpoint.prefix))

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the takeover grading with a certifier over the registered solvers."""
        from diag.outcomes.certifier import SolverCertifier
        from diag.outcomes.takeover import TakeoverLimits, grade_takeover

        certify = SolverCertifier(levels.layout)
        limits = TakeoverLimits(self.limits.timely_actions, self.limits.timely_s, self.limits.takeover_s)
        return lambda events, plan_hash: grade_takeover(events, certify=certify, plan_hash=plan_hash, limits=limits)


def _block(checkpoint: Checkpoint, cluster: str, arms: tuple[str, ...]) -> Block:
    return Block(
        checkpoint.checkpoint_id, checkpoint.cohort, checkpoint.checkpoint_id, checkpoint.digest, cluster, arms
    )


def _turn(turn: Any) -> Turn:
    return Turn(actions=(turn.action,), feedback=turn.feedback, reason="", picture=turn.picture)
