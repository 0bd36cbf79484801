"""The records of a study: plan, units, events, outcomes. Frozen, JSON on disk, schema-versioned.

A plan is a contract: it is written and hashed before the first outcome exists, and every later record carries its hash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from diag.records.events import CORE_EVENTS
from games.contract import JsonObject

SCHEMA_VERSION = 1

Validity = Literal["valid", "infrastructure_failure"]
Ending = str
"""Why an attempt ended: one of `ENDINGS`, or a word of the kind of study whose stop conditions give it."""
ENDINGS = (
    "won", "stopped", "unverified_claim", "time_limit", "action_limit", "invalid_action_limit", "infrastructure",
)  # fmt: skip
"""Endings that any attempt may have. Only the last is no valid outcome."""
EventKind = str
"""One of `EVENT_KINDS`, or `room.word` for an event that only one kind of study writes."""
EVENT_KINDS = tuple(record.event for record in CORE_EVENTS)


def is_event_kind(found: object) -> bool:
    """Tell whether a log may hold an event of this kind."""
    return isinstance(found, str) and (found in EVENT_KINDS or _OWN_KIND.fullmatch(found) is not None)


def is_ending(found: object) -> bool:
    """Tell whether an attempt may end with this word."""
    return isinstance(found, str) and (found in ENDINGS or _WORD.fullmatch(found) is not None)


_WORD = re.compile(r"[a-z][a-z0-9_]*")
_OWN_KIND = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


class InfrastructureFailure(Exception):
    """The apparatus failed, not the agent. `kind` is api, browser, restoration, response or suite."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message

    def __reduce__(self) -> tuple[type[InfrastructureFailure], tuple[str, str]]:
        """Survive the trip from a worker process; an exception with two arguments does not on its own."""
        return type(self), (self.kind, self.message)


@dataclass(frozen=True)
class Unit:
    """model x block x condition x repeat: one assignment, one or more attempts."""

    unit_id: str
    """`{block_id}-{arm}-r{repeat}`; unique within a plan, safe as a file name."""
    block_id: str
    cohort: str
    arm: str
    repeat: int
    checkpoint_id: str
    checkpoint_digest: str
    cluster: str
    """Source level: what the cluster bootstrap resamples."""
    seed: int
    """64-bit, from hashing (study, unit, purpose)."""
    order: int
    """Place in the fixed schedule, 0-based."""


@dataclass(frozen=True)
class Plan:
    """All units of a study, fixed before any outcome."""

    study: str
    units: tuple[Unit, ...]
    identity: JsonObject
    """Every config value that can change an outcome, resolved."""
    plan_hash: str
    """SHA-256 over the canonical JSON of everything above."""
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True)
class Event:
    """One line of `events.jsonl`."""

    seq: int
    kind: EventKind
    clock_s: float
    """The injected clock since takeover (or episode start)."""
    monotonic_s: float
    utc: str
    data: dict[str, Any] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True)
class Outcome:
    """What one attempt at one unit came to; derived offline from its event log by a pure function."""

    unit_id: str
    attempt: int
    plan_hash: str
    validity: Validity
    ending: Ending
    failure_kind: str | None
    """For infrastructure failures: api, browser, restoration, response, suite."""
    elapsed_s: float
    """Injected clock at the end."""
    n_actions: int
    n_invalid_actions: int
    endpoints: dict[str, bool | int | float | None]
    """The study's endpoints by name; None where an endpoint does not apply (recurrence without recovery)."""
    codes: dict[str, bool] = field(default_factory=dict)
    """Rationale codes by name."""
    start_digests: dict[str, str] = field(default_factory=dict)
    """Digests of what a block's conditions must share: state, pixels, prefix, objective, interface, limits."""
    details: dict[str, Any] = field(default_factory=dict)
    """What a study's own tables are made of beyond the endpoints (RQ1: levels, counters, regrets); plain JSON."""
    harness_share: float | None = None
    """Share of `elapsed_s` that was neither the agent's answer nor a nominal wait; None on a virtual clock."""
    schema_version: int = SCHEMA_VERSION
