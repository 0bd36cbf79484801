"""Coding of the accounts that memory arm M2 writes: fixed, versioned regular expressions. English.

| code | holds if |
|---|---|
| blames_execution | Failure Experience cites unconfirmed outcomes, missing screenshots or rejected placements |
| names_holes | Failure Experience says that the free holes were used up or that no destination remained |
| resumes_plan | Next Attempt directs to continue, re-test or repeat the previous intention |
| different_plan | Next Attempt calls for an alternative or a safer order |

Source: first source document, "Failure summaries"; its expressions are not published, these are ours. A change of an
expression changes `ACCOUNT_VERSION`. `tables/accounts.csv` holds every text beside its codes for manual reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from diag.grading.rationale import blames_click, names_cause

ACCOUNT_VERSION = "1"
SECTIONS = ("Failure Experience", "Next Attempt")
HEADINGS = (SECTIONS, ("失败经验", "下一次尝试"))
"""The two headings in each language of the suite."""

_EXECUTION = (
    r"\b(?:could not|couldn't|cannot|can't|unable to|did not|didn't|never) (?:be )?(?:\w+ )?confirm",
    r"\b(?:unconfirmed|unverified|unclear whether|not (?:been )?(?:confirmed|verified))\b",
    r"\b(?:no|missing|without (?:a|any|the)?|lack(?:ing|ed)?(?: of)?) ?(?:\w+ ){0,2}screenshots?\b",
    r"\b(?:placement|move|click|tap|action|drop)s?\b[^.;!?]{0,40}\b(?:rejected|not (?:to be )?accepted|not register)",
)
_HOLES = (
    r"\b(?:ran|run|running) out of (?:\w+ ){0,2}(?:holes?|slots?|destinations?|places?)\b",
    r"\b(?:used up|exhausted|filled)\b[^.;!?]{0,30}\b(?:holes?|slots?)\b",
    r"\bexhaustion of\b[^.;!?]{0,30}\bholes?\b",
)
_RESUME = (
    r"\b(?:continue|resume|repeat|re-?test|retry|go on|carry on)\b[^.;!?]{0,40}"
    r"\b(?:plan|intention|move|placement|sequence|approach|order|target)",
    r"\b(?:same|previous|original|earlier) (?:plan|intention|sequence|approach|order)\b",
)
_DIFFERENT = (
    r"\b(?:different|alternative|another|new|safer|other) (?:plan|order|sequence|approach|strategy|route|line)\b",
    r"\binstead of\b[^.;!?]{0,60}",
    r"\bkeep\b[^.;!?]{0,30}\bholes? (?:free|empty|open)\b",
)
_NEGATED = re.compile(r"\b(?:not|no|n't|without|never)\b[^.;!?]{0,20}$", re.IGNORECASE)


def sections_of(text: str) -> Mapping[str, str]:
    """Return the two sections' bodies; the body of a heading that is not there is empty."""
    headings = next((pair for pair in HEADINGS if any(name in text for name in pair)), SECTIONS)
    first, second = (text.find(name) for name in headings)
    if second == -1:
        return {SECTIONS[0]: text[first + len(headings[0]) :] if first >= 0 else "", SECTIONS[1]: ""}
    before = text[first + len(headings[0]) : second] if 0 <= first < second else ""
    return {SECTIONS[0]: before, SECTIONS[1]: text[second + len(headings[1]) :]}


def account_codes(text: str) -> dict[str, bool]:
    """Return the codes of one account."""
    bodies = sections_of(text)
    failure, attempt = (bodies[name] for name in SECTIONS)
    return {
        "blames_execution": _any(_EXECUTION, failure) or blames_click(failure),
        "names_holes": _any(_HOLES, failure) or names_cause(failure),
        "resumes_plan": _any(_RESUME, attempt),
        "different_plan": _any(_DIFFERENT, attempt),
    }


def _any(patterns: tuple[str, ...], text: str) -> bool:
    """Tell whether an expression occurs without a negation before it in its sentence."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    found = (match for pattern in patterns for match in re.finditer(pattern, plain, re.IGNORECASE))
    return any(_NEGATED.search(plain[: match.start()]) is None for match in found)
