"""Which criterion of the rubric a playtester's finding is about. Evaluator's side: the playtester knows no rubric.

A finding that is named as a criterion is about it; so is one of the scripted playtester. For a model's own words the
criterion is taken whose words the finding has most of, at least half of them; of two with as many none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diag.studies.playtest.report import Finding
from diag.studies.playtest.rubric import Criterion

VERSION = 1
"""Of the matching; it can change what is counted."""
LEAST = 0.5
"""Share of a criterion's words that a finding must have."""
_COMMON = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "in", "is", "it", "its", "of", "on", "one", "or", "that", "the",
     "then", "to", "up", "when", "where")
)  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_ENDINGS = ("ing", "ed", "es", "s")


@dataclass(frozen=True)
class Account:
    """What one report came to, beside the truth."""

    found: tuple[str, ...]
    """Failing criteria that a finding is about, in the order of the rubric."""
    missed: tuple[str, ...]
    """Failing criteria that no finding is about."""
    invented: tuple[str, ...]
    """What findings say that are about a passing criterion, or about none."""


def accounted(findings: Iterable[Finding], criteria: Sequence[Criterion], failing: Iterable[str]) -> Account:
    """Compare a report's findings with the criteria that fail."""
    wrong = set(failing)
    about = [(finding, criterion_of(finding, criteria)) for finding in findings]
    named = {name for _, name in about if name in wrong}
    order = [one.name for one in criteria if one.name in wrong]
    return Account(
        tuple(name for name in order if name in named),
        tuple(name for name in order if name not in named),
        tuple(finding.about for finding, name in about if name not in wrong),
    )


def criterion_of(finding: Finding, criteria: Sequence[Criterion]) -> str | None:
    """Return the name of the criterion that a finding is about; None if it is about none."""
    if any(one.name == finding.about for one in criteria):
        return finding.about
    said = words(f"{finding.about} {finding.text}")
    shares = sorted(((_share(said, one), one.name) for one in criteria), reverse=True)
    best, second = shares[0], shares[1]
    return best[1] if best[0] >= LEAST and best[0] > second[0] else None


def _share(said: frozenset[str], criterion: Criterion) -> float:
    wanted = words(f"{criterion.name.replace('_', ' ')} {criterion.text}")
    return len(wanted & said) / len(wanted)


def words(text: str) -> frozenset[str]:
    """Return the telling words of a text, without their commonest endings."""
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()) if word not in _COMMON)


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) > len(one) + 2), "")
    return word.removesuffix(ending)
