"""Memory at retry (protocol 4): what of the failed try its agent still has after the restart.

M0 clears the history. M1 keeps the native history and the summary that the agent writes at the restart. M2 keeps the
same history and has the same capacity, but its text is a structured account. Both texts are written by the acting
agent in one separate call, on the same context and the screenshot of the restored board, before the retry's clock
starts; only what they are asked for differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from diag.arms.tokens import TOKENS_VERSION, count_tokens, first_tokens
from diag.session.contract import Asked, Privilege, PublicContext
from games.digest import sha256_of

COHORT = "F"
Status = Literal["accepted", "cut", "malformed", "refused"]
"""As asked for; longer than the capacity and cut there; without a section that was asked for; nothing was written."""


@dataclass(frozen=True)
class Memory:
    """One memory condition."""

    name: str
    keeps_history: bool
    request: str = ""
    """What the agent is asked to write; empty for a condition without a text. `{capacity}` is filled in."""
    capacity_tokens: int = 0
    """Most tokens of the text (`tokens.TOKENS_VERSION`); what is longer is cut."""
    sections: Sequence[str] = ()
    """Headings that the text must have, in this order."""
    description: str = ""
    privilege: Privilege = "public_history"

    def __post_init__(self) -> None:
        """Refuse what a YAML may get wrong. Raises ValueError naming the value found and what was wanted."""
        if bool(self.request) != (self.capacity_tokens > 0):
            raise ValueError(
                f"{self.name}: capacity_tokens is {self.capacity_tokens}; wanted above 0 iff it has a request"
            )
        if self.request and not self.keeps_history:
            raise ValueError(f"{self.name}: a text is written about a history that the condition clears")

    def covers(self, cohort: str) -> bool:
        """Tell whether the cohort consists of source failures."""
        return cohort == COHORT

    def apply(self, context: PublicContext, cohort: str) -> PublicContext:
        """Return the context with or without the failed try; the text comes later. Raises ValueError for D, N, S."""
        if not self.covers(cohort):
            raise ValueError(f"{self.name} is not defined for cohort {cohort}; wanted {COHORT}")
        return context if self.keeps_history else replace(context, prefix=(), recent=(), summary=None, memory=None)

    @property
    def writes(self) -> bool:
        """Tell whether the agent is asked for a text."""
        return bool(self.request)

    def asked(self, context: PublicContext, picture: str | None) -> PublicContext:
        """Return the context of the separate call: the failed try, the restored board, and what to write."""
        request = self.request.format(capacity=self.capacity_tokens).strip()
        return replace(context, asked=Asked(request, picture))


@dataclass(frozen=True)
class Written:
    """What an agent wrote for its retry, and what of it fits."""

    whole: str
    text: str
    """What the retry is given: the whole text, or its first `capacity_tokens` tokens."""
    status: Status
    capacity_tokens: int

    @classmethod
    def of(cls, memory: Memory, whole: str) -> Written:
        """Check a text against its condition; one that is too long or misshapen is used as it is, and marked."""
        whole = whole.strip()
        text = first_tokens(whole, memory.capacity_tokens)
        places = [text.find(section) for section in memory.sections]
        status: Status = "accepted"
        if not whole:
            status = "refused"
        elif -1 in places or places != sorted(places):
            status = "malformed"
        elif text != whole:
            status = "cut"
        return cls(whole, text, status, memory.capacity_tokens)

    def record(self, memory: Memory) -> dict[str, Any]:
        """Return the artefact as the log keeps it: both texts, their digests, the proof of the capacity."""
        return {
            "condition": memory.name,
            "request_sha256": sha256_of(memory.request),
            "whole": self.whole,
            "text": self.text,
            "sha256": sha256_of(self.text),
            "status": self.status,
            "tokens_written": count_tokens(self.whole),
            "tokens": count_tokens(self.text),
            "capacity_tokens": self.capacity_tokens,
            "token": TOKENS_VERSION,
        }
