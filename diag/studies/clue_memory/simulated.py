"""One scripted play of a Clue House level under one condition, on the game's rules: effects that are known beforehand.

All conditions share explorer, draws and budget; they differ in what the player still knows of a card when it stands
before the panel. It proves wiring and arithmetic and says nothing about any model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from diag.studies.clue_memory.cycle import Budgets, Cycle
from diag.studies.clue_memory.explorer import Explorer, Knobs, clue_of, guess, presses
from diag.studies.clue_memory.formats import Result
from diag.studies.clue_memory.memories import Clue, Mapping
from diag.studies.clue_memory.metrics import Look
from games.clue_house.game import GAME
from games.contract import JsonObject, Table

Condition = Literal["none", "notes_matched", "coast_no_map", "coast"]
CONDITIONS: tuple[Condition, ...] = ("none", "notes_matched", "coast_no_map", "coast")


@dataclass(frozen=True)
class Played:
    """What one play came to."""

    won: bool
    n_actions: int
    looks: tuple[Look, ...]
    """Before every action and after the last."""
    tried: tuple[Mapping, ...]
    """Subtasks tried, in order; none without a mapper."""


@dataclass
class _Player:
    """One player in one level; `cycle` keeps the budget for every condition alike."""

    condition: Condition
    knobs: Knobs
    seed: int
    state: Any
    cycle: Cycle
    explorer: Explorer = field(default_factory=Explorer)
    sights: dict[str, tuple[int, Clue]] = field(default_factory=dict)
    """Emblem of a noticed card -> the step of its last sight, and what it said."""
    looks: list[Look] = field(default_factory=list)
    tried: list[Mapping] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([self.seed, 1])

    def draw(self, what: int, emblem: str) -> float:
        """Return a uniform draw that depends on the seed, the purpose and the card alone, not on the condition."""
        return float(np.random.default_rng([self.seed, 2, what, *emblem.encode()]).random())

    def observe(self) -> JsonObject:
        """Look at the screen."""
        scene: JsonObject = GAME.scene(Table(self.state))
        self.explorer.look(scene)
        clue = clue_of(scene)
        if clue is not None and self.draw(0, clue.name) < self.knobs.notices:
            self.sights[clue.name] = (self.cycle.used, clue)
            self.cycle = self.cycle.sought((clue,), ()) if self.condition.startswith("coast") else self.cycle
        stored = frozenset(one.name for one in self.cycle.memory.clues)
        self.looks.append(Look(self.cycle.used, "level", scene, stored))
        return scene

    def act(self, move: str) -> None:
        """Make one counted action."""
        self.state = GAME.step(self.state, move)
        self.cycle = self.cycle.acted(1)

    def recalled(self, emblem: str) -> Clue | None:
        """Return what the player knows, unprompted, of the card of a panel it stands before."""
        if emblem not in self.sights:
            return None
        step, clue = self.sights[emblem]
        share = {"none": 0.0, "notes_matched": self.knobs.keeps}.get(self.condition, self.knobs.unprompted)
        fresh = self.cycle.used - step <= self.knobs.window
        return clue if fresh or self.draw(1, emblem) < share else None

    def mapping(self) -> Mapping | None:
        """Return the mapper's hypothesis for the nearest locked panel, from the stored clues alone."""
        stored = [clue.name for clue in self.cycle.memory.clues]
        for emblem in self.explorer.panels():
            others = [name for name in stored if name != emblem]
            wrong = bool(others) and float(self.rng.random()) < self.knobs.maps_wrong
            if wrong or emblem in stored:
                chosen = others[int(self.rng.integers(len(others)))] if wrong else emblem
                return Mapping(chosen, emblem, "press what the card says")
        return None

    def seek(self, scene: JsonObject) -> None:
        """Explore; with nothing left to explore, press what is recalled, or guess."""
        move = self.explorer.next_move(scene)
        if move is None:
            if self.condition == "coast" and self.cycle.used_in_phase > 0 and self.mapping() is not None:
                self.cycle = self.cycle.sought((), (), done=True)
                return
            move = self.at_panel(scene)
        if move is not None:
            self.act(move)
        self.cycle = self.cycle.sought((), ())

    def at_panel(self, scene: JsonObject) -> str | None:
        """Return the next action towards or at the nearest locked panel."""
        emblems = self.explorer.panels()
        if not emblems:
            raise ValueError(f"nothing left to do in {scene['plate']}: wanted a level that can be won")
        way = self.explorer.towards_panel(scene, emblems[0])
        if way is not None:
            return way
        panel = scene["panel"]
        clue = self.recalled(panel["emblem"])
        symbol = guess(panel, self.rng) if clue is None else presses(clue, panel)[len(panel["entered"])]
        return f"press:{symbol}"

    def solve(self, scene: JsonObject) -> None:
        """Work on the task: walk to its panel, press what its clue says; a door that opens is a visible change."""
        task = self.cycle.trying
        way = self.explorer.towards_panel(scene, task.related_memory)
        if way is None:
            clue = next(one for one in self.cycle.memory.clues if one.name == task.clue)
            symbol = presses(clue, scene["panel"])[len(scene["panel"]["entered"])]
        self.act(way or f"press:{symbol}")
        if self.cycle.phase == "over":
            return
        panel = GAME.scene(Table(self.state))["panel"]
        opened = way is None and panel["lamp"] == "open"
        if opened or self.cycle.allowance == 0:
            self.cycle = self.cycle.solved(Result(opened, "area" if opened else None))


def play(layout: Any, condition: Condition, knobs: Knobs, seed: int, budgets: Budgets) -> Played:
    """Play one level until it is won or the budget is spent.

    Args:
        layout: the level's layout.
        condition: what the player remembers with.
        knobs: what it gets wrong.
        seed: equal seeds give the same cards noticed and kept under every condition.
        budgets: in GUI actions.
    """
    cycle = Cycle(budgets, with_map=condition == "coast")
    player = _Player(condition, knobs, seed, GAME.initial_state(layout), cycle)
    while not GAME.is_won(player.state) and player.cycle.phase != "over":
        scene = player.observe()
        if player.cycle.phase == "map":
            task = player.mapping()
            player.tried += [] if task is None else [task]
            player.cycle = player.cycle.mapped(() if task is None else (task,))
        elif player.cycle.phase == "solve":
            player.solve(scene)
        else:
            player.seek(scene)
    player.observe()
    return Played(GAME.is_won(player.state), player.cycle.used, tuple(player.looks), tuple(player.tried))
