"""An agent under a condition of memory: it is asked through its own interface, and what it says is remembered for it.

The session loop plays it like any other agent. Every condition acts one GUI action at a time out of the same budget;
they differ in what the context holds besides the window of recent turns, and in what is asked. Everything that is
remembered is logged, every version of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from diag.arms.tokens import TOKENS_VERSION, count_tokens, first_tokens
from diag.records import Ending
from diag.session.actions import ActionError, parse_action
from diag.session.contract import Agent, CallTime, Decision, Observation, Privilege, PublicContext, TimesSummaries
from diag.studies.clue_memory import prompts
from diag.studies.clue_memory.condition import Condition
from diag.studies.clue_memory.cycle import Cycle, count_actions
from diag.studies.clue_memory.formats import (
    FormatError,
    Result,
    read_done,
    read_mappings,
    read_result,
    read_seek,
    says,
)  # fmt: skip
from games.contract import JsonObject
from games.suite.snapshot import Snapshot, Transition

Record = Callable[[str, dict[str, Any]], None]
ROOM = "clue_memory"


@dataclass
class Remembering:
    """A player of one attempt: the agent, its condition, and where its cycle stands."""

    agent: Agent
    condition: Condition
    cycle: Cycle
    capacity_tokens: int
    write: Record
    """Appends an event at the current clock."""
    name: str = field(init=False)
    simulated: bool = field(init=False)
    privilege: Privilege = field(init=False)
    reads_scene: bool = field(init=False)
    summary_time: CallTime | None = field(default=None, init=False)
    """What the last summary took that the loop asked for."""
    _earlier: list[Decision] = field(default_factory=list, init=False)
    """Answers of this decision that made no action."""
    _map_time: list[CallTime] = field(default_factory=list, init=False)
    _done_at: int = field(default=-1, init=False)
    """GUI actions at the last seek that was given up early: no second one without an action between."""
    _n_versions: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Appear as the agent does: what it may see is what the agent may see."""
        agent = self.agent
        self.name, self.simulated = agent.name, agent.simulated
        self.privilege, self.reads_scene = agent.privilege, agent.reads_scene

    def decide(self, observation: Observation) -> Decision:
        """Return the next single action; phases that end without one are gone through on the way.

        Raises:
            InfrastructureFailure: as the agent does.
        """
        self._earlier.clear()
        self._map_time.clear()
        while True:
            if self.cycle.phase == "map":
                self._map(observation.context)
                continue
            asked = replace(observation, context=self._context(observation.context))
            answer = self.agent.decide(asked)
            if answer.stop or not self._taken(answer):
                return self._acted(answer)
            self._earlier.append(answer)

    def summarize(self, context: PublicContext) -> str:
        """Return the player's free notes within the capacity; of another condition none are asked for."""
        self.summary_time = None
        if self.condition.memory != "notes":
            return ""
        whole, self.summary_time = self._written(context, prompts.NOTES.format(capacity=self.capacity_tokens))
        text = first_tokens(whole, self.capacity_tokens)
        self._remembered("notes", text, whole, {"text": text})
        return text

    # --- what is asked ----------------------------------------------------------------------------------------------

    def _context(self, context: PublicContext) -> PublicContext:
        """Return what the player is shown now: the objective, the request of its phase, what is remembered."""
        if not self.condition.keeps_clues:
            return context
        cycle = self.cycle
        if cycle.phase == "solve":
            request = prompts.solve(cycle.trying, cycle.allowance)
        else:
            may_be_done = self.condition.memory == "coast" and cycle.used > self._done_at
            request = prompts.seek(cycle.allowance, may_be_done=may_be_done)
        return self._with_memory(context, request)

    def _with_memory(self, context: PublicContext, request: str) -> PublicContext:
        text = first_tokens(self.cycle.memory.text(), self.capacity_tokens)
        return replace(context, instruction=f"{context.instruction}\n\n{request}", memory=text)

    def _map(self, context: PublicContext) -> None:
        """Ask for mappings, without a GUI action; what is not of the form is none."""
        request = prompts.MAP.format(most=self.cycle.budgets.mappings)
        text, took = self._written(self._with_memory(context, ""), request)
        self._map_time += [] if took is None else [took]
        try:
            found = read_mappings(text, self.cycle.memory, most=self.cycle.budgets.mappings)
        except FormatError as error:
            self._malformed("map", text, error)
            found = ()
        self._log("map", {"mappings": [asdict(one) for one in found]})
        self.cycle = self.cycle.mapped(found)

    def _written(self, context: PublicContext, request: str) -> tuple[str, CallTime | None]:
        asked = replace(context, instruction=f"{context.instruction.rstrip()}\n\n{request}")
        text = self.agent.summarize(asked)
        return text, self.agent.summary_time if isinstance(self.agent, TimesSummaries) else None

    # --- what is answered -------------------------------------------------------------------------------------------

    def _taken(self, answer: Decision) -> bool:
        """Take in what an answer says; True if it ends the phase without an action, and the next one is due."""
        if not self.condition.keeps_clues:
            return False
        return self._solved(answer.reason) if self.cycle.phase == "solve" else self._sought(answer.reason)

    def _sought(self, reason: str) -> bool:
        try:
            clues, episodes = read_seek(reason) if says(reason, "clues", "episodes") else ((), ())
            done = says(reason, "done") and read_done(reason)
        except FormatError as error:
            self._malformed("seek", reason, error)
            return False
        before = self.cycle.memory
        done = done and self.condition.memory == "coast" and self.cycle.used > self._done_at
        self.cycle = self.cycle.sought(clues, episodes, done=done)
        if self.cycle.memory != before:
            self._version()
        if done:
            self._done_at = self.cycle.used
        return done

    def _solved(self, reason: str) -> bool:
        """Take the result of the task; an answer without one when no action is left is a failure."""
        result = Result(success=False, change=None)
        if says(reason, "result"):
            try:
                result = read_result(reason)
            except FormatError as error:
                self._malformed("solve", reason, error)
        elif self.cycle.allowance:
            return False
        self._log("result", {"task": asdict(self.cycle.trying), **asdict(result)})
        before = self.cycle.memory
        self.cycle = self.cycle.solved(result)
        if self.cycle.memory != before:
            self._version()
        return True

    def _acted(self, answer: Decision) -> Decision:
        """Return the answer's first action, counted, with the time and usage of all that was asked before it."""
        actions = answer.actions[:1]
        if not answer.stop and self.cycle.allowance:
            self.cycle = self.cycle.acted(count_actions(_names(actions)))
            if self.cycle.phase == "seek":
                self.cycle = self.cycle.sought((), ())
        return replace(answer, actions=actions, latency_s=self._latency(answer), usage=self._usage(answer))

    def _latency(self, answer: Decision) -> float | None:
        parts = [one.latency_s for one in (*self._earlier, answer)]
        known = [part for part in parts if part is not None]
        return sum(known) + sum(one.latency_s for one in self._map_time) if len(known) == len(parts) else None

    def _usage(self, answer: Decision) -> JsonObject:
        earlier = [dict(one.usage) for one in self._earlier if one.usage]
        waited = sum(float(one.get("throttled_s", 0.0)) for one in earlier)
        waited += sum(one.throttled_s for one in self._map_time)
        usage = dict(answer.usage)
        if earlier:
            usage["summaries"] = [*earlier, *usage.get("summaries", ())]
        return {**usage, "throttled_s": float(usage.get("throttled_s", 0.0)) + waited} if waited else usage

    # --- what is logged ---------------------------------------------------------------------------------------------

    def _version(self) -> None:
        whole = self.cycle.memory.text()
        text = first_tokens(whole, self.capacity_tokens)
        self._remembered("memory", text, whole, asdict(self.cycle.memory))

    def _remembered(self, word: str, text: str, whole: str, content: JsonObject) -> None:
        self._n_versions += 1
        size = {
            "version": self._n_versions,
            "tokens": count_tokens(text),
            "tokens_written": count_tokens(whole),
            "capacity_tokens": self.capacity_tokens,
            "token": TOKENS_VERSION,
        }
        self._log(word, {**size, "content": dict(content)})

    def _malformed(self, phase: str, answer: str, error: FormatError) -> None:
        self._log("malformed", {"of": phase, "answer": answer, "message": str(error)})

    def _log(self, word: str, data: JsonObject) -> None:
        where = {"phase": self.cycle.phase, "used": self.cycle.used, "n_cycles": self.cycle.n_cycles}
        self.write(f"{ROOM}.{word}", {**where, **data})


def _names(actions: Sequence[JsonObject]) -> list[str]:
    """Return the names of the actions that the session will not refuse."""
    found = []
    for action in actions:
        with contextlib.suppress(ActionError):
            found.append(parse_action(action).name)
    return [str(name) for name in found]


@dataclass
class BudgetSpent:
    """Ends a play when its GUI actions are spent. Built anew for each attempt."""

    player: Remembering
    name: str = "budget"

    def ending(self, snapshot: Snapshot, transitions: Sequence[Transition]) -> Ending | None:
        """Return the ending once the budget is used up."""
        del snapshot, transitions
        return "action_limit" if self.player.cycle.phase == "over" else None
