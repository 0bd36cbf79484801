"""The study of grid games: a block is a game, its arms are policies, its score is ARC-AGI-3's."""

from __future__ import annotations

from collections.abc import Sequence

from diag.agents.grid.baselines import ACTION_LIMIT, REFERENCE_SLIPS
from diag.agents.grid.solvers import NOTICES, PRACTICE, SLIPPED_LIMIT, STATE_LIMIT
from diag.errors import ConfigError
from diag.records import Unit
from diag.records.plan import AVERAGES
from diag.studies.arc.attempt import attempt
from diag.studies.arc.grade import ENDPOINTS, grader
from diag.studies.arc.keys import ArcKeys, GridPolicyConfig
from diag.studies.arc.policy import GridPolicy
from diag.studies.arc.sections import scorecard_section
from diag.studies.arc.source import DEADLOCK_STATES, GRID_GAMES
from diag.studies.arc.tables import summary, tables
from diag.studies.contract import StudyKind
from diag.studies.study import Study
from games.contract import JsonObject

LOSSES = ("stuck", "deadlock")


def check(study: Study) -> None:
    """Check arms and numbers. Raises ConfigError."""
    keys: ArcKeys = study.own
    for arm, one in study.arms.items():
        if not isinstance(one, GridPolicy):
            raise ConfigError(f"study.arms.{arm} is {one.name}, no policy: wanted one of grid_*")
    if not 1 <= keys.levels_per_game <= 1_000:
        raise ConfigError(f"study.levels_per_game: found {keys.levels_per_game}, wanted at least 1 and at most 1000")
    if not 0 < keys.budget_multiplier <= 1_000:
        raise ConfigError(f"study.budget_multiplier: found {keys.budget_multiplier}, wanted above 0 and at most 1000")
    for word in keys.loss:
        if word not in LOSSES:
            raise ConfigError(f"study.loss: found {word!r}, wanted some of {', '.join(LOSSES)}")


def facts(study: Study) -> JsonObject:
    """Return how the reference players play, which the baselines follow from, and the limits of the searches."""
    del study
    return {
        "reference_slips": list(REFERENCE_SLIPS),
        "reference_action_limit": ACTION_LIMIT,
        "reference_notices": NOTICES,
        "reference_practice": PRACTICE,
        "search_limits": [STATE_LIMIT, SLIPPED_LIMIT, DEADLOCK_STATES],
    }


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return who plays: the agent of the command line does not."""
    policies = ", ".join(f"{arm} {one.name}" for arm, one in sorted(study.arms.items()))
    n_games = len({unit.block_id for unit in units})
    return (
        f"{n_games} games, policies {policies}; the arms play, agent {agent} is never asked",
        "baselines are from scripted reference players: SIMULATED, not comparable with people's",
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
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(scorecard_section,),
    arm_configs={"grid_policy": GridPolicyConfig},
)
