"""The playtest study (Play2Code, PlaytestArena): does playing a build, and remembering, help to repair it?"""

from __future__ import annotations

from collections.abc import Sequence

from diag.errors import ConfigError
from diag.records import Unit
from diag.records.plan import AVERAGES
from diag.studies.checks import arms_as, require_english
from diag.studies.contract import StudyKind
from diag.studies.playtest import findings, prompts
from diag.studies.playtest.attempt import attempt
from diag.studies.playtest.builds.bundle import GAMES
from diag.studies.playtest.condition import Condition
from diag.studies.playtest.grade import ENDPOINTS, grader
from diag.studies.playtest.keys import PlaytestKeys
from diag.studies.playtest.rubrics import rubric_of
from diag.studies.playtest.sections import arms_in_numbers, judges_agree, rounds_side_by_side
from diag.studies.playtest.starts import TASKS, check_tasks
from diag.studies.playtest.tables import summary, tables
from diag.studies.playtest.trials import trials_of
from diag.studies.playtest.workshop import TOOLS
from diag.studies.study import Study
from games.contract import JsonObject
from games.digest import sha256_of


def check(study: Study) -> None:
    """Check arms and numbers. Raises ConfigError naming the value found and those wanted."""
    arms_as(study, Condition, "no condition of playtest: wanted one of playtest_*")
    require_english(study, "rubrics and builds are in English only")
    keys: PlaytestKeys = study.own
    if not 0 < keys.judge_limit_s < float("inf"):
        raise ConfigError(f"study.judge_limit_s: found {keys.judge_limit_s}, wanted seconds above 0")
    for name in ("code_calls", "play_actions"):
        if getattr(keys, name) < 1:
            raise ConfigError(f"study.{name}: found {getattr(keys, name)}, wanted 1 or more")
    check_tasks(study)


def facts(study: Study) -> JsonObject:
    """Return digests of the rubrics and of what the scripted playtester tries, and the version of the matching."""
    del study
    return {
        "rubrics": sha256_of([repr(rubric_of(game)) for game in GAMES]),
        "trials": sha256_of([repr(trials_of(game)) for game in GAMES]),
        "findings": findings.VERSION,
        "requests": sha256_of([*prompts.TEXTS, repr(TOOLS)]),
    }


def plan_notes(study: Study, agent: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return how the tasks hang together."""
    del agent
    n_orders, keys = len({unit.block_id.partition("-")[0] for unit in units}), study.own
    chained = ", ".join(arm for arm, one in sorted(study.arms.items()) if carries(one)) or "none"
    return (
        f"{n_orders} orders of tasks, at most {keys.rounds} rounds a task, {keys.defects} seeded defects a build",
        f"arms that remember from task to task: {chained}; each task of theirs waits for the one before it",
    )


def carries(arm: object) -> bool:
    """Tell whether an arm remembers from task to task."""
    return isinstance(arm, Condition) and arm.carries


EVENTS = {
    "playtest.code": "What the game agent made of the build in a round",
    "playtest.play": "The playtester's session and report",
    "playtest.remember": "What was written into memory",
    "playtest.judge": "Verdicts on a build, criterion by criterion",
    "playtest.round": "The end of a round, and whether the task is over",
}
"""Kind of event -> what it tells."""

KIND = StudyKind(
    repeats_serve=AVERAGES,
    name="playtest",
    config=PlaytestKeys,
    starts=TASKS,
    attempt=attempt,
    grader=grader,
    endpoints=ENDPOINTS,
    events=EVENTS,
    unit="tasks",
    unread=(
        "limits.actions", "limits.invalid_decisions_in_a_row", "limits.timely_actions", "limits.timely_s",
    ),
    check=check,
    facts=facts,
    plan_notes=plan_notes,
    tables=tables,
    summary=summary,
    sections=(arms_in_numbers, rounds_side_by_side, judges_agree),
)  # fmt: skip
