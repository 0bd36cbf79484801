"""The study of grid games: a block is a game, its arms are policies, its score is ARC-AGI-3's."""

from __future__ import annotations

from collections.abc import Sequence

from diag.agents.grid.model import SENT, model_facts
from diag.errors import ConfigError
from diag.grading.grid_plays import ENDPOINTS, grade_play
from diag.reading.scorecard import scorecard_section
from diag.records import Unit
from diag.records.plan import AVERAGES
from diag.starts.grid_games import GRID_GAMES, baseline_note, check_grid_keys, loss_note, reference_facts
from diag.studies.arc.attempt import attempt
from diag.studies.arc.keys import ArcKeys, GridPolicyConfig
from diag.studies.arc.policy import AGENT, GridPolicy
from diag.studies.checks import arms_as
from diag.studies.contract import Grade, StudyKind
from diag.studies.scorecard import summary, tables
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import JsonObject


def check(study: Study) -> None:
    """Check arms and numbers. Raises ConfigError."""
    check_grid_keys(study.own)
    for arm, one in arms_as(study, GridPolicy, "no policy: wanted one of grid_*").items():
        if study.own.env == "arc" and one.privilege != "none":
            raise ConfigError(
                f"study.arms.{arm}: {one.name} reads the rules state, which games of a folder do not have; wanted a "
                "player of frames, as env=arc has them"
            )


def facts(study: Study) -> JsonObject:
    """Return what the baselines follow from, and, where a model plays, what it is told and how much it keeps."""
    asks = any(getattr(one, "player", "") == AGENT for one in study.arms.values())
    return {**reference_facts(), **(model_facts() if asks else {})}


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of a play; it needs nothing but the log."""
    del study, levels
    return grade_play


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return who plays: the agent of the command line in the arms that ask it, and in no other."""
    policies = ", ".join(f"{arm} {one.name}" for arm, one in sorted(study.arms.items()))
    asking = [arm for arm, one in sorted(study.arms.items()) if getattr(one, "player", "") == AGENT]
    asked = f"arms {', '.join(asking)} ask agent {agent}" if asking else f"the arms play, agent {agent} is never asked"
    n_games = len({unit.block_id for unit in units})
    return (
        loss_note(study.own),
        f"{n_games} games, policies {policies}; {asked}",
        baseline_note(study.own),
        *((f"a model is asked once an action and sent {SENT}",) if asking else ()),
    )


KIND = StudyKind(
    name="arc",
    repeats_serve=AVERAGES,
    config=ArcKeys,
    starts=GRID_GAMES,
    attempt=attempt,
    grader=grader,
    endpoints=ENDPOINTS,
    unit="plays",
    shows_screen=False,
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(scorecard_section,),
    arm_configs={"grid_policy": GridPolicyConfig},
)
