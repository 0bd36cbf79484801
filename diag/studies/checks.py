"""What the parts of a study must be to each other; checked when it is made, before anything is planned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, get_args

from checkpoints.store import Cohort
from diag.arms.text import ANY_COHORT
from diag.config.roles import identity_values
from diag.errors import ConfigError
from diag.records.plan import AVERAGES, Block
from diag.starts.contract import Source
from diag.starts.home_screens import COHORT as EPISODES

if TYPE_CHECKING:
    from diag.studies.study import Study

ArmT = TypeVar("ArmT")

LONGEST_NAME = 120
"""Characters of a study's name, which becomes a folder."""
_ARM = re.compile(r"\w+", re.ASCII)
COUNTED = ("elapsed_s", "n_actions", "n_invalid_actions")
"""Columns that every outcome table has and that a study may contrast."""
MEMBERS = ("name", "privilege", "covers(cohort)", "apply(context, cohort)")
"""What an arm must have (`diag.arms.contract.Intervention`)."""


def check_study(study: Study) -> None:
    """Check what types cannot. Raises ConfigError naming the field, what was found and what was wanted."""
    _refuse_unread(study)
    _check_words(study)
    _check_arms(study)
    _check_contrasts(study)
    _check_endpoints(study)
    if not study.cohorts:
        raise ConfigError("study.cohorts is empty; wanted at least one cohort")
    refuse_twice("study.cohorts", study.cohorts)
    _check_coverage(study)
    known = tuple(study.kind.starts.clusters)
    if study.cluster not in known:
        raise ConfigError(f"study.cluster: found {study.cluster!r}, wanted one of {', '.join(known)}")
    refuse_twice("study.only", study.only)
    if study.repeats < 1 or (study.max_units is not None and study.max_units < 1):
        raise ConfigError(f"study.repeats and max_units are from 1, found {study.repeats} and {study.max_units}")
    if study.stability_units and study.kind.repeats_serve == AVERAGES:
        raise ConfigError(
            f"study.stability_units: found {study.stability_units}, wanted 0: repeats of {study.kind.name} are averaged"
        )


def arms_as(study: Study, kind: type[ArmT], otherwise: str) -> dict[str, ArmT]:
    """Return the arms by letter, all of one class. Raises ConfigError saying of any other what it is `otherwise`."""
    found: dict[str, ArmT] = {}
    for arm, one in study.arms.items():
        if not isinstance(one, kind):
            raise ConfigError(f"study.arms.{arm} is {one.name}, {otherwise}")
        found[arm] = one
    return found


def require_english(study: Study, why: str) -> None:
    """Refuse another language of the suite. Raises ConfigError."""
    if study.language != "en":
        raise ConfigError(f"suite.language: found {study.language}, wanted en: {why}")


def require_all_used(study: Study, blocks: Sequence[Block]) -> None:
    """Refuse a cohort that no block is of. Raises ConfigError naming found and wanted."""
    if not blocks:
        raise ConfigError("the study has no block: found no start that an arm covers, wanted at least one")
    held = dict.fromkeys(block.cohort for block in blocks)
    for cohort in study.cohorts:
        if cohort not in held:
            raise ConfigError(
                f"study.cohorts: found {cohort!r}, which no block is of; wanted some of {', '.join(held)}"
            )


def require_said_twice(study: Study, blocks: Sequence[Block], source: Source) -> None:
    """Refuse a unit of independence finer than the design's own, unless `study.independent` says it again.

    Raises:
        ConfigError: it is finer and said once, or said twice without being finer.
    """
    own, asked = _own_cluster(study), study.independent
    cluster_of = study.kind.starts.clusters[own]
    design = {block.block_id: str(cluster_of(source.checkpoint(block.checkpoint_id))) for block in blocks}
    parts: dict[str, set[str]] = {}
    for block in blocks:
        parts.setdefault(design[block.block_id], set()).add(block.cluster)
    finer = any(len(found) > 1 for found in parts.values())
    if asked and (asked != study.cluster or not finer):
        raise ConfigError(
            f"study.independent: found {asked!r}; wanted nothing, or study.cluster ({study.cluster}) said again where "
            f"it is finer than the design's {own}"
        )
    if finer and not asked:
        n_clusters = len({block.cluster for block in blocks})
        raise ConfigError(
            f"study.cluster: found {study.cluster!r}, which takes {n_clusters} as independent where the design has "
            f"{len(parts)} ({own}) and makes every p too small; wanted {own}, or study.independent={study.cluster} as "
            "well, which marks every number"
        )


def _own_cluster(study: Study) -> str:
    """Return the design's own unit of independence: what the kind declares, else the first of its clusters."""
    declared, known = study.kind.config().cluster, study.kind.starts.clusters
    return declared if declared in known else next(iter(known))


def told_to_nobody(study: Study, blocks: Sequence[Block]) -> tuple[str, ...]:
    """Return a line per arm and per sentence that no unit meets.

    A kind may give an arm no block by its own rule: a controller of dead ends has nothing to do where there are none.
    """
    used = {arm for block in blocks for arm in block.arms}
    return (
        *(f"arm {arm} is in no block of this selection" for arm in sorted(study.arms) if arm not in used),
        *(
            f"arm {arm}: its sentence for {cohort} is told to nobody; the study has no such cohort"
            for arm in sorted(study.arms)
            for cohort in unused_sentences(study, arm)
        ),
    )


def unused_sentences(study: Study, arm: str) -> tuple[str, ...]:
    """Return the cohorts of an arm's sentences that are neither the study's nor any design's: nobody will be told."""
    known = (*study.cohorts, *get_args(Cohort), EPISODES, ANY_COHORT)
    return tuple(cohort for cohort in getattr(study.arms[arm], "sentences", {}) if cohort not in known)


def _check_coverage(study: Study) -> None:
    """Refuse an arm without a cohort, a cohort without an arm, and a contrast whose arms never meet."""
    cohorts = ", ".join(study.cohorts)
    for arm, one in sorted(study.arms.items()):
        left_out = [cohort for cohort in study.cohorts if not one.covers(cohort)]
        spoken, unused = getattr(one, "sentences", {}), unused_sentences(study, arm)
        if len(left_out) == len(study.cohorts):
            has = f" (it has sentences for {', '.join(spoken)})" if spoken else ""
            raise ConfigError(
                f"study.arms.{arm}: {one.name} covers none of {cohorts}{has}; wanted at least one of them; "
                f"~study.arms.{arm} leaves the arm out"
            )
        for name in unused:
            meant = [cohort for cohort in left_out if get_close_matches(name.lower(), [cohort.lower()], cutoff=0.6)]
            if meant:
                raise ConfigError(
                    f"study.arms.{arm}: {one.name} has a sentence for {name!r}, which is no cohort of the study, and "
                    f"none for {meant[0]}; wanted one of {cohorts}; ~study.arms.{arm}.sentences.{name} leaves it out"
                )
    for cohort in study.cohorts:
        if not study.arms_of(cohort):
            raise ConfigError(f"study.cohorts: found {cohort!r}, which no arm covers; wanted an arm that does")
    for contrast in study.contrasts:
        if not any({contrast.treatment, contrast.control} <= set(study.arms_of(cohort)) for cohort in study.cohorts):
            raise ConfigError(
                f"study.contrasts: found {contrast}, whose arms share no cohort of {cohorts}; wanted two arms of one"
            )


def _refuse_unread(study: Study) -> None:
    """Refuse a value for a key that every study has and this kind does not read."""
    as_declared = study.kind.config()
    for key in study.kind.unread:
        found, wanted = attrgetter(key)(study.own), attrgetter(key)(as_declared)
        if found != wanted:
            raise ConfigError(
                f"study.{key}: found {identity_values(found)!r}, and a study of kind {study.kind.name} does not read "
                f"it; leave it out"
            )


def _check_words(study: Study) -> None:
    if not any(letter.isalnum() for letter in study.name) or len(study.name) > LONGEST_NAME:
        shown = study.name if len(study.name) <= LONGEST_NAME else f"{len(study.name)} characters"
        raise ConfigError(f"study.name: found {shown!r}, wanted a word of at most {LONGEST_NAME} characters")
    if not study.objective.strip():
        raise ConfigError("study.objective is empty; wanted the instruction that every arm starts from")


def _check_arms(study: Study) -> None:
    if not study.arms:
        raise ConfigError("study.arms is empty; wanted interventions, as in +intervention@study.arms.A=ordinary")
    for arm, one in study.arms.items():
        missing = [member for member in MEMBERS if not hasattr(one, member.partition("(")[0])]
        if len(missing) == len(MEMBERS):
            wanted = f"an intervention, as in +intervention@study.arms.{arm}=ordinary; ~study.arms.{arm} leaves it out"
            raise ConfigError(f"study.arms.{arm}: found {one!r}, wanted {wanted}")
        if missing:
            wanted = f"an intervention has {', '.join(MEMBERS)}"
            raise ConfigError(f"study.arms.{arm}: {type(one).__name__} has no {', '.join(missing)}; {wanted}")
        if not _ARM.fullmatch(arm):
            raise ConfigError(f"study.arms: found an arm {arm!r}, wanted a letter or a word of letters and digits")


def _check_contrasts(study: Study) -> None:
    named = {study.control, *(arm for one in study.contrasts for arm in (one.treatment, one.control))}
    unknown = sorted(named - set(study.arms))
    if unknown:
        raise ConfigError(f"study.contrasts names arm {unknown[0]!r}; there are {', '.join(sorted(study.arms))}")
    for one in study.contrasts:
        if one.treatment == one.control:
            raise ConfigError(f"study.contrasts: found {one}, wanted two different arms")
    refuse_twice("study.contrasts", [str(one) for one in study.contrasts])
    for arm, rate in study.analysis.planned_rates.items():
        if arm not in study.arms or not 0 <= rate <= 1:
            wanted = f"an arm of {', '.join(sorted(study.arms))} and a share from 0 to 1"
            raise ConfigError(f"study.analysis.planned_rates: found {arm}: {rate:g}, wanted {wanted}")


def _check_endpoints(study: Study) -> None:
    refuse_twice("study.endpoints", study.endpoints)
    known = (*(one.name for one in study.kind.endpoints), *COUNTED)
    for name in study.endpoints:
        if name not in known:
            raise ConfigError(f"study.endpoints: found {name!r}, wanted one of {', '.join(known)}")
        record = study.kind.endpoint(name)
        if record and record.kind == "seconds" and record.is_conditional:
            raise ConfigError(
                f"study.endpoints: found {name!r}, seconds that only {record.population} have: no limit stands for the "
                "other units, so no mean of them compares arms; wanted one that every unit has, such as "
                f"{', '.join(_for_every_unit(study))} (the outcome table holds {name} all the same)"
            )
    _check_declared(study)


def _for_every_unit(study: Study) -> list[str]:
    """Return a few endpoints that every unit has."""
    seconds = [one.name for one in study.kind.endpoints if one.kind == "seconds" and not one.is_conditional]
    return seconds or [one.name for one in study.kind.endpoints if not one.is_conditional][:4]


def _check_declared(study: Study) -> None:
    """Refuse a declaration that contradicts itself or that nothing would read."""
    refuse_twice("study.declared", [one.endpoint for one in study.declared])
    for one in study.declared:
        if one.endpoint not in study.endpoints:
            wanted = ", ".join(study.endpoints) or "nothing, since there is none"
            raise ConfigError(f"study.declared: found {one.endpoint!r}, wanted one of study.endpoints: {wanted}")
    asks = [str(one) for one in study.contrasts if one.equivalence]
    margins = [one.endpoint for one in study.declared if one.equivalence is not None]
    if margins and not asks:
        raise ConfigError(
            f"study.declared: found a margin of equivalence of {margins[0]!r}, which no contrast asks for; wanted "
            "equivalence: true in one of study.contrasts"
        )


def refuse_twice(field: str, values: Sequence[str] | Iterable[str]) -> None:
    """Refuse a value that stands twice where the second would do nothing. Raises ConfigError."""
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ConfigError(f"{field}: found {twice[0]!r} twice, wanted each once")
