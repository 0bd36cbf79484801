"""The dead-end takeover study (protocol 3): restored checkpoints, handed over under arms that differ in text alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from checkpoints.store import Checkpoint
from diag.agents.contract import PublicContext, Turn
from diag.errors import ConfigError
from diag.interventions.contract import Intervention
from diag.plan import Block
from diag.records import Event, Outcome
from diag.session.history import HistoryPolicy
from diag.studies.contract import CheckpointSource, Contrast, Estimation, Layouts, Limits
from games.contract import JsonObject

CLUSTERS: Mapping[str, Callable[[Checkpoint], str]] = {
    "source_level": lambda checkpoint: checkpoint.source_level,
    "checkpoint": lambda checkpoint: checkpoint.checkpoint_id,
}


@dataclass(frozen=True)
class TakeoverStudy:
    """Which checkpoints are handed over, under which arms, within which limits."""

    name: str
    objective: str
    arms: Mapping[str, Intervention]
    title: str = ""
    question: str = ""
    cohorts: Sequence[str] = ("D", "N")
    control: str = "A"
    contrasts: Sequence[Contrast] = ()
    endpoints: Sequence[str] = ("timely_restart", "verified_recovery", "same_level_win")
    cluster: str = "source_level"
    repeats: int = 1
    seed: int = 0
    max_units: int | None = None
    limits: Limits = field(default_factory=Limits)
    history: HistoryPolicy = field(default_factory=HistoryPolicy)
    analysis: Estimation = field(default_factory=Estimation)

    def __post_init__(self) -> None:
        """Check what types cannot. Raises ConfigError naming the field, what was found and what was wanted."""
        if not self.arms:
            raise ConfigError("study.arms is empty; wanted interventions, as in +intervention@study.arms.A=ordinary")
        if self.cluster not in CLUSTERS:
            raise ConfigError(f"study.cluster: found {self.cluster!r}, wanted one of {', '.join(CLUSTERS)}")
        named = {self.control, *(arm for contrast in self.contrasts for arm in (contrast.treatment, contrast.control))}
        unknown = sorted(named - set(self.arms))
        if unknown:
            raise ConfigError(f"study.contrasts names arm {unknown[0]!r}; there are {', '.join(sorted(self.arms))}")
        if self.repeats < 1 or (self.max_units is not None and self.max_units < 1):
            raise ConfigError(f"study.repeats and max_units are from 1, found {self.repeats} and {self.max_units}")

    def arms_of(self, cohort: str) -> tuple[str, ...]:
        """Return the arms that exist for a cohort, in order of their letters."""
        return tuple(arm for arm in sorted(self.arms) if self.arms[arm].covers(cohort))

    def blocks(self, library: CheckpointSource) -> tuple[Block, ...]:
        """Return a block per checkpoint of the study's cohorts, cohort by cohort, in library order."""
        found = tuple(
            _block(checkpoint, CLUSTERS[self.cluster](checkpoint), self.arms_of(cohort))
            for cohort in self.cohorts
            for checkpoint in library.checkpoints
            if checkpoint.cohort == cohort
        )
        if not found:
            raise ConfigError(f"checkpoint library {library.name!r} has no checkpoint of {', '.join(self.cohorts)}")
        return tuple(block for block in found if block.arms)

    def contrasts_for(self, cohort: str) -> tuple[Contrast, ...]:
        """Return the declared contrasts that the cohort's arms allow, then `arm - control` for arms that none names."""
        arms = self.arms_of(cohort)
        declared = tuple(self.contrasts)
        named = {arm for contrast in declared for arm in (contrast.treatment, contrast.control)} | {self.control}
        added = tuple(Contrast(arm, self.control) for arm in sorted(self.arms) if arm not in named)
        return tuple(one for one in (*declared, *added) if one.treatment in arms and one.control in arms)

    def ordinary_context(self, checkpoint: Checkpoint) -> PublicContext:
        """Return the objective and the public prefix: what every arm starts from."""
        return PublicContext(self._instruction(checkpoint), tuple(_turn(turn) for turn in checkpoint.prefix))

    def _instruction(self, checkpoint: Checkpoint) -> str:
        level = checkpoint.level
        words = {
            "game": level.game.replace("_", " ").title(),
            "difficulty": level.difficulty.title(),
            "number": level.number,
            "level": str(level),
        }
        try:
            return self.objective.format(**words).strip()
        except (KeyError, IndexError, ValueError) as error:
            raise ConfigError(f"study.objective: placeholder {error}, wanted one of {', '.join(words)}") from error

    def identity(self) -> JsonObject:
        """Return everything about the study that can change an outcome or an effect."""
        return {
            "kind": type(self).__name__,
            "objective": self.objective,
            "arms": {arm: _intervention_identity(one) for arm, one in sorted(self.arms.items())},
            "cohorts": list(self.cohorts),
            "control": self.control,
            "contrasts": {cohort: [str(one) for one in self.contrasts_for(cohort)] for cohort in self.cohorts},
            "endpoints": list(self.endpoints),
            "cluster": self.cluster,
            "repeats": self.repeats,
            "seed": self.seed,
            "max_units": self.max_units,
            "limits": asdict(self.limits),
            "history": asdict(self.history),
            "analysis": {name: getattr(self.analysis, name) for name in ("draws", "level", "seed")},
        }

    def grader(self, layouts: Layouts) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the takeover grading with a certifier over the registered solvers."""
        from diag.outcomes.certifier import SolverCertifier
        from diag.outcomes.takeover import TakeoverLimits, grade_takeover

        certify = SolverCertifier(layouts)
        limits = TakeoverLimits(self.limits.timely_actions, self.limits.timely_s, self.limits.takeover_s)
        return lambda events, plan_hash: grade_takeover(events, certify=certify, plan_hash=plan_hash, limits=limits)


def _block(checkpoint: Checkpoint, cluster: str, arms: tuple[str, ...]) -> Block:
    return Block(
        checkpoint.checkpoint_id, checkpoint.cohort, checkpoint.checkpoint_id, checkpoint.digest, cluster, arms
    )


def _turn(turn: Any) -> Turn:
    return Turn(actions=(turn.action,), feedback=turn.feedback, reason="", picture=turn.picture)


def _intervention_identity(intervention: Intervention) -> dict[str, Any]:
    return {"kind": type(intervention).__name__, "privilege": intervention.privilege, **vars(intervention)}
