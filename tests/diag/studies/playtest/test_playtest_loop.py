"""The loop of a task with a crew whose chances are known: what it comes to follows from them."""

import contextlib
import itertools

import pytest

from diag.studies.playtest.builds.build import Build
from diag.studies.playtest.condition import Condition
from diag.studies.playtest.loop import Loop, State, folded
from diag.studies.playtest.simulated import Knobs, SimulatedCrew
from diag.studies.playtest.starts import Task

TASK = Task(1, 1, (), "maze_paint", ("restart_dead", "key_dead", "wall_bounces"))
SURE = Knobs(fixes=1, fixes_known=1, finds=1, finds_known=1, invents=0, breaks=0)


def played(condition, knobs, seed=0):
    told = []
    start = State(Build(TASK.game, TASK.defects))
    loop = Loop(
        task=TASK,
        prompt="",
        condition=condition,
        crew=SimulatedCrew("crew", knobs, seed),
        rounds=5,
        state=start,
        record=lambda kind, data: told.append((kind.split(".")[1], data)),
        verify=lambda build: "SyntaxError" if build.broken else "",
        open_page=lambda build: contextlib.nullcontext(),
        save=lambda png: None,
        spend=lambda *seconds: None,
    )
    end = loop.run()
    assert folded(start, told) == end, "the state is a fold over the events"
    return end


def test_a_sure_crew_needs_two_rounds():
    end = played(Condition("episode", "episode"), SURE)
    assert (end.round, end.over, end.build.defects) == (2, "accepted", ())


def test_without_a_fix_all_rounds_are_used_and_all_defects_stay():
    end = played(Condition("none", "none"), Knobs(fixes=0, fixes_known=0, finds=1, invents=0, breaks=0))
    assert (end.round, end.over, end.build.defects) == (5, "rounds", TASK.defects)


def test_a_direct_draft_is_never_run_and_a_built_one_is():
    broken = Knobs(breaks=1)
    assert played(Condition("direct", "none", "direct"), broken).build.broken
    end = played(Condition("build_only", "none", "build_only"), broken)
    assert (end.round, end.over, end.build.broken) == (2, "it_starts", False)


@pytest.mark.parametrize(("memory", "wanted"), [("none", True), ("episode", False)])
def test_defects_come_back_only_without_episode_memory(memory, wanted):
    knobs = Knobs(fixes=0.5, fixes_known=0.5, brings_back=1, finds=1, invents=0, breaks=0)
    back = False
    for seed in range(20):
        builds = [set(one.defects) for one in played(Condition(memory, memory), knobs, seed).builds]
        back = back or any(later - earlier for earlier, later in itertools.pairwise(builds))
    assert back is wanted
