"""The parametric player: limited skill, misses dead ends at its own rate, reacts to the words it is shown.

It decides on the visible scene and its context alone. It is in a visible dead end when no move can be read off the
scene: then it notices (and restarts), acts on what it was told (and restarts), or keeps clicking things.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from diag.agents.simulated.imagination import foresight, n_destinations
from diag.agents.simulated.navigation import navigate
from diag.agents.simulated.phrases import Intention, say
from diag.agents.simulated.policies import Intent, Policy, any_of, best
from diag.agents.simulated.propensities import Propensities
from diag.agents.simulated.reading import advises_free_holes, is_rules_card
from diag.agents.simulated.view import View
from games.contract import BOARD, Gesture, Option, Tap


@dataclass(frozen=True)
class Parametric:
    """Settings of a parametric player."""

    propensities: Propensities = field(default_factory=Propensities)

    def build(self) -> Policy:
        """Return a player that remembers nothing yet."""
        return ParametricPolicy(self.propensities)


@dataclass
class ParametricPolicy:
    """One player in one attempt."""

    p: Propensities
    pending: list[Gesture] = field(default_factory=list)
    """The rest of the move it is making."""
    n_fruitless: int = 0
    """Decisions since it last saw a move."""
    just_restarted: bool = False
    traits: dict[str, bool] = field(default_factory=dict)
    """Per-attempt draws, made when they first matter."""

    def intend(self, view: View, rng: np.random.Generator) -> Intent:
        """Return what the player does now."""
        if rng.random() < self.p.stop_early:
            return self._leave(rng)
        if rng.random() < self.p.forget:
            self.pending, self.n_fruitless = [], 0
        elsewhere = navigate(view, rng, wander=self.p.wander)
        if elsewhere is not None:
            self.pending = []
            return Intent(*elsewhere)
        lost = self.p.lost_without_card
        if lost > 0 and not is_rules_card(view.memory) and self._trait("lost", lost, rng):
            return Intent(say("quit", rng), stop=True)
        if not view.options:
            return self._in_dead_end(view, rng)
        self.n_fruitless = 0
        if view.reading.no_move and self._trait("trusts", self.p.trust_against_sight, rng) and self._heeds(rng):
            return self._restart(view, rng, "told")
        return self._play(view, rng)

    # --- play -----------------------------------------------------------------------------------------------------

    def _play(self, view: View, rng: np.random.Generator) -> Intent:
        if self.pending and not view.shows_mistake:
            return Intent(say("continue", rng), (self.pending.pop(0),))
        option = self._choose(view, rng)
        reason = say("resume" if self.just_restarted else "play", rng)
        self.just_restarted = False
        if rng.random() >= self.p.single_action:
            self.pending = []
            return Intent(reason, option.gestures)
        self.pending = list(option.gestures[1:])
        return Intent(reason, option.gestures[:1])

    def _choose(self, view: View, rng: np.random.Generator) -> Option:
        if advises_free_holes(view.memory) and self._trait("heeds_account", self.p.heed_account, rng):
            left = foresight(view.game.name, view.picture["board"])
            if left is not None:
                return best(tuple(replace(one, appeal=left(one) + 0.9 * one.appeal) for one in view.options), rng)
        if n_destinations(view.options) <= self.p.cramped_holes and rng.random() < self.p.overreach:
            left = foresight(view.game.name, view.picture["board"])
            if left is not None:
                return best(tuple(replace(option, appeal=-float(left(option))) for option in view.options), rng)
        return best(view.options, rng) if rng.random() < self.p.skill else any_of(view.options, rng)

    # --- in a visible dead end ------------------------------------------------------------------------------------

    def _in_dead_end(self, view: View, rng: np.random.Generator) -> Intent:
        self.pending = []
        self.n_fruitless += 1
        told = view.reading.no_move
        if told and self._acts_on_it(view, rng) and self._heeds(rng):
            return self._restart(view, rng, "cause" if rng.random() < self.p.names_cause else "told")
        if rng.random() < self._recognition():
            return self._restart(view, rng, "cause" if rng.random() < self.p.names_cause else "restart")
        return Intent(say(self._explanation(told=told, rng=rng), rng), (self._somewhere(view, rng),))

    def _acts_on_it(self, view: View, rng: np.random.Generator) -> bool:
        kind: Literal["named", "told"] = "named" if view.reading.named else "told"
        share = self.p.restart_when_named if kind == "named" else self.p.restart_when_told
        return self._trait(f"acts_{kind}", share, rng)

    def _heeds(self, rng: np.random.Generator) -> bool:
        return bool(rng.random() < self.p.heed)

    def _recognition(self) -> float:
        """Return the chance of noticing at this decision."""
        early = self.n_fruitless <= self.p.patience
        return self.p.recognise_early if early else self.p.recognise_dead_end

    def _explanation(self, *, told: bool, rng: np.random.Generator) -> Intention:
        """Return how it explains that nothing moves; the first click on a board needs no explanation."""
        share = self.p.blame_click_when_told if told else self.p.blame_click
        blames = self._trait("blames_told" if told else "blames", share, rng)
        return "blame" if blames and self.n_fruitless > 1 and rng.random() < 0.5 else "fruitless"

    def _somewhere(self, view: View, rng: np.random.Generator) -> Tap:
        """Return a click on something drawn on the board, or anywhere on it."""
        if view.marks:
            return Tap(*view.marks[int(rng.integers(len(view.marks)))])
        return Tap(BOARD.x + rng.random() * BOARD.width, BOARD.y + rng.random() * BOARD.height)

    def _restart(self, view: View, rng: np.random.Generator, intention: Intention) -> Intent:
        restart = view.control("restart")
        if restart is None:
            return Intent(say("wait", rng), wait_s=2.0)
        self.pending, self.n_fruitless, self.just_restarted = [], 0, True
        return Intent(say(intention, rng), (restart.tap(),))

    # --- ends and traits ------------------------------------------------------------------------------------------

    def _leave(self, rng: np.random.Generator) -> Intent:
        if rng.random() < self.p.claim_when_stopping:
            return Intent(say("quit", rng), answer="I have done what was possible.")
        return Intent(say("quit", rng), stop=True)

    def _trait(self, name: str, share: float, rng: np.random.Generator) -> bool:
        """Return a property of the player in this attempt, drawn once."""
        if name not in self.traits:
            self.traits[name] = bool(rng.random() < share)
        return self.traits[name]
