"""What an agent is to the session loop: it is shown a public context and returns a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from games.contract import JsonObject

Privilege = Literal["none", "rule_knowledge", "public_history", "evaluator_state", "solver_oracle"]
"""What a part of an experiment has access to beyond the screen; shown in every table."""


@dataclass(frozen=True)
class Turn:
    """One past decision as the agent may remember it."""

    actions: tuple[JsonObject, ...]
    """The actions as the agent gave them, in JSON form."""
    feedback: str
    """The public feedback of the dispatcher."""
    reason: str
    """The agent's own stated reason."""
    picture: str | None
    """SHA-256 name of the screenshot the decision was made on, if it is still in context."""


@dataclass(frozen=True)
class Asked:
    """A text that is asked for in a separate call, in place of actions (RQ3: the summary or the account)."""

    request: str
    picture: str | None
    """SHA-256 name of the current screenshot; None on rules only."""


@dataclass(frozen=True)
class PublicContext:
    """Everything an agent is given, in the order it is shown. Interventions change this and nothing else."""

    instruction: str
    prefix: tuple[Turn, ...] = ()
    """Public action prefix that led to the checkpoint, oldest first; at most four keep their picture."""
    memory: str | None = None
    """A restart summary or a structured account, when an arm provides one."""
    summary: str | None = None
    """Model-written summary of turns that left the window."""
    recent: tuple[Turn, ...] = ()
    """The agent's own turns since takeover, oldest first, within the history window."""
    asked: Asked | None = None
    """Set in the one call that asks for a text; closes that request, after the history."""


@dataclass(frozen=True)
class Observation:
    """What reaches the agent at one decision."""

    context: PublicContext
    screenshot_png: bytes
    """The current screenshot; empty when a study runs on rules only."""
    scene: JsonObject | None
    """The visible scene, exactly what the picture shows. Given only to agents with `reads_scene`; never to a model."""
    elapsed_s: float
    """Takeover clock."""
    oracle: JsonObject | None = None
    """Level and state for agents of privilege `solver_oracle`; None for every other agent."""


@dataclass(frozen=True)
class Decision:
    """What the agent wants done. `actions` are raw: the dispatcher checks them, not the agent."""

    actions: tuple[JsonObject, ...]
    reason: str
    latency_s: float | None = None
    """Inference time an agent reports of itself; the virtual clock moves by it. None: measured on the wall clock."""
    stop: bool = False
    """The agent ends the attempt without a completion claim."""
    usage: JsonObject = field(default_factory=dict)
    """Tokens, images and the like as the endpoint reported them."""


class Agent(Protocol):
    """One agent for one attempt. It keeps no state across attempts; randomness comes from `seed` at construction."""

    name: str
    simulated: bool
    """Shown wherever one of its numbers is shown."""
    privilege: Privilege
    reads_scene: bool

    def decide(self, observation: Observation) -> Decision:
        """Return the next actions. Raises `InfrastructureFailure` when the endpoint, not the agent, failed."""

    def summarize(self, context: PublicContext) -> str:
        """Write the summary that replaces the oldest turns (history policy: every eight turns)."""


@dataclass(frozen=True)
class CallTime:
    """What an inference call took, as an agent that makes real calls reports it."""

    latency_s: float
    throttled_s: float = 0.0
    """The part spent waiting for a rate limit."""


@runtime_checkable
class TimesSummaries(Protocol):
    """An agent that reports what its last summary took; without it the loop measures real time."""

    summary_time: CallTime | None


@runtime_checkable
class ToldToContinue(Protocol):
    """An agent that is asked to continue after a completion claim that cannot be verified.

    For every other agent an explicit final answer ends the attempt. The published protocol ("Budget and termination")
    grants GUI-specialised models one such prompt.
    """

    @property
    def continuation_prompts(self) -> int:
        """How many unverified claims are answered by the prompt; the next one ends the attempt."""


def continuation_prompts(agent: Agent) -> int:
    """Return how many unverified claims of an agent are answered by a prompt to continue; 0 unless it declares it."""
    return agent.continuation_prompts if isinstance(agent, ToldToContinue) else 0


class AgentFactory(Protocol):
    """What `conf/agent/*.yaml` instantiates: picklable, holds the settings, builds one agent for each attempt."""

    name: str
    simulated: bool
    privilege: Privilege

    def build(self, seed: int) -> Agent:
        """Return an agent for one attempt."""

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON; part of the study's identity."""
