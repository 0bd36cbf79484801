"""Rule probes: what states a rule, refusals, the rubric's replies, agreement against worked examples."""

import json

import pytest
from logs import LogWriter

from diag.studies.knowledge_workflow.cards import card_of, carded_games
from diag.studies.knowledge_workflow.probes import (
    RubricError,
    agreement,
    agreement_of,
    grade_answer,
    graded_probes,
    rubric_prompt,
    rubric_verdicts,
)
from games.catalogue import load_catalogue

MAZE = card_of("maze_paint")


def test_every_game_of_the_catalogue_has_a_card():
    assert set(carded_games()) == set(load_catalogue().games)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("game", carded_games())
def test_a_card_recited_states_every_rule_and_no_sentence_states_all(game, language):
    card = card_of(game)
    assert all(grade_answer(card.text(language), card, language).values())
    for rule in card.rules:
        found = grade_answer(rule.sentence[language], card, language)
        assert found[rule.id]
        assert sum(found.values()) < len(card.rules)


@pytest.mark.parametrize("game", carded_games())
def test_a_card_names_no_level_place_or_sequence(game):
    text = card_of(game).text("en")
    heading = text.splitlines()[0].replace(f"({card_of(game).version})", "")
    assert not any(character.isdigit() for character in heading)
    assert not any(character.isdigit() for line in text.splitlines()[1:] for character in line)


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        ("The ball rolls until it hits a wall.", {"slides"}),
        ("The ball moves one cell at a time.", set()),
        ("You win when all cells are painted.", {"goal"}),
        ("There is a ball. There is a wall.", set()),
        ("", set()),
    ],
)
def test_answers_in_other_words(answer, stated):
    assert {name for name, holds in grade_answer(answer, MAZE, "en").items() if holds} == stated


def test_refusals_are_typed_and_count_as_nothing_stated():
    log = LogWriter().start()
    for at_s, answer in ((0.0, ""), (1.0, "I do not know the rules yet."), (2.0, "The ball stops at a wall.")):
        log.add("probe", at_s, name="rules", at_s=at_s, question="?", answer=answer)
    found = graded_probes(log.events, "maze_paint", "en")
    assert [one.status for one in found] == ["refused", "refused", "answered"]
    assert [one.share for one in found] == [0.0, 0.0, 0.2]


def test_the_rubric_shows_every_rule_and_its_verdicts_are_read_from_a_sentence_around_them():
    verdicts = {rule.id: number % 2 == 0 for number, rule in enumerate(MAZE.rules)}
    asked = rubric_prompt("All cells.", MAZE, "en")
    assert all(rule.sentence["en"] in asked for rule in MAZE.rules)
    assert rubric_verdicts(f"Here you are: {json.dumps(verdicts)}", MAZE) == verdicts


@pytest.mark.parametrize("reply", ["", "{}", '{"goal": true}', "[1]", json.dumps({r.id: "yes" for r in MAZE.rules})])
def test_a_reply_that_is_no_verdict_is_refused(reply):
    with pytest.raises(RubricError):
        rubric_verdicts(reply, MAZE)


def test_kappa_of_a_worked_example():
    # 20 both yes, 5 and 10 split, 15 both no: p_o = 0.7, p_e = 0.5, kappa = 0.4 (the usual textbook table)
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    found = agreement(first, second)
    assert (found.share, found.kappa) == (pytest.approx(0.7), pytest.approx(0.4))


def test_kappa_is_undefined_where_chance_explains_everything():
    assert agreement([True, True], [True, True]).kappa is None
    assert agreement([True, False], [False, True]).kappa == pytest.approx(-1.0)
    with pytest.raises(ValueError, match="equally many"):
        agreement([], [])


def test_agreement_over_answers_goes_rule_by_rule():
    found = agreement_of(
        [{"a": True, "b": False}, {"a": True, "b": True}], [{"a": True, "b": True}, {"a": True, "b": True}]
    )
    assert (found.n, found.n_agree) == (4, 3)
    with pytest.raises(ValueError, match="same rules"):
        agreement_of([{"a": True}], [{"b": True}])
