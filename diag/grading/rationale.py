"""Rationale coding: fixed, versioned regular expressions over the reasons an agent states. English.

`blames_click`: some reason says that a move did not take effect, or proposes to retry it on another target.
`names_cause`: before the first recovery action some reason says that the holes are full or no destination remains
(that the board is stuck, lost or dead is a diagnosis without its cause, and is not coded).
Source: first source document, "Attribution coding"; its expressions are not published, these are ours. A change of an
expression changes `RATIONALE_VERSION`, and the examples in tests/diag/grading/test_rationale.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from diag.grading.walk import Stated

RATIONALE_VERSION = "1"

_ACT = r"(?:click|tap|press|drag|swipe|move|action|selection|attempt|placement|relocation|screw|bolt|piece|nut)s?"
_FAILED = r"(?:did not|didn't|does not|doesn't|has not|hasn't|have not|haven't|failed to|seems? not to)"
_EFFECT = r"(?:effect|response|result|change)"
_DONE = (
    r"(?:register|registered|take effect|taken effect|work|worked|land|landed|respond|responded|apply|go through|"
    r"move|moved|select|do anything|seem to \w+|have (?:any |an )?effect)"
)
_TARGET = r"(?:target|hole|screw|bolt|spot|position|point|place|piece|location|destination|coordinate)"
_NEAR = r"[^.;!?]{0,40}"

BLAMES_CLICK: tuple[str, ...] = (
    rf"\b{_ACT}\b{_NEAR}\b{_FAILED} (?:\w+ )?{_DONE}\b",
    rf"\b{_ACT}\b{_NEAR}\b(?:had|has|have|showed|shows|produced) no (?:visible |apparent )?{_EFFECT}\b",
    rf"\b{_ACT}\b{_NEAR}\b(?:was|were|is) not (?:registered|accepted|effective|recogni[sz]ed|precise)\b",
    rf"\b{_ACT}\b{_NEAR}\b(?:missed|was off|were off|slightly off|did nothing|was rejected|was ignored)\b",
    r"\bnothing (?:happened|changed|moved)\b",
    rf"\bno (?:visible |apparent )?{_EFFECT} (?:after|from|to|on) (?:the|my|that|this) (?:\w+ )?{_ACT}\b",
    r"\b(?:try|retry|click|tap|attempt|test|use|pick|choose|trying|retrying|clicking|tapping|testing)\b[^.;!?]{0,25}"
    rf"\b(?:another|a different|the other|some other) (?:\w+ )?{_TARGET}",
    r"\b(?:retry|retrying|repeat|repeating|(?:click|tap|try|clicking|tapping|trying) (?:it |that |this )?again)\b"
    rf"{_NEAR}\b(?:{_ACT}|{_TARGET}|cent(?:er|re))\b",
    r"\b(?:click|tap|clicking|tapping)\b[^.;!?]{0,25}\b(?:more )?(?:precisely|accurately|exactly|carefully)\b",
)

_PLACE = r"(?:holes?|slots?|sockets?|rods?|spots?|destinations?|positions?|places?)"
_FULL = r"(?:full|occupied|filled|taken|used up|exhausted)"

NAMES_CAUSE: tuple[str, ...] = (
    rf"\b(?:all|every|both|each)\b[^.;!?]{{0,30}}\b{_PLACE}\b[^.;!?]{{0,25}}\b{_FULL}\b",
    rf"\b{_PLACE} (?:are|is|were) (?:now |already |all |completely |both )*{_FULL}\b",
    r"\b(?:no|not (?:a|any)|without (?:a|any)|isn't (?:a|an|any)) (?:\w+ ){0,2}?"
    r"(?:empty|free|available|open|vacant|legal|valid|possible|remaining|unoccupied) (?:\w+ ){0,2}?"
    rf"(?:{_PLACE}|moves?|relocations?)\b",
    rf"\bno (?:{_PLACE}|moves?|relocations?)\b[^.;!?]{{0,20}}"
    r"\b(?:remains?|left|available|exists?|(?:is|are) possible)\b",
    r"\b(?:nowhere|no place|no room) (?:left |else )?(?:to|for)\b",
)

_COMPILED = {
    "blames_click": tuple(re.compile(pattern, re.IGNORECASE) for pattern in BLAMES_CLICK),
    "names_cause": tuple(re.compile(pattern, re.IGNORECASE) for pattern in NAMES_CAUSE),
}


def blames_click(reason: str) -> bool:
    """Tell whether one reason says that a move did not take effect, or proposes another target."""
    return _matches("blames_click", reason)


def names_cause(reason: str) -> bool:
    """Tell whether one reason says that the holes are full or that no destination remains."""
    return _matches("names_cause", reason)


def rationale_codes(stated: Iterable[Stated], *, recovery_seq: int | None) -> dict[str, bool]:
    """Return an attempt's codes; `names_cause` reads only what was stated before the first recovery action.

    Args:
        stated: the decisions' reasons in order.
        recovery_seq: event number of the first recovery action; None if there was none, then all reasons count.
    """
    reasons = tuple(item for item in stated if not item.late)
    before = [item for item in reasons if recovery_seq is None or item.seq < recovery_seq]
    return {
        "blames_click": any(blames_click(item.reason) for item in reasons),
        "names_cause": any(names_cause(item.reason) for item in before),
    }


def _matches(code: str, reason: str) -> bool:
    plain = reason.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return any(pattern.search(plain) for pattern in _COMPILED[code])
