"""The one pass over an attempt's event log: order, clocks, kinds and transitions are checked, steps are collected.

A log has one `snapshot` before the first decision (the starting board and all that led to it) and one after every
action that the agent or a workflow controller executed, so each later transition has exactly one cause. Reading the
file and its checksums is `diag.records.event_log.read_events`; every error here is a `LogError` like those there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diag.records import ENDINGS, SCHEMA_VERSION, Ending, Event, is_ending, is_event_kind
from diag.records.event_log import LogError
from games.contract import JsonObject, JsonValue, LevelId


class MalformedLog(LogError):
    """An event breaks the schema or the order of events."""


class IncompleteLog(LogError):
    """The log stops before `episode_end`, or events or transitions are missing in the middle."""


class NeverRan(LogError):
    """There is no event at all: the attempt was never started, which is not an outcome."""


class PlanMismatch(LogError):
    """The log carries the hash of another plan."""


class LevelMismatch(LogError):
    """The board the attempt started on is not the assigned level."""


@dataclass(frozen=True)
class Step:
    """One change of the board in play after takeover (`games.suite.snapshot.Transition`) and when it happened."""

    index: int
    """0-based within the session; the starting board's own transitions come before."""
    kind: str
    """enter, move, undo, restart, leave or placed."""
    level: LevelId
    state: JsonObject
    won: bool
    potential: float
    clock_s: float
    """Takeover clock at which the action had taken effect."""
    action: int
    """Index of the executed action that caused it, 0-based; of the last one before it for a controller's action."""
    by_agent: bool
    """False for what a workflow controller did; it is never the agent's recovery."""
    seq: int
    """Sequence number of the action's event."""
    move: JsonValue | None = None
    """The move of kind `move` in JSON form, where the log holds it."""


@dataclass(frozen=True)
class Stated:
    """One decision's reason and where it stands in the log."""

    seq: int
    clock_s: float
    reason: str
    late: bool = False
    """The decision came back after the deadline, so nothing was dispatched and it is not coded."""


def framed(events: Sequence[Event], plan_hash: str | None = None) -> tuple[Event, Event]:
    """Check sequence numbers, clocks, kinds, versions and the plan; return the first and the last event.

    Raises:
        LogError: one of them is not as it must be. None accepts the log of any plan.
    """
    if not events:
        raise NeverRan("no events: the attempt never started")
    clock_s = -math.inf
    for place, event in enumerate(events):
        if event.schema_version != SCHEMA_VERSION:
            raise MalformedLog(f"event {place}: schema version {event.schema_version}, wanted {SCHEMA_VERSION}")
        if not is_event_kind(event.kind):
            raise MalformedLog(f"event {place}: unknown kind {event.kind!r}")
        if event.seq != events[0].seq + place:
            raise IncompleteLog(
                f"event {place} has seq {event.seq}, wanted {events[0].seq + place}: events are missing"
            )
        if not math.isfinite(event.clock_s) or event.clock_s < clock_s:
            raise MalformedLog(f"event {place}: clock {event.clock_s} s after {clock_s} s")
        clock_s = event.clock_s
    if events[0].kind != "episode_start":
        raise IncompleteLog(f"the log starts with {events[0].kind!r}, wanted 'episode_start'")
    if events[-1].kind != "episode_end":
        raise IncompleteLog(f"the log ends with {events[-1].kind!r}, wanted 'episode_end'")
    for event in events[1:-1]:
        if event.kind in ("episode_start", "episode_end"):
            raise MalformedLog(f"event {event.seq}: a second {event.kind!r} inside the log")
    start, end = events[0], events[-1]
    if plan_hash is not None and (found := field_of(start, "plan_hash")) != plan_hash:
        raise PlanMismatch(f"unit {start.data.get('unit_id')!r}: log has plan hash {found!r}, wanted {plan_hash!r}")
    return start, end


class Walk:
    """The one pass over a log. Mutable; leaves the grading modules as frozen logs only."""

    def __init__(self, level: LevelId | None, *, tolerant: bool) -> None:
        self.level = level  # None: an episode, which starts on no board
        self.tolerant = tolerant  # an attempt the apparatus broke may miss its starting or its last snapshot
        self.steps: list[Step] = []
        self.stated: list[Stated] = []
        self.usages: list[JsonObject] = []
        self.n_actions = self.n_invalid = 0
        self.start_state: JsonObject | None = None
        self.start_potential: float | None = None
        self.won_at_s: float | None = None
        self.won_at_action: int | None = None
        self._n_transitions: int | None = None
        self._pending: Event | None = None

    def take(self, event: Event) -> None:
        """Account for one event."""
        if event.kind == "decision":
            if self._n_transitions is None:
                raise IncompleteLog(f"event {event.seq}: a decision before the starting snapshot")
            self.stated.append(
                Stated(event.seq, event.clock_s, str(event.data.get("reason") or ""), bool(event.data.get("late")))
            )
            self.usages.append(dict(event.data.get("usage") or {}))
        elif event.kind == "action":
            self._action(event)
        elif event.kind == "controller":
            self._refuse_open(event)
            self._pending = event
        elif event.kind == "snapshot":
            self._snapshot(event)

    def finish(self, end: Event) -> None:
        """Check that nothing is left open."""
        if self.tolerant:
            return
        if self._n_transitions is None:
            raise IncompleteLog("no starting snapshot, and the attempt did not end as an infrastructure failure")
        if self._pending is not None:
            raise IncompleteLog(f"action {self.n_actions - 1} has no snapshot before event {end.seq}")

    def _action(self, event: Event) -> None:
        if not field_of(event, "valid"):
            self.n_invalid += 1
            return
        self._refuse_open(event)
        if event.data.get("index") != self.n_actions:
            raise IncompleteLog(f"event {event.seq}: action index {event.data.get('index')}, wanted {self.n_actions}")
        self.n_actions += 1
        self._pending = event

    def _refuse_open(self, event: Event) -> None:
        if self._pending is not None:
            raise IncompleteLog(f"event {event.seq}: the {self._pending.kind} before it has no snapshot")

    def _snapshot(self, event: Event) -> None:
        transitions = [_transition(item, event) for item in field_of(event, "transitions")]
        total = int(field_of(event, "n_transitions"))
        if self._n_transitions is None:
            self._start(event, transitions)
        elif self._pending is None:
            if transitions:
                raise MalformedLog(f"event {event.seq}: {len(transitions)} transitions that no action caused")
        else:
            self._after_action(event, transitions)
        expected = total if self._n_transitions is None else self._n_transitions + len(transitions)
        indices = [item["index"] for item in transitions]
        if total != expected or indices != list(range(total - len(transitions), total)):
            raise IncompleteLog(
                f"event {event.seq}: transitions {indices} of {total} do not continue {self._n_transitions}"
            )
        self._n_transitions = total
        self._pending = None

    def _start(self, event: Event, transitions: list[dict[str, Any]]) -> None:
        raw = event.data.get("level")
        found = None if raw is None else level_of(raw)
        if found != self.level and not self.tolerant:
            raise LevelMismatch(f"the attempt starts on {found}, assigned is {self.level}")
        if event.data.get("potential") is not None:
            self.start_potential = float(event.data["potential"])
        if transitions:
            self.start_state = transitions[-1]["state"]

    def _after_action(self, event: Event, transitions: list[dict[str, Any]]) -> None:
        assert self._pending is not None
        action = self.n_actions - 1
        self.steps += [
            Step(
                **item,
                clock_s=event.clock_s,
                action=action,
                by_agent=self._pending.kind == "action",
                seq=self._pending.seq,
            )
            for item in transitions
        ]
        shows_win = bool(event.data.get("won")) and _level_or_none(event.data.get("level")) == self.level
        if self.won_at_s is None and (shows_win or any(t["won"] and t["level"] == self.level for t in transitions)):
            self.won_at_s, self.won_at_action = event.clock_s, action


def _transition(item: Mapping[str, Any], event: Event) -> dict[str, Any]:
    try:
        return {
            "index": int(item["index"]),
            "kind": str(item["kind"]),
            "level": level_of(item["level"]),
            "state": item["state"],
            "won": bool(item["won"]),
            "potential": float(item["potential"]),
            "move": item.get("move"),
        }
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedLog(f"event {event.seq}: not a transition: {error!r}") from error


def level_of(value: object) -> LevelId:
    """Read a level as text or as the three fields of `LevelId`."""
    try:
        if isinstance(value, Mapping):
            return LevelId(str(value["game"]), str(value["difficulty"]), int(value["number"]))
        return LevelId.parse(str(value))
    except (KeyError, ValueError) as error:
        raise MalformedLog(f"not a level: {value!r}") from error


def _level_or_none(value: object) -> LevelId | None:
    return None if value is None else level_of(value)


def ending_of(end: Event) -> Ending:
    """Return the ending of `episode_end`. Raises MalformedLog."""
    found = field_of(end, "ending")
    if not is_ending(found):
        raise MalformedLog(f"ending {found!r}, wanted one of {', '.join(ENDINGS)}, or a word of the study's own")
    return str(found)


def field_of(event: Event, name: str) -> Any:
    """Return a field of an event's data. Raises MalformedLog naming it."""
    if name not in event.data:
        raise MalformedLog(f"event {event.seq} ({event.kind}): no field {name!r}")
    return event.data[name]
