"""Plays one game under one condition and writes the whole log, the evidence, and the agent's files beside it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from diag.agents.code_execution.sandbox import SandboxLimits
from diag.agents.models.agent import ModelAgent
from diag.errors import ConfigError
from diag.records import InfrastructureFailure
from diag.records.event_log import EventLog
from diag.records.plan import derive_seed
from diag.running.executor import Work
from diag.running.grid_play import limits_of, planned_game, start_record
from diag.session.clock import Clock
from diag.session.dispatcher import Ended
from diag.session.grid import GridSession
from diag.studies.world_model.builders import model_files
from diag.studies.world_model.condition import Condition
from diag.studies.world_model.desk import Desk, Record
from diag.studies.world_model.evidence import EvidenceStore
from diag.studies.world_model.jailed import Jailed
from diag.studies.world_model.keys import WorldModelKeys
from diag.studies.world_model.model_mind import ToolMind
from diag.studies.world_model.play import Budget, Play


def attempt(work: Work) -> None:
    """Play the unit's game. Raises InfrastructureFailure if it is not the one that was planned."""
    game = planned_game(work)
    clock = work.executor.new_clock()
    with work.executor.new_log(work.log_path, clock) as log:
        _run(work, game, clock, log)


def mind_of(work: Work) -> Any:
    """Return who answers, with tools, in one play. Raises ConfigError for an agent that cannot."""
    factory: Any = work.executor.agent
    built = factory.build(work.unit.seed)
    mind = ToolMind(built) if isinstance(built, ModelAgent) else built
    if not hasattr(mind, "answer"):
        raise ConfigError(
            f"agent {factory.name} answers no questions with tools; a world-model study wants agent=scripted_modeler, "
            "or a model such as agent=openai agent.model=NAME"
        )
    return mind


def _run(work: Work, game: Any, clock: Clock, log: EventLog) -> None:
    mind = mind_of(work)

    def record(kind: str, data: Any) -> None:
        log.append(kind, clock.elapsed_s(), dict(data))

    session = GridSession(game.open(), limits_of(work, game), clock, record)
    keys: WorldModelKeys = work.study.own
    clock.start()
    extra = {"policy": work.arm.policy, "budgets": {"calls": keys.calls, "tokens": keys.tokens, "curve": keys.curve}}
    agent = {name: getattr(mind, name) for name in ("name", "simulated", "privilege")}
    start = start_record(work, game, session, agent, extra)
    record("episode_start", start)
    try:
        ended = _play(work, game, session, mind, record, str(start["context"]["instruction"])).run()
    except InfrastructureFailure as failure:
        record("error", {"kind": failure.kind, "message": failure.message})
        ended = Ended("infrastructure", failure.message, failure.kind)
    harness_s = clock.harness_s()
    record("episode_end", {**asdict(ended), **({} if harness_s is None else {"harness_s": harness_s})})


def _play(work: Work, game: Any, session: GridSession, mind: Any, record: Record, instruction: str) -> Play:
    keys: WorldModelKeys = work.study.own
    condition: Condition = work.arm
    folder = work.log_path.parent
    limits = SandboxLimits(wall_s=keys.run_s, cpu_s=round(keys.run_s) + 1, memory_mb=keys.memory_mb)
    jailed = Jailed(limits, keys.call_s)
    desk = Desk(condition, keys, EvidenceStore(folder / "evidence"), jailed, record, folder / "files")
    block = f"{work.unit.block_id}-r{work.unit.repeat}"
    seed = derive_seed(work.study.name, block, "explorer", seed=keys.seed)
    shared = {"block_seed": seed, "edits_model": condition.policy == "single"}
    if mind.privilege == "solver_oracle":
        shared["game"] = game
    if condition.policy == "given":
        desk.give_model(model_files(condition.given, game, seed))
    return Play(mind, desk, session, session.clock, Budget(keys.calls, keys.tokens), instruction, shared)
