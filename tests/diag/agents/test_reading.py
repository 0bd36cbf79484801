"""A simulated player reads words, not arm letters."""

from __future__ import annotations

import pytest

from diag.agents.simulated.reading import asks_for_account, asks_for_words, mentions, read

LABELS = ("Home", "Levels", "Restart")


@pytest.mark.parametrize(
    "text",
    [
        "No legal relocation of any screw remains on this board.",
        "There is no legal move left.",
        "No further placement is possible here.",
        "The board is in a dead end.",
        "This level can no longer be solved from here.",
        "The position is deadlocked.",
    ],
)
def test_sentences_that_say_no_move_remains(text):
    assert read(f"Complete this level.\n\n{text}", LABELS).no_move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The board is still solvable.",
        "No time limit is shown; every move counts.",
        "The level can still be solved, although no move remains obvious.",
        "The screenshot shows the board as it currently stands.",
    ],
)
def test_sentences_that_do_not(text):
    assert not read(f"Complete this level. You may use every button on the screen.\n\n{text}", LABELS).no_move


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('The button labelled "Restart" restarts the level.', ("Restart",)),
        ("Use the Restart button.", ("Restart",)),
        ("Press “restart” or 'Home'.", ("Home", "Restart")),
        ("You may restart whenever you like.", ()),
        ("Complete all levels.", ()),
    ],
)
def test_a_button_is_named_when_its_label_is_given_as_a_label(text, named):
    assert read(text, LABELS).named == named


def test_the_shipped_arms_read_as_they_are_meant(intervention_named):
    from diag.session.contract import PublicContext

    def reading(name: str, cohort: str):
        return read(intervention_named(name).apply(PublicContext("Complete this level."), cohort).instruction, LABELS)

    assert not reading("ordinary", "D").no_move
    assert reading("dead_end_fact", "D").no_move
    assert reading("dead_end_fact", "D").named == ()
    assert reading("dead_end_fact", "N").solvable
    assert not reading("dead_end_fact", "N").no_move
    assert reading("dead_end_fact_and_restart", "D").named == ("Restart",)
    assert not reading("placebo_sentence", "D").no_move


def test_labels_are_words_of_their_own():
    assert mentions("Play Bolt Unscrew on Hard.", "hard")
    assert not mentions("This is harder.", "Hard")
    assert not mentions("anything", " ")


def test_questions_are_told_from_play():
    assert asks_for_words("Question: which rules does this game follow?")
    assert asks_for_words("Write two sections, Failure Experience and Next Attempt.")
    assert not asks_for_words("Complete this level. Rules: a screw moves to a free hole.")
    assert not asks_for_account("Question: which rules?")
