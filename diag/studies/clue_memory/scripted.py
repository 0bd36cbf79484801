"""A scripted agent for clue levels: explorer, mapper, solver and judge behind the one interface that models have.

It reads the visible scene and the words of its context, never the condition's name: what it does differently it does
because it was asked something else, or shown something else. Its faults are knobs, so that effects are known before.
It proves wiring and arithmetic and says nothing about any model.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from diag.session.contract import Decision, Observation, Privilege, PublicContext
from diag.studies.clue_memory.explorer import Explorer, Knobs, clue_of, guess, presses
from diag.studies.clue_memory.formats import says
from diag.studies.clue_memory.memories import Clue, Location, Mapping
from games.clue_house.sight import options
from games.contract import JsonObject, Tap

SECONDS = 5.0
"""What a decision is said to take."""
NOTE = re.compile(r"^- (\w+) card, (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class ExplorerFactory:
    """Settings of the scripted explorer; picklable; builds one for each attempt."""

    name: str = "clue_explorer"
    knobs: Knobs = field(default_factory=Knobs)
    privilege: Privilege = "none"
    simulated: Literal[True] = True

    def build(self, seed: int) -> ScriptedExplorer:
        """Return an explorer; equal seeds notice, keep and misread alike."""
        return ScriptedExplorer(self.name, self.knobs, seed)

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON."""
        return {"name": self.name, "privilege": self.privilege, "simulated": True, **asdict(self.knobs)}


class ScriptedExplorer:
    """One explorer in one attempt."""

    simulated = True
    reads_scene = True
    privilege: Privilege = "none"

    def __init__(self, name: str, knobs: Knobs, seed: int) -> None:
        self.name, self.knobs, self.seed = name, knobs, seed
        self.explorer = Explorer()
        self.sights: dict[str, tuple[int, Clue]] = {}
        """Emblem of a noticed card -> the action of its last sight, and what it said."""
        self.n_actions = 0
        self._guessing = np.random.default_rng([seed, 1])
        self._mapping = np.random.default_rng([seed, 3])

    def decide(self, observation: Observation) -> Decision:
        """Answer what is asked: a verdict, the result of a task, or the next action."""
        picture = observation.scene or {}
        asked = observation.context.instruction
        if says(asked, "verdict"):
            return self._verdict(picture, asked)
        scene = picture.get("board")
        if scene is None or picture.get("dialog"):
            return Decision(({"name": "wait", "seconds": 1},), "no board is in play", SECONDS)
        words = self._look(scene, asked)
        task = _task(asked)
        if task is not None:
            return self._solve(scene, task, observation.context)
        return self._seek(scene, observation.context, words)

    def summarize(self, context: PublicContext) -> str:
        """Write the mappings or the notes that are asked for; notes are one line for each card that is kept."""
        if says(context.instruction, "mappings"):
            found = self._hypothesis(_clues(context))
            return f"<mappings>{json.dumps([] if found is None else [asdict(found)])}</mappings>"
        kept = (clue for _, clue in self.sights.values() if self._draw(1, clue.name) < self.knobs.keeps)
        return "\n".join(f"- {clue.name} card, {clue.description}" for clue in kept)

    # --- what it sees and knows -------------------------------------------------------------------------------------

    def _draw(self, what: int, key: str) -> float:
        """Return a uniform draw that depends on the seed, the purpose and the key alone, not on the condition."""
        return float(np.random.default_rng([self.seed, 2, what, *key.encode()]).random())

    def _look(self, scene: JsonObject, asked: str) -> str:
        """Look at the screen; return what is said of it."""
        self.explorer.look(scene)
        clue = clue_of(scene)
        if clue is None or self._draw(0, clue.name) >= self.knobs.notices:
            return ""
        self.sights[clue.name] = (self.n_actions, clue)
        episode = {"action": "looked at the wall", "place": clue.location.spot}
        tagged = f"<clues>{json.dumps([asdict(clue)])}</clues><episodes>{json.dumps([episode])}</episodes>"
        return tagged if says(asked, "clues") else ""

    def _recalled(self, emblem: str, context: PublicContext) -> Clue | None:
        """Return what it knows, unprompted, of the card of a panel it stands before."""
        step, clue = self.sights.get(emblem, (-self.knobs.window - 1, None))
        if clue is not None and self.n_actions - step <= self.knobs.window:
            return clue
        noted = _noted(context.summary or "")
        if emblem in noted:
            return noted[emblem]
        stored = {one.name: one for one in _clues(context)}
        return stored.get(emblem) if self._draw(4, emblem) < self.knobs.unprompted else None

    def _hypothesis(self, clues: tuple[Clue, ...]) -> Mapping | None:
        """Return the mapper's hypothesis for the nearest locked panel, from the stored clues alone."""
        stored = [clue.name for clue in clues]
        for emblem in self.explorer.panels():
            others = [name for name in stored if name != emblem]
            wrong = bool(others) and float(self._mapping.random()) < self.knobs.maps_wrong
            if wrong or emblem in stored:
                chosen = others[int(self._mapping.integers(len(others)))] if wrong else emblem
                return Mapping(chosen, emblem, "press what the card says")
        return None

    # --- what it does -----------------------------------------------------------------------------------------------

    def _seek(self, scene: JsonObject, context: PublicContext, words: str) -> Decision:
        """Explore; with nothing left to explore, say so, or press what is recalled, or guess."""
        move = self.explorer.next_move(scene)
        if move is None and says(context.instruction, "done") and self._can_map(context):
            return Decision((), f"{words}<done>true</done>", SECONDS)
        return self._act(scene, move or self._at_panel(scene, context), words or "exploring")

    def _can_map(self, context: PublicContext) -> bool:
        stored = {clue.name for clue in _clues(context)}
        return any(emblem in stored for emblem in self.explorer.panels()) or (
            self.knobs.maps_wrong > 0 and bool(stored) and bool(self.explorer.panels())
        )

    def _at_panel(self, scene: JsonObject, context: PublicContext) -> str | None:
        """Return the next action towards or at the nearest locked panel; None with nothing left to do."""
        emblems = self.explorer.panels()
        if not emblems:
            return None
        way = self.explorer.towards_panel(scene, emblems[0])
        panel = scene["panel"]
        if way is not None or panel is None or panel["emblem"] != emblems[0]:
            return way
        clue = self._recalled(panel["emblem"], context)
        if clue is None:
            return f"press:{guess(panel, self._guessing)}"
        return f"press:{presses(clue, panel)[len(panel['entered'])]}"

    def _solve(self, scene: JsonObject, task: JsonObject, context: PublicContext) -> Decision:
        """Walk to the task's panel and press what its clue says; a door that opens is a visible change."""
        panel, emblem = scene["panel"], task["related_memory"]
        here = panel is not None and panel["emblem"] == emblem
        if here and panel["lamp"] == "open":
            return Decision((), '<result>{"success": true, "change": "area"}</result>', SECONDS)
        way = self.explorer.towards_panel(scene, emblem)
        clue = next((one for one in _clues(context) if one.name == task["clue"]), None)
        if "Actions left for it: 0." in context.instruction or clue is None or (way is None and not here):
            return Decision((), '<result>{"success": false}</result>', SECONDS)
        return self._act(scene, way or f"press:{presses(clue, panel)[len(panel['entered'])]}", "trying the task")

    def _act(self, scene: JsonObject, move: str | None, words: str) -> Decision:
        """Return the tap that makes a move; without a move it waits."""
        option = next((one for one in options(scene) if one.move == move), None)
        if option is None or not isinstance(option.gestures[0], Tap):
            return Decision(({"name": "wait", "seconds": 1},), f"{words}: nothing to do", SECONDS)
        self.n_actions += 1
        tap = option.gestures[0]
        return Decision(({"name": "click", "x": round(tap.x), "y": round(tap.y)},), words, SECONDS)

    # --- as a judge -------------------------------------------------------------------------------------------------

    def _verdict(self, picture: JsonObject, asked: str) -> Decision:
        """Read the statement off the screen; a share of the statements is misread."""
        board = picture.get("board") or {}
        key = re.search(r"The (\w+) key is carried", asked)
        if key is not None:
            holds = key.group(1) in board.get("pocket", ())
        elif "is marked as won" in asked:
            holds = bool(board.get("found"))
        else:
            holds = picture.get("screen") == "playing"
        wrong = self._draw(5, asked) < self.knobs.judges_wrong
        return Decision((), f"<verdict>{json.dumps(holds != wrong)}</verdict>", SECONDS)


def _task(asked: str) -> JsonObject | None:
    found = re.search(r"<task>(.*?)</task>", asked, re.DOTALL)
    task: JsonObject | None = None if found is None else json.loads(found.group(1))
    return task


def _clues(context: PublicContext) -> tuple[Clue, ...]:
    """Return the clues that are shown as remembered; none of a text that was cut in the middle."""
    try:
        shown = json.loads(context.memory or "{}")
    except json.JSONDecodeError:
        return ()
    return tuple(Clue(**{**one, "location": Location(**one["location"])}) for one in shown.get("clues", ()))


def _noted(notes: str) -> dict[str, Clue]:
    return {
        emblem: Clue(emblem, fact, Location("", ""), "code", interactable=False, usage_hint="")
        for emblem, fact in NOTE.findall(notes)
    }
