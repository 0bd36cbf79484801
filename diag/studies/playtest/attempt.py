"""Runs one task under one condition: its rounds, then the judges on the build of every round; writes the whole log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from diag.agents.models.agent import ModelAgent
from diag.errors import ConfigError
from diag.records import Event, InfrastructureFailure
from diag.records.event_log import EventLog
from diag.running.executor import Work
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.history import history_of
from diag.session.pictures import PictureStore
from diag.studies.playtest.bench import Bench, Bill, bench
from diag.studies.playtest.builds.build import Build, build_of
from diag.studies.playtest.chain import Inheritance, finished_rounds, first_state, inherited
from diag.studies.playtest.crew import Crew
from diag.studies.playtest.loop import ROOM, Loop, State, folded
from diag.studies.playtest.model_crew import ModelCrew
from diag.studies.playtest.starts import Task
from diag.studies.playtest.verdicts import Judgement
from games.contract import JsonObject
from games.digest import canonical_json, sha256_of

ENDED = {
    "accepted": "the playtester played it through with high confidence",
    "rounds": "all rounds were used",
    "one_round": "code without a second round",
    "it_starts": "the build starts, and nobody plays",
    "time_limit": "the time of the attempt was over",
}
"""Why a task ended, in words."""


def attempt(work: Work) -> None:
    """Run one task and write its whole log. Raises InfrastructureFailure, ConfigError."""
    task = planned_task(work)
    inheritance, kept = inherited(work, task), finished_rounds(work)
    crew = crew_of(work)
    clock = work.executor.new_clock()
    with (
        bench(work.executor.station, work.study.own.judge_limit_s) as place,
        work.executor.new_log(work.log_path, clock) as log,
    ):
        _Attempt(work, task, crew, clock, log, place).run(inheritance, kept)


def planned_task(work: Work) -> Task:
    """Return the unit's task. Raises InfrastructureFailure if it is not the one that was planned."""
    task: Task = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if task.digest != work.unit.checkpoint_digest:
        wanted = work.unit.checkpoint_digest[:12]
        raise InfrastructureFailure("suite", f"{task.name} is {task.digest[:12]}, planned was {wanted}")
    return task


def crew_of(work: Work) -> Crew:
    """Return the two agents of an attempt. Raises ConfigError for an agent that is no crew, or that sees no page."""
    built: Any = work.executor.agent.build(work.unit.seed)
    if isinstance(built, Crew):
        return built
    if not isinstance(built, ModelAgent):
        raise ConfigError(f"agent {built.name} codes and plays no builds; wanted playtest_crew, or a model")
    if not work.executor.browser:
        raise ConfigError(f"agent {built.name} plays builds on their pages; wanted suite=browser")
    keys, history = work.study.own, history_of(work.executor.agent, work.study.history)
    return ModelCrew(built, keys.code_calls, keys.play_actions, history)


class _Attempt:
    """The mutable side of one attempt; never leaves this file."""

    def __init__(self, work: Work, task: Task, crew: Crew, clock: Clock, log: EventLog, place: Bench) -> None:
        self.work, self.task, self.crew, self.clock, self.log, self.place = work, task, crew, clock, log, place
        self.pictures = PictureStore(work.pictures)
        self.before_s = 0.0
        """Clock of the finished rounds of a killed attempt, where the clock is real and cannot be set."""

    def run(self, inheritance: Inheritance, kept: Sequence[Event]) -> None:
        """Go on after what is kept, to the end; a failure of the apparatus ends the log as one."""
        self.clock.start()
        start = self._start(inheritance)
        self._append("episode_start", start)
        try:
            own = tuple((event.kind.removeprefix(f"{ROOM}."), event.data) for event in self._again(start, kept))
            state = self._loop(str(start["context"]["instruction"]), folded(first_state(start), own)).run()
            self._judge(state, {build_of(data["build"]) for word, data in own if word == "judge"})
            ended = Ended(state.over, ENDED[state.over], None)
        except InfrastructureFailure as failure:
            self._append("error", {"kind": failure.kind, "message": failure.message})
            ended = Ended("infrastructure", failure.message, failure.kind)
        harness_s = self.clock.harness_s()
        self._append("episode_end", {**asdict(ended), **({} if harness_s is None else {"harness_s": harness_s})})

    def _append(self, kind: str, data: JsonObject) -> None:
        self.log.append(kind, self._elapsed_s(), dict(data))

    def _elapsed_s(self) -> float:
        return self.before_s + self.clock.elapsed_s()

    def _again(self, start: JsonObject, kept: Sequence[Event]) -> tuple[Event, ...]:
        """Write what is kept of a killed attempt into the new log, at its own times; nothing if it began otherwise."""
        if not kept or canonical_json(kept[0].data) != canonical_json(start):
            return ()
        for event in kept[1:]:
            gap_s = max(0.0, event.clock_s - self._elapsed_s())
            if self.clock.kind == "virtual":
                self.clock.wait(gap_s)
            else:
                self.before_s += gap_s
            self._append(event.kind, event.data)
        return tuple(kept[1:])

    def _loop(self, prompt: str, state: State) -> Loop:
        return Loop(
            task=self.task,
            prompt=prompt,
            condition=self.work.arm,
            crew=self.crew,
            rounds=self.work.study.own.rounds,
            state=state,
            record=self._append,
            verify=self.place.verify,
            open_page=self.place.open_page,
            save=self.pictures.save,
            spend=self._spend,
            is_late=lambda: self._elapsed_s() >= self.work.study.limits.takeover_s,
        )

    def _spend(self, latency_s: float, throttled_s: float) -> None:
        self.clock.inference(latency_s, latency_s + throttled_s, throttled_s)

    def _judge(self, state: State, judged: set[Build]) -> None:
        """Judge every build once, off the clock."""
        for number, build in enumerate(state.builds, 1):
            if build in judged:
                continue
            judged.add(build)
            began_s = self.clock.elapsed_s()
            bill = self.place.judge(build)
            self.clock.exclude(self.clock.elapsed_s() - began_s)
            self._append(f"{ROOM}.judge", self._told(number, build, bill))

    def _told(self, number: int, build: Build, bill: Bill) -> JsonObject:
        return {
            "round": number,
            "build": build.to_json(),
            "judgements": [_judgement(one) for one in bill.judgements],
            "picture": self.pictures.save(bill.portrait),
        }

    def _start(self, inheritance: Inheritance) -> JsonObject:
        work, unit, arm, task = self.work, self.work.unit, self.work.arm, self.task
        study, keys, agent = work.study, work.study.own, work.executor.agent
        context = arm.apply(study.kind.starts.context(study, task), unit.cohort)
        return {
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": work.attempt,
            "plan_hash": work.executor.plan_hash,
            "study": study.name,
            "level": None,
            "agent": {"name": agent.name, "simulated": agent.simulated, "privilege": agent.privilege},
            "intervention": arm.name,
            "intervention_privilege": arm.privilege,
            "limits": asdict(study.limits),
            "clock": self.clock.kind,
            "environment": "build",
            "browser": work.executor.browser or None,
            "start_state": None,
            "context": asdict(context),
            "digests": {
                "state": task.digest,
                "prefix": sha256_of([]),
                "objective": sha256_of(context.instruction),
                "interface": sha256_of(
                    [keys.rounds, keys.code_calls, keys.play_actions, keys.judge_limit_s, asdict(study.history)]
                ),
                "limits": sha256_of(asdict(study.limits)),
            },
            "task": {
                **{name: getattr(task, name) for name in ("order", "position", "game")},
                "before": list(task.before),
                "defects": list(task.defects),
            },
            "rounds": keys.rounds,
            "condition": {"memory": arm.memory, "loop": arm.loop},
            "memory": [asdict(one) for one in inheritance.memory],
            "memory_from": inheritance.unit_id,
        }


def _judgement(one: Judgement) -> JsonObject:
    verdicts: list[JsonObject] = [{**asdict(verdict), "evidence": list(verdict.evidence)} for verdict in one.verdicts]
    return {"judge": one.judge, "verdicts": verdicts}
