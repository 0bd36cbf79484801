"""The parts of the clue-memory study: memories, strict formats, the cycle's budgets, the judge, the gaps."""

import json
from dataclasses import asdict, replace

import pytest

from diag.studies.clue_memory.cycle import Budgets, Cycle, count_actions
from diag.studies.clue_memory.formats import FormatError, Result, read_mappings, read_result, read_seek
from diag.studies.clue_memory.judge import (
    Completion,
    Milestone,
    agreement,
    board_truth,
    judged,
    level_milestones,
    milestones,
)  # fmt: skip
from diag.studies.clue_memory.memories import Clue, Episode, Location, Mapping, Memory
from diag.studies.clue_memory.metrics import Look, gaps, repeated_share, timelines
from games.catalogue import load_catalogue
from games.clue_house.game import GAME, PACK
from games.clue_house.rules import initial_state, step
from games.contract import Table
from solvers.clue_house.knowledge import solve_informed

CLUE = Clue("moon card", "star disc", Location("B3", "left of the door"), "code", False, "a moon panel")
MAP = Mapping("moon card", "moon panel", "press star, disc")
CATALOGUE = load_catalogue(PACK)


def test_a_clue_seen_again_is_kept_once_as_it_was_first_described():
    again, elsewhere = replace(CLUE, description="?"), replace(CLUE, location=Location("A1", ""))
    memory = Memory().with_clues((CLUE, again)).with_clues((again, elsewhere))
    assert memory.clues == (CLUE, elsewhere)


def test_the_mapper_reads_all_clues_and_the_last_ten_episodes():
    memory = Memory((CLUE,)).with_episodes(tuple(Episode(str(k), "hall") for k in range(14)))
    shown = json.loads(memory.text())
    assert [one["action"] for one in shown["episodes"]] == [str(k) for k in range(4, 14)]
    assert shown["clues"] == [asdict(CLUE)]


def test_a_well_formed_answer_of_each_phase_is_read():
    text = f"I look.<clues>{json.dumps([asdict(CLUE)])}</clues><episodes>[]</episodes>"
    assert read_seek(text) == ((CLUE,), ())
    answer = f"<mappings>{json.dumps([asdict(MAP)])}</mappings>"
    assert read_mappings(answer, Memory((CLUE,)), most=5) == (MAP,)
    assert read_mappings("<mappings>[]</mappings>", Memory(), most=5) == ()
    assert read_result('<result>{"success": true, "change": "area"}</result>') == Result(True, "area")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no tag", "found 0 parts tagged <mappings>, wanted 1"),
        ("<mappings>[]</mappings><mappings>[]</mappings>", "found 2 parts"),
        ("<mappings>{}</mappings>", "found dict, wanted a list"),
        ("<mappings>[</mappings>", "wanted JSON"),
        (f"<mappings>{json.dumps([asdict(MAP)] * 6)}</mappings>", "found 6, wanted at most 5"),
        (f"<mappings>{json.dumps([{**asdict(MAP), 'clue': 'x'}])}</mappings>", "'x', wanted one that is remembered"),
        (f"<mappings>{json.dumps([{**asdict(MAP), 'extra': 1}])}</mappings>", "wanted an object with clue"),
        (f"<mappings>{json.dumps([{**asdict(MAP), 'clue': 3}])}</mappings>", "clue: found 3, wanted str"),
    ],
)
def test_a_map_of_another_form_is_refused(text, message):
    with pytest.raises(FormatError, match=message):
        read_mappings(text, Memory((CLUE,)), most=5)


def test_a_solved_task_is_not_mapped_again_however_it_is_worded():
    memory = Memory((CLUE,)).with_solved(MAP)
    answer = f"<mappings>{json.dumps([{**asdict(MAP), 'expected_action': 'again'}])}</mappings>"
    with pytest.raises(FormatError, match="wanted none that is solved"):
        read_mappings(answer, memory, most=5)


def test_a_success_without_a_visible_change_is_none():
    with pytest.raises(FormatError, match="wanted one of item, area, state, story"):
        read_result('<result>{"success": true}</result>')
    assert read_result('<result>{"success": false}</result>') == Result(False, None)


def test_the_cycle_seeks_maps_and_solves_within_its_budgets():
    cycle = Cycle().acted(14).sought((CLUE,), ())
    assert (cycle.phase, cycle.allowance) == ("seek", 1)
    cycle = cycle.acted(1).sought((), ())
    assert (cycle.phase, cycle.allowance) == ("map", 0)
    cycle = cycle.mapped((MAP, replace(MAP, related_memory="sun panel")))
    assert (cycle.phase, cycle.trying, cycle.allowance) == ("solve", MAP, 5)
    with pytest.raises(ValueError, match="6 actions while solve, wanted 0 to 5"):
        cycle.acted(6)
    cycle = cycle.acted(5).solved(Result(True, "area"))
    assert cycle.memory.solved == (MAP,)
    cycle = cycle.acted(2).solved(Result(False, None))
    assert (cycle.phase, cycle.used, cycle.memory.solved) == ("seek", 22, (MAP,))


def test_the_cycle_ends_at_its_budget_and_not_after_ten_rounds():
    cycle, n_maps = Cycle(Budgets(total=1_000)), 0
    while cycle.phase != "over":
        cycle = cycle.acted(cycle.allowance).sought((), ()) if cycle.phase == "seek" else cycle.mapped(())
        n_maps += cycle.phase == "map"
    assert (cycle.used, n_maps) == (1_000, 1_000 // 15)


def test_without_a_map_the_memory_is_kept_and_nothing_is_solved():
    cycle = Cycle(Budgets(total=40), with_map=False)
    while cycle.phase != "over":
        assert cycle.phase == "seek"
        cycle = cycle.acted(cycle.allowance).sought((CLUE,), ())
    assert (cycle.used, cycle.memory.clues, cycle.memory.solved) == (40, (CLUE,), ())


def test_looking_moving_and_waiting_cost_nothing():
    assert count_actions(["click", "wait", "move", "screenshot", "drag", "key", "type", "hold", "scroll"]) == 6


def test_the_first_failure_ends_the_judge():
    asked = []

    def holds(milestone):
        asked.append(milestone.name)
        return {"a": True, "b": True, "c": False, "d": True}[milestone.name]

    found = judged([Milestone(name, "") for name in "abcd"], holds)
    assert (found.reached, found.n_milestones, found.share) == (2, 4, 0.5)
    assert asked == ["a", "b", "c"]


@pytest.mark.parametrize("level", CATALOGUE.entries, ids=lambda level: str(level.id))
def test_the_milestones_of_a_level_fall_in_the_order_of_a_shortest_win(level):
    layout = CATALOGUE.layout(level.id)
    checks = level_milestones(layout, level.id)
    reached = [board_truth(checks, look.scene).reached for look in looks_along(layout, solve_informed(layout).solution)]
    assert 4 <= len(checks) <= 12
    assert reached == sorted(reached)
    assert (reached[0], reached[-1]) == (3, len(checks))
    assert len(milestones("clue_house", "d20", [level.id] * 40)) == 12


def test_agreement_is_of_normalised_scores():
    evaluator = [Completion((True, False), 4), Completion((True, True, False), 4), Completion((True,) * 4, 4)]
    assert agreement(evaluator, evaluator).accuracy == 1.0
    found = agreement([evaluator[1], *evaluator[1:]], evaluator)
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.pearson == pytest.approx(0.9449111825)
    assert agreement(evaluator[:1], evaluator[:1]).spearman is None


def looks_along(layout, moves):
    state, found = initial_state(layout), []
    for number, move in enumerate((None, *moves)):
        state = state if move is None else step(state, move)
        found.append(Look(number, "level", GAME.scene(Table(state))))
    return found


@pytest.mark.parametrize("difficulty", GAME.difficulties)
def test_the_gap_of_a_perfect_play_is_the_levels_distance(difficulty):
    layout = CATALOGUE.layout(CATALOGUE.levels("clue_house", difficulty)[0].id)
    lines = timelines(looks_along(layout, solve_informed(layout).solution))
    assert gaps(lines).values == (int(difficulty.removeprefix("d")),)
    assert [line.emblem for line in lines if line.used is not None] == [layout.locks[0].emblem]


def test_repeated_subtasks_are_counted_by_task():
    assert repeated_share([MAP, replace(MAP, expected_action="other"), replace(MAP, clue="x")]) == pytest.approx(1 / 3)
    assert repeated_share([]) is None
