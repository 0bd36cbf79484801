"""Writes event logs for tests: a tiny board whose state is {"n": int}, certified by a table of its n."""

from __future__ import annotations

from typing import Any

from diag.grading.episodes.bolt import Capacity
from diag.records import Event
from games.contract import JsonObject, LevelId

LEVEL = LevelId("bolt_unscrew", "hard", 3)
OTHER = LevelId("bolt_unscrew", "hard", 4)
DIGESTS = {"state": "s", "pixels": "p", "prefix": "x", "objective": "o", "interface": "i", "limits": "l"}

DEAD, LIVE, OPEN, WON, DOOMED = {"n": 0}, {"n": 1}, {"n": 2}, {"n": 9}, {"n": -1}


class Certifier:
    """State 0 has no move left, -1 has moves and no win, 2 is too hard to decide, every other one is solvable."""

    def __call__(self, level: LevelId, state: JsonObject) -> Any:
        assert (level.game, level.difficulty, level.number) == (level.game, LEVEL.difficulty, LEVEL.number)
        return {0: "dead_end", -1: "dead_end", 2: "undecided"}.get(state["n"], "solvable")

    def mechanism(self, level: LevelId, state: JsonObject) -> Any:
        del level
        return {0: "no_available_hole", -1: "exhausted_search"}.get(state["n"])


certify = Certifier()


def measure(level: LevelId, state: JsonObject) -> Capacity:
    """State 0 has no free hole and is deadlocked; of any other n free holes are n % 10, boards out n // 10."""
    del level
    return Capacity(max(state["n"], 0) % 10, max(state["n"], 0) // 10, deadlocked=state["n"] == 0)


class LogWriter:
    """Appends events the way the session loop does: action, then snapshot, each with the clock of its effect."""

    def __init__(self, *, cohort: str = "D", level: LevelId = LEVEL, plan_hash: str = "plan") -> None:
        self.events: list[Event] = []
        self.n_actions = self.n_transitions = 0
        self.add(
            "episode_start", 0.0, unit_id="u1", attempt=1, plan_hash=plan_hash, study="rq2", arm="A", cohort=cohort,
            block_id="b1", checkpoint_id="c1", level=str(level), digests=dict(DIGESTS), start_state=DEAD,
        )  # fmt: skip

    def add(self, kind: Any, clock_s: float, **data: Any) -> LogWriter:
        self.events.append(Event(len(self.events), kind, clock_s, clock_s, "2026-01-01T00:00:00", data))
        return self

    def snapshot(self, clock_s: float, *transitions: dict[str, Any], level: LevelId | None = LEVEL) -> LogWriter:
        numbered = [{**item, "index": self.n_transitions + place} for place, item in enumerate(transitions)]
        self.n_transitions += len(numbered)
        return self.add(
            "snapshot", clock_s, screen="playing" if level else "levels", level=None if level is None else str(level),
            state_digest="d", won=bool(transitions and transitions[-1]["won"]),
            potential=transitions[-1]["potential"] if transitions else 0.4,
            n_transitions=self.n_transitions, transitions=numbered,
        )  # fmt: skip

    def start(self, state: JsonObject = DEAD, potential: float = 0.4) -> LogWriter:
        return self.snapshot(0.0, change("placed", state, potential))

    def say(self, clock_s: float, reason: str = "I play.", *, late: bool = False) -> LogWriter:
        return self.add("decision", clock_s, actions=[], reason=reason, latency_s=1.0, stop=False, usage={}, late=late)

    def act(self, clock_s: float, *transitions: dict[str, Any], level: LevelId | None = LEVEL) -> LogWriter:
        self.add(
            "action", clock_s, index=self.n_actions, action={"name": "click", "x": 1, "y": 1}, valid=True, feedback=""
        )
        self.n_actions += 1
        return self.snapshot(clock_s, *transitions, level=level)

    def end(self, clock_s: float = 300.0, ending: str = "time_limit", failure_kind: str | None = None) -> list[Event]:
        self.add("episode_end", clock_s, ending=ending, reason="", failure_kind=failure_kind)
        return self.events


def change(
    kind: str, state: JsonObject, potential: float = 0.0, *, level: LevelId = LEVEL, won: bool = False
) -> dict[str, Any]:
    move = "m" if kind == "move" else None
    return {"kind": kind, "level": str(level), "move": move, "state": state, "won": won, "potential": potential}
