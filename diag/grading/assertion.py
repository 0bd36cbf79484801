"""Whether a text asserts what an expression finds in it.

A match does not count where its sentence asks, supposes or plans it ("if the click fails", "avoid filling every hole"),
or negates it ("not all holes are full", "it is not that the click failed"). A hedged assertion counts ("the click seems
to have missed"): the codes say what a reason says, not how sure it is. English and Chinese; the sentences that the
expressions are measured on, with their precision and recall, are in docs/reference/codes.md.
"""

# ruff: noqa: RUF001, E501 - Chinese punctuation; an expression stays on its line

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+[.!?;。！？；]?")
_ASKED = re.compile(r"(?:[?？]|吗)\W*$")
_CLAUSE = re.compile(
    r"[:：—]|\b(?:but|however|although|though|because|since|therefore|hence)\b|\bso\b(?! that)"
    r"|\bas (?=all|every|each|the|no|there|both|my|it\b)|但|因为|所以",
    re.IGNORECASE,
)
"""Where a new clause begins: what stands before it neither supposes nor negates what follows."""
_PART = re.compile(r"[,，]|\b(?:and|or)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"(?<!as )(?<!even )\bif\b|\b(?:unless|whether|in case)\b|如果|要是|若|假如|除非|是否", re.IGNORECASE
)
_DOUBT = re.compile(r"\bwhether\b|是否", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:until|before|once|as soon as|so that|lest|avoid\w*|prevent\w*|make sure|ensur\w+|check(?:s|ing)?|would|soon"
    r"|suppos\w+|assum\w+|imagin\w+|were to|to see)\b|检查|看看|先看|有没有|避免|别把|别让|不要把|不能让|以免|防止|快要|即将",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:might|could|may|will|would|should|can|going to)\b[^.;,]{0,25}$|\b(?:when|whenever|after|always)\b[^.;,]{0,15}$"
    r"|(?:可能会|将|会|快|等)[^，]{0,6}$",
    re.IGNORECASE,
)
"""What puts a state of the board into the future, or makes it general."""
_NO_NEGATION = re.compile(r"\b(?:no doubt|not only|no wonder|not sure why|do not know why|don't know why)\b", re.I)
NEGATION = re.compile(
    r"\b(?:not|never|no|nor|neither|none|nothing|nobody|cannot|hardly|barely|nearly|almost|doubt|false|untrue|wrong|without"
    r"|rather than|instead of)\b|n't\b|不|没|未|无需|并非|除了|几乎",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    rf"(?:{NEGATION.pattern})(?:[^\w,]+\w+){{0,5}}\W*$|(?:不|没有|未|无需|并非|除了|几乎|别(?!的))[^，]{{0,6}}$",
    re.IGNORECASE,
)
_DENIED_AHEAD = re.compile(
    r"(?:\bnot|n't) (?:\w+ )?(?:true|the case|so|right|correct) that\b|\b(?:false|untrue|wrong) that\b|\bdoubt (?:that|if)\b"
    r"|\b(?:do not|don't|did not|didn't) (?:think|believe|know|agree)\b|(?:并不是|并非|不是说)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"^[^.;,]{0,25}\b(?:is|was|were) (?:not (?:true|the \w+)|false|wrong|missing)\b|^\W{0,2}(?:is|are) not\b|^[^，]{0,6}(?:不成立|不对)",
    re.IGNORECASE,
)


def asserts(patterns: Iterable[re.Pattern[str]], text: str, *, of_now: bool = False) -> bool:
    """Tell whether a sentence of the text asserts a match of one of the expressions; `of_now`: as true by now."""
    found = list(sentences(text))
    return any(
        is_asserted(sentence, match.start(), match.end()) and not (of_now and _LATER.search(sentence[: match.start()]))
        for pattern in patterns
        for sentence in found
        for match in pattern.finditer(sentence)
    )


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text with their final signs; typographic apostrophes are plain ones."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return (match.group().strip() for match in _SENTENCE.finditer(plain) if match.group().strip())


def is_asserted(sentence: str, start: int, end: int, *, is_rule: bool = False) -> bool:
    """Tell whether what stands from `start` to `end` is neither asked, supposed nor negated in its sentence.

    With `is_rule` a condition supposes nothing: rules have conditions ("if no screw holds it, a board falls").
    """
    before = _NO_NEGATION.sub(" ", sentence[:start])
    clause = before[max((match.end() for match in _CLAUSE.finditer(before)), default=0) :]
    part = clause[max((match.end() for match in _PART.finditer(clause)), default=0) :]
    return not (
        _ASKED.search(sentence)
        or (_DOUBT if is_rule else _CONDITION).search(clause)
        or (not is_rule and _SUPPOSED.search(part))
        or _NEGATED.search(part)
        or _DENIED_AHEAD.search(clause)
        or _DENIED.search(sentence[end:])
    )


def compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Compile expressions, without regard to case."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
