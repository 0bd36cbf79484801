"""The released Bolt Unscrew levels: solvable by replay, as wanted, and made again from their seeds."""

import json
from pathlib import Path

import pytest

from games.bolt_unscrew import rules
from games.bolt_unscrew.layout import layout_to_json
from games.bolt_unscrew.rules import initial_state, parse_layout
from solvers.certificate import Solvable
from solvers.certificate_json import certificate_from_json
from solvers.generators.bolt_drawing import untidy
from solvers.generators.bolt_easy import EASY
from solvers.generators.bolt_hard import HARD
from solvers.generators.bolt_measures import knife_edges
from solvers.generators.bolt_unscrew import EASY_WANTED, HARD_WANTED, SEED, VERSION, catalogue, make
from solvers.verify import verify, verify_exact

LEVELS = json.loads((Path(__file__).parents[3] / "games/bolt_unscrew/levels.json").read_text())["levels"]
NAMES = [f"{level['difficulty']}-{level['number']}" for level in LEVELS]
MOTIFS = {motif.name: motif for motif in EASY + HARD}


@pytest.mark.parametrize("level", LEVELS, ids=NAMES)
def test_every_level_is_solved_by_its_certificate(level):
    state = initial_state(parse_layout(level["layout"]))
    claim = certificate_from_json(rules, level["certificate"])
    verify(rules, state, claim, state_limit=1)
    assert isinstance(claim, Solvable)
    assert (claim.distance, claim.exact) == (level["optimum"], level["exact"])


@pytest.mark.parametrize("level", LEVELS[:6], ids=NAMES[:6])
def test_optima_of_small_levels_are_exact(level):
    state = initial_state(parse_layout(level["layout"]))
    verify_exact(rules, state, certificate_from_json(rules, level["certificate"]), state_limit=5_000)


@pytest.mark.parametrize("level", LEVELS, ids=NAMES)
def test_every_level_is_tidy_and_away_from_knife_edges(level):
    layout = parse_layout(level["layout"])
    assert list(untidy(layout)) == []
    assert knife_edges(layout) == ()


def test_the_tiers_are_as_wanted():
    easy, hard = ([level for level in LEVELS if level["difficulty"] == tier] for tier in ("easy", "hard"))
    assert [len(easy), len(hard)] == [8, 8]
    assert sum(anchor["screw"] for anchor in easy[0]["layout"]["anchors"]) == 1
    assert all(level["provenance"]["random_dead_share"] <= 0.05 for level in [*easy, hard[0]])
    assert 11 <= hard[0]["optimum"] <= 20
    for level in hard:
        screws = sum(anchor["screw"] for anchor in level["layout"]["anchors"])
        assert 11 <= screws <= 31
        assert 1 <= len(level["layout"]["anchors"]) - screws <= 10
        assert 13 <= len(level["layout"]["boards"]) <= 32
    for level in hard[1:]:
        assert level["provenance"]["random_dead_share"] >= 0.2
        assert len(level["provenance"]["boards_out_at_death"]) >= 4
    for tier in (easy, hard[1:]):
        order = [(level["optimum"], level["provenance"]["random_dead_share"]) for level in tier]
        assert order == sorted(order)


@pytest.mark.parametrize("level", [LEVELS[4], LEVELS[10]], ids=[NAMES[4], NAMES[10]])
def test_a_level_is_made_again_from_its_seed(level):
    source = level["provenance"]
    assert (source["seed"], source["version"]) == (SEED, VERSION)
    wanted = HARD_WANTED if level["difficulty"] == "hard" else EASY_WANTED
    drawn = make(MOTIFS[source["motif"]], source["draw"], wanted)
    assert layout_to_json(drawn.layout) == level["layout"]
    assert drawn.claim == certificate_from_json(rules, level["certificate"])
    assert drawn.play.dead_share == source["random_dead_share"]


@pytest.mark.slow
def test_the_whole_catalogue_is_made_again():
    made = [(item.difficulty, item.layout, dict(item.provenance)) for item in catalogue()]
    assert made == [(level["difficulty"], level["layout"], level["provenance"]) for level in LEVELS]
