"""The clue-memory study (FlashAdventure): does a memory of seek, map and solve bridge the gap from seeing to using?"""

from __future__ import annotations

from collections.abc import Sequence

from diag.arms.tokens import TOKENS_VERSION
from diag.errors import ConfigError
from diag.records import Event, Outcome
from diag.records.plan import AVERAGES
from diag.studies.checks import arms_as, require_english
from diag.studies.clue_memory import prompts
from diag.studies.clue_memory.attempt import attempt
from diag.studies.clue_memory.condition import Condition
from diag.studies.clue_memory.cycle import Budgets
from diag.studies.clue_memory.grade import ENDPOINTS, grade_play
from diag.studies.clue_memory.keys import ClueKeys
from diag.studies.clue_memory.sections import clue_timelines, gap_spread, judge_agreement
from diag.studies.clue_memory.starts import CLUE_LEVELS, clue_catalogue
from diag.studies.clue_memory.tables import summary, tables
from diag.studies.contract import Grade, StudyKind
from diag.studies.study import Study
from games.catalogue import Catalogue
from games.contract import JsonObject
from games.digest import sha256_of


def check(study: Study) -> None:
    """Check arms and budgets. Raises ConfigError naming the value found and those wanted."""
    arms_as(study, Condition, "no condition of clue memory: wanted one of clue_*")
    require_english(study, "clue memory asks its agents in English only")
    keys: ClueKeys = study.own
    try:
        Budgets(keys.budget, keys.seek, keys.solve, keys.mappings)
    except ValueError as error:
        raise ConfigError(f"study.budget, seek, solve, mappings: {error}") from error
    if keys.memory_tokens < 1 or keys.judge_actions < 0:
        raise ConfigError(
            f"study.memory_tokens is from 1 and judge_actions from 0, found {keys.memory_tokens}, {keys.judge_actions}"
        )


def grader(study: Study, levels: Catalogue) -> Grade:
    """Return the grading over the pack that is played."""
    del study
    held = clue_catalogue(levels)

    def graded(events: Sequence[Event], plan_hash: str) -> Outcome:
        return grade_play(events, held, plan_hash)

    return graded


def facts(study: Study) -> JsonObject:
    """Return what counts tokens, and the digest of every request."""
    del study
    texts = [prompts.SEEK, prompts.DONE, prompts.SOLVE, prompts.MAP, prompts.NOTES, prompts.JUDGE]
    return {"token": TOKENS_VERSION, "requests": sha256_of(texts)}


EVENTS = {
    "clue_memory.memory": "The three memories of COAST, anew after each change",
    "clue_memory.notes": "Free notes, anew after each change",
    "clue_memory.map": "Clues mapped to tasks",
    "clue_memory.result": "What became of a mapped task",
    "clue_memory.malformed": "An answer that could not be read",
    "clue_memory.judge": "The judge's verdict on each milestone",
}
"""Kind of event -> what it tells."""

KIND = StudyKind(
    name="clue_memory",
    repeats_serve=AVERAGES,
    config=ClueKeys,
    starts=CLUE_LEVELS,
    attempt=attempt,
    grader=grader,
    unread=("limits.timely_actions", "limits.timely_s"),
    endpoints=ENDPOINTS,
    events=EVENTS,
    unit="plays",
    check=check,
    facts=facts,
    tables=tables,
    summary=summary,
    sections=(clue_timelines, gap_spread, judge_agreement),
)
