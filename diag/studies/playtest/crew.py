"""The two agents of a task as the loop sees them: one that codes, one that plays. What each is shown stands here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.builds.page import BuildPage
from diag.studies.playtest.memory import Entry
from diag.studies.playtest.report import Report
from games.contract import JsonObject

Verify = Callable[[Build], str]
"""Starts a build without playing it; returns why it does not start, "" if it does."""


@dataclass(frozen=True)
class CodeView:
    """What the game agent is shown in one round."""

    round: int
    """From 1."""
    task: str
    prompt: str
    build: Build
    """The build of the round before; in round 1 the draft."""
    report: Report | None
    """Of the round before; None in round 1 and where nobody plays."""
    memory: tuple[Entry, ...]
    reviews: bool
    """Nobody plays: it reads its own code again."""
    verify: Verify | None
    """None where the code is not run."""
    builds_only: bool = False
    """The code is run and never played: a failed start takes a round of its own."""
    seeded: tuple[str, ...] = ()
    """Defects of the draft, for a simulated game agent; a model is never told them."""


@dataclass(frozen=True)
class Coded:
    """What a round of coding came to."""

    build: Build
    starts: bool | None
    """None where nobody has run it."""
    deferred: tuple[str, ...] = ()
    """Findings that it chose not to act on."""
    entries: tuple[Entry, ...] = ()
    n_calls: int = 0
    latency_s: float = 0.0
    throttled_s: float = 0.0
    """Seconds beside the latency that were spent waiting for a rate limit."""
    usage: tuple[JsonObject, ...] = ()


@dataclass(frozen=True)
class PlayView:
    """What the playtester is shown in one round: neither rubric nor code."""

    round: int
    task: str
    game: str
    prompt: str
    memory: tuple[Entry, ...]
    page: BuildPage | None
    """The open build; None without a browser."""
    simulated: Build
    """For a simulated playtester without a page, who then knows what it may find; a model is never given it."""


@dataclass(frozen=True)
class Played:
    """What a round of play came to."""

    report: Report
    entries: tuple[Entry, ...] = ()
    n_gestures: int = 0
    screenshot: bytes = b""
    """The board as it first appeared; empty without a page."""
    n_calls: int = 0
    latency_s: float = 0.0
    throttled_s: float = 0.0
    usage: tuple[JsonObject, ...] = ()


@runtime_checkable
class Crew(Protocol):
    """Both agents of one attempt. They share nothing but what the loop passes on."""

    def code(self, view: CodeView) -> Coded:
        """Make the next build. Raises InfrastructureFailure."""

    def play(self, view: PlayView) -> Played:
        """Play a build that starts, and report. Raises InfrastructureFailure."""
