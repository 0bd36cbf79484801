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
from diag.session.grid import GridLimits, GridSession
from games.contract import JsonObject
from games.digest import sha256_of
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
        self.player: GridPlayer = work.arm.build(work.unit.seed)
        self.session = GridSession(game.open(), self._limits(), clock, self.record)

    def run(self) -> None:
        """Play to the end; a game that raises ends the attempt as a failure of the apparatus."""
        self.clock.start()
        self.record("episode_start", self._start())
        try:
            ended = self._played()
        except InfrastructureFailure as failure:
            self.record("error", {"kind": failure.kind, "message": failure.message})
            ended = Ended("infrastructure", failure.message, failure.kind)
        harness_s = self.clock.harness_s()
        self.record("episode_end", {**asdict(ended), **({} if harness_s is None else {"harness_s": harness_s})})

    def record(self, kind: str, data: JsonObject) -> None:
        """Append an event at the current clock."""
        self.log.append(kind, self.clock.elapsed_s(), dict(data))

    def _played(self) -> Ended:
        self.session.open()
        while (ended := self.session.ended()) is None:
            self.session.take(self.player.choose(self._sight()))
        return ended

    def _sight(self) -> Sight:
        environment, rules = self.session.environment, None
        if self.work.arm.privilege != "none" and isinstance(environment, GridEnvironment):
            rules = environment.copy()
        return Sight(self.session.seen, environment.attempt_actions, rules)

    def _limits(self) -> GridLimits:
        limits, multiplier = self.work.study.limits, self.work.study.own.budget_multiplier
        budgets = tuple(math.ceil(multiplier * baseline) for baseline in self.game.baselines)
        return GridLimits(limits.takeover_s, budgets, limits.actions, limits.invalid_decisions_in_a_row)

    def _start(self) -> JsonObject:
        unit, study, arm = self.work.unit, self.work.study, self.work.arm
        context = arm.apply(study.kind.starts.context(study, self.game), unit.cohort)
        return {
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": self.work.attempt,
            "plan_hash": self.work.executor.plan_hash,
            "study": study.name,
            "level": None,
            "agent": {"name": arm.name, "simulated": True, "privilege": arm.privilege},
            "intervention": arm.name,
            "intervention_privilege": arm.privilege,
            "limits": asdict(self.session.limits),
            "clock": self.clock.kind,
            "environment": "grid",
            "browser": None,
            "start_state": None,
            "context": asdict(context),
            "digests": self._digests(context.instruction),
            "levels": list(self.game.level_names),
            "baselines": list(self.game.baselines),
            "references": [list(one.counts) for one in self.game.references],
            "attempt_budgets": None if self.game.budgets is None else list(self.game.budgets),
            "capabilities": asdict(self.session.environment.capabilities),
        }

    def _digests(self, instruction: str) -> dict[str, str]:
        seen = self.session.seen
        return {
            "state": self.game.digest,
            "pixels": sha256_of(frame_text(seen.frame)),
            "prefix": sha256_of([]),
            "objective": sha256_of(instruction),
            "interface": sha256_of(list(seen.available_actions)),
            "limits": sha256_of(asdict(self.session.limits)),
        }
