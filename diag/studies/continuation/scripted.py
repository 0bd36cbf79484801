"""A scripted agent with knobs, so that every branch of the controller is met and effects are known beforehand.

It reads what any agent has: the prompts, and the files of its workspace. It knows neither arm nor level. A maze it
explores as `solvers.agi_maze.explorer` does, by `scene.json`, other games by their frames. What it does besides:

* doubt: before an action it is in doubt with chance `doubts`. Told to report, it returns; resumed, it has reread the
  description and sees clearly with chance `reread_gain`. In doubt it walks into a wall it knows: one action wasted.
* returns: before an action it returns for no reason with chance `returns`, under any instruction.
* resets: before an action it resets an attempt that is not over with chance `resets`, unless the prompt forbids it and
  it obeys (`obeys`). At GAME_OVER it resets, unless it is forbidden.
* notes: told to keep a world model, it settles a doubt by its notes with chance `notes_gain`.

With `reread_gain` = 0 every doubt wastes one action under any instruction. Of n actions that lead on, a run makes
n / (1 - d (1 - g)) on average, where d is the chance of doubt and g what settles it under the instruction.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from diag.agents.grid.contract import Sight
from diag.agents.grid.watchers import Explorer as FrameExplorer
from diag.arms.tokens import count_tokens
from diag.errors import ConfigError
from diag.session.contract import Privilege
from diag.studies.continuation import prompts
from diag.studies.continuation.agents import Hands, Returned, Usage
from games.agi_maze.layout import edge_of, neighbour
from games.grid import DIRECTION
from games.grid.actions import NAMES, TOWARDS, GridAction
from games.grid.contract import Observation
from games.grid.frame import frame_from_text
from solvers.agi_maze.explorer import Explorer

REPORTS = {
    "doubt": "I am not sure how to go on: I do not know what my last action came to. I stop before acting further.",
    "habit": "This is how far I have come.",
    "over": "The state is GAME_OVER.",
    "done": "The environment has ended.",
    "noted": "I have written down why this attempt ended.",
}
ACTION_TOKENS = 12
"""Output of one action."""


@dataclass(frozen=True)
class Knobs:
    """Chances, each per decision."""

    doubts: float = 0.4
    reread_gain: float = 0.6
    returns: float = 0.02
    resets: float = 0.004
    obeys: float = 1.0
    notes_gain: float = 0.8

    def __post_init__(self) -> None:
        """Raise ValueError for a chance outside 0 to 1, or one with which a run would never end."""
        for name, value in asdict(self).items():
            if not 0 <= value <= 1:
                raise ValueError(f"knobs.{name}: got {value}, wanted a chance from 0 to 1")


@dataclass(frozen=True)
class ScriptedFactory:
    """Settings of the scripted agent; picklable."""

    name: str = "continuing"
    knobs: Knobs = field(default_factory=Knobs)
    pace_s: float = 5.0
    """What one decision takes on the virtual clock."""
    simulated: bool = True
    privilege: Privilege = "none"

    def converse(self, seed: int) -> Scripted:
        """Return an agent for one attempt; equal seeds, prompts and observations give equal actions."""
        return Scripted(self.name, self.knobs, self.pace_s, np.random.default_rng(seed))

    def build(self, seed: int) -> Any:
        """Refuse: this agent holds conversations and makes no GUI actions. Raises ConfigError."""
        raise ConfigError(f"agent {self.name} is for continuation studies alone; wanted one that makes GUI actions")

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON."""
        knobs = {f"knobs.{name}": value for name, value in asdict(self.knobs).items()}
        return {"name": self.name, "simulated": True, "privilege": self.privilege, "pace_s": self.pace_s, **knobs}


@dataclass
class Scripted:
    """The agent in one attempt."""

    name: str
    knobs: Knobs
    pace_s: float
    rng: np.random.Generator
    simulated: bool = True
    privilege: Privilege = "none"
    _told: set[str] = field(default_factory=set)
    """What the conversation has said so far that matters to it."""
    _doubt: bool = False
    """It returned in doubt and has been resumed."""
    _level: int = -1
    _maze: Explorer = field(default_factory=Explorer)
    _frames: Any = None
    _context: int = 0
    """Tokens of the conversation."""
    _cached: int = 0

    def invoke(self, prompt: str, hands: Hands) -> Returned:
        """Act until something makes it return."""
        self._listen(prompt)
        tally = _Tally()
        why = "noted" if prompt == prompts.ANALYSE else self._works(hands, tally)
        self._call(tally, count_tokens(REPORTS[why]))
        hands.spend(self.pace_s)
        return Returned(REPORTS[why], tally.usage())

    def _listen(self, prompt: str) -> None:
        self._context += count_tokens(prompt)
        for what, words in (("report", prompts.STOP_AND_REPORT), ("forbidden", prompts.CONTROLLED_RESET),
                            ("notes", prompts.TEXTUAL)):  # fmt: skip
            if words in prompt:
                self._told.add(what)

    def _works(self, hands: Hands, tally: _Tally) -> str:
        while not hands.client.saved["terminal"]:
            seen = json.loads(hands.client.observed("metadata.txt"))
            self._notice(seen)
            if seen["state"] == "GAME_OVER":
                if self._must_not_reset():
                    return "over"
                self._reset(hands, tally)
            elif self._happens(self.knobs.returns):
                return "habit"
            elif seen["attempt_actions"] and self._happens(self.knobs.resets) and not self._must_not_reset():
                self._reset(hands, tally)
            elif (doubts := self._doubts()) == "return":
                return "doubt"
            else:
                self._act(hands, tally, self._wasted(hands, seen) if doubts == "waste" else self._next(hands, seen))
        return "done"

    def _notice(self, seen: dict[str, Any]) -> None:
        """Take note that a level or an attempt begins."""
        if seen["levels_completed"] != self._level:
            self._level, self._maze, self._frames = (
                seen["levels_completed"],
                Explorer(),
                FrameExplorer().build(self.rng),
            )
        if seen["attempt_actions"] == 0:
            self._maze.begins()

    def _doubts(self) -> str:
        """Return what a doubt makes it do now: `return`, `waste` an action, or nothing (empty)."""
        knobs, resumed = self.knobs, self._doubt
        self._doubt = False
        if resumed:
            return "" if self._happens(knobs.reread_gain) else "waste"
        if not self._happens(knobs.doubts):
            return ""
        if "notes" in self._told and self._happens(knobs.notes_gain):
            return ""
        if "report" in self._told:
            self._doubt = True
            return "return"
        return "waste"

    def _must_not_reset(self) -> bool:
        return "forbidden" in self._told and self._happens(self.knobs.obeys)

    def _happens(self, chance: float) -> bool:
        return bool(self.rng.random() < chance)

    def _reset(self, hands: Hands, tally: _Tally) -> None:
        self._act(hands, tally, {"id": "RESET"})

    def _act(self, hands: Hands, tally: _Tally, action: dict[str, Any]) -> None:
        self._call(tally, ACTION_TOKENS)
        self._context += count_tokens(hands.act(action, self.pace_s))

    def _call(self, tally: _Tally, output: int) -> None:
        """Count one model call: the whole conversation goes in, what was sent before is cached."""
        tally.add(self._context, self._cached, output)
        self._cached = self._context
        self._context += output

    def _wasted(self, hands: Hands, seen: dict[str, Any]) -> dict[str, Any]:
        """Return an action that leads nowhere: into a wall it knows, else a click on the last row, else the first."""
        if scene := hands.client.observed("scene.json"):
            blocked = _blocked(json.loads(scene))
            if blocked:
                return {"id": NAMES[TOWARDS[blocked[0]]]}
        if "ACTION6" in seen["available_actions"]:
            return {"id": "ACTION6", "data": {"x": 63, "y": 63}}
        return {"id": seen["available_actions"][1]}

    def _next(self, hands: Hands, seen: dict[str, Any]) -> dict[str, Any]:
        """Return the next action that leads on."""
        if scene := hands.client.observed("scene.json"):
            return {"id": NAMES[TOWARDS[self._maze.choose(json.loads(scene))]]}
        return _action_json(self._frames.choose(_sight(hands, seen)))


@dataclass
class _Tally:
    """Tokens of one invocation."""

    sent: int = 0
    cached: int = 0
    written: int = 0
    calls: int = 0

    def add(self, sent: int, cached: int, written: int) -> None:
        self.sent += sent
        self.cached += cached
        self.written += written
        self.calls += 1

    def usage(self) -> Usage:
        return Usage(self.sent, self.cached, self.written, self.calls)


def _blocked(scene: dict[str, Any]) -> list[str]:
    """Return the sides on which there is a border of the maze, or a wall that was felt."""
    here = (scene["you"][0], scene["you"][1])
    size = (len(scene["cells"]), len(scene["cells"][0]))
    walls = {(row, column, side) for row, column, side, kind in scene["edges"] if kind == "wall"}

    def is_blocked(side: str) -> bool:
        there = neighbour(here, side)
        return not (0 <= there[0] < size[0] and 0 <= there[1] < size[1]) or edge_of(here, side) in walls

    return [side for side in DIRECTION if is_blocked(side)]


def _sight(hands: Hands, seen: dict[str, Any]) -> Sight:
    frame = frame_from_text(hands.client.observed("final.txt"))
    numbers = tuple(NAMES.index(name) for name in seen["available_actions"] if name != "RESET")
    answer = Observation((frame,), "playing", seen["levels_completed"], seen["levels"], numbers)
    return Sight(answer, seen["attempt_actions"])


def _action_json(action: GridAction) -> dict[str, Any]:
    point = {"data": {"x": action.x, "y": action.y}} if action.name == "ACTION6" else {}
    return {"id": action.name, **point}
