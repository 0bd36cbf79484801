"""What every study of matched blocks shares: arms, contrasts, limits, and the identity they give its plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from diag.agents.contract import PublicContext
from diag.errors import ConfigError
from diag.interventions.contract import Intervention
from diag.plan import Block
from diag.records import Event, Outcome
from diag.session.history import HistoryPolicy
from diag.studies.checks import check_study
from diag.studies.contract import Contrast, Estimation, Limits, Source
from games.contract import JsonObject

if TYPE_CHECKING:
    from games.catalogue import Catalogue


@dataclass(frozen=True)
class MatchedStudy:
    """Arms that differ in their intervention alone, over the blocks of a source."""

    name: str
    objective: str
    arms: Mapping[str, Intervention]
    title: str = ""
    question: str = ""
    cohorts: Sequence[str] = ()
    control: str = "A"
    contrasts: Sequence[Contrast] = ()
    endpoints: Sequence[str] = ()
    cluster: str = ""
    repeats: int = 1
    seed: int = 0
    max_units: int | None = None
    limits: Limits = field(default_factory=Limits)
    history: HistoryPolicy = field(default_factory=HistoryPolicy)
    analysis: Estimation = field(default_factory=Estimation)

    def __post_init__(self) -> None:
        """Check what types cannot. Raises ConfigError naming the field, what was found and what was wanted."""
        check_study(self)

    def cluster_names(self) -> tuple[str, ...]:
        """Return what the bootstrap of this kind of study can resample."""
        raise NotImplementedError

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints that `grader` gives; a class with a grader of its own names them beside it.

        `study.endpoints` is checked against them before anything runs (`diag.studies.checks.known_endpoints`).
        """
        return ()

    def arms_of(self, cohort: str) -> tuple[str, ...]:
        """Return the arms that exist for a cohort, in order of their letters."""
        return tuple(arm for arm in sorted(self.arms) if self.arms[arm].covers(cohort))

    def contrasts_for(self, cohort: str) -> tuple[Contrast, ...]:
        """Return the declared contrasts that the cohort's arms allow, then `arm - control` for arms that none names."""
        arms = self.arms_of(cohort)
        declared = tuple(self.contrasts)
        named = {arm for contrast in declared for arm in (contrast.treatment, contrast.control)} | {self.control}
        added = tuple(Contrast(arm, self.control) for arm in sorted(self.arms) if arm not in named)
        return tuple(one for one in (*declared, *added) if one.treatment in arms and one.control in arms)

    def library_name(self, configured: str) -> str:
        """Return the checkpoint library the study plays: the configured one, unless it names its own."""
        return configured

    def source(self, library_name: str, levels: Catalogue) -> Source:
        """Return what the blocks are made from. Raises CheckpointError, ConfigError."""
        raise NotImplementedError

    def executor(self) -> Callable[..., Any]:
        """Return the class that runs one unit of this kind of study (`diag.execution`)."""
        raise NotImplementedError

    def blocks(self, library: Any) -> tuple[Block, ...]:
        """Return the matched blocks in their fixed order. Raises ConfigError if the source has none."""
        raise NotImplementedError

    def ordinary_context(self, checkpoint: Any) -> PublicContext:
        """Return what every arm of a block starts from."""
        raise NotImplementedError

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the pure function (events, plan hash) -> outcome."""
        raise NotImplementedError

    def first_place(self, agent: str) -> int:
        """Return by how many places the order of the arms is turned for an agent."""
        del agent
        return 0

    def plan_notes(self, agent: str, n_blocks: int, n_units: int) -> tuple[str, ...]:
        """Return lines that the printed plan adds."""
        del agent, n_blocks, n_units
        return ()

    def analysis_frame(self, frame: Any) -> Any:
        """Return the outcome table (pandas) as the estimands read it; a study may add columns."""
        return frame

    def own_estimands(self, frame: Any) -> tuple[Any, ...] | None:
        """Return the study's own estimands; None for contrasts x endpoints."""
        del frame
        return None

    def own_tables(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
        """Return the study's own tables, file name below `tables/` to text.

        Args:
            rows: one per unit with a valid attempt, in plan order: its row of the outcome table, and `details`.
        """
        del rows
        return {}

    def summary_lines(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return what the analysis shows of the study's own tables."""
        del rows
        return ()

    def filled_objective(self, words: Mapping[str, object]) -> str:
        """Return the instruction with its placeholders filled in. Raises ConfigError naming an unknown one."""
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


def _intervention_identity(intervention: Intervention) -> dict[str, Any]:
    return {"kind": type(intervention).__name__, "privilege": intervention.privilege, **vars(intervention)}
