"""The codes over labelled sentences: what docs/reference/codes.md reports, and the sentences that were once misread."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from measured import CODES, LANGUAGES, counts, sentences, table

from diag.grading.assertion import NEGATION, asserts, compiled
from diag.grading.rationale import blames_click, names_cause
from diag.studies.knowledge_workflow.cards import card_of
from diag.studies.knowledge_workflow.probes import grade_answer
from diag.studies.retry.accounts import account_codes

DOCS = Path(__file__).parents[4] / "docs" / "reference" / "codes.md"


def test_the_set_has_every_code_in_both_languages_and_sentences_without_any():
    every = sentences()
    assert len(every) >= 200
    held = Counter((one.code_of(name), one.language) for one in every for name in one.codes)
    assert {key for key, n in held.items() if n >= 3} == {(code, language) for code in CODES for language in LANGUAGES}
    for read_as in ("reason", "failure", "attempt"):
        assert sum(one.read_as == read_as and not one.codes for one in every) >= 15
    assert len({one.text for one in every}) == len(every)


def test_the_reported_precision_and_recall_are_what_the_expressions_give():
    assert table() in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_what_is_found_is_nearly_always_there(code):
    """Recall is reported, not promised; precision is: a code in a table must mean what it says."""
    now = counts((one, one.found()) for one in sentences())
    right, wrong = (sum(now.get((code, one), Counter())[how] for one in LANGUAGES) for how in ("right", "wrong"))
    assert right / (right + wrong) >= 0.95


def test_sentences_that_were_misread_are_read_rightly():
    assert not blames_click("The screw is lifted; I click the other hole to put it there")
    assert blames_click("The last click appears to be ineffective")
    assert not names_cause("Not all holes are full yet")
    found = account_codes(
        "Failure Experience\nNone.\n\nNext Attempt\nAvoid the previous sequence; choose a safer order"
    )
    assert (found["resumes_plan"], found["different_plan"]) == (False, True)
    assert not any(grade_answer("A screw never holds a board", card_of("bolt_unscrew"), "en").values())


@pytest.mark.parametrize(
    "game", ["bolt_unscrew", "color_connect", "maze_paint", "nut_and_bolt", "rush_hour", "truck_escape"]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_card_recited_states_every_rule_and_denied_none(game, language):
    card = card_of(game)
    assert all(grade_answer(card.text(language), card, language).values())
    denied = "It is not true that {}" if language == "en" else "并不是{}"
    for rule in card.rules:
        sentence = denied.format(rule.sentence[language])
        own = grade_answer(sentence, card, language)[rule.id]
        denies_itself = NEGATION.search(rule.sentence[language])  # what is not possible is not read for a second denial
        assert denies_itself or not own, sentence


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The door is open.", True),
        ("I think the door is open.", True),
        ("The door seems strange, but it is certain that the door is open.", True),
        ("Is the door open?", False),
        ("If the door is open, I go.", False),
        ("It is not true that the door is open.", False),
        ("I avoid that the door is open.", False),
        ("The window is shut. The door is open.", True),
        ("There is no doubt that the door is open.", True),
    ],
)
def test_only_what_is_asserted_counts(text, holds):
    assert asserts(compiled("the door is open"), text) is holds
