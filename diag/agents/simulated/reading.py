"""Reads a context the way a player does: by its words, never by an arm's letter.

English, and the few words of Chinese that the shipped arms need. A text that says nothing of the kind reads as silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MOVE = r"(?:moves?|relocations?|placements?|destinations?|actions?)"
_NO_MOVE = re.compile(
    rf"\bno\b[^.;!?]{{0,40}}\b{_MOVE}\b[^.;!?]{{0,40}}\b(?:remain|remains|left|exists?|possible|available)\b"
    rf"|\bthere (?:is|are) no\b[^.;!?]{{0,30}}\b{_MOVE}\b"
    r"|\b(?:is|in|reached) a dead end\b|\bdead-?locked\b|\bunsolvable\b"
    r"|\b(?:cannot|can not|can't|can no longer) be (?:solved|completed|won)\b"
    r"|没有[^。]{0,12}(?:移动|走法|操作)|无法[^。]{0,6}(?:完成|解开)|死局",
    re.IGNORECASE,
)
_SOLVABLE = re.compile(
    r"\bstill (?:be )?(?:solvable|solved|completed|won)\b|\bcan still be\b|\bis solvable\b"
    r"|仍(?:然)?可(?:以)?(?:解|完成)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"'“‘«「]([^\"'”’»」]{1,40})[\"'”’»」]")  # noqa: RUF001 - the quotation marks of real texts
_QUESTION = re.compile(
    r"\s*(?:question\b|do not act\b|without acting\b|answer (?:in|with) words\b)|\s*关于[^。]*的问题", re.IGNORECASE
)
ACCOUNT_HEADINGS = (("Failure Experience", "Next Attempt"), ("失败经验", "下一次尝试"))
"""The headings that arm M2 asks for, in each language."""
_KEEP_FREE = re.compile(r"\bkeep\b[^.;!?]{0,30}\bholes?\b[^.;!?]{0,10}\b(?:free|empty|open)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """What a text told its reader."""

    no_move: bool
    """It says that no move remains or that the board is lost."""
    solvable: bool
    """It says that the board can still be solved."""
    named: tuple[str, ...]
    """Labels of visible controls that it names as such: in quotes, or as "the ... button"."""


def read(text: str, labels: Iterable[str]) -> Reading:
    """Return what `text` says to somebody who sees controls with these labels."""
    quoted = {found.strip().casefold() for found in _QUOTED.findall(text)}
    named = tuple(label for label in labels if label.casefold() in quoted or _is_called_button(text, label))
    solvable = _SOLVABLE.search(text) is not None
    return Reading(_NO_MOVE.search(text) is not None and not solvable, solvable, named)


def mentions(text: str, label: str) -> bool:
    """Tell whether a label stands in the text as words of its own."""
    if not label.strip():
        return False
    if not label.isascii():
        return label in text
    return re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text, re.IGNORECASE) is not None


def asks_for_words(text: str) -> bool:
    """Tell whether a text asks for an answer in words instead of play (a rule probe, a written account)."""
    return _QUESTION.match(text) is not None or asks_for_account(text)


def asks_for_account(text: str) -> bool:
    """Tell whether a text asks for the structured account of a failure (arm M2)."""
    return any(first in text for first, _ in ACCOUNT_HEADINGS)


def headings_asked(text: str) -> tuple[str, str]:
    """Return the two headings that a text asks an account to have, in its language."""
    return next((pair for pair in ACCOUNT_HEADINGS if pair[0] in text), ACCOUNT_HEADINGS[0])


def advises_free_holes(text: str) -> bool:
    """Tell whether a text advises its reader to keep holes free."""
    return _KEEP_FREE.search(text) is not None


def is_rules_card(text: str) -> bool:
    """Tell whether a text is a rules card."""
    return text.startswith(("Rules card", "规则卡"))


def _is_called_button(text: str, label: str) -> bool:
    word = re.escape(label)
    return re.search(rf"\b{word} button\b|\bbutton (?:labelled|labeled|named|called) {word}\b", text, re.I) is not None
