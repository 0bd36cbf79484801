"""A study: a kind, its settings, and the arms that differ in their intervention alone over the blocks of its starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from diag.analysis.endpoint import Endpoint
from diag.arms.contract import Intervention
from diag.config.roles import identity_values
from diag.config.study import DeclaredConfig, StudyConfig
from diag.errors import ConfigError
from diag.session.history import HistoryPolicy
from diag.studies.checks import check_study
from diag.studies.contract import StudyKind
from diag.studies.estimands import endpoint_records, estimands_of
from diag.studies.settings import Contrast, Estimation, Limits
from games.contract import JsonObject
from games.suite.texts import Language


@dataclass(frozen=True)
class Study:
    """What one plan is made from. Built by `diag.studies.build.study_of`."""

    kind: StudyKind
    own: Any
    """The keys as they were composed, an instance of `kind.config`: where a kind reads the keys that are its own."""
    name: str
    objective: str
    arms: Mapping[str, Intervention]
    language: Language = "en"
    """Of the screen and of everything the agent is told or asked."""
    title: str = ""
    question: str = ""
    cohorts: Sequence[str] = ()
    control: str = "A"
    contrasts: Sequence[Contrast] = ()
    endpoints: Sequence[str] = ()
    """Names of the endpoints that are contrasted."""
    declared: Sequence[DeclaredConfig] = ()
    """What the study declares of them, in place of its kind's own declaration."""
    cluster: str = ""
    independent: str = ""
    """`cluster` once more, where it is finer than the design's own."""
    repeats: int = 1
    stability_units: int = 0
    """So many cells get one more unit, for stability alone."""
    seed: int = 0
    max_units: int | None = None
    only: Sequence[str] = ()
    """Names of the units that are planned, if not all are."""
    panel: Sequence[str] = ()
    """Agents of the whole panel, if the study is one of several that are read together."""
    limits: Limits = field(default_factory=Limits)
    history: HistoryPolicy = field(default_factory=HistoryPolicy)
    analysis: Estimation = field(default_factory=Estimation)

    @classmethod
    def of(cls, kind: StudyKind, keys: StudyConfig, arms: Mapping[str, Any], language: Language = "en") -> Study:
        """Return the study that the keys of a kind describe, with its arms. Raises ConfigError."""
        return cls(
            kind=kind,
            own=keys,
            arms=arms,
            language=language,
            **{name: getattr(keys, name) for name in _SAME_NAMES},
            contrasts=tuple(Contrast(**vars(one)) for one in keys.contrasts),
            declared=tuple(keys.declared),
            limits=Limits(**vars(keys.limits)),
            history=HistoryPolicy(**vars(keys.history)),
            analysis=Estimation(**vars(keys.analysis)),
        )

    def __post_init__(self) -> None:
        """Check what types cannot. Raises ConfigError naming the field, what was found and what was wanted."""
        check_study(self)
        self.kind.check(self)
        estimands_of(self)

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

    @cached_property
    def records(self) -> tuple[Endpoint, ...]:
        """The contrasted endpoints with all that is declared of them; one is primary. Raises ConfigError."""
        return endpoint_records(self)

    def filled_objective(self, words: Mapping[str, object]) -> str:
        """Return the instruction with its placeholders filled in. Raises ConfigError naming an unknown one."""
        try:
            return self.objective.format(**words).strip()
        except (KeyError, IndexError, ValueError) as error:
            raise ConfigError(f"study.objective: placeholder {error}, wanted one of {', '.join(words)}") from error

    def identity(self) -> JsonObject:
        """Return everything about the study that can change an outcome or an effect: its identity keys, and facts."""
        return {
            **identity_values(self.own),
            "arms": {arm: _arm_identity(one) for arm, one in sorted(self.arms.items())},
            "contrasts": {cohort: [str(one) for one in self.contrasts_for(cohort)] for cohort in self.cohorts},
            "endpoints": list(self.endpoints),
            "endpoint_records": {one.name: one.identity() for one in self.records},
            "estimands": {one.name: asdict(one) for one in estimands_of(self)},
            **({"repeats_serve": self.kind.repeats_serve} if self.repeats > 1 or self.stability_units else {}),
            **self.kind.facts(self),
        }


def _arm_identity(intervention: Intervention) -> dict[str, Any]:
    return {"kind": type(intervention).__name__, "privilege": intervention.privilege, **vars(intervention)}


_SAME_NAMES = (
    "name", "objective", "title", "question", "cohorts", "control", "endpoints", "cluster", "independent", "repeats",
    "stability_units", "seed", "max_units", "only", "panel",
)  # fmt: skip
