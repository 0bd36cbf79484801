"""Runs one whole episode: a fresh session at the home screen, the agent owns the rest, everything is recorded."""

from __future__ import annotations

from collections.abc import Callable

from diag.records import InfrastructureFailure
from diag.running.executor import Work
from diag.running.station import seat
from diag.session.limits import all_levels_won
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.starts.home_screens import Objective

Adapt = Callable[[Work, Objective, AttemptSetup], AttemptSetup]


def unchanged(work: Work, objective: Objective, setup: AttemptSetup) -> AttemptSetup:
    """Return the setup as it is."""
    del work, objective
    return setup


def play_episode(work: Work, *, adapt: Adapt = unchanged) -> None:
    """Run one episode and write its whole log.

    Args:
        work: the attempt.
        adapt: what the kind of study changes of the setup.

    Raises:
        InfrastructureFailure: the levels or the browser are not what the plan asks for.
    """
    executor, objective = work.executor, planned_objective(work)
    context = executor.study.kind.starts.context(work.study, objective)
    setup = work.setup(
        context,
        level=None,
        goal=all_levels_won(objective.levels),
        extra={"objective": [str(level) for level in objective.levels]},
    )
    clock = executor.new_clock()
    with seat(executor.station) as place, executor.new_log(work.log_path, clock) as log:
        run_attempt(
            adapt(work, objective, setup),
            agent=executor.agent.build(work.unit.seed),
            environment=place.environment,
            clock=clock,
            log=log,
            pictures=PictureStore(work.pictures),
        )


def planned_objective(work: Work) -> Objective:
    """Return the unit's objective. Raises InfrastructureFailure if its levels are not those that were planned."""
    objective: Objective = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if objective.digest != work.unit.checkpoint_digest:
        raise InfrastructureFailure(
            "suite",
            f"levels of {objective.name} are {objective.digest[:12]}, planned {work.unit.checkpoint_digest[:12]}",
        )
    return objective
