"""What a player wants at a decision: the small protocol, and the neutral policies (negative controls, oracle)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from diag.agents.simulated.navigation import navigate
from diag.agents.simulated.phrases import say
from diag.agents.simulated.view import View
from games.contract import Gesture, Option, Table
from games.digest import canonical_json
from games.registry import game_named
from solvers.certificate import DeadEnd, Solvable
from solvers.registry import solver_for


@dataclass(frozen=True)
class Intent:
    """What the player is about to do; exactly one of gestures, wait, answer and stop."""

    reason: str
    gestures: tuple[Gesture, ...] = ()
    wait_s: float | None = None
    answer: str | None = None
    stop: bool = False


class Policy(Protocol):
    """Decides on what is seen. May remember within its attempt; randomness comes from `rng`."""

    def intend(self, view: View, rng: np.random.Generator) -> Intent:
        """Return what to do now."""


class PolicySettings(Protocol):
    """What a configuration holds: frozen, and makes one policy for each attempt."""

    def build(self) -> Policy:
        """Return a policy that remembers nothing yet."""


@dataclass(frozen=True)
class Idle:
    """Negative control: waits and never touches anything. Scores zero wherever doing nothing does."""

    wait_s: float = 5.0

    def build(self) -> Policy:
        """Return itself; it has no memory."""
        return self

    def intend(self, view: View, rng: np.random.Generator) -> Intent:
        """Wait."""
        return Intent(say("wait", rng), wait_s=self.wait_s)


@dataclass(frozen=True)
class Chooser:
    """Negative controls: any visible move, or the one that looks most like progress."""

    choice: Literal["random", "greedy"]
    when_stuck: Literal["wait", "restart"] = "wait"

    def build(self) -> Policy:
        """Return itself; it has no memory."""
        return self

    def intend(self, view: View, rng: np.random.Generator) -> Intent:
        """Navigate, or make a visible move, or do what it does when stuck."""
        elsewhere = navigate(view, rng, wander=0.0)
        if elsewhere is not None:
            return Intent(*elsewhere)
        if view.options:
            option = best(view.options, rng) if self.choice == "greedy" else any_of(view.options, rng)
            return Intent(say("play", rng), option.gestures)
        restart = view.control("restart")
        if self.when_stuck == "restart" and restart is not None:
            return Intent(say("restart", rng), (restart.tap(),))
        return Intent(say("wait", rng), wait_s=5.0)


@dataclass(frozen=True)
class OracleSettings:
    """Oracle over the rules state (privilege `solver_oracle`): plays to win, or walks into dead ends."""

    aim: Literal["win", "dead_end"]
    state_limit: int = 200_000

    def build(self) -> Policy:
        """Return an oracle without a plan."""
        return Oracle(self)


@dataclass
class Oracle:
    """Plays the solver's solution (`win`; restarts from a dead end) or prefers moves that leave least (`dead_end`)."""

    settings: OracleSettings
    plan: dict[str, Any] = field(default_factory=dict)
    """State (canonical JSON) to move, along the solution found last."""
    visited: set[str] = field(default_factory=set)
    level: str = ""
    """What the plan and the visits belong to: boards of two levels may have equal states."""

    def intend(self, view: View, rng: np.random.Generator) -> Intent:
        """Make the next move of the aim."""
        oracle = view.observation.oracle
        elsewhere = navigate(view, rng, wander=0.0)
        if elsewhere is not None or oracle is None:
            return Intent(*elsewhere) if elsewhere is not None else Intent(say("wait", rng), wait_s=5.0)
        if self.level != str(oracle["level"]):
            self.level, self.plan, self.visited = str(oracle["level"]), {}, set()
        game = game_named(self.level.split("/")[0])
        state = game.state_from_json(game.parse_layout(oracle["layout"]), oracle["state"])
        move = self._winning(game, state) if self.settings.aim == "win" else self._losing(game, state, rng)
        if move is None:
            return self._stuck(view, rng)
        return Intent(say("oracle", rng), game.gestures(Table(state, oracle["held"]), move))

    def _winning(self, game: Any, state: Any) -> Any:
        name = canonical_json(game.state_to_json(state))
        if name not in self.plan:
            self.plan = {}
            claim = solver_for(game.name).certify(state, state_limit=self.settings.state_limit, optimal=True)
            for step in claim.solution if isinstance(claim, Solvable) else ():
                self.plan[canonical_json(game.state_to_json(state))] = step
                state = game.step(state, step)
        return self.plan.get(name)

    def _losing(self, game: Any, state: Any, rng: np.random.Generator) -> Any:
        """Return the move to a certified dead end, else to an unvisited state with the fewest legal moves."""
        self.visited.add(canonical_json(game.state_to_json(state)))
        moves = game.legal_moves(state)
        if not moves:
            return None
        ranked = sorted(
            ((self._rank(game, game.step(state, move)), rng.random(), move) for move in moves), key=_first_two
        )
        return ranked[0][2]

    def _rank(self, game: Any, after: Any) -> tuple[int, int]:
        if game.is_won(after):
            return 3, 0
        n_moves = len(game.legal_moves(after))
        if n_moves == 0 or isinstance(
            solver_for(game.name).certify(after, state_limit=self.settings.state_limit), DeadEnd
        ):
            return 0, n_moves
        return 1 + (canonical_json(game.state_to_json(after)) in self.visited), n_moves

    def _stuck(self, view: View, rng: np.random.Generator) -> Intent:
        restart = view.control("restart")
        if self.settings.aim == "win" and restart is not None:
            return Intent(say("restart", rng), (restart.tap(),))
        return Intent(say("wait", rng), wait_s=5.0)


def best(options: tuple[Option, ...], rng: np.random.Generator) -> Option:
    """Return an option of the highest appeal; ties by chance."""
    highest = max(option.appeal for option in options)
    return any_of(tuple(option for option in options if option.appeal == highest), rng)


def any_of(options: tuple[Option, ...], rng: np.random.Generator) -> Option:
    """Return any option, all equally likely."""
    return options[int(rng.integers(len(options)))]


def _first_two(item: tuple[Any, float, Any]) -> tuple[Any, float]:
    return item[0], item[1]
