"""The playtester's report: how the play went, what was found, and what to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from games.contract import JsonObject

RunOutcome = Literal["completed", "reached-ending", "blocked-by-bug", "could-not-start"]
Confidence = Literal["low", "medium", "high"]
Severity = Literal["critical", "major", "minor"]
RETRIES = 2
"""Materially different retries before a level may be called blocked."""


class ReportError(ValueError):
    """Something is no report; the message names the value found and those wanted."""


@dataclass(frozen=True)
class Finding:
    """One failure that was observed, and the change that is proposed."""

    about: str
    """The behaviour, in a word or two."""
    severity: Severity
    text: str
    """What was seen."""
    fix: str
    """The change at the level of code."""
    evidence: tuple[int, ...] = ()
    """Steps of the play that it rests on, from 0."""

    def __post_init__(self) -> None:
        """Raise ReportError for another severity."""
        _one_of("severity", self.severity, get_args(Severity))


@dataclass(frozen=True)
class Report:
    """What one play came to."""

    outcome: RunOutcome
    confidence: Confidence
    signals: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    """What was done, in order."""
    assessment: Mapping[str, str] = field(default_factory=dict)
    """Dimension to words."""
    findings: tuple[Finding, ...] = ()
    blocking: str = ""
    """The most blocking issue."""
    direction: str = ""
    """Where the fix should go."""
    retries: int = 0
    """Materially different retries of the level that was called blocked."""

    def __post_init__(self) -> None:
        """Raise ReportError for another outcome or confidence, or a level called blocked too soon."""
        _one_of("outcome", self.outcome, get_args(RunOutcome))
        _one_of("confidence", self.confidence, get_args(Confidence))
        if self.outcome == "blocked-by-bug" and self.retries < RETRIES:
            raise ReportError(f"blocked-by-bug after {self.retries} retries, wanted {RETRIES} or more")

    @property
    def accepts(self) -> bool:
        """Tell whether the loop stops here: the game was played through, with high confidence."""
        return self.outcome in ("completed", "reached-ending") and self.confidence == "high"

    @property
    def summary(self) -> str:
        """The play in a sentence or two, for memory."""
        found = "; ".join(f"{one.about}: {one.text}" for one in self.findings) or "nothing wrong was seen"
        return f"{self.outcome} ({self.confidence} confidence). {found}"


def report_of(data: JsonObject) -> Report:
    """Return a report from its JSON form. Raises ReportError naming what is missing or wrong."""
    if not isinstance(data, dict):
        raise ReportError(f"a report is an object, got {data!r:.200}")
    if missing := [name for name in ("outcome", "confidence", "findings") if name not in data]:
        raise ReportError(f"a report has outcome, confidence and findings; {', '.join(missing)} is missing")
    known = {name: data[name] for name in Report.__dataclass_fields__ if name in data}
    try:
        known["findings"] = tuple(_finding(one) for one in data["findings"])
        for name in ("signals", "log"):
            known[name] = tuple(str(one) for one in known.get(name, ()))
        known["assessment"] = {str(name): str(words) for name, words in dict(known.get("assessment") or {}).items()}
        known["retries"] = int(known.get("retries") or 0)
    except (TypeError, ValueError, KeyError) as error:
        raise ReportError(f"not a report: {error}") from error
    return Report(**known)


def _finding(data: JsonObject) -> Finding:
    if not isinstance(data, dict) or not {"about", "severity", "text", "fix"} <= set(data):
        raise ReportError(f"a finding has about, severity, text and fix, got {data!r:.200}")
    evidence = tuple(int(step) for step in data.get("evidence") or ())
    return Finding(str(data["about"]), data["severity"], str(data["text"]), str(data["fix"]), evidence)


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ReportError(f"{name} {value!r:.80}, wanted one of {', '.join(known)}")
