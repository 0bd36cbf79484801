"""Runs one unit: a place, the agent's hands, the controller, and the whole log.

What happened to the game comes from the journal of its own process, and is put into the log as it happens; what the
agent's side has filed is never graded.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from diag.errors import ConfigError
from diag.records import InfrastructureFailure
from diag.records.event_log import EventLog
from diag.running.executor import Work
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.grid import FRAME_EVENT
from diag.studies.continuation.agents import Conversing, ConversingFactory, TimeIsUp
from diag.studies.continuation.client import Client, ClientError, Refused
from diag.studies.continuation.controller import Controller
from diag.studies.continuation.description import describe
from diag.studies.continuation.levels import Course
from diag.studies.continuation.place import Place, place_for
from diag.studies.continuation.starts import Run
from games.digest import sha256_of

ROOM = "continuation"


def attempt(work: Work) -> None:
    """Run one unit and write its whole log. Raises InfrastructureFailure if it could not begin."""
    run: Run = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if run.digest != work.unit.checkpoint_digest:
        wanted = work.unit.checkpoint_digest[:12]
        raise InfrastructureFailure("suite", f"levels of {run.name} are {run.digest[:12]}, planned {wanted}")
    agent = conversing(work)
    course = course_of(work, run)
    clock = work.executor.new_clock()
    goal = work.study.kind.starts.context(work.study, run).instruction
    description = describe(goal, len(run.names), run.levels.games[run.game], course.language)
    with place_for(course, description) as place, work.executor.new_log(work.log_path, clock) as log:
        _Running(work, run, place, clock, log, agent).run(goal, course, description)


def conversing(work: Work) -> Conversing:
    """Return the agent of one attempt. Raises ConfigError for one that holds no conversations."""
    factory: Any = work.executor.agent
    if not isinstance(factory, ConversingFactory):
        raise ConfigError(f"agent {factory.name} makes GUI actions; a continuation study wants agent=continuing")
    return factory.converse(work.unit.seed)


def course_of(work: Work, run: Run) -> Course:
    """Return the levels of the unit with their budgets."""
    levels = work.executor.station.levels
    keys = work.study.own
    return Course(
        run.names,
        run.budgets,
        tuple(keys.loss),
        work.study.limits.invalid_decisions_in_a_row,
        None if levels is None else str(levels),
    )


class _Running:
    """The mutable side of one attempt; never leaves this file. It is the agent's hands, too."""

    def __init__(self, work: Work, run: Run, place: Place, clock: Clock, log: EventLog, agent: Conversing) -> None:
        self.work, self.started, self.place, self.clock, self.log, self.agent = work, run, place, clock, log, agent
        self._by = "agent"
        self._ended: Ended | None = None
        self._since = time.monotonic()
        """When the agent's own time last began to run."""

    @property
    def client(self) -> Client:
        """The client of the workspace."""
        return self.place.client

    def run(self, goal: str, course: Course, description: str) -> None:
        """Run to the end; a failure of the apparatus is an ending of its own."""
        self.clock.start()
        self._record("episode_start", self._facts(goal, course, description))
        try:
            ended = self._controlled(goal)
        except TimeIsUp:
            ended = Ended("time_limit", f"{self.work.study.limits.takeover_s:g} s")
        except ClientError as error:
            ended = self._failed("suite", str(error))
        except InfrastructureFailure as failure:
            ended = self._failed(failure.kind, failure.message)
        harness_s = self.clock.harness_s()
        self._record("episode_end", {**asdict(ended), **({} if harness_s is None else {"harness_s": harness_s})})

    def _controlled(self, goal: str) -> Ended:
        output = self.client.start(self.place.alias)
        self._take_news()
        controller = Controller(self.work.arm, goal, self.agent, self, self._tell, self._reset)
        ended = controller.run(output) or self._ended
        if ended is None:
            raise InfrastructureFailure("suite", "the environment has ended and its journal does not say why")
        return ended

    def act(self, action: dict[str, Any], latency_s: float | None = None) -> str:
        """Send an action of the agent's. Raises TimeIsUp, InfrastructureFailure."""
        self.spend(latency_s)
        try:
            return self.client.act(action)
        except Refused as refusal:
            return f"refused: {refusal}"
        except ClientError as error:
            raise InfrastructureFailure("suite", str(error)) from error
        finally:
            self._take_news()
            self._since = time.monotonic()

    def spend(self, latency_s: float | None) -> None:
        """Count time of the agent's. Raises TimeIsUp."""
        self.clock.inference(latency_s, time.monotonic() - self._since)
        self._since = time.monotonic()
        if self.clock.elapsed_s() >= self.work.study.limits.takeover_s:
            raise TimeIsUp

    def _reset(self) -> str:
        """Call RESET on the controller's account."""
        self._by = "controller"
        try:
            return self.client.act({"id": "RESET"})
        finally:
            self._take_news()
            self._by = "agent"

    def _take_news(self) -> None:
        for line in self.place.news():
            if "ended" in line:
                self._ended = Ended(**line["ended"])
            else:
                extra = {"by": self._by} if line["kind"] == FRAME_EVENT else {}
                self._record(line["kind"], {**line["data"], **extra})

    def _tell(self, word: str, data: dict[str, Any]) -> None:
        self._record(f"{ROOM}.{word}", data)

    def _failed(self, kind: str, message: str) -> Ended:
        self._record("error", {"kind": kind, "message": message})
        return Ended("infrastructure", message, kind)

    def _record(self, kind: str, data: dict[str, Any]) -> None:
        self.log.append(kind, self.clock.elapsed_s(), dict(data))

    def _facts(self, goal: str, course: Course, description: str) -> dict[str, Any]:
        unit, study, arm = self.work.unit, self.work.study, self.work.arm
        context = arm.apply(study.kind.starts.context(study, self.started), unit.cohort)
        return {
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": self.work.attempt,
            "plan_hash": self.work.executor.plan_hash,
            "study": study.name,
            "level": None,
            "agent": {"name": self.agent.name, "simulated": self.agent.simulated, "privilege": self.agent.privilege},
            "intervention": arm.name,
            "intervention_privilege": arm.privilege,
            "condition": arm.kind,
            "limits": {"time_s": study.limits.takeover_s, "level_budgets": list(course.budgets)},
            "clock": self.clock.kind,
            "environment": "grid",
            "browser": None,
            "start_state": None,
            "context": asdict(context),
            "goal": goal,
            "digests": self._digests(goal, course, description),
            "levels": list(self.started.names),
            "references": list(self.started.references),
            "cap": study.own.cap,
            "x1": study.own.x1,
        }

    def _digests(self, goal: str, course: Course, description: str) -> dict[str, str]:
        return {
            "state": self.started.digest,
            "pixels": sha256_of(description),
            "prefix": sha256_of([]),
            "objective": sha256_of(goal),
            "interface": sha256_of(list(course.loss)),
            "limits": sha256_of([list(course.budgets), self.work.study.limits.takeover_s]),
        }
