"""Plays one clue level under one condition, and has a judge look at where the player left off."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from diag.records import InfrastructureFailure
from diag.records.plan import derive_seed
from diag.running.executor import Work
from diag.running.station import Seat, StationSettings, catalogue, seat
from diag.session.limits import LevelWon
from diag.session.loop import AttemptSetup, run_attempt
from diag.session.pictures import PictureStore
from diag.studies.clue_memory.condition import Condition
from diag.studies.clue_memory.cycle import Budgets, Cycle
from diag.studies.clue_memory.judge import level_milestones
from diag.studies.clue_memory.judging import Judge, put
from diag.studies.clue_memory.player import ROOM, BudgetSpent, Remembering
from diag.studies.clue_memory.starts import ClueLevel, pack


def attempt(work: Work) -> None:
    """Run one play and write its whole log. Raises InfrastructureFailure."""
    executor, start = work.executor, planned_level(work)
    station = replace(executor.station, levels=pack(executor.station.levels))
    context = executor.study.kind.starts.context(work.study, start)
    clock, pictures = executor.new_clock(), PictureStore(work.pictures)
    with seat(station) as place, executor.new_log(work.log_path, clock) as log:
        held_png = _held(place, start)
        player = Remembering(
            executor.agent.build(work.unit.seed),
            work.arm,
            cycle_of(work),
            work.study.own.memory_tokens,
            lambda kind, data: _append(log, kind, clock, data),
        )
        goal: Any = LevelWon(start.id)
        setup = work.setup(
            context,
            level=start.id,
            goal=goal,
            expected_digests={"state": start.state_digest},
            extra=_extra(work, start),
        )
        run_attempt(
            _with_budget(setup, player),
            agent=player,
            environment=place.environment,
            clock=clock,
            log=log,
            pictures=pictures,
            held_png=held_png,
            closing=lambda: _judgement(work, start, station, place, pictures),
        )


def planned_level(work: Work) -> ClueLevel:
    """Return the unit's level. Raises InfrastructureFailure if it is not the one that was planned."""
    start: ClueLevel = work.executor.source.checkpoint(work.unit.checkpoint_id)
    if start.digest != work.unit.checkpoint_digest:
        raise InfrastructureFailure(
            "suite", f"{start.name} is {start.digest[:12]}, planned was {work.unit.checkpoint_digest[:12]}"
        )
    return start


def cycle_of(work: Work) -> Cycle:
    """Return the cycle at its start, with the study's budgets."""
    keys, condition = work.study.own, work.arm
    return Cycle(Budgets(keys.budget, keys.seek, keys.solve, keys.mappings), with_map=condition.memory == "coast")


def _append(log: Any, kind: str, clock: Any, data: dict[str, Any]) -> None:
    log.append(kind, clock.elapsed_s(), data)


def _extra(work: Work, start: ClueLevel) -> dict[str, Any]:
    condition: Condition = work.arm
    return {"condition": condition.memory, "budgets": asdict(cycle_of(work).budgets), "distance": start.distance}


def _with_budget(setup: AttemptSetup, player: Remembering) -> AttemptSetup:
    stops: Any = (*setup.stop_conditions, BudgetSpent(player))
    return replace(setup, stop_conditions=stops)


def _held(place: Seat, start: ClueLevel) -> bytes:
    """Open the level, hold it, and return its screenshot; empty without a page."""
    place.session.place(start.id, start.state)
    place.session.hold()
    if place.page is None:
        return b""
    place.page.settle()
    return place.environment.screenshot()


def _judgement(
    work: Work, start: ClueLevel, station: StationSettings, place: Seat, pictures: PictureStore
) -> tuple[str, dict[str, Any]]:
    """Have the judge check the milestones on a copy of the final state."""
    final = place.environment.snapshot()
    checks = level_milestones(catalogue(station.levels).layout(start.id), start.id)
    with seat(station) as copy:
        put(copy, final)
        seed = derive_seed(work.study.name, work.unit.unit_id, "judge", seed=work.unit.seed)
        judge = Judge(work.executor.agent.build(seed), copy, pictures, work.study.own.judge_actions)
        found = judge.judge(checks)
    names = [one.name for one in checks]
    data = {"milestones": names, "verdicts": list(found.verdicts), "n_actions": judge.n_actions}
    return f"{ROOM}.judge", data
