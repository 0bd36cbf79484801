"""The code-execution setting: the model may run Python on its screenshots before it acts; it acts by the GUI API only.

One decision may hold several model calls: each call of `python` runs in the jail, its output goes back to the model,
until it acts, or the code itself asked for GUI actions. Those go through the same dispatcher as any other. Code that
asks for a screenshot ends the decision too: it stands still until the next observation, which is what it asked for, and
the next decision is what it comes to from there, without a call of the model. Every step is classified for NGAR (first
source document, "Native GUI action ratio") in `usage.steps`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from diag.agents.code_execution.sandbox import Ran, Sandbox, SandboxLimits, require
from diag.agents.code_execution.steps import NOT_NATIVE, PYTHON, computed_answers, steps_of
from diag.agents.models.access import check_observation, check_request
from diag.agents.models.agent import ModelAgent
from diag.agents.models.calling import Answered
from diag.agents.models.conversation import Call, Conversation, Message, Part, Result, Text, converse, merged
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.factory import ModelFactory
from diag.agents.models.formats.tool_call import NAME, ToolCall
from diag.agents.models.recording import RecordingEnds
from diag.agents.models.reply import Reply, Tokens, Tool
from diag.session.contract import CallTime, Decision, Observation, Privilege, PublicContext
from diag.session.history import HistoryPolicy
from games.contract import JsonObject

LONGEST_MEMORY = 1_500
NOTHING_PRINTED = "(nothing was printed)"
_SCHEMA = {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}


@dataclass(frozen=True)
class CodeTools(ToolCall):
    """`act`, and `python` beside it."""

    name: str = "code_execution"
    prompt: str = "code_execution"
    continuation_prompts: int = 0

    def tools(self, contract: CoordinateContract) -> tuple[Tool, ...]:
        """Return both tools."""
        words = (
            "Run Python in an isolated process. `screenshot`: the current screenshot as a numpy array; "
            "`gui.screenshot()`: the one after the actions so far."
        )
        return (*super().tools(contract), Tool(PYTHON, words, _SCHEMA))


@dataclass(frozen=True)
class CodeFactory:
    """A model agent with a jail. Its model must take tool calls in pixels of the screenshot."""

    agent: ModelFactory
    sandbox: SandboxLimits = field(default_factory=SandboxLimits)
    runs_per_decision: int = 8

    def __post_init__(self) -> None:
        if not isinstance(self.agent.format, CodeTools) or self.agent.contract != CoordinateContract():
            raise ValueError("the code-execution setting takes format CodeTools and the contract of plain pixels")
        if self.runs_per_decision < 1:
            raise ValueError(f"runs_per_decision is from 1, got {self.runs_per_decision}")

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.name

    @property
    def simulated(self) -> bool:
        """Whether the endpoint is no model."""
        return self.agent.simulated

    @property
    def privilege(self) -> Privilege:
        """Code on screenshots is computation, not access."""
        return "none"

    @property
    def episode_history(self) -> HistoryPolicy:
        """As the model's format declares."""
        return self.agent.episode_history

    def build(self, seed: int) -> CodeAgent:
        """Return an agent for one attempt. Raises ConfigError where there is no isolation."""
        require()
        return CodeAgent(self.agent.build(seed), Sandbox(self.sandbox), self.runs_per_decision)

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome."""
        limits = {f"sandbox.{name}": value for name, value in asdict(self.sandbox).items()}
        return {**self.agent.identity(), **limits, "runs_per_decision": self.runs_per_decision}


@dataclass(frozen=True)
class Waiting:
    """Code that waits for the screenshot it asked for."""

    code: str
    got: Answered
    """The answer that it came with."""
    instruction: str
    """What it was asked. Another question (a probe) leaves it waiting."""


@dataclass
class CodeAgent:
    """One model with a jail in one attempt."""

    model: ModelAgent
    sandbox: Sandbox
    runs_per_decision: int
    privilege: Privilege = "none"
    reads_scene: bool = False
    waiting: Waiting | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.model.name

    @property
    def continuation_prompts(self) -> int:
        """As its format declares."""
        return self.model.continuation_prompts

    @property
    def simulated(self) -> bool:
        """Whether the endpoint is no model."""
        return self.model.simulated

    @property
    def summary_time(self) -> CallTime | None:
        """What the last summary took."""
        return self.model.summary_time

    def summarize(self, context: PublicContext) -> str:
        """Ask for a summary."""
        return self.model.summarize(context)

    def decide(self, observation: Observation) -> Decision:
        """Ask, run, ask again, act. Raises InfrastructureFailure."""
        return _Deciding(self, observation).run()


@dataclass
class _Deciding:
    """The state of one decision across its model calls and runs."""

    agent: CodeAgent
    observation: Observation
    spent_s: float = 0.0
    answered: list[Answered] = field(default_factory=list)
    usages: list[JsonObject] = field(default_factory=list)
    runs: list[tuple[str, Ran]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    """Class of every action step of the answers so far (`diag.grading.ngar`)."""
    goes_on: bool = False
    """The first run began before the screenshot of this decision."""

    def run(self) -> Decision:
        model, observation = self.agent.model, self.observation
        check_observation(observation, model.name)
        model.screens.add(observation.screenshot_png)
        sent = converse(
            observation, prompts=model.prompts, system=model.system, render=model.render, load=model.screens.load
        )
        check_request(sent, observation, model.name)
        waiting = self.agent.waiting
        if waiting is not None and waiting.instruction == observation.context.instruction:
            self.goes_on = True
            ran = self._ran(waiting.code, self.agent.sandbox.go_on(observation.screenshot_png), waiting.got)
            if ran.actions:
                return self._performed(waiting.got, sent, (ran,))
            after = f"[output of your code after its last screenshot]\n{ran.output or NOTHING_PRINTED}"
            sent = replace(sent, messages=merged((*sent.messages, Message("user", (Text(after),)))))
        while True:
            try:
                got = self._ask(sent)
            except RecordingEnds:
                late_s = max(model.attempt_limit_s - observation.elapsed_s, 0.0) + 1.0
                return Decision((), "the recorded attempt ended here", late_s, usage={"recording": "ended"})
            codes = [call for call in got.reply.calls if call.name == PYTHON]
            if not codes or not self._may_run:
                return self._acted(got, sent, codes)
            n_before = len(self.runs)
            sent = self._after(sent, got, codes)
            now = [ran for _, ran in self.runs[n_before:]]
            if any(ran.actions for ran in now):
                return self._performed(got, sent, now)

    @property
    def _may_run(self) -> bool:
        return self.agent.waiting is None and len(self.runs) < self.agent.runs_per_decision

    def _performed(self, got: Answered, sent: Conversation, runs: Sequence[Ran]) -> Decision:
        """Return the decision that code came to: the actions of the runs at the end of `self.runs`."""
        asked = [action for ran in runs for action in ran.actions]
        self.steps += computed_answers((code, ran.actions) for code, ran in self.runs[-len(runs) :])
        reply = replace(got.reply, calls=(Call("code", NAME, {"actions": asked}),))
        if not self.answered:  # the model was not asked for this
            got, sent = replace(got, latency_s=0.0, throttled_s=0.0, tries=()), Conversation(sent.system, ())
            reply = Reply("", reply.calls, tokens=Tokens(0, 0, 0), model=reply.model)
        return self._decision(self.agent.model.decision(replace(got, reply=reply), sent))

    def _ran(self, code: str, ran: Ran, got: Answered) -> Ran:
        """Account for a run, or for a part of it."""
        self.runs.append((code, ran))
        self.spent_s += ran.took_s
        instruction = self.observation.context.instruction
        self.agent.waiting = Waiting(code, got, instruction) if ran.waits else None
        return ran

    def _ask(self, sent: Conversation) -> Answered:
        model, at_s = self.agent.model, self.observation.elapsed_s
        request = model.client.request(sent, model.format.tools(model.contract), model.sampling)
        got = model.asker.ask("decide", at_s, request, sent, model.attempt_limit_s - at_s - self.spent_s)
        self.answered.append(got)
        self.usages.append(model.asker.usage(got, sent))
        self.steps += steps_of(got.reply)
        self.spent_s += got.latency_s
        return got

    def _after(self, sent: Conversation, got: Answered, codes: Sequence[Call]) -> Conversation:
        """Run the code of an answer and return the conversation with what it printed."""
        said: list[Part] = [Text(got.reply.text)] if got.reply.text.strip() else []
        results: list[Part] = []
        for call in got.reply.calls:
            said.append(call)
            output = "not performed: act when the code has ended"
            if call in codes and self.agent.waiting is not None:
                output = "not run: earlier code waits for the screenshot it asked for"
            elif call in codes and len(self.runs) >= self.agent.runs_per_decision:
                output = f"not run: a decision has {self.agent.runs_per_decision} runs"
            elif call in codes:
                code = str(call.arguments.get("code", ""))
                ran = self._ran(code, self.agent.sandbox.run(code, self.observation.screenshot_png), got)
                output = ran.output or NOTHING_PRINTED
            results.append(Result(call.call_id, output))
        messages = (*sent.messages, Message("assistant", tuple(said)), Message("user", tuple(results)))
        return replace(sent, messages=merged(messages))

    def _acted(self, got: Answered, sent: Conversation, codes: Sequence[Call]) -> Decision:
        """Return the decision of an answer that acts; code that may not be run is dropped."""
        calls = tuple(call for call in got.reply.calls if call not in codes)
        kept = replace(got, reply=replace(got.reply, calls=calls))
        return self._decision(self.agent.model.decision(kept, sent))

    def _decision(self, base: Decision) -> Decision:
        tokens = {name: _total(self.usages, name) for name in ("input_tokens", "output_tokens", "cost")}
        usage = {
            **base.usage,
            **tokens,
            "images": sum(one["images"] for one in self.usages),
            "throttled_s": round(sum(one.throttled_s for one in self.answered), 3),
            "tries": [one for got in self.answered for one in got.tries],
            "model_calls": len(self.answered),
            "steps": self.steps + [NOT_NATIVE] * base.stop,
            "runs": [
                {
                    "code": code,
                    "output": ran.output,
                    "n_actions": len(ran.actions),
                    "took_s": round(ran.took_s, 3),
                    "goes_on": self.goes_on and place == 0,
                    "waits": ran.waits,
                }
                for place, (code, ran) in enumerate(self.runs)
            ],
        }
        return Decision(base.actions, self._reason(base.reason), round(self.spent_s, 3), base.stop, usage)

    def _reason(self, said: str) -> str:
        """Return the reason with the code that was run: later turns show it, cut, as the agent's own words."""
        pieces = [f"[python]\n{code}\n[output]\n{ran.output}"[:LONGEST_MEMORY] for code, ran in self.runs]
        if self.goes_on:  # the code itself stands in the turn before
            pieces[0] = f"[the code goes on]\n[output]\n{self.runs[0][1].output}"[:LONGEST_MEMORY]
        return "\n".join([*pieces, said]).strip()


def _total(usages: Sequence[JsonObject], name: str) -> Any:
    values = [one[name] for one in usages]
    return None if None in values else sum(values)
