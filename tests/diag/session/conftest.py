"""A tiny suite for the session's tests: a token on a row of cells, a restart button, a dead end two moves away.

The token goes one or three cells to the right, never onto a blocked cell, and wins on the last. With cells 3, 5, 6 of
0..7 blocked the only way is 0-1-4-7, and 0-1-2 is a dead end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from diag.records import Event, Unit
from diag.session import (
    AttemptSetup,
    EventLog,
    LevelWon,
    Limits,
    PictureStore,
    RulesEnvironment,
    VirtualClock,
    read_events,
    run_attempt,
)
from diag.session.contract import Decision, Observation, PublicContext, Turn
from games.contract import LevelId, Tap
from games.digest import state_digest
from games.suite.snapshot import Snapshot, Transition

LEVEL = LevelId("tiny", "easy", 1)
BLOCKED = {3, 5, 6}
GOAL = 7
RESTART = (1000, 40)


def cell(index: int) -> tuple[int, int]:
    """Return the centre of a cell."""
    return 100 + 50 * index, 300


class TinySession:
    """The part of a suite session that an attempt uses, over the tiny game."""

    def __init__(self, secret: str = "") -> None:
        self.level = LEVEL
        self.fault: Exception | None = None
        self.secret = secret
        self.at = 0
        self.held = True
        self.changes: list[Transition] = []
        self._note("placed", None)

    def gesture(self, gesture: Any) -> None:
        if self.held or not isinstance(gesture, Tap):
            return
        if (gesture.x, gesture.y) == RESTART:
            self.at = 0
            self._note("restart", None)
        for step in (1, 3):
            target = self.at + step
            if (gesture.x, gesture.y) == cell(target) and target <= GOAL and target not in BLOCKED and self.at != GOAL:
                self.at = target
                self._note("move", step)
                return

    def picture(self) -> dict[str, Any]:
        return {"screen": "playing", "board": {"token": self.at}, "controls": [], "seq": len(self.changes)}

    def state(self) -> dict[str, Any]:
        return {"token": self.at, "secret": self.secret}

    def snapshot(self) -> Snapshot:
        digest = state_digest(self.level, self.state())
        won = self.at == GOAL
        wins = (self.level,) if any(change.won for change in self.changes) else ()
        n = len(self.changes)
        return Snapshot("playing", self.level, self.state(), digest, None, won, self.at / GOAL, wins, n)

    def transitions(self, since: int) -> tuple[Transition, ...]:
        return tuple(self.changes[since:])

    def release(self) -> None:
        self.held = False

    def _note(self, kind: Any, move: Any) -> None:
        won = self.at == GOAL
        self.changes.append(Transition(len(self.changes), kind, self.level, move, self.state(), won, self.at / GOAL))


@dataclass(frozen=True)
class TinyLevel:
    layout_json: dict[str, Any]


class TinyCatalogue:
    def level(self, level: LevelId) -> TinyLevel:
        return TinyLevel({"cells": 8, "for": str(level)})


class Scripted:
    """An agent that plays a list of decisions, then stops; it keeps what it was shown."""

    name = "scripted"

    def __init__(self, script: list[Any], *, latency_s: float = 10.0, **traits: Any) -> None:
        self.script = list(script)
        self.latency_s = latency_s
        self.simulated = traits.get("simulated", True)
        self.privilege = traits.get("privilege", "none")
        self.reads_scene = traits.get("reads_scene", True)
        self.continuation_prompts = traits.get("continuation_prompts", 0)
        self.seen: list[Observation] = []
        self.summarized: list[PublicContext] = []

    def decide(self, observation: Observation) -> Decision:
        self.seen.append(observation)
        if not self.script:
            return Decision((), "nothing left to do", self.latency_s, stop=True)
        item = self.script.pop(0)
        if isinstance(item, Exception):
            raise item
        if isinstance(item, Decision):
            return item
        return Decision(tuple(item), f"plays {len(item)}", self.latency_s)

    def summarize(self, context: PublicContext) -> str:
        self.summarized.append(context)
        return f"summary {len(self.summarized)}"


def click(index: int) -> dict[str, Any]:
    """Return the action that clicks a cell."""
    x, y = cell(index)
    return {"name": "click", "x": x, "y": y}


RESTART_CLICK = {"name": "click", "x": RESTART[0], "y": RESTART[1]}
ANSWER = {"name": "answer", "text": "done"}


def wait(seconds: float) -> dict[str, Any]:
    return {"name": "wait", "seconds": seconds}


class Bench:
    """Runs attempts in the tiny suite and reads their logs back."""

    level = LEVEL
    click = staticmethod(click)
    wait = staticmethod(wait)
    restart_click = RESTART_CLICK
    answer = ANSWER
    agent = Scripted
    session = TinySession
    catalogue = TinyCatalogue

    def __init__(self, tmp_path: Any) -> None:
        self.tmp_path = tmp_path
        self.n_runs = 0

    def setup(self, **changes: Any) -> AttemptSetup:
        context = PublicContext("Win the level.", (Turn((click(1),), "done", "start", None),))
        unit = Unit("b1-A-r1", "b1", "D", "A", 1, "c1", "digest", "tiny-1", 7, 0)
        base = AttemptSetup(
            unit=unit,
            attempt=1,
            plan_hash="plan",
            study="test",
            level=LEVEL,
            base_context=context,
            context=context,
            goal=LevelWon(LEVEL),
            stop_conditions=(LevelWon(LEVEL),),
            limits=Limits(time_s=300.0, actions=600, invalid_decisions_in_a_row=3),
        )
        return replace(base, **changes)

    def run(
        self, agent: Any, *, environment: Any = None, clock: Any = None, held_png: bytes = b"", **changes: Any
    ) -> tuple[Event, ...]:
        self.n_runs += 1
        path = self.tmp_path / f"events-{self.n_runs}.jsonl"
        with EventLog(path) as log:
            run_attempt(
                self.setup(**changes),
                agent=agent,
                environment=environment or RulesEnvironment(TinySession(), TinyCatalogue()),
                clock=clock or VirtualClock(),
                log=log,
                pictures=PictureStore(self.tmp_path / "pictures"),
                held_png=held_png,
            )
        return read_events(path)


@pytest.fixture
def bench(tmp_path: Any) -> Bench:
    return Bench(tmp_path)


def of_kind(events: tuple[Event, ...], kind: str) -> list[Event]:
    return [event for event in events if event.kind == kind]


@pytest.fixture
def kinds() -> Any:
    return of_kind
