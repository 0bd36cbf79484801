"""Clue House: what each level's fact is worth, shown by search; the pack as its generator states it."""

import json
import random
from dataclasses import replace

import pytest

from games.catalogue import load_catalogue
from games.clue_house.game import GAME, PACK
from games.clue_house.layout import COLOURS, SHAPES, answer_of, layout_to_json, parse_layout, search_size
from games.clue_house.rules import initial_state, is_won, step
from games.contract import LevelError
from solvers.certificate import DeadEnd, Solvable
from solvers.certificate_json import certificate_from_json
from solvers.clue_house import SOLVER
from solvers.clue_house.knowledge import differing_scene, needs, solve_informed, without_card
from solvers.verify import verify, verify_exact

CATALOGUE = load_catalogue(PACK)
LEVELS = [level.id for level in CATALOGUE.entries]
every_level = pytest.mark.parametrize("level", LEVELS, ids=str)
PUBLISHED = load_catalogue()


def test_the_pack_is_outside_the_published_catalogue():
    assert GAME.name not in PUBLISHED.games
    assert len(PUBLISHED.games) == 6
    assert len(LEVELS) == 12


@every_level
def test_the_fact_is_needed_exactly_as_many_actions_later_as_the_difficulty_says(level):
    (need,) = needs(CATALOGUE.layout(level))
    assert need.least_actions == need.on_shortest_win == int(level.difficulty.removeprefix("d"))
    assert CATALOGUE.level(level).provenance["need"]["guesses"] == need.guesses


@every_level
def test_a_shortest_win_without_guessing_wins(level):
    layout = CATALOGUE.layout(level)
    found = solve_informed(layout)
    assert isinstance(found, Solvable)
    verify(GAME, initial_state(layout), found, state_limit=100_000)
    assert found.distance == CATALOGUE.level(level).provenance["informed_moves"]


@every_level
def test_without_its_card_a_level_cannot_be_won(level):
    layout = CATALOGUE.layout(level)
    (lock,) = layout.locks
    assert isinstance(solve_informed(without_card(layout, lock.emblem)), DeadEnd)
    for card in layout.cards:
        if card.emblem != lock.emblem:
            assert isinstance(solve_informed(without_card(layout, card.emblem)), Solvable)


def with_other_fact(layout, rng):
    """Return the same house in which the lock's card says something else."""
    (lock,) = layout.locks
    card = next(card for card in layout.cards if card.emblem == lock.emblem)
    fact, answer = card.fact, lock.answer
    while answer == lock.answer:
        if card.kind == "code":
            fact = tuple(rng.choice(SHAPES) for _ in card.fact)
        elif card.kind == "order":
            fact = tuple(rng.sample(COLOURS, len(COLOURS)))
        else:
            fact = tuple(zip(COLOURS, rng.sample(SHAPES, len(SHAPES)), strict=True))
        answer = answer_of(card.kind, fact, lock.prompt)
    cards = tuple(replace(one, fact=fact) if one is card else one for one in layout.cards)
    return parse_layout(layout_to_json(replace(layout, cards=cards, locks=(replace(lock, answer=answer),))))


@pytest.mark.parametrize("level", LEVELS[:6], ids=str)
def test_nothing_outside_the_cards_room_tells_the_fact(level):
    layout = CATALOGUE.layout(level)
    other = with_other_fact(layout, random.Random(str(level)))
    assert differing_scene(layout, other, layout.locks[0].emblem) is None


def with_copy_beside_its_lock(layout):
    (lock,) = layout.locks
    card = next(card for card in layout.cards if card.emblem == lock.emblem)
    return replace(layout, cards=(*layout.cards, replace(card, room=lock.room, emblem="copy")))


def test_a_second_showing_of_the_fact_is_found():
    layout = CATALOGUE.layout(LEVELS[0])
    emblem = layout.locks[0].emblem
    other = with_other_fact(layout, random.Random(1))
    told = [with_copy_beside_its_lock(one) for one in (layout, other)]
    assert differing_scene(told[0], told[1], emblem) is not None


def test_the_stated_search_counts_the_answers():
    sizes = {lock.kind: search_size(lock) for level in LEVELS for lock in CATALOGUE.layout(level).locks}
    assert sizes == {"code": 6**4, "legend": 6 * 5 * 4 * 3, "order": 720}


@pytest.mark.parametrize("level", [LEVELS[0], LEVELS[4]], ids=str)
def test_the_stored_certificates_hold_against_the_rules_alone(level):
    stored = CATALOGUE.level(level)
    claim = certificate_from_json(GAME, stored.certificate)
    verify_exact(GAME, initial_state(CATALOGUE.layout(level)), claim, state_limit=200_000)


def test_wrong_answers_are_forgotten_and_the_lamp_says_so():
    layout = CATALOGUE.layout(LEVELS[0])
    (lock,) = layout.locks
    state = replace(initial_state(layout), room=lock.room)
    wrong = next(symbol for symbol in lock.buttons if symbol != lock.answer[0])
    for symbol in (wrong, *lock.answer[1:]):
        state = step(state, f"press:{symbol}")
    assert (state.entered, state.wrong, state.opened) == ((), True, frozenset())
    for symbol in lock.answer:
        state = step(state, f"press:{symbol}")
    assert (state.wrong, state.opened) == (False, {lock.room})


def test_a_house_that_shuts_its_key_away_is_a_dead_end():
    layout = CATALOGUE.layout(LEVELS[0])
    robbed = replace(layout, keys=layout.keys[1:])
    assert isinstance(SOLVER.certify(initial_state(robbed), state_limit=10_000), DeadEnd)
    assert not is_won(initial_state(robbed))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("locks", 0, "answer"), ["star", "star", "star", "disc"], "does not tell the answer"),
        (("cards", 0, "emblem"), "tea", r"cards\[0\]\.emblem: got 'tea', wanted one of moon"),
        (("doors", 0, "kind"), "gate", r"doors\[0\]\.kind: got 'gate', wanted one of open"),
        (("start",), [99, 0], r"start: got \[99, 0\], wanted a room inside"),
        (("locks",), [], "locks: panels at"),
    ],
)
def test_a_fault_names_the_field(path, value, message):
    data = json.loads(json.dumps(layout_to_json(CATALOGUE.layout(LEVELS[0]))))
    place = data
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(LevelError, match=message):
        parse_layout(data)
