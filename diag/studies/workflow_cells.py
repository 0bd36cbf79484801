"""Knowledge x workflow (RQ4, protocol 5): whole sessions with or without a rules card and a menu controller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from diag.analysis.estimand import Estimand, Kind
from diag.analysis.workflow import CELLS, workflow_estimands
from diag.errors import ConfigError
from diag.interventions.cards import Language, card_of, carded_games
from diag.interventions.cell import Cell
from diag.outcomes.probes import MATCHER_VERSION, GradedProbe, graded_probes
from diag.plan import Block
from diag.records import Event, Outcome
from diag.session.controllers import ADVANCE, ENTRY, RESTART
from diag.session.workflow import Probe
from diag.studies.episodes import EpisodeStudy
from diag.studies.objectives import COHORT, Objectives
from diag.studies.panel import panel_note
from games.contract import JsonObject

if TYPE_CHECKING:
    import pandas as pd

    from games.catalogue import Catalogue

KINDS: Mapping[str, Kind] = dict.fromkeys(("lc", "fgp", "reach", "rules_first", "rules_last"), "proportion")
OWN_ENDPOINTS = (
    "n_actions_model", "n_actions_controller", "n_actions_total", "controller_entries", "controller_advances",
    "controller_restarts", "n_probes", "n_probes_refused", "rules_first", "rules_last", "rules_best",
    "rules_all_correct_s", "won_after_all_correct",
)  # fmt: skip
"""Endpoints beside those of every episode."""
RESTART_GAMES = ("bolt_unscrew",)
"""Games whose objectives also have the cells with the restart controller."""


@dataclass(frozen=True)
class WorkflowStudy(EpisodeStudy):
    """Which objectives, under the four cells, with which probes."""

    cells: Sequence[str] = CELLS
    """Arms in the order K0P0, K0P1, K1P0, K1P1."""
    probes_at_s: Sequence[float] = ()
    """When the rules are asked for, seconds of the episode; those not reached are asked at its end."""
    probe_question: str = ""
    """The probe; {game} is filled in."""
    language: Language = "en"
    """Language of the answers that the matcher reads."""
    panel: Sequence[str] = ()
    """Agents of the whole panel; each runs its own study."""
    cluster: str = "objective"
    control: str = "K0P0"
    endpoints: Sequence[str] = ("lc", "n_actions_model", "n_actions_total")

    def __post_init__(self) -> None:
        """Check arms, cells and probes. Raises ConfigError."""
        super().__post_init__()
        for arm, one in self.arms.items():
            if not isinstance(one, Cell):
                raise ConfigError(f"study.arms.{arm} is {one.name}, no cell: wanted one of cell_*")
        if len(self.cells) != 4 or not set(self.cells) <= set(self.arms):
            raise ConfigError(f"study.cells: found {list(self.cells)}, wanted four of {', '.join(sorted(self.arms))}")
        if list(self.probes_at_s) != sorted(self.probes_at_s) or (
            self.probes_at_s and "{game}" not in self.probe_question
        ):
            raise ConfigError("study.probes_at_s wants increasing times, and study.probe_question a {game} placeholder")

    def endpoint_names(self) -> tuple[str, ...]:
        """Return the endpoints of episode grading, of the controllers' share and of the probes."""
        from diag.outcomes.episodes.grade import ENDPOINTS

        return (*ENDPOINTS, *OWN_ENDPOINTS)

    def executor(self) -> Callable[..., Any]:
        """Return the executor with controllers and probes."""
        from diag.execution.workflow_cells import WorkflowExecutor

        return WorkflowExecutor

    def blocks(self, library: Objectives) -> tuple[Block, ...]:
        """Return a block per objective; the cells with the restart controller only where it can act."""
        cells: Mapping[str, Any] = self.arms
        plain = tuple(arm for arm in self.arms_of(COHORT) if not cells[arm].restart_dead_ends)
        games = {one.name: one.game for one in library.chosen}
        unknown = sorted(set(games.values()) - set(carded_games()))
        if unknown:
            raise ConfigError(f"study.objectives: no rules card of {unknown[0]!r}")
        return tuple(
            block if games[block.checkpoint_id] in RESTART_GAMES else replace(block, arms=plain)
            for block in super().blocks(library)
        )

    def probes(self, title: str) -> tuple[Probe, ...]:
        """Return the probes of one session."""
        question = self.probe_question.format(game=title).strip()
        return tuple(Probe(at_s, question, f"rules_{place}") for place, at_s in enumerate(self.probes_at_s, start=1))

    def plan_notes(self, agent: str, n_blocks: int, n_units: int) -> tuple[str, ...]:
        """Return how many sessions and probes this agent and the whole panel have."""
        n_probes = n_units * len(self.probes_at_s)
        line = f"{n_blocks} objectives: {n_units} sessions and {n_probes} probes"
        return (line, *panel_note(agent, self.panel, (n_units,), "sessions"))

    def grader(self, levels: Catalogue) -> Callable[[Sequence[Event], str], Outcome]:
        """Return the episode grading with the controllers' share and the probes."""
        grade, language = super().grader(levels), self.language

        def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
            outcome = grade(events, plan_hash)
            if outcome.validity != "valid":
                return outcome
            game = str(events[0].data["objective"][0]).split("/", maxsplit=1)[0]
            probes = graded_probes(events, game, language)
            return replace(
                outcome,
                endpoints={
                    **outcome.endpoints,
                    **_controller_counts(events, outcome.n_actions),
                    **_knowledge(probes, outcome.details["levels"]),
                },
                details={**outcome.details, "probes": [vars(probe) for probe in probes], "game": game},
            )

        return graded

    def analysis_frame(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the outcome table with the outer level of the bootstrap: objectives are resampled within games."""
        return frame.assign(game=frame["checkpoint_id"].str.split("/").str[0])

    def own_estimands(self, frame: pd.DataFrame) -> tuple[Estimand, ...]:
        """Return Delta_K, Delta_P, main effects and interaction of every endpoint that the sessions have.

        Raises:
            ConfigError: an endpoint is no column of the outcome table.
        """
        found: list[Estimand] = []
        for endpoint in self.endpoints:
            if endpoint not in frame.columns:
                raise ConfigError(f"study.endpoints: found {endpoint!r}, which is no column of the outcome table")
            if frame[endpoint].isna().all():
                continue
            kind: Kind = "binary" if str(frame[endpoint].dtype) == "boolean" else KINDS.get(endpoint, "count")
            found += workflow_estimands(
                endpoint, kind, cells=tuple(self.cells), cohort=COHORT, group="game", family=f"{COHORT} {endpoint}"
            )
        return tuple(found)

    def identity(self) -> JsonObject:
        """Return everything that can change an outcome, the cards and the matcher included."""
        games = carded_games()
        return {
            **super().identity(),
            "cells": list(self.cells),
            "probes_at_s": list(self.probes_at_s),
            "probe_question": self.probe_question,
            "matcher": MATCHER_VERSION,
            "cards": {game: card_of(game).text(self.language) for game in games},
        }

    def own_tables(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
        """Return the probes for people, rule knowledge by arm and probe, and the contrasts of every objective."""
        from diag.analysis.cells import cell_tables

        return {**super().own_tables(rows), **cell_tables(rows, tuple(self.cells), tuple(self.endpoints))}

    def summary_lines(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the contrasts over objectives, rule knowledge, and what the controllers did."""
        from diag.analysis.cells import cell_lines

        return cell_lines(rows, tuple(self.cells), tuple(self.endpoints))


def _controller_counts(events: Sequence[Event], n_actions: int) -> dict[str, Any]:
    done = [str(event.data.get("what")) for event in events if event.kind == "controller"]
    return {
        "n_actions_model": n_actions,
        "n_actions_controller": len(done),
        "n_actions_total": n_actions + len(done),
        "controller_entries": done.count(ENTRY),
        "controller_advances": done.count(ADVANCE),
        "controller_restarts": done.count(RESTART),
    }


def _knowledge(probes: Sequence[GradedProbe], levels: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = next((one for one in probes if all(one.rules.values())), None)
    return {
        "n_probes": len(probes),
        "n_probes_refused": sum(one.status == "refused" for one in probes),
        "rules_first": probes[0].share if probes else None,
        "rules_last": probes[-1].share if probes else None,
        "rules_best": max((one.share for one in probes), default=None),
        "rules_all_correct_s": None if first is None else first.clock_s,
        "won_after_all_correct": None
        if first is None
        else any((one["won_s"] or 0.0) > first.clock_s for one in levels),
    }
