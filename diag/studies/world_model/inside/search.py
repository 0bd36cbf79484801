"""Searches an agent's world model for a way to `level_complete`, inside the jail.

The search starts from the state that the model threads through the attempt's actions. States are equal if their
`planner_key` is, or else if they pickle to the same bytes. What was found is replayed from the first frame before it is
returned: what does not lead there a second time does not pass.
"""

from __future__ import annotations

import heapq
import pickle
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from .machine import Fault, Machine, guarded, predictions

METHODS = ("auto", "bfs", "astar", "subgoals")
_CLICK = "ACTION6"
_WHOLE = (int, np.integer)
_PLAIN = ("ACTION1", "ACTION2", "ACTION3", "ACTION4", "ACTION5", "ACTION7")
COMPLETE, OVER = "level_complete", "game_over"


class Spent(Exception):
    """The search met its limit of states or time."""


class Search:
    """One search in one model."""

    def __init__(self, machine: Machine, plain: Sequence[str], *, states: int, seconds: float) -> None:
        self.machine, self.plain = machine, tuple(plain)
        self.left, self.deadline = states, time.monotonic() + seconds

    def run(self, start: Any, method: str) -> list[dict[str, Any]] | None:
        """Return the actions to `level_complete`; None if there are none. Raises Fault, Spent."""
        if method == "auto":
            has = self.machine.has
            method = "subgoals" if has("subgoals") else "astar" if has("heuristic") else "bfs"
        if method == "subgoals":
            return self._over_subgoals(start)
        return self._found(start, self._is_complete, guided=method == "astar")[0]

    def _over_subgoals(self, start: Any) -> list[dict[str, Any]] | None:
        """Go from one subgoal to the next, breadth first, and then on to the end."""
        goals = self.machine.call("subgoals", start)
        goals = guarded("subgoals", self.machine.call_s, list, goals)
        taken: list[dict[str, Any]] = []
        state = start
        for goal in [*(self._reached(goal) for goal in goals), self._is_complete]:
            path, after = self._found(state, goal, guided=False)
            if path is None:
                return None
            taken, state = taken + path, after
        return taken

    def _reached(self, goal: Any) -> Callable[[Any], bool]:
        return lambda state: bool(guarded("subgoals", self.machine.call_s, goal, state))

    def _is_complete(self, state: Any) -> bool:
        return self.machine.outcome(state) == COMPLETE

    def _found(
        self, start: Any, goal: Callable[[Any], bool], *, guided: bool
    ) -> tuple[list[dict[str, Any]] | None, Any]:
        """Return the path to a state that meets the goal, and that state; (None, start) if there is none."""
        if goal(start):
            return [], start
        order, known = count(), {self._key(start)}
        waiting: Any = (
            [(self._estimate(start) if guided else 0.0, 0, start, None)] if guided else deque([(0, 0, start, None)])
        )
        while waiting:
            _, _, state, path = heapq.heappop(waiting) if guided else waiting.popleft()
            for action in self._actions(state):
                self._pay()
                after = self.machine.call("transition", state, dict(action))
                key = self._key(after)
                if key in known:
                    continue
                known.add(key)
                trail = (path, action)
                if goal(after):
                    return _unwound(trail), after
                if self.machine.outcome(after) == OVER:
                    continue
                if guided:
                    depth = len(_unwound(trail))
                    heapq.heappush(waiting, (depth + self._estimate(after), next(order) + 1, after, trail))
                else:
                    waiting.append((0, 0, after, trail))
        return None, start

    def _pay(self) -> None:
        self.left -= 1
        if self.left < 0 or time.monotonic() > self.deadline:
            raise Spent

    def _estimate(self, state: Any) -> float:
        return float(self.machine.call("heuristic", state)) if self.machine.has("heuristic") else 0.0

    def _key(self, state: Any) -> Any:
        if self.machine.has("planner_key"):
            key = self.machine.call("planner_key", state)
            guarded("planner_key", self.machine.call_s, hash, key)
            return key
        return guarded("pickle of a state", self.machine.call_s, pickle.dumps, state)

    def _actions(self, state: Any) -> list[dict[str, Any]]:
        """Return the model's own candidates; without any, every available action but the click."""
        if not self.machine.has("actions"):
            return [{"action": name, "row": None, "col": None} for name in self.plain]
        found = guarded("actions", self.machine.call_s, list, self.machine.call("actions", state))
        return [action_of(one) for one in found]


def action_of(value: Any) -> dict[str, Any]:
    """Return an action in the contract's form. Raises Fault."""
    if isinstance(value, dict) and isinstance(value.get("action"), str):
        row, col = value.get("row"), value.get("col")
        if value["action"] in _PLAIN:
            return {"action": value["action"], "row": None, "col": None}
        if value["action"] == _CLICK and isinstance(row, _WHOLE) and isinstance(col, _WHOLE):
            cell = {"row": int(row), "col": int(col)}
            if all(0 <= place < 64 for place in cell.values()):
                return {"action": _CLICK, **cell}
    raise Fault(f"actions: got {str(value)[:80]!r}, wanted action, row, col")


def _unwound(trail: Any) -> list[dict[str, Any]]:
    found = []
    while trail is not None:
        trail, action = trail
        found.append(action)
    return found[::-1]


def plan(machine: Machine, job: dict[str, Any], grid: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return `status`, and for a plan that was found its `actions` and, as `steps`, what the model says from the start.

    Status: found, none (no state of this model completes the level), limit, fault, replay (the plan found does not lead
    there a second time). "none" is a statement about the model, not about the game.
    """
    search = Search(machine, job["plain"], states=job["states"], seconds=job["seconds"])
    try:
        found = search.run(_threaded(machine, job, grid), job["method"])
        if found is None:
            return {"status": "none", "states": job["states"] - search.left}
        steps = list(predictions(machine, job["level"], grid, [*job["actions"], *found]))
    except Spent:
        return {"status": "limit", "states": job["states"] - max(search.left, 0)}
    except Fault as error:
        return {"status": "fault", "fault": str(error)}
    if steps[-1].get("outcome") != COMPLETE:
        return {"status": "replay"}
    return {"status": "found", "states": job["states"] - search.left, "actions": found, "steps": steps}


def _threaded(machine: Machine, job: dict[str, Any], grid: np.ndarray[Any, Any]) -> Any:
    """Return the state after the attempt's actions. Raises Fault."""
    state = machine.call("init_state", grid.copy(), job["level"])
    for action in job["actions"]:
        state = machine.call("transition", state, dict(action))
    return state
