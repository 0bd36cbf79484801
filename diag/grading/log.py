"""One attempt's event log, checked: nothing is graded from a torn, reordered or foreign log, or about another level.

The kinds and their data are those of docs/reference/events.md; `diag.grading.walk` checks them. `AttemptLog.read` (and
`EpisodeLog.read` for whole episodes) is the only way in; it raises before any number exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diag.grading.ngar import NativeShare, native_share
from diag.grading.walk import MalformedLog, Stated, Step, Walk, ending_of, field_of, framed, level_of
from diag.records import Ending, Event, Outcome
from games.contract import JsonObject, LevelId

Value = bool | int | float | None
"""An endpoint; None where it does not apply."""


@dataclass(frozen=True)
class CheckedLog:
    """What grading needs of any attempt, whatever its study asks."""

    unit_id: str
    attempt: int
    plan_hash: str
    start_digests: dict[str, str]
    steps: tuple[Step, ...]
    """Everything that happened to the board after takeover, in order."""
    ran: bool
    """The agent was asked at least once."""
    ending: Ending
    failure_kind: str | None
    elapsed_s: float
    n_actions: int
    n_invalid_actions: int
    native: NativeShare | None
    """Native and other action steps of a code-execution agent; None for an agent that lists no steps."""

    @property
    def failed(self) -> bool:
        """Tell whether the apparatus failed; a program that did not start (`never_ran`) is no weak agent either."""
        return self.ending == "infrastructure" or not self.ran

    def outcome(
        self,
        endpoints: Mapping[str, Value],
        *,
        codes: Mapping[str, bool] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Return the outcome with what a study made of the log; of a failed attempt there are no endpoints.

        NGAR and its counts are added to every study's endpoints where the agent executed code.
        """
        native = {} if self.native is None or self.failed else self.native.endpoints()
        return Outcome(
            unit_id=self.unit_id,
            attempt=self.attempt,
            plan_hash=self.plan_hash,
            validity="infrastructure_failure" if self.failed else "valid",
            ending="infrastructure" if self.failed else self.ending,
            failure_kind=self.failure_kind if self.ending == "infrastructure" else None if self.ran else "never_ran",
            elapsed_s=self.elapsed_s,
            n_actions=self.n_actions,
            n_invalid_actions=self.n_invalid_actions,
            endpoints={**endpoints, **native},
            codes=dict(codes or {}),
            start_digests=self.start_digests,
            details=dict(details or {}),
        )


def outcome_of(
    start: Event,
    end: Event,
    grade: Callable[[], tuple[Mapping[str, Value], Mapping[str, Any]]],
    *,
    n_actions: int,
    n_invalid_actions: int,
) -> Outcome:
    """Return the outcome between the two events of a frame; `grade`, endpoints and details, is not asked if it failed.

    For studies that grade their own events; an attempt at a level is an `AttemptLog`.
    """
    ending = ending_of(end)
    failed = ending == "infrastructure"
    endpoints, details = ({}, {}) if failed else grade()
    return Outcome(
        unit_id=str(field_of(start, "unit_id")),
        attempt=int(field_of(start, "attempt")),
        plan_hash=str(field_of(start, "plan_hash")),
        validity="infrastructure_failure" if failed else "valid",
        ending=ending,
        failure_kind=end.data.get("failure_kind") if failed else None,
        elapsed_s=end.clock_s,
        n_actions=n_actions,
        n_invalid_actions=n_invalid_actions,
        endpoints=dict(endpoints),
        start_digests=dict(field_of(start, "digests")),
        details=dict(details),
    )


def walked(events: Sequence[Event], level: LevelId | None) -> Walk:
    """Return the finished walk over framed events. Raises LogError."""
    end = events[-1]
    walk = Walk(level, tolerant=ending_of(end) == "infrastructure")
    for event in events:
        walk.take(event)
    walk.finish(end)
    return walk


def checked_fields(events: Sequence[Event], walk: Walk) -> dict[str, Any]:
    """Return the fields of `CheckedLog`. Raises MalformedLog."""
    start, end = events[0], events[-1]
    return {
        "unit_id": str(field_of(start, "unit_id")),
        "attempt": int(field_of(start, "attempt")),
        "plan_hash": str(field_of(start, "plan_hash")),
        "start_digests": {str(name): str(value) for name, value in dict(start.data.get("digests") or {}).items()},
        "steps": tuple(walk.steps),
        "ran": bool(walk.stated),
        "ending": ending_of(end),
        "failure_kind": end.data.get("failure_kind"),
        "elapsed_s": end.clock_s,
        "n_actions": walk.n_actions,
        "n_invalid_actions": walk.n_invalid,
        "native": _native(walk),
    }


def _native(walk: Walk) -> NativeShare | None:
    try:
        return native_share(walk.usages)
    except (ValueError, AttributeError, TypeError) as error:
        raise MalformedLog(f"usage.steps of a decision: {error}") from error


@dataclass(frozen=True)
class AttemptLog(CheckedLog):
    """What grading needs of an attempt at one level."""

    cohort: str
    level: LevelId
    start_state: JsonObject | None
    start_potential: float | None
    stated: tuple[Stated, ...]
    won_at_s: float | None
    """Clock of the first terminal snapshot of the assigned level; later boards cannot change it."""
    won_at_action: int | None

    @classmethod
    def read(cls, events: Sequence[Event], *, plan_hash: str | None = None) -> AttemptLog:
        """Check the events and return the log.

        Args:
            events: one attempt's events in file order.
            plan_hash: the plan the attempt must belong to; None accepts any.

        Raises:
            NeverRan: there are no events.
            IncompleteLog: the end, an event or a transition is missing.
            MalformedLog: an event breaks the schema or the order.
            PlanMismatch: the log belongs to another plan.
            LevelMismatch: the starting board is of another level.
        """
        start, _ = framed(events, plan_hash)
        level = level_of(field_of(start, "level"))
        walk = walked(events, level)
        return cls(
            **checked_fields(events, walk),
            cohort=str(field_of(start, "cohort")),
            level=level,
            start_state=walk.start_state or start.data.get("start_state"),
            start_potential=walk.start_potential,
            stated=tuple(walk.stated),
            won_at_s=walk.won_at_s,
            won_at_action=walk.won_at_action,
        )


def states_of(steps: Iterable[Step], level: LevelId) -> tuple[Step, ...]:
    """Return the steps that left a board of `level` in play (a `leave` shows the board that was left, so it is out)."""
    return tuple(step for step in steps if step.level == level and step.kind != "leave")
