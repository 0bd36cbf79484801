"""Calls of one episode and what they did, level by level: the parts of comparing native actions with code execution.

Source: first source document, the analysis of Native GUI Actions against Code Execution (Table 8). A call is one tool
call: with native actions a decision, with code every run of code and every call of `act`. A run is a **computation
call** if its code does more than list inputs, screenshots and waits. Inputs are executed pointer and key actions; waits
and answers are none. Levels are solved in order: a solved level's play reaches from the win before it (the first one's:
from its first board) to its own win. A call that goes on into the next level counts in both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from diag.agents.code_execution.steps import listed_inputs
from diag.grading.episodes.board_play import presses_the_board
from diag.grading.episodes.log import EpisodeLog, Input
from diag.grading.walk import Step
from diag.records import Event
from games.contract import BOARD, DRAG_THRESHOLD_PX, JsonObject, LevelId
from games.maze_paint.stage import KEYS

Kind = Literal["computation", "single", "batch", "observation"]
NO_INPUTS = ("wait", "answer")
DRAGS = ("drag", "swipe")


@dataclass(frozen=True)
class Call:
    """One tool call."""

    seq: int
    """Of its decision."""
    computes: bool
    n_inputs: int
    """Inputs of it that were executed."""

    @property
    def kind(self) -> Kind:
        """Return what sort of call it is."""
        if self.computes:
            return "computation"
        return "observation" if self.n_inputs == 0 else "single" if self.n_inputs == 1 else "batch"


@dataclass(frozen=True)
class LevelPlay:
    """A solved level."""

    level: str
    place: int
    """0-based in the objective's catalogue order."""
    time_s: float
    n_calls: int
    n_screenshots: int
    n_inputs: int
    computes: bool
    """At least one of its calls computes."""
    largest_call: float | None
    """Largest share of its inputs that one call issued; None without inputs."""


@dataclass(frozen=True)
class Slips:
    """Operation errors, each with what it is of."""

    maze_swipes: int = 0
    maze_invalid: int = 0
    maze_zero_progress: int = 0
    maze_repeated: int = 0
    """Swipes in the direction of the swipe before them in the same attempt: the ball lies there already."""
    connect_gestures: int = 0
    """Presses on a Color Connect board."""
    connect_invalid: int = 0
    """Clicks that were refused."""
    connect_drags: int = 0
    """Drags, which the game does not take."""


def calls_of(events: Sequence[Event]) -> tuple[Call, ...]:
    """Return the calls of an episode in order."""
    found: list[Call] = []
    for place, event in enumerate(events):
        if event.kind == "decision":
            executed = _inputs_after(events, place)
            now = _calls(event.seq, dict(event.data.get("usage") or {}), event.data, executed)
            runs = (event.data.get("usage") or {}).get("runs") or [{}]
            if found and now and runs[0].get("goes_on"):  # code after its own screenshot is the call it was before
                found[-1] = replace(found[-1], n_inputs=found[-1].n_inputs + now.pop(0).n_inputs)
            found += now
    return tuple(found)


def _inputs_after(events: Sequence[Event], place: int) -> int:
    """Count the executed inputs between a decision and the next one."""
    n = 0
    for event in events[place + 1 :]:
        if event.kind == "decision":
            break
        n += event.kind == "action" and bool(event.data.get("valid")) and _is_input(event.data["action"])
    return n


def _is_input(action: JsonObject) -> bool:
    return action.get("name") not in NO_INPUTS


def _calls(seq: int, usage: dict[str, Any], decision: dict[str, Any], executed: int) -> list[Call]:
    runs = usage.get("runs", [])
    found = []
    for run in runs:
        n = min(int(run["n_actions"]), executed)
        executed -= n
        found.append(Call(seq, listed_inputs(str(run["code"])) is None, n))
    acts = decision.get("actions") and not any(run["n_actions"] for run in runs)
    return [*found, Call(seq, False, executed)] if acts else found


def solved_levels(events: Sequence[Event], log: EpisodeLog) -> tuple[LevelPlay, ...]:
    """Return the target levels that the episode solved, in the order of their wins."""
    calls = calls_of(events)
    wins: dict[LevelId, Step] = {}
    for step in log.steps:
        if step.won and step.level in log.levels:
            wins.setdefault(step.level, step)
    found: list[LevelPlay] = []
    since: Step | None = None
    for level, win in wins.items():
        first = since or next(step for step in log.steps if step.level == level and step.kind != "leave")
        found.append(_play(events, log, calls, level, first, win))
        since = win
    return tuple(found)


def _play(
    events: Sequence[Event], log: EpisodeLog, calls: Sequence[Call], level: LevelId, first: Step, win: Step
) -> LevelPlay:
    """Return the play of a level between two events; its inputs are those made on its own boards."""
    inputs = [item for item in log.inputs if first.seq < item.seq <= win.seq and _is_input(item.action)]
    on_board = [item.seq for item in inputs if item.board is not None and item.board.level == level]
    began = max((call.seq for call in calls if call.seq < first.seq), default=-1)
    goes_on = any(item.seq < _next(began, calls) for item in inputs)
    own = [call for call in calls if first.seq < call.seq < win.seq or (goes_on and call.seq == began)]
    largest = max((_issued(call, calls, on_board) for call in own), default=0)
    return LevelPlay(
        level=str(level),
        place=log.levels.index(level),
        time_s=win.clock_s - first.clock_s,
        n_calls=len(own),
        n_screenshots=sum(event.kind == "observation" and first.seq < event.seq < win.seq for event in events),
        n_inputs=len(inputs),
        computes=any(call.computes for call in own),
        largest_call=largest / len(on_board) if on_board else None,
    )


def _issued(call: Call, calls: Sequence[Call], on_board: Sequence[int]) -> int:
    """Return how many of a level's own inputs a call issued: those of its decision, at most its own."""
    after = _next(call.seq, calls)
    return min(call.n_inputs, sum(call.seq < seq < after for seq in on_board))


def _next(seq: int, calls: Sequence[Call]) -> float:
    """Return the event number of the next decision with a call; infinite after the last."""
    return min((call.seq for call in calls if call.seq > seq), default=math.inf)


def slips_of(log: EpisodeLog) -> Slips:
    """Return the operation errors of an episode on boards of its objective."""
    wanted = set(log.levels)
    met = [item for item in log.inputs if item.board is not None and not item.board.won and item.board.level in wanted]
    return Slips(**_maze([item for item in met if _game(item) == "maze_paint"], log), **_connect(met))


def _game(item: Input) -> str:
    return "" if item.board is None else item.board.level.game


def _maze(inputs: Sequence[Input], log: EpisodeLog) -> dict[str, int]:
    after = {step.seq: step for step in log.steps if step.kind == "move"}
    swipes = [(item, direction) for item in inputs if (direction := _direction(item.action)) or _is_swipe(item)]
    starts = sorted(step.seq for step in log.steps if step.kind in ("enter", "restart", "placed"))
    invalid = sum(not item.moved for item, _ in swipes)
    zero = sum(
        item.board is not None and after[item.seq].potential <= item.board.potential for item, _ in swipes if item.moved
    )
    repeated = sum(
        way is not None and way == before and not any(last.seq < seq < item.seq for seq in starts)
        for (last, before), (item, way) in pairwise(swipes)
    )
    return {
        "maze_swipes": len(swipes), "maze_invalid": invalid, "maze_zero_progress": zero, "maze_repeated": repeated
    }  # fmt: skip


def _is_swipe(item: Input) -> bool:
    """Tell whether an input is a drag on the board, long enough to be one."""
    action = item.action
    if action.get("name") not in DRAGS or not BOARD.contains(action["x"], action["y"]):
        return False
    return bool((action["x2"] - action["x"]) ** 2 + (action["y2"] - action["y"]) ** 2 >= DRAG_THRESHOLD_PX**2)


def _direction(action: JsonObject) -> str | None:
    """Return the direction of a swipe or an arrow key; None if it has none."""
    if action.get("name") == "key":
        return KEYS.get(str(action.get("key")))
    if action.get("name") not in DRAGS or not BOARD.contains(action["x"], action["y"]):
        return None
    right, down = action["x2"] - action["x"], action["y2"] - action["y"]
    if abs(right) == abs(down) or right**2 + down**2 < DRAG_THRESHOLD_PX**2:
        return None
    return ("right" if right > 0 else "left") if abs(right) > abs(down) else ("down" if down > 0 else "up")


def _connect(inputs: Sequence[Input]) -> dict[str, int]:
    pressed = [item for item in inputs if _game(item) == "color_connect" and presses_the_board(item)]
    drags = [item for item in pressed if _is_swipe(item)]
    invalid = sum(not item.moved for item in pressed if item not in drags)
    return {"connect_gestures": len(pressed), "connect_invalid": invalid, "connect_drags": len(drags)}
