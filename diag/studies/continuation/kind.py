"""The continuation study (EnvTraverse): stop, report, be resumed. docs/studies/continuation.md."""

from __future__ import annotations

from collections.abc import Sequence

from diag.agents.grid.baselines import ACTION_LIMIT, REFERENCE_SLIPS
from diag.arms.tokens import TOKENS_VERSION
from diag.errors import ConfigError
from diag.records import Unit
from diag.records.plan import AVERAGES
from diag.studies.checks import arms_as, require_english
from diag.studies.continuation import controller, description, model, prompts, scores
from diag.studies.continuation.attempt import attempt
from diag.studies.continuation.condition import SETTINGS, Condition
from diag.studies.continuation.grade import ENDPOINTS, grader
from diag.studies.continuation.keys import ConditionConfig, ContinuationKeys
from diag.studies.continuation.levels import DEADLOCK_STATES
from diag.studies.continuation.sections import condition_section, contrast_section, return_section
from diag.studies.continuation.starts import TARGETS
from diag.studies.continuation.tables import summary, tables
from diag.studies.contract import StudyKind
from diag.studies.study import Study
from games.contract import JsonObject
from games.digest import sha256_of

LOSSES = ("stuck", "deadlock")


def check(study: Study) -> None:
    """Check arms and numbers. Raises ConfigError."""
    keys: ContinuationKeys = study.own
    arms = arms_as(study, Condition, "no condition of continuation: wanted one of continue_*")
    kinds = [one.kind for one in arms.values()]
    if len(set(kinds)) != len(kinds):
        raise ConfigError(f"study.arms: found {', '.join(kinds)}, wanted every kind of condition once")
    require_english(study, "the conditions are English sentences")
    _check_numbers(keys)
    for setting in study.cohorts:
        if setting not in SETTINGS:
            raise ConfigError(f"study.cohorts: found {setting!r}, wanted some of {', '.join(SETTINGS)}")


def _check_numbers(keys: ContinuationKeys) -> None:
    if not 1 <= keys.tutorials <= 100:
        raise ConfigError(f"study.tutorials: found {keys.tutorials}, wanted from 1 to 100")
    if not 0 < keys.budget_multiplier <= 1_000:
        raise ConfigError(f"study.budget_multiplier: found {keys.budget_multiplier}, wanted above 0 and at most 1000")
    if not 1 <= keys.cap <= 1.15:
        raise ConfigError(f"study.cap: found {keys.cap}, wanted from 1 to 1.15")
    if keys.x1 not in ("hard", "soft"):
        raise ConfigError(f"study.x1: found {keys.x1!r}, wanted hard or soft")
    if keys.validity not in ("attempt", "collection"):
        raise ConfigError(f"study.validity: found {keys.validity!r}, wanted attempt or collection")
    for word in keys.loss:
        if word not in LOSSES:
            raise ConfigError(f"study.loss: found {word!r}, wanted some of {', '.join(LOSSES)}")


def whole(study: Study, unit: Unit) -> str:
    """Return the collection of a unit, if the study is valid by whole collections."""
    return f"{unit.cohort}-{unit.arm}-r{unit.repeat}" if study.own.validity == "collection" else ""


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return what a technical failure costs, where that is more than the attempt."""
    del agent
    names = {whole(study, unit) for unit in units} - {""}
    return (f"validity by whole collections: {len(names)}; a failure discards all of one",) if names else ()


def facts(study: Study) -> JsonObject:
    """Return the digest of every word that is said, what counts tokens, the factors, and the limits of searches."""
    del study
    said = [prompts.MAIN, prompts.REMINDER, prompts.STUCK, prompts.RESET_NOTICE, prompts.ANALYSE, prompts.TROUBLE]
    said += [prompts.BASELINE, prompts.STOP_AND_REPORT, prompts.CONTROLLED_RESET, prompts.TEXTUAL]
    said += [model.SYSTEM, description.GENERAL, description.WORDS, description.MAZE_SURFACE]
    return {
        "words": sha256_of(said),
        "token": TOKENS_VERSION,
        "factors": list(scores.FACTORS),
        "trouble_steps": controller.TROUBLE_STEPS,
        "most_returns": controller.MOST_RETURNS,
        "deadlock_states": DEADLOCK_STATES,
        "reference_players": [list(REFERENCE_SLIPS), ACTION_LIMIT],
    }


EVENTS = {
    "continuation.prompt": "What the agent was sent, and at which step",
    "continuation.return": "What it said as it returned, whether it had moved since, and what it used",
}
"""Kind of event -> what it tells."""

KIND = StudyKind(
    repeats_serve=AVERAGES,
    name="continuation",
    config=ContinuationKeys,
    starts=TARGETS,
    attempt=attempt,
    grader=grader,
    unread=("limits.timely_actions", "limits.timely_s", "limits.actions"),
    endpoints=ENDPOINTS,
    events=EVENTS,
    unit="runs",
    shows_screen=False,
    check=check,
    facts=facts,
    whole=whole,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(condition_section, contrast_section, return_section),
    arm_configs={"continuation_condition": ConditionConfig},
)
