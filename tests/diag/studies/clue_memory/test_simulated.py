"""The scripted play: what a knob plants is what is found, and conditions that should not differ do not."""

import pytest

from diag.studies.clue_memory.cycle import Budgets
from diag.studies.clue_memory.explorer import Knobs
from diag.studies.clue_memory.metrics import gaps, timelines
from diag.studies.clue_memory.simulated import CONDITIONS, play
from games.catalogue import load_catalogue
from games.clue_house.game import PACK

CATALOGUE = load_catalogue(PACK)
NEAR = [CATALOGUE.layout(level.id) for level in CATALOGUE.levels("clue_house", "d20")]
BUDGETS = Budgets(total=120)


def share_won(condition, knobs, n_seeds=60):
    plays = [play(layout, condition, knobs, seed, BUDGETS) for layout in NEAR for seed in range(n_seeds)]
    return sum(one.won for one in plays) / len(plays)


@pytest.mark.parametrize("level", [level.id for level in CATALOGUE.entries], ids=str)
def test_with_its_memory_the_explorer_wins_every_level(level):
    layout = CATALOGUE.layout(level)
    found = {name: play(layout, name, Knobs(), 1, Budgets()) for name in CONDITIONS}
    assert found["coast"].won
    assert found["notes_matched"].won
    (gap,) = gaps(timelines(found["coast"].looks)).values
    assert gap >= int(level.difficulty.removeprefix("d"))


def test_without_a_memory_only_a_lucky_guess_wins():
    layout = CATALOGUE.layout(CATALOGUE.levels("clue_house", "d100")[0].id)
    plays = [play(layout, "none", Knobs(), seed, Budgets(total=400)) for seed in range(20)]
    assert sum(one.won for one in plays) <= 4  # some 70 guesses among 1,296: 1.1 expected
    assert {one.n_actions for one in plays if not one.won} == {400}


def test_the_gain_of_the_map_is_what_the_explorer_notices():
    for notices in (0.3, 0.7):
        knobs = Knobs(notices=notices)
        assert share_won("coast", knobs) == pytest.approx(notices, abs=0.1)
        assert share_won("none", knobs) < 0.12


def test_the_controls_are_flat_where_nothing_is_planted_in_them():
    knobs = Knobs(keeps=0.0, unprompted=0.0)
    base = share_won("none", knobs)
    assert share_won("notes_matched", knobs) == base
    assert share_won("coast_no_map", knobs) == base


def test_what_is_planted_in_the_controls_is_found():
    knobs = Knobs(keeps=0.5, unprompted=0.25)
    assert share_won("notes_matched", knobs) == pytest.approx(0.5, abs=0.12)
    assert share_won("coast_no_map", knobs) == pytest.approx(0.25, abs=0.12)


def test_equal_seeds_give_equal_plays():
    one, other = (play(NEAR[1], "coast", Knobs(notices=0.5, maps_wrong=0.5), 5, BUDGETS) for _ in range(2))
    assert one == other


def test_wrong_maps_repeat_subtasks():
    plays = [play(NEAR[1], "coast", Knobs(maps_wrong=0.9), seed, BUDGETS) for seed in range(10)]
    assert max(len(one.tried) for one in plays) > 1
