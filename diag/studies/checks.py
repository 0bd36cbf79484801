"""What the parts of a study must be to each other; checked when it is made, before anything is planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from diag.errors import ConfigError

if TYPE_CHECKING:
    from diag.studies.study import Study

LONGEST_NAME = 120
"""Characters of a study's name, which becomes a folder."""
COUNTED = ("elapsed_s", "n_actions", "n_invalid_actions")
"""Columns that every outcome table has and that a study may contrast."""
MEMBERS = ("name", "privilege", "covers(cohort)", "apply(context, cohort)")
"""What an arm must have (`diag.arms.contract.Intervention`)."""


def check_study(study: Study) -> None:
    """Check what types cannot. Raises ConfigError naming the field, what was found and what was wanted."""
    _check_words(study)
    _check_arms(study)
    _check_contrasts(study)
    _check_endpoints(study)
    if not study.cohorts:
        raise ConfigError("study.cohorts is empty; wanted at least one cohort")
    _refuse_twice("study.cohorts", study.cohorts)
    known = tuple(study.kind.starts.clusters)
    if study.cluster not in known:
        raise ConfigError(f"study.cluster: found {study.cluster!r}, wanted one of {', '.join(known)}")
    if study.repeats < 1 or (study.max_units is not None and study.max_units < 1):
        raise ConfigError(f"study.repeats and max_units are from 1, found {study.repeats} and {study.max_units}")


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
        if not (arm.isidentifier() and arm.isascii()):
            raise ConfigError(f"study.arms: found an arm {arm!r}, wanted a letter or a word of letters and digits")


def _check_contrasts(study: Study) -> None:
    named = {study.control, *(arm for one in study.contrasts for arm in (one.treatment, one.control))}
    unknown = sorted(named - set(study.arms))
    if unknown:
        raise ConfigError(f"study.contrasts names arm {unknown[0]!r}; there are {', '.join(sorted(study.arms))}")
    for one in study.contrasts:
        if one.treatment == one.control:
            raise ConfigError(f"study.contrasts: found {one}, wanted two different arms")
    _refuse_twice("study.contrasts", [str(one) for one in study.contrasts])


def _check_endpoints(study: Study) -> None:
    _refuse_twice("study.endpoints", study.endpoints)
    known = (*(one.name for one in study.kind.endpoints), *COUNTED)
    for name in study.endpoints:
        if name not in known:
            raise ConfigError(f"study.endpoints: found {name!r}, wanted one of {', '.join(known)}")


def _refuse_twice(field: str, values: Sequence[str] | Iterable[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ConfigError(f"{field}: found {twice[0]!r} twice, wanted each once")
