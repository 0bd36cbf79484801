"""Memory conditions: what each keeps, what counts as a token, what becomes of a text that does not fit."""

import pytest

from diag.arms.difference import context_difference
from diag.arms.tokens import count_tokens, first_tokens
from diag.session.contract import Asked, PublicContext, Turn
from diag.session.history import HistoryPolicy
from diag.studies.retry.attempt import remembered, windowed
from diag.studies.retry.memory import Memory, Written

CANARY = "the heron stood in the reeds"
TURNS = tuple(Turn(({"name": "click", "x": n, "y": 1},), "done", f"reason {n} {CANARY}", None) for n in range(20))
BASE = PublicContext("Play.", TURNS)
M0 = Memory("m0", keeps_history=False, privilege="none")
M1 = Memory("m1", keeps_history=True, request="Summarize in {capacity} words.", capacity_tokens=12)
M2 = Memory("m2", keeps_history=True, request="Write an account.", capacity_tokens=12, sections=("Failure", "Next"))
POLICY = HistoryPolicy()


class Writer:
    """An agent that writes one text and keeps what it was shown."""

    def __init__(self, text):
        self.text, self.shown = text, []

    def summarize(self, context):
        self.shown.append(context)
        return self.text


def start(memory, text="what I wrote"):
    agent = Writer(text)
    context, record = remembered(memory, BASE, memory.apply(BASE, "F"), agent, POLICY, picture="restored")
    return context, record, agent


@pytest.mark.parametrize(
    ("text", "n"), [("", 0), ("It's 2 holes.", 4), ("re-test", 1), ("重新开始", 4), ("a  b\nc", 3)]
)
def test_tokens(text, n):
    assert count_tokens(text) == n


def test_a_cut_text_keeps_its_beginning_as_it_was_written():
    assert first_tokens("One, two;  three four", 5) == "One, two;  three"


def test_an_earlier_text_reaches_a_retry_exactly_when_the_arm_allows_it():
    contexts = {memory.name: start(memory)[0] for memory in (M0, M1, M2)}
    assert CANARY not in repr(contexts["m0"])
    assert CANARY in repr(contexts["m1"])
    assert CANARY in repr(contexts["m2"])


def test_m0_differs_by_the_history_alone_and_m1_m2_by_the_text_alone():
    base = windowed(BASE, POLICY, whole=False)
    assert set(context_difference(base, start(M0)[0])) == {"recent"}
    assert set(context_difference(base, start(M1)[0])) == {"memory"}
    assert set(context_difference(start(M1, "a")[0], start(M2, "b")[0])) == {"memory"}


def test_the_separate_call_sees_the_whole_failed_try_and_the_retry_its_window():
    context, _, agent = start(M1)
    asked = agent.shown[0]
    assert len(asked.prefix) + len(asked.recent) == len(TURNS)
    assert asked.instruction == BASE.instruction
    assert asked.asked == Asked("Summarize in 12 words.", "restored")
    assert context.asked is None
    assert context.recent == TURNS[-POLICY.recent_turns :]
    assert context.prefix == ()


def test_m1_and_m2_write_on_the_same_inputs_and_only_the_request_differs():
    one, other = (start(memory)[2].shown[0] for memory in (M1, M2))
    assert set(context_difference(one, other)) == {"asked"}
    assert one.asked.picture == other.asked.picture == "restored"


def test_m0_is_asked_for_nothing():
    _, record, agent = start(M0)
    assert record is None
    assert agent.shown == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Failure x Next y", "accepted"),
        ("Failure x Next " + "y " * 20, "cut"),
        ("Next y Failure x", "malformed"),
        ("Failure only", "malformed"),
        ("Failure " + "y " * 20 + "Next", "malformed"),
        ("  ", "refused"),
    ],
)
def test_a_text_that_does_not_fit_is_typed_and_kept(text, status):
    written = Written.of(M2, text)
    record = written.record(M2)
    assert written.status == status
    assert record["tokens"] <= record["capacity_tokens"] == 12
    assert record["whole"] == text.strip()


def test_conditions_that_contradict_themselves_are_refused():
    with pytest.raises(ValueError, match="capacity_tokens"):
        Memory("m", keeps_history=True, request="Write.")
    with pytest.raises(ValueError, match="clears"):
        Memory("m", keeps_history=False, request="Write.", capacity_tokens=5)
    with pytest.raises(ValueError, match="cohort D"):
        M1.apply(BASE, "D")
