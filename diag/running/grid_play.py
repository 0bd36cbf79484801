"""What every attempt at a grid game begins with: the planned game, its limits, and the first event of its log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from diag.errors import one_line
from diag.records import InfrastructureFailure
from diag.running.executor import Work
from diag.session.grid import GridLimits, GridSession
from games.contract import JsonObject
from games.digest import sha256_of
from games.grid.contract import Environment
from games.grid.frame import frame_text


def planned_game(work: Work) -> Any:
    """Return the unit's game. Raises InfrastructureFailure if it is not the one that was planned."""
    game = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if game.digest != work.unit.checkpoint_digest:
        wanted = work.unit.checkpoint_digest[:12]
        raise InfrastructureFailure("suite", f"levels of {game.name} are {game.digest[:12]}, planned {wanted}")
    return game


def opened(game: Any) -> Environment:
    """Return the game at its first level. Raises InfrastructureFailure: it cannot be begun."""
    try:
        environment: Environment = game.open()
    except Exception as error:
        raise InfrastructureFailure("suite", f"{game.name}: {one_line(error)}") from error
    return environment


def limits_of(work: Work, game: Any) -> GridLimits:
    """Return the limits of a play: each level has so many times its baseline in actions."""
    limits, multiplier = work.study.limits, work.study.own.budget_multiplier
    budgets = tuple(math.ceil(multiplier * baseline) for baseline in game.baselines)
    return GridLimits(limits.takeover_s, budgets, limits.actions, limits.invalid_decisions_in_a_row)


def start_record(
    work: Work, game: Any, session: GridSession, agent: JsonObject, extra: Mapping[str, Any] | None = None
) -> JsonObject:
    """Return the data of `episode_start`, which graders and the report read.

    Args:
        work: the attempt.
        game: what is played.
        session: the session at its start.
        agent: who plays: `name`, `simulated`, `privilege`.
        extra: facts of the study's own.
    """
    unit, study, arm = work.unit, work.study, work.arm
    context = arm.apply(study.kind.starts.context(study, game), unit.cohort)
    return {
        **{name: getattr(unit, name) for name in ("unit_id", "arm", "cohort", "block_id", "checkpoint_id")},
        "attempt": work.attempt,
        "plan_hash": work.executor.plan_hash,
        "study": study.name,
        "level": None,
        "agent": dict(agent),
        "intervention": arm.name,
        "intervention_privilege": arm.privilege,
        "limits": asdict(session.limits),
        "clock": session.clock.kind,
        "environment": "grid",
        "browser": None,
        "start_state": None,
        "context": asdict(context),
        "digests": _digests(game, session, context.instruction),
        "levels": list(game.level_names),
        "baselines": list(game.baselines),
        "references": [list(one.counts) for one in game.references],
        "baseline_source": game.baseline_source,
        "attempt_budgets": None if game.budgets is None else list(game.budgets),
        "capabilities": asdict(session.environment.capabilities),
        **(extra or {}),
    }


def _digests(game: Any, session: GridSession, instruction: str) -> dict[str, str]:
    seen = session.seen
    return {
        "state": game.digest,
        "pixels": sha256_of(frame_text(seen.frame)),
        "prefix": sha256_of([]),
        "objective": sha256_of(instruction),
        "interface": sha256_of(list(seen.available_actions)),
        "limits": sha256_of(asdict(session.limits)),
    }
