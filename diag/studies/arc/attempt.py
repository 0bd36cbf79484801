"""Plays one game with the arm's player and writes the whole log. No browser and no page: frames and actions alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from diag.agents.grid import GridPlayer, Sight
from diag.records import InfrastructureFailure
from diag.records.event_log import EventLog
from diag.running.executor import Work
from diag.running.grid_play import limits_of, opened, planned_game, start_record
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.grid import GridSession
from games.contract import JsonObject
from games.grid.contract import Environment
from games.grid.environment import GridEnvironment


def attempt(work: Work) -> None:
    """Play the unit's game. Raises InfrastructureFailure if it is not the one that was planned, or does not begin."""
    game = planned_game(work)
    environment, clock = opened(game), work.executor.new_clock()
    with work.executor.new_log(work.log_path, clock) as log:
        _Play(work, game, environment, clock, log).run()


class _Play:
    """The mutable side of one attempt; never leaves this file."""

    def __init__(self, work: Work, game: Any, environment: Environment, clock: Clock, log: EventLog) -> None:
        self.work, self.game, self.clock, self.log = work, game, clock, log
        self.player: GridPlayer = work.arm.build(work.unit.seed)
        self.session = GridSession(environment, limits_of(work, game), clock, self.record)

    def run(self) -> None:
        """Play to the end; a game that raises ends the attempt as a failure of the apparatus."""
        self.clock.start()
        agent = {"name": self.work.arm.name, "simulated": True, "privilege": self.work.arm.privilege}
        self.record("episode_start", start_record(self.work, self.game, self.session, agent))
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
