"""The world-model study (Tycho): does an agent that writes and checks an executable model of its game play better?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from diag.errors import ConfigError
from diag.reading.scorecard import scorecard_section
from diag.records import Unit
from diag.records.plan import AVERAGES
from diag.starts.grid_games import GRID_GAMES, check_grid_keys, reference_facts
from diag.studies.checks import arms_as, require_english
from diag.studies.contract import Grade, StudyKind
from diag.studies.study import Study
from diag.studies.world_model import prompts
from diag.studies.world_model.attempt import attempt
from diag.studies.world_model.builders import FAULT_EVERY, GOAL_EVERY
from diag.studies.world_model.condition import Condition
from diag.studies.world_model.desk import LONGEST_SHOWN
from diag.studies.world_model.grade import ENDPOINTS, grade_model_play
from diag.studies.world_model.keys import ConditionConfig, WorldModelKeys
from diag.studies.world_model.sections import (
    budget_section,
    condition_section,
    divergence_section,
    plan_section,
    turn_section,
)
from diag.studies.world_model.tables import summary, tables
from games.catalogue import Catalogue
from games.contract import JsonObject
from games.digest import sha256_of


def check(study: Study) -> None:
    """Check arms, budgets and limits. Raises ConfigError naming the value found and those wanted."""
    arms = arms_as(study, Condition, "no condition of world models: wanted one of model_*")
    require_english(study, "world models are asked for in English only")
    keys: WorldModelKeys = study.own
    check_grid_keys(keys)
    given = [arm for arm, one in arms.items() if one.policy == "given"]
    if given and keys.env != "suite":
        raise ConfigError(
            f"study.env: found {keys.env}, wanted suite: the model of {', '.join(given)} is of the suite's games"
        )
    for name in ("calls", "tokens", "tool_steps", "builder_steps", "plan_states", "memory_mb", "context_characters"):
        if getattr(keys, name) < 1:
            raise ConfigError(f"study.{name}: found {getattr(keys, name)}, wanted at least 1")
    for name in ("builder_calls", "kept_grids"):
        if getattr(keys, name) < 0:
            raise ConfigError(f"study.{name}: found {getattr(keys, name)}, wanted at least 0")
    if not 0 < keys.call_s <= keys.run_s <= 3_600:
        found = f"{keys.call_s} and {keys.run_s}"
        raise ConfigError(f"study.call_s and run_s: found {found}, wanted 0 < call_s <= run_s <= 3600")
    for share in keys.curve:
        if not 0 < share <= 1:
            raise ConfigError(f"study.curve: found {share}, wanted shares above 0 and at most 1")


def facts(study: Study) -> JsonObject:
    """Return what the baselines follow from, and what agents are told, offered and shown."""
    del study
    tools = [asdict(one) for one in prompts.ALL]
    return {
        **reference_facts(),
        "prompts": sha256_of([*prompts.TEXTS, tools]),
        "shown": LONGEST_SHOWN,
        "faults": [FAULT_EVERY, GOAL_EVERY],
    }


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading of a play; it needs nothing but the log."""
    del study, levels
    return grade_model_play


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return the budgets, and whose baselines they are."""
    keys: WorldModelKeys = study.own
    return (
        f"every play: at most {keys.calls} calls and {keys.tokens} tokens of {agent}, actor and builder together",
        "baselines are from scripted reference players: SIMULATED, not comparable with people's",
    )


EVENTS = {
    "world_model.step": "One answer of actor or builder: its words, tools and cost",
    "world_model.model": "A version of the model that was written",
    "world_model.verify": "How a version did against the evidence",
    "world_model.plan": "A plan that was looked for",
    "world_model.hint": "The action that a plan recommended, and the one taken",
    "world_model.pause": "Why a plan was left",
    "world_model.prediction": "What the version in use foretold of an action, and what came",
    "world_model.builder": "Why the builder was called",
    "world_model.files": "The agent's files at a level's end",
    "world_model.final": "The last version against all evidence",
}
"""Kind of event -> what it tells."""

KIND = StudyKind(
    repeats_serve=AVERAGES,
    name="world_model",
    config=WorldModelKeys,
    starts=GRID_GAMES,
    attempt=attempt,
    grader=grader,
    endpoints=ENDPOINTS,
    events=EVENTS,
    unit="plays",
    shows_screen=False,
    unread=("limits.timely_actions", "limits.timely_s"),
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(
        scorecard_section, condition_section, budget_section, turn_section, divergence_section, plan_section,
    ),
    arm_configs={"model_condition": ConditionConfig},
)  # fmt: skip
