"""Plays one game with the arm's player and writes the whole log. No browser and no page: frames and actions alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from diag.agents.grid import GridPlayer, NoAction, Sight
from diag.agents.grid.model import GridModel
from diag.agents.models import ModelAgent
from diag.errors import ConfigError
from diag.records import InfrastructureFailure
from diag.records.event_log import EventLog
from diag.running.executor import Work
from diag.running.grid_play import limits_of, opened, planned_game, start_record
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.grid import GridSession
from diag.studies.arc.policy import AGENT
from games.contract import JsonObject
from games.grid.actions import ActionError
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
        self.session = GridSession(environment, limits_of(work, game), clock, self.record)
        self.player, self.agent = self._seated()
        self.feedback = ""

    def run(self) -> None:
        """Play to the end; a game that raises ends the attempt as a failure of the apparatus."""
        self.clock.start()
        self.record("episode_start", start_record(self.work, self.game, self.session, self.agent))
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

    def _seated(self) -> tuple[GridPlayer, JsonObject]:
        """Return the player and what the record says of it. Raises ConfigError: the study's agent is no model."""
        work, arm = self.work, self.work.arm
        if arm.player != AGENT:
            return arm.build(work.unit.seed), {"name": arm.name, "simulated": True, "privilege": arm.privilege}
        agent: Any = work.executor.agent.build(work.unit.seed)
        if not isinstance(agent, ModelAgent):
            raise ConfigError(f"{arm.name} asks the agent: found {agent.name}, wanted a model, as agent=openai")
        objective = arm.apply(work.study.kind.starts.context(work.study, self.game), work.unit.cohort).instruction
        player = GridModel(agent, arm.view or "both", objective, self.clock.elapsed_s)
        return player, {"name": agent.name, "simulated": agent.simulated, "privilege": agent.privilege}

    def _played(self) -> Ended:
        self.session.open()
        while (ended := self.session.ended()) is None:
            try:
                action = self.player.choose(self._sight())
            except NoAction as words:
                self._note_answer([], stop=True)
                return Ended("stopped", str(words)[:500] or "the player gave up")
            except ActionError as error:
                self._note_answer([])
                self.feedback = self.session.refuse("unreadable", str(error))
                continue
            if self._note_answer([str(action)]):
                return Ended("time_limit", f"{self.session.limits.time_s:g} s, during inference")
            self.feedback = self.session.take(action)
        return ended

    def _note_answer(self, actions: list[str], *, stop: bool = False) -> bool:
        """Count and record what a model's answer took; True if it came at or after the deadline."""
        answer = getattr(self.player, "answer", None)
        if answer is None:
            return False
        latency_s = self.clock.inference(answer.latency_s, answer.measured_s, answer.throttled_s)
        late = self.clock.elapsed_s() >= self.session.limits.time_s
        words = {"reason": answer.reason, "latency_s": latency_s, "stop": stop, "usage": dict(answer.usage)}
        self.record("decision", {"actions": [{"name": one} for one in actions], **words, "late": late})
        return late

    def _sight(self) -> Sight:
        environment, rules = self.session.environment, None
        if self.work.arm.privilege != "none" and isinstance(environment, GridEnvironment):
            rules = environment.copy()
        return Sight(self.session.seen, environment.attempt_actions, rules, self.feedback)
