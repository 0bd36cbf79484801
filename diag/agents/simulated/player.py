"""The one simulated agent: eyes, a policy, a hand and a pace. Its factory is what `conf/agent/` instantiates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from diag.agents.simulated.parametric import Parametric, ParametricPolicy
from diag.agents.simulated.policies import Intent, Policy, PolicySettings
from diag.agents.simulated.reading import asks_for_account, asks_for_words, headings_asked
from diag.agents.simulated.view import View
from diag.agents.simulated.writing import account, rules_known, summary
from diag.session.actions import VIEWPORT_HEIGHT_PX, VIEWPORT_WIDTH_PX
from diag.session.contract import Decision, Observation, Privilege, PublicContext
from games.contract import Drag, Gesture, JsonObject, Tap

MISCLICK_PX = 30.0
"""Farthest a slip of the hand lands from its aim, in each direction."""


@dataclass(frozen=True)
class Pace:
    """How long a decision is said to take: log-normal, so that virtual time moves as with a model."""

    median_s: float = 13.0
    spread: float = 0.35
    """Standard deviation of the logarithm."""

    def __post_init__(self) -> None:
        if not self.median_s > 0 or self.spread < 0:
            raise ValueError(f"pace: median_s above 0 and spread from 0, got {self}")

    def draw(self, rng: np.random.Generator) -> float:
        """Return one latency in seconds, to the millisecond."""
        return round(float(self.median_s * np.exp(self.spread * rng.standard_normal())), 3)


@dataclass(frozen=True)
class PlayerFactory:
    """Settings of a simulated agent; picklable; builds one player for each attempt."""

    name: str
    policy: PolicySettings = field(default_factory=Parametric)
    pace: Pace = field(default_factory=Pace)
    privilege: Privilege = "none"
    simulated: Literal[True] = True

    def build(self, seed: int) -> Player:
        """Return a player for one attempt; equal seeds and observations give equal decisions."""
        return Player(self.name, self.privilege, self.policy.build(), self.pace, np.random.default_rng(seed))

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON."""
        settings = {"policy": asdict(self.policy), "pace": asdict(self.pace)}  # type: ignore[call-overload]
        return {
            "name": self.name,
            "privilege": self.privilege,
            "simulated": self.simulated,
            "kind": type(self.policy).__name__,
            **dict(_flat(settings)),
        }


@dataclass
class Player:
    """A simulated agent in one attempt."""

    name: str
    privilege: Privilege
    policy: Policy
    pace: Pace
    rng: np.random.Generator
    simulated: bool = True
    reads_scene: bool = True

    def decide(self, observation: Observation) -> Decision:
        """Look, decide, aim."""
        view = View(observation)
        if asks_for_words(view.instruction):
            return Decision((), self._words(view), self.pace.draw(self.rng))
        intent = self.policy.intend(view, self.rng)
        return Decision(self._actions(intent), intent.reason, self.pace.draw(self.rng), stop=intent.stop)

    def summarize(self, context: PublicContext) -> str:
        """Write the summary of the recent turns, or the account that the instruction asks for."""
        words = context.instruction if context.asked is None else context.asked.request
        return self._account(context, words) if asks_for_account(words) else summary(context)

    def _words(self, view: View) -> str:
        if asks_for_account(view.instruction):
            return self._account(view.observation.context, view.instruction)
        share = self.policy.p.knows_rule if isinstance(self.policy, ParametricPolicy) else 1.0
        apart = self.rng.spawn(1)[0]  # a probe is isolated: it leaves the draws of the play as they would have been
        return rules_known(view, share, apart)

    def _account(self, context: PublicContext, asked: str) -> str:
        share = self.policy.p.account_insight if isinstance(self.policy, ParametricPolicy) else 0.0
        insight = share > 0 and bool(self.rng.random() < share)
        return account(context, headings_asked(asked), insight=insight)

    def _actions(self, intent: Intent) -> tuple[JsonObject, ...]:
        if intent.stop:
            return ()
        if intent.answer is not None:
            return ({"name": "answer", "text": intent.answer},)
        if not intent.gestures:
            return ({"name": "wait", "seconds": 5.0 if intent.wait_s is None else intent.wait_s},)
        return tuple(self._action(gesture) for gesture in intent.gestures)

    def _action(self, gesture: Gesture) -> JsonObject:
        """Return the GUI action for a gesture, as this hand performs it."""
        match gesture:
            case Tap(x, y):
                dx, dy = self._slip()
                return {"name": "click", "x": _column(x + dx), "y": _row(y + dy)}
            case Drag(x0, y0, x1, y1):
                dx, dy = self._slip()
                ends = {"x": _column(x0 + dx), "y": _row(y0 + dy), "x2": _column(x1 + dx), "y2": _row(y1 + dy)}
                return {"name": "drag", **ends}
            case _:
                return {"name": "key", "key": gesture.key}

    def _slip(self) -> tuple[float, float]:
        """Return how far the hand misses; (0, 0) nearly always."""
        share = self.policy.p.misclick if isinstance(self.policy, ParametricPolicy) else 0.0
        if share == 0 or self.rng.random() >= share:
            return 0.0, 0.0
        dx, dy = self.rng.uniform(-MISCLICK_PX, MISCLICK_PX, size=2)
        return float(dx), float(dy)


def _column(x: float) -> int:
    """Return a pixel column on the screen: a hand cannot leave it."""
    return min(max(round(x), 0), VIEWPORT_WIDTH_PX - 1)


def _row(y: float) -> int:
    return min(max(round(y), 0), VIEWPORT_HEIGHT_PX - 1)


def _flat(value: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Return nested settings as dotted names."""
    if not isinstance(value, dict):
        return [(prefix, value)]
    return [item for name, inner in value.items() for item in _flat(inner, f"{prefix}.{name}" if prefix else name)]
