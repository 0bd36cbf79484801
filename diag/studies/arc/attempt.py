"""Plays one game with the arm's player and writes the whole log. No browser and no page: frames and actions alone."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from diag.agents.grid import GridPlayer, Sight
from diag.records import InfrastructureFailure
from diag.records.event_log import EventLog
from diag.running.executor import Work
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.studies.arc.record import KIND_OF_EVENT, FrameWriter
from games.contract import JsonObject
from games.digest import sha256_of
from games.grid.actions import RESET, ActionError, GridAction
from games.grid.card import PlayCounter
from games.grid.contract import Environment, Observation
from games.grid.environment import GridEnvironment
from games.grid.frame import frame_text


def attempt(work: Work) -> None:
    """Play the unit's game. Raises InfrastructureFailure if it is not the one that was planned."""
    game = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if game.digest != work.unit.checkpoint_digest:
        wanted = work.unit.checkpoint_digest[:12]
        raise InfrastructureFailure("suite", f"levels of {game.name} are {game.digest[:12]}, planned {wanted}")
    clock = work.executor.new_clock()
    with work.executor.new_log(work.log_path, clock) as log:
        _Play(work, game, clock, log).run()


class _Play:
    """The mutable side of one attempt; never leaves this file."""

    def __init__(self, work: Work, game: Any, clock: Clock, log: EventLog) -> None:
        self.work, self.game, self.clock, self.log = work, game, clock, log
        self.limits, self.keys = work.study.limits, work.study.own
        self.baselines: tuple[int, ...] = game.baselines
        self.environment: Environment = game.open()
        self.player: GridPlayer = work.arm.build(work.unit.seed)
        self.counter, self.writer = PlayCounter(), FrameWriter()
        self.n_actions = self.n_invalid_in_a_row = 0

    def run(self) -> None:
        """Play to the end; a game that raises ends the attempt as a failure of the apparatus."""
        self.clock.start()
        self.record("episode_start", self._start())
        seen = self.environment.observation
        try:
            self._take(GridAction(RESET), seen)
            ended = self._ended(seen)
            while ended is None:
                seen = self._turn(seen)
                ended = self._ended(seen)
        except InfrastructureFailure as failure:
            self.record("error", {"kind": failure.kind, "message": failure.message})
            ended = Ended("infrastructure", failure.message, failure.kind)
        harness_s = self.clock.harness_s()
        self.record("episode_end", {**asdict(ended), **({} if harness_s is None else {"harness_s": harness_s})})

    def record(self, kind: str, data: JsonObject) -> None:
        """Append an event at the current clock."""
        self.log.append(kind, self.clock.elapsed_s(), dict(data))

    def _turn(self, seen: Observation) -> Observation:
        environment, rules = self.environment, None
        if self.work.arm.privilege != "none" and isinstance(environment, GridEnvironment):
            rules = environment.copy()
        action = self.player.choose(Sight(seen, environment.attempt_actions, rules))
        if action.number == RESET and environment.attempt_actions == 0:
            return self._refuse(action, "a RESET before the attempt's first action would begin the whole game again")
        try:
            found = environment.step(action)
        except ActionError as error:
            return self._refuse(action, str(error))
        self.n_invalid_in_a_row = 0
        self.n_actions += 1
        self._take(action, found)
        return seen if found.is_refused else found

    def _take(self, action: GridAction, seen: Observation) -> None:
        self.counter.add(action, seen)
        self.record(KIND_OF_EVENT, self.writer.data(action, seen))

    def _refuse(self, action: GridAction, why: str) -> Observation:
        self.n_invalid_in_a_row += 1
        self.record("action", {"action": {"name": str(action)}, "valid": False, "feedback": why})
        return self.environment.observation

    def _ended(self, seen: Observation) -> Ended | None:
        """Return why the play is over; None while it goes on."""
        limits = self.limits
        if seen.status == "won":
            return Ended("won", "every level is completed")
        place = seen.levels_completed
        budget = math.ceil(self.keys.budget_multiplier * self.baselines[place])
        if self.counter.plays[-1].unfinished_actions >= budget:
            return Ended("level_budget", f"{budget} actions at {self.game.level_names[place]}")
        if limits.actions is not None and self.n_actions >= limits.actions:
            return Ended("action_limit", f"{limits.actions} actions")
        if self.n_invalid_in_a_row >= limits.invalid_decisions_in_a_row:
            return Ended("invalid_action_limit", f"{self.n_invalid_in_a_row} in a row")
        if self.clock.elapsed_s() >= limits.takeover_s:
            return Ended("time_limit", f"{limits.takeover_s:g} s")
        return None

    def _start(self) -> JsonObject:
        unit, study, arm = self.work.unit, self.work.study, self.work.arm
        context = arm.apply(study.kind.starts.context(study, self.game), unit.cohort)
        limits = {**asdict(self.limits), "budget_multiplier": self.keys.budget_multiplier}
        return {
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": self.work.attempt,
            "plan_hash": self.work.executor.plan_hash,
            "study": study.name,
            "level": None,
            "agent": {"name": arm.name, "simulated": True, "privilege": arm.privilege},
            "intervention": arm.name,
            "intervention_privilege": arm.privilege,
            "limits": limits,
            "clock": self.clock.kind,
            "environment": "grid",
            "browser": None,
            "start_state": None,
            "context": asdict(context),
            "digests": self._digests(context.instruction, limits),
            "levels": list(self.game.level_names),
            "baselines": list(self.baselines),
            "references": [list(one.counts) for one in self.game.references],
            "capabilities": asdict(self.environment.capabilities),
        }

    def _digests(self, instruction: str, limits: JsonObject) -> dict[str, str]:
        seen = self.environment.observation
        return {
            "state": self.game.digest,
            "pixels": sha256_of(frame_text(seen.frame)),
            "prefix": sha256_of([]),
            "objective": sha256_of(instruction),
            "interface": sha256_of(list(seen.available_actions)),
            "limits": sha256_of(limits),
        }
