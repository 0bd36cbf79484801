"""Whole episodes from the home screen (RQ1): a block per objective; navigation, retry and restart are the agent's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diag.grading.episodes.distances import search_limits
from diag.grading.episodes.grade import ENDPOINTS, grade_episode, solver_tools
from diag.grading.episodes.summary import episode_tables, summary_lines
from diag.reading.episodes import episode_section
from diag.records import Event, Outcome
from diag.records.plan import AVERAGES
from diag.running.episode import play_episode
from diag.starts.home_screens import HOME_SCREENS
from diag.studies.contract import Grade, Rows, StudyKind
from diag.studies.episodes.keys import EpisodeKeys
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import JsonObject
from solvers.registry import certifying_facts


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of episodes over the registered solvers."""
    del study
    tools = solver_tools(levels)

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        return grade_episode(events, tools=tools, plan_hash=plan_hash)

    return graded


def facts(study: Study) -> JsonObject:
    """Return the limits of the searches for regret, and what certifies a dead end."""
    del study
    return {"search_limits": search_limits(), "certifying": certifying_facts()}


def tables(study: Study, rows: Rows) -> Mapping[str, str]:
    """Return the episode summary and the per-objective table."""
    del study
    return episode_tables(rows)


def summary(study: Study, rows: Rows) -> tuple[str, ...]:
    """Return the published measures in words."""
    del study
    return summary_lines(rows)


KIND = StudyKind(
    name="episodes",
    repeats_serve=AVERAGES,
    config=EpisodeKeys,
    starts=HOME_SCREENS,
    attempt=play_episode,
    grader=grader,
    unread=("limits.timely_actions", "limits.timely_s"),
    endpoints=ENDPOINTS,
    unit="episodes",
    facts=facts,
    tables=tables,
    summary=summary,
    sections=(episode_section,),
    commands={
        "episodes": "diag.studies.episodes.command:main",
        "settings": "diag.studies.episodes.settings_command:main",
        "play": "diag.studies.episodes.play_command:main",
    },
)
