"""What a kind of study is: a value made of parts. One room below `diag/studies/` exports one, called `KIND`.

The core asks a study nothing but what stands here, and knows no kind by name. Parts are values or functions of a module
(so that a study can be sent to a worker process); every function takes the study first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from diag.analysis.endpoint import Endpoint
from diag.analysis.estimand import Estimand
from diag.reading.markup import Section
from diag.reading.study_files import StudyFiles
from diag.records import Event, Outcome, Unit
from diag.records.plan import STABILITY
from diag.running.executor import Work
from diag.starts.contract import Starts
from games.catalogue import Catalogue
from games.contract import JsonObject

if TYPE_CHECKING:
    import pandas as pd

    from diag.studies.study import Study

Grade = Callable[[Sequence[Event], str], Outcome]
"""(events, plan hash) -> outcome: pure and offline."""
Rows = Sequence[Mapping[str, Any]]
"""One per primary unit with a valid attempt, in plan order: its row of the outcome table, and `details`."""
Show = Callable[[StudyFiles], Section | None]
"""A section of the report; None where the study has nothing for it."""


def accept(study: Study) -> None:
    """Refuse nothing: for kinds whose keys are checked by their types."""
    del study


def no_facts(study: Study) -> JsonObject:
    """Return nothing beside the keys."""
    del study
    return {}


def no_shift(study: Study, agent: str) -> int:
    """Begin the order of the arms where it begins for every agent."""
    del study, agent
    return 0


def by_attempt(study: Study, unit: Unit) -> str:
    """Let each unit's own attempts decide whether it is valid."""
    del study, unit
    return ""


def no_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Add no line to the printed plan."""
    del study, agent, units
    return ()


def as_it_is(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the outcome table unchanged."""
    return frame


def no_tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Add no table."""
    del study, rows
    return {}


def no_lines(study: Study, rows: Rows) -> tuple[str, ...]:
    """Add no line to the analysis."""
    del study, rows
    return ()


@dataclass(frozen=True)
class StudyKind:
    """One kind of study. `name` enters the identity of every plan and never changes; names of classes do not."""

    name: str
    config: type[Any]
    """The keys, a subclass of `diag.config.study.StudyConfig`; each has a role and a default, and identity and the
    reference page derive from them. `study.own` holds the values."""
    starts: Starts
    """What blocks are made of."""
    attempt: Callable[[Work], None]
    """Runs one attempt and writes its whole log. Raises InfrastructureFailure."""
    grader: Callable[[Study, Catalogue], Grade]
    """Makes the pure function that grades a finished log."""
    endpoints: tuple[Endpoint, ...]
    """Every endpoint that `grader` gives, in the order of the outcome table."""
    unit: str = "continuations"
    """What units are called, in the plural."""
    shows_screen: bool = True
    """Agents are shown the suite's screen; False: something else, so a model can play without a browser."""
    any_world: bool = False
    """It needs states, pictures and gestures alone, so it can be played outside the suite, where no rules are known."""
    unread: tuple[str, ...] = ()
    """Keys of every study that this kind does not read (`limits.timely_s`); setting one is refused, never ignored."""
    check: Callable[[Study], None] = accept
    """Raises ConfigError for settings that types cannot refuse."""
    facts: Callable[[Study], JsonObject] = no_facts
    """What else can change an outcome and is no key: versions of matchers, texts of cards."""
    first_place: Callable[[Study, str], int] = no_shift
    """(study, agent) -> by how many places the order of the arms is turned."""
    whole: Callable[[Study, Unit], str] = by_attempt
    """(study, unit) -> the evaluation unit that a technical failure discards as a whole; empty: validity by attempt."""
    plan_notes: Callable[[Study, str, Sequence[Unit]], tuple[str, ...]] = no_notes
    """(study, agent, planned units) -> lines that the printed plan adds."""
    analysis_frame: Callable[[pd.DataFrame], pd.DataFrame] = as_it_is
    """The outcome table as the estimands read it; a study may add columns."""
    repeats_serve: str = STABILITY
    """What further repeats of a cell serve: stability alone, or, in a design of replicates, its mean (`AVERAGES`)."""
    ending: tuple[str, ...] = ("ending",)
    """The columns of the outcome table that together tell how a unit ended, for the stability of repeats."""
    estimands: Callable[[Study], tuple[Estimand, ...]] | None = None
    """What is estimated; None for cohort x contrast x endpoint. Power is worked out from the same."""
    tables: Callable[[Study, Rows], Mapping[str, str]] = no_tables
    """The study's own tables, file name below `tables/` to text."""
    summary: Callable[[Study, Rows], tuple[str, ...]] = no_lines
    """What the analysis prints of them."""
    sections: tuple[Show, ...] = ()
    """What the report shows of the study's own question, before what all studies share."""
    events: Mapping[str, str] = field(default_factory=dict)
    """Events of this kind alone, `room.word` -> a sentence (those of every kind: `diag.records.events`)."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Commands of this kind alone: word -> `module:function`."""
    arm_configs: Mapping[str, type[Any]] = field(default_factory=dict)
    """Schemas of its arms: name in the config group `intervention` -> keys."""

    def endpoint(self, name: str) -> Endpoint | None:
        """Return the declared endpoint of that name."""
        return next((one for one in self.endpoints if one.name == name), None)
