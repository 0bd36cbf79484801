"""Knowledge x workflow (RQ4, protocol 5): whole sessions with or without a rules card and a menu controller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from diag.analysis.estimand import Estimand
from diag.errors import ConfigError
from diag.grading.episodes.distances import search_limits
from diag.grading.episodes.summary import episode_tables
from diag.reading.episodes import episode_section
from diag.reading.markup import Section
from diag.reading.study_files import StudyFiles
from diag.records import Unit
from diag.records.plan import Block
from diag.starts.home_screens import COHORT, HOME_SCREENS, Objectives, objective_blocks
from diag.studies.checks import arms_as
from diag.studies.contract import Rows, StudyKind
from diag.studies.estimands import KINDS, declared
from diag.studies.knowledge_workflow.attempt import attempt
from diag.studies.knowledge_workflow.cards import card_of, carded_games
from diag.studies.knowledge_workflow.cell import Cell
from diag.studies.knowledge_workflow.estimands import workflow_estimands
from diag.studies.knowledge_workflow.grade import ENDPOINTS, grader
from diag.studies.knowledge_workflow.keys import WorkflowKeys
from diag.studies.knowledge_workflow.probes import MATCHER_VERSION
from diag.studies.knowledge_workflow.sections import (
    cells,
    contrasts,
    controllers,
    grader_agreement,
    knowledge,
    knowledge_and_completion,
    over_time,
    rule_by_rule,
)
from diag.studies.knowledge_workflow.tables import cell_lines, cell_tables
from diag.studies.notes import n_blocks_of, panel_note
from diag.studies.study import Study
from games.contract import JsonObject
from solvers.registry import certifying_facts

if TYPE_CHECKING:
    import pandas as pd

RESTART_GAMES = ("bolt_unscrew",)
"""Games whose objectives also have the cells with the restart controller."""


def check(study: Study) -> None:
    """Check arms, cells and probes. Raises ConfigError."""
    keys: WorkflowKeys = study.own
    arms_as(study, Cell, "no cell: wanted one of cell_*")
    if len(keys.cells) != 4 or not set(keys.cells) <= set(study.arms):
        raise ConfigError(f"study.cells: found {list(keys.cells)}, wanted four of {', '.join(sorted(study.arms))}")
    if list(keys.probes_at_s) != sorted(keys.probes_at_s) or (keys.probes_at_s and "{game}" not in keys.probe_question):
        raise ConfigError("study.probes_at_s wants increasing times, and study.probe_question a {game} placeholder")


def blocks(study: Study, source: Objectives) -> tuple[Block, ...]:
    """Return a block per objective; the cells with the restart controller only where it can act."""
    arms: Mapping[str, Any] = study.arms
    plain = tuple(arm for arm in study.arms_of(COHORT) if not arms[arm].restart_dead_ends)
    games = {one.name: one.game for one in source.chosen}
    unknown = sorted(set(games.values()) - set(carded_games()))
    if unknown:
        raise ConfigError(f"study.objectives: no rules card of {unknown[0]!r}")
    return tuple(
        block if games[block.checkpoint_id] in RESTART_GAMES else replace(block, arms=plain)
        for block in objective_blocks(study, source)
    )


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return how many sessions and probes this agent and the whole panel have."""
    n_units = len(units)
    n_probes = n_units * len(study.own.probes_at_s)
    line = f"{n_blocks_of(units)} objectives: {n_units} sessions and {n_probes} probes"
    return (line, *panel_note(agent, study.panel, (n_units,), "sessions"))


def facts(study: Study) -> JsonObject:
    """Return the cards, the version of the matcher, the limits of the searches, and what the controller restarts."""
    cards = {game: card_of(game).text(study.language) for game in carded_games()}
    searched = {"search_limits": search_limits(), "certifying": certifying_facts()}
    return {"matcher": MATCHER_VERSION, "cards": cards, **searched}


def analysis_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the outcome table with the outer level of the bootstrap: objectives are resampled within games."""
    return frame.assign(game=frame["checkpoint_id"].str.split("/").str[0])


def estimands(study: Study) -> tuple[Estimand, ...]:
    """Return Delta_K, Delta_P, main effects and interaction of every endpoint."""
    cells = tuple(study.own.cells)
    return tuple(
        replace(one, **declared(record, COHORT))
        for record in study.records
        for one in workflow_estimands(
            record.name, KINDS[record.kind], cells=cells, cohort=COHORT, group="game", limit=record.limit_s
        )
    )


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the probes for people, rule knowledge by arm and probe, and the contrasts of every objective."""
    return {**episode_tables(rows), **cell_tables(rows, tuple(study.own.cells), tuple(study.endpoints))}


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the contrasts over objectives, rule knowledge, and what the controllers did."""
    return cell_lines(rows, tuple(study.own.cells), tuple(study.endpoints))


def episodes_after_the_effects(files: StudyFiles) -> Section | None:
    """Return the section on whole episodes; the cells, which are the study's question, lead."""
    found = episode_section(files)
    return None if found is None else replace(found, leads=False)


KIND = StudyKind(
    name="knowledge_workflow",
    config=WorkflowKeys,
    starts=replace(HOME_SCREENS, blocks=blocks),
    attempt=attempt,
    grader=grader,
    unread=("contrasts", "limits.timely_actions", "limits.timely_s"),
    endpoints=ENDPOINTS,
    unit="sessions",
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    analysis_frame=analysis_frame,
    estimands=estimands,
    tables=tables,
    summary=summary,
    sections=(
        cells, contrasts, knowledge, over_time, knowledge_and_completion, rule_by_rule, controllers, grader_agreement,
        episodes_after_the_effects,
    ),
    commands={
        "grade-probes": "diag.studies.knowledge_workflow.grade_probes_command:main",
        "agreement": "diag.studies.knowledge_workflow.agreement_command:main",
    },
)  # fmt: skip
