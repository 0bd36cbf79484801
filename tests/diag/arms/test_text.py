"""Text interventions: exactly the declared text, only for the cohorts they cover."""

from dataclasses import replace

import pytest

from diag.arms import InterferenceError, Text, arm_difference
from diag.session.contract import PublicContext, Turn

BASE = PublicContext("Complete this level.", (Turn(({"name": "key", "key": "a"},), "done", "", None),))
FACT = Text("fact", {"D": "No move is left.", "N": "It is solvable."}, privilege="evaluator_state")


def test_the_text_follows_the_instruction():
    assert FACT.apply(BASE, "D").instruction == "Complete this level.\n\nNo move is left."


def test_it_may_come_first():
    first = replace(FACT, position="before_instruction")
    assert first.apply(BASE, "N").instruction == "It is solvable.\n\nComplete this level."


def test_nothing_but_the_instruction_changes():
    assert replace(FACT.apply(BASE, "D"), instruction=BASE.instruction) == BASE


def test_an_empty_sentence_changes_nothing():
    assert Text("ordinary", {"any": ""}).apply(BASE, "N") == BASE


def test_a_cohort_without_a_sentence_is_refused():
    assert not FACT.covers("F")
    with pytest.raises(ValueError, match="no sentence for cohort F"):
        FACT.apply(BASE, "F")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"privilege": "all"}, "privilege 'all'"),
        ({"position": "middle"}, "position 'middle'"),
        ({"sentences": {}}, "no sentences"),
        ({"sentences": {"D": 3}}, "sentences.D is 3"),
    ],
)
def test_wrong_fields_are_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Text(**{"name": "x", "sentences": {"D": "y"}, **fields})


def test_the_difference_is_the_declared_text():
    found = arm_difference(FACT, BASE, "D")
    assert found["declared_text"] == "No move is left."
    assert found["difference"] == {"instruction": ["+ ", "+ No move is left."]}


def test_a_short_text_that_the_instruction_holds_already_is_added_all_the_same():
    found = arm_difference(Text("short", {"D": "level"}), BASE, "D")
    assert found["difference"] == {"instruction": ["+ ", "+ level"]}


def test_an_arm_that_does_more_than_it_declares_is_refused():
    class Sly(Text):
        def apply(self, context: PublicContext, cohort: str) -> PublicContext:
            return replace(super().apply(context, cohort), memory="psst")

    with pytest.raises(InterferenceError, match="changes memory"):
        arm_difference(Sly("sly", {"D": "x"}), BASE, "D")


def test_an_arm_that_rewrites_the_objective_is_refused():
    class Rewriter(Text):
        def apply(self, context: PublicContext, cohort: str) -> PublicContext:
            return replace(context, instruction="Do something else.\n\nx")

    with pytest.raises(InterferenceError, match="other text than it declares"):
        arm_difference(Rewriter("rewriter", {"D": "x"}), BASE, "D")


def test_a_class_without_a_declaration_may_change_the_history():
    class Forget:
        name, privilege = "forget", "none"

        def covers(self, cohort: str) -> bool:
            return True

        def apply(self, context: PublicContext, cohort: str) -> PublicContext:
            return replace(context, prefix=())

    found = arm_difference(Forget(), BASE, "D")
    assert found["declared_text"] is None
    assert list(found["difference"]) == ["prefix"]
