"""Writes episode logs for tests: every state is {"n": int}, and a test says what each n is worth."""

from __future__ import annotations

from typing import Any

from diag.grading.episodes.bolt import Capacity
from diag.grading.episodes.grade import EpisodeTools
from diag.records import Event
from games.contract import JsonObject, LevelId

MAZE = tuple(LevelId("maze_paint", "easy", number) for number in (1, 2, 3, 4))
SWIPE = {"name": "swipe", "x": 400, "y": 400, "x2": 500, "y2": 400}
PAINTED = {0: (1, 25), 1: (5, 25), 2: (5, 25), 3: (22, 25), 4: (25, 25)}
"""n -> painted and paintable cells of a Maze Paint board."""
CLICK = {"name": "click", "x": 400, "y": 400}


def to(level: LevelId, kind: str, n: int, potential: float, *, won: bool = False, move: Any = None) -> dict[str, Any]:
    """Return a transition."""
    state: dict[str, Any] = {"n": n, "bolts": []} if level.game == "nut_and_bolt" else {"n": n}
    return {"kind": kind, "level": str(level), "move": move, "state": state, "won": won, "potential": potential}


class EpisodeWriter:
    """Appends events the way the session loop does, one decision and one action at a time."""

    def __init__(self, levels: tuple[LevelId, ...] = MAZE, *, budget_s: float = 3_600.0) -> None:
        self.events: list[Event] = []
        self.n_actions = self.n_transitions = 0
        self.clock_s = 0.0
        self.board: dict[str, Any] | None = None
        self.add(
            "episode_start", unit_id="u1", attempt=1, plan_hash="plan", study="rq1", arm="A", cohort="E",
            block_id="b1", checkpoint_id=f"{levels[0].game}/{levels[0].difficulty}", level=None, digests={"state": ""},
            start_state=None, objective=[str(level) for level in levels], limits={"time_s": budget_s},
        )  # fmt: skip
        self._snapshot()

    def add(self, kind: Any, **data: Any) -> EpisodeWriter:
        self.events.append(Event(len(self.events), kind, self.clock_s, self.clock_s, "2026-01-01T00:00:00", data))
        return self

    def do(self, clock_s: float, *transitions: dict[str, Any], action: JsonObject = CLICK, usage: Any = None) -> Any:
        """Decide at once and act at `clock_s`."""
        self.add("decision", actions=[action], reason="r", latency_s=1.0, stop=False, usage=usage or {}, late=False)
        self.clock_s = clock_s
        self.add("action", index=self.n_actions, action=action, valid=True, feedback="")
        self.n_actions += 1
        self._snapshot(*transitions)
        return self

    def end(self, clock_s: float, ending: str = "time_limit", failure_kind: str | None = None) -> tuple[Event, ...]:
        self.clock_s = clock_s
        self.add("episode_end", ending=ending, reason="r", failure_kind=failure_kind)
        return tuple(self.events)

    def _snapshot(self, *transitions: dict[str, Any]) -> None:
        numbered = [{**item, "index": self.n_transitions + place} for place, item in enumerate(transitions)]
        self.n_transitions += len(numbered)
        for item in numbered:
            self.board = None if item["kind"] == "leave" else item
        board = self.board
        self.add(
            "snapshot", screen="playing" if board else "home", level=board["level"] if board else None,
            state_digest="d" if board else None, won=bool(board and board["won"]),
            potential=board["potential"] if board else None, n_transitions=self.n_transitions, transitions=numbered,
        )  # fmt: skip


class Book:
    """Knowledge given as a table: n -> d, "dead" or "open" (too hard to decide)."""

    def __init__(self, table: dict[int, Any]) -> None:
        self.table = table

    def verdict(self, level: LevelId, state: JsonObject) -> Any:
        del level
        found = self.table.get(state["n"], 5)
        return {"dead": "dead_end", "open": "undecided"}.get(found, "solvable")

    def is_certified(self, level: LevelId, state: JsonObject) -> bool:
        return level.game != "bolt_unscrew" or self.table.get(-state["n"]) == "no move"

    def distance(self, level: LevelId, state: JsonObject, *, at_least: int = 0) -> int | None:
        del level, at_least
        found = self.table.get(state["n"])
        return found if isinstance(found, int) else None


def tools(table: dict[int, Any] | None = None, capacity: dict[int, Capacity] | None = None) -> EpisodeTools:
    """Return grading tools that answer from tables."""
    return EpisodeTools(
        lambda: Book(table or {}),
        lambda level, state: (capacity or {})[state["n"]],
        lambda level, state: PAINTED.get(state["n"], (1, 25)),
    )
