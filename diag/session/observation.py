"""What reaches an agent, and the guard that nothing else does.

A model agent is given the screenshot, its public context and the elapsed time. The visible scene goes to simulated
agents that read it, level and state to agents of privilege `solver_oracle`; every table shows both facts.
"""

from __future__ import annotations

from dataclasses import replace

from diag.session.contract import Agent, Observation, PublicContext
from diag.session.environment import Environment


class PrivilegeError(RuntimeError):
    """An agent was about to be shown something it may not see: a fault of this program, never of the agent."""


def observe(
    environment: Environment, agent: Agent, context: PublicContext, png: bytes, elapsed_s: float
) -> Observation:
    """Return the observation for an agent, checked by `guard`."""
    observation = Observation(context=context, screenshot_png=png, scene=None, elapsed_s=elapsed_s)
    if agent.reads_scene and agent.simulated:
        observation = replace(observation, scene=environment.picture())
    if agent.privilege == "solver_oracle" and agent.simulated:
        observation = replace(observation, oracle=_oracle(environment))
    guard(agent, observation)
    return observation


def guard(agent: Agent, observation: Observation) -> None:
    """Refuse an observation that holds more than the agent may see. Raises PrivilegeError."""
    if observation.scene is not None and not (agent.simulated and agent.reads_scene):
        raise PrivilegeError(f"agent {agent.name} was about to be shown the scene")
    if observation.oracle is not None and not (agent.simulated and agent.privilege == "solver_oracle"):
        raise PrivilegeError(f"agent {agent.name} was about to be shown the rules state")
    if not agent.simulated and not observation.screenshot_png:
        raise PrivilegeError(f"agent {agent.name} looks at screenshots, and there are none on rules only")


def _oracle(environment: Environment) -> dict[str, object] | None:
    """Return level, layout, rules state and selection; None while no board is in play."""
    snapshot = environment.snapshot()
    if snapshot.level is None or snapshot.state is None:
        return None
    layout = environment.layout(snapshot.level)
    return {"level": str(snapshot.level), "layout": layout, "state": snapshot.state, "held": snapshot.held}
