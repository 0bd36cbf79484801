"""One attempt: observe, decide, validate, dispatch, settle, snapshot, until something ends it.

Time is the injected clock. A decision that comes back after the deadline dispatches nothing. Only
`InfrastructureFailure` is caught, and becomes an `episode_end` of ending `infrastructure`; any other exception is a
fault of the program and leaves the log without an end, which no reader accepts as an outcome.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from diag.records import EventKind, InfrastructureFailure, Unit
from diag.records.event_log import EventLog
from diag.session.actions import FIELDS
from diag.session.clock import Clock
from diag.session.contract import Agent, Decision, PublicContext, TimesSummaries, Turn, continuation_prompts
from diag.session.dispatcher import Dispatcher, Ended, loggable
from diag.session.environment import Environment
from diag.session.history import HistoryPolicy, at_takeover, remember, summary_is_due
from diag.session.limits import Goal, Limits, StopCondition
from diag.session.observation import observe
from diag.session.pictures import PictureStore, pixel_digest
from diag.session.workflow import MAX_WORKFLOW_ACTIONS_IN_A_ROW, Probe, Workflow
from games.contract import JsonObject, LevelId
from games.digest import sha256_of

Closing = Callable[[], tuple[EventKind, dict[str, Any]]]
"""What a study finds out after the end of an attempt: an event of its own."""


@dataclass(frozen=True)
class AttemptSetup:
    """Everything about one attempt that is not a live object. Fixed before it starts."""

    unit: Unit
    attempt: int
    """1-based."""
    plan_hash: str
    study: str
    level: LevelId | None
    """The assigned level, which must be on the board at the start; None for an episode from the home screen."""
    base_context: PublicContext
    """The context that all arms of the block share, before the intervention: objective and prefix."""
    context: PublicContext
    """The context the agent starts with, after the intervention."""
    goal: Goal | None
    """Checks completion claims; None: no claim can be verified."""
    stop_conditions: tuple[StopCondition, ...] = ()
    """For a takeover `(LevelWon(level),)`; the first that ends the attempt names its reason."""
    limits: Limits = field(default_factory=Limits)
    history: HistoryPolicy = field(default_factory=HistoryPolicy)
    settle_wait_s: float = 2.0
    held_picture: str | None = None
    """Name of the screenshot of the held start, if one was taken: for a text asked for before the clock starts."""
    workflow: Workflow | None = None
    probes: tuple[Probe, ...] = ()
    expected_digests: JsonObject = field(default_factory=dict)
    """Any of the start digests that the restored session must show; a mismatch is a `restoration` failure."""
    extra: JsonObject = field(default_factory=dict)
    """Further fields of `episode_start`."""


def run_attempt(
    setup: AttemptSetup,
    *,
    agent: Agent,
    environment: Environment,
    clock: Clock,
    log: EventLog,
    pictures: PictureStore,
    held_png: bytes = b"",
    monotonic: Callable[[], float] = time.monotonic,
    closing: Closing | None = None,
) -> None:
    """Run one attempt and write its whole record; return nothing, because everything graded is in the log.

    The environment shows the restored start (held or not); the clock starts at 0 with its first screenshot, which is
    `held_png` if whoever restored and holds the session has taken it already.
    `closing` is called when the attempt is over, before its end is recorded; its time is not the attempt's.
    `log` is new and empty and stays open. `monotonic` measures inference calls whose agent reports no latency.

    Raises:
        PrivilegeError: an agent was about to see more than it may.
        Exception: any fault of the program, unchanged; the log then has no `episode_end`.
    """
    attempt = _Attempt(setup, agent, environment, clock, log, pictures, held_png, monotonic)
    try:
        ended = attempt.run()
        if closing is not None:
            attempt.close(closing)
    except InfrastructureFailure as failure:
        attempt.record("error", {"kind": failure.kind, "message": failure.message})
        ended = Ended("infrastructure", failure.message, failure.kind)
    harness_s = clock.harness_s()
    attempt.record("episode_end", asdict(ended) if harness_s is None else {**asdict(ended), "harness_s": harness_s})


class _Attempt:
    """The mutable side of one attempt; never leaves this file."""

    def __init__(
        self,
        setup: AttemptSetup,
        agent: Agent,
        environment: Environment,
        clock: Clock,
        log: EventLog,
        pictures: PictureStore,
        held_png: bytes,
        monotonic: Callable[[], float],
    ) -> None:
        self.setup, self.agent, self.environment = setup, agent, environment
        self.clock, self.log, self.pictures, self.monotonic = clock, log, pictures, monotonic
        self.context = at_takeover(setup.context, setup.history)
        self.n_turns = 0
        self.probes = list(setup.probes)
        self.started = False
        self.first_png: bytes | None = held_png or None
        self.dispatcher = Dispatcher(
            environment=environment,
            clock=clock,
            record=self.record,
            limits=setup.limits,
            settle_wait_s=setup.settle_wait_s,
            goal=setup.goal,
            stop_conditions=setup.stop_conditions,
            continuation_prompts=continuation_prompts(agent),
        )

    def record(self, kind: EventKind, data: dict[str, Any]) -> None:
        """Append an event at the current clock; an attempt that fails before its start still says what it was."""
        if kind != "episode_start" and not self.started:
            self._record_start({}, None)
        self.log.append(kind, self.clock.elapsed_s(), data)

    def run(self) -> Ended:
        """Run to the end, the probes that are still open included."""
        self.first_png = self._start()
        ended = self.dispatcher.take_snapshot()
        while ended is None:
            ended = self._workflow() or self.dispatcher.budget()
            if ended is None:
                self._probe(self.clock.elapsed_s())
                ended = self._turn(self.first_png)
                self.first_png = None
        self._probe(float("inf"))
        return ended

    def close(self, closing: Closing) -> None:
        """Let a study add what it finds out after the end; the player's clock stands still."""
        began = self.monotonic()
        found = closing()
        self.clock.exclude(self.monotonic() - began)
        self.record(*found)

    # --- start ----------------------------------------------------------------------------------------------------

    def _start(self) -> bytes | None:
        """Take the first screenshot of the held game, start the clock, let the input through, record the start."""
        png = self.first_png or self.environment.screenshot()
        digests = self._digests(png)
        snapshot = self.environment.snapshot()
        self.clock.start()
        self._record_start(digests, snapshot.state)
        if self.setup.level is not None and snapshot.level != self.setup.level:
            raise InfrastructureFailure("restoration", f"the board is {snapshot.level}, assigned is {self.setup.level}")
        for name, wanted in self.setup.expected_digests.items():
            if digests.get(name) != wanted:
                raise InfrastructureFailure("restoration", f"digest of {name} is {digests.get(name)}, wanted {wanted}")
        self.environment.release()
        return png

    def _digests(self, png: bytes) -> dict[str, str]:
        """Return the digests that a block's conditions must share (protocol 1.3)."""
        setup, base = self.setup, self.setup.base_context
        interface = {"actions": FIELDS, "settle_wait_s": setup.settle_wait_s, "history": asdict(setup.history)}
        return {
            "state": self.environment.snapshot().state_digest or "",
            "pixels": pixel_digest(png, self.environment.picture()),
            "prefix": sha256_of([asdict(turn) for turn in base.prefix]),
            "objective": sha256_of(base.instruction),
            "interface": sha256_of(interface),
            "limits": sha256_of(asdict(setup.limits)),
        }

    def _record_start(self, digests: dict[str, str], start_state: JsonObject | None) -> None:
        self.started = True
        setup, unit = self.setup, self.setup.unit
        data = {
            **setup.extra,
            **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
            "attempt": setup.attempt,
            "plan_hash": setup.plan_hash,
            "study": setup.study,
            "level": None if setup.level is None else str(setup.level),
            "agent": {
                **{name: getattr(self.agent, name) for name in ("name", "simulated", "privilege")},
                "continuation_prompts": continuation_prompts(self.agent),
            },
            "limits": {**asdict(setup.limits), "settle_wait_s": setup.settle_wait_s, **asdict(setup.history)},
            "clock": self.clock.kind,
            "environment": self.environment.name,
            "context": asdict(self.context),
            "digests": digests,
            "browser": self.environment.browser,
            "start_state": start_state,
        }
        self.record("episode_start", data)

    # --- one turn -------------------------------------------------------------------------------------------------

    def _turn(self, png: bytes | None) -> Ended | None:
        png = self.environment.screenshot() if png is None else png
        picture = self.pictures.save(png)
        self.record("observation", {"picture": picture, "settled": self.environment.settled})
        decision, late = self._decide(png)
        if late:
            return Ended("time_limit", f"{self.setup.limits.time_s:g} s, during inference")
        if decision.stop:
            return Ended("stopped", decision.reason or "the agent stopped")
        result = self.dispatcher.dispatch(decision.actions)
        actions = tuple(loggable(action) for action in decision.actions)
        self._remember(Turn(actions, result.feedback, decision.reason, picture), write_summary=result.ended is None)
        return result.ended

    def _decide(self, png: bytes) -> tuple[Decision, bool]:
        """Ask the agent; the flag tells whether its answer came at or after the deadline."""
        observation = observe(self.environment, self.agent, self.context, png, self.clock.elapsed_s())
        began = self.monotonic()
        decision = self.agent.decide(observation)
        measured_s = self.monotonic() - began
        throttled_s = float(decision.usage.get("throttled_s", 0.0))
        latency_s = self.clock.inference(decision.latency_s, measured_s, throttled_s)
        late = self.clock.elapsed_s() >= self.setup.limits.time_s
        data = {
            "actions": [loggable(action) for action in decision.actions],
            "reason": decision.reason,
            "latency_s": latency_s,
            "stop": decision.stop,
            "usage": dict(decision.usage),
            "late": late,
        }
        self.record("decision", data)
        return decision, late

    def _remember(self, turn: Turn, *, write_summary: bool) -> None:
        self.context = remember(self.context, turn, self.setup.history)
        self.n_turns += 1
        if write_summary and summary_is_due(self.n_turns, self.setup.history):
            self._summarize()

    def _summarize(self) -> None:
        """Let the agent write its summary. A simulated agent's takes no time; a model's takes what it takes."""
        began = self.monotonic()
        text = self.agent.summarize(self.context)
        measured_s = self.monotonic() - began
        took = self.agent.summary_time if isinstance(self.agent, TimesSummaries) else None
        if took is not None:
            self.clock.inference(took.latency_s, measured_s, took.throttled_s)
        else:
            self.clock.inference(0.0 if self.agent.simulated else None, measured_s)
        self.record("summary", {"text": text})
        self.context = replace(self.context, summary=text)

    # --- what a study adds ----------------------------------------------------------------------------------------

    def _workflow(self) -> Ended | None:
        """Let the workflow act until it has nothing to do."""
        if self.setup.workflow is None:
            return None
        for _ in range(MAX_WORKFLOW_ACTIONS_IN_A_ROW):
            chosen = self.setup.workflow.next_action(self.environment.snapshot(), self.environment.picture())
            if chosen is None:
                return None
            ended = self._workflow_action(*chosen) or self.dispatcher.budget()
            if ended is not None:
                return ended
        raise InfrastructureFailure(
            "controller", f"{self.setup.workflow.name} acted {MAX_WORKFLOW_ACTIONS_IN_A_ROW} times in a row"
        )

    def _workflow_action(self, what: str, action: Any) -> Ended | None:
        self.first_png = None  # the agent is shown what the workflow left
        self.dispatcher.perform(action)
        self.record("controller", {"what": what, "action": action.to_json()})
        ended = self.dispatcher.take_snapshot()
        self.dispatcher.settle(action)
        return ended

    def _probe(self, now_s: float) -> None:
        """Ask the probes that are due, in isolation: no action is dispatched, no turn remembered, no time counted."""
        while self.probes and self.probes[0].at_s <= now_s:
            probe = self.probes.pop(0)
            context = replace(self.context, instruction=probe.question)
            began = self.monotonic()
            png = self.environment.screenshot()
            answer = self.agent.decide(observe(self.environment, self.agent, context, png, self.clock.elapsed_s()))
            self.clock.exclude(self.monotonic() - began)
            data = {"name": probe.name, "at_s": probe.at_s, "question": probe.question, "answer": answer.reason}
            self.record("probe", {**data, "usage": dict(answer.usage)})
