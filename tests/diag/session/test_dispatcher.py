"""The dispatcher: schema violations, batches, claims. Through whole attempts, because the record is the result."""

from __future__ import annotations

import math

import pytest

from diag.session import Limits


@pytest.mark.parametrize(("x", "y"), [(-1, 5), (1280, 5), (5, 900), (5, -1), (5.5, 5), ("5", 5), (math.nan, 5)])
def test_a_point_outside_is_reported_counted_and_not_clamped(bench, kinds, x, y):
    events = bench.run(bench.agent([[{"name": "click", "x": x, "y": y}]]))
    action = kinds(events, "action")[0].data
    assert (action["index"], action["valid"]) == (None, False)
    assert "must be an integer pixel from 0 to" in action["feedback"]
    assert len(kinds(events, "snapshot")) == 1


@pytest.mark.parametrize(("x", "y"), [(0, 0), (1279, 899), (0, 899)])
def test_far_edges_are_valid(bench, kinds, x, y):
    events = bench.run(bench.agent([[{"name": "click", "x": x, "y": y}]]))
    assert kinds(events, "action")[0].data["valid"] is True


def test_the_agent_is_told_what_happened_and_what_was_left_out(bench, kinds):
    agent = bench.agent([[bench.click(1), {"name": "fly"}, bench.click(2), bench.click(4)]])
    events = bench.run(agent)
    told = agent.seen[1].context.recent[0].feedback
    assert told.splitlines()[0] == "click(x=150, y=300): done"
    assert "unknown action 'fly'" in told
    assert told.endswith("The 2 actions after it were not executed.")
    assert [event.data["index"] for event in kinds(events, "action")] == [0, None]


def test_feedback_does_not_tell_a_move_from_a_miss(bench):
    agent = bench.agent([[bench.click(1)], [bench.click(6)]])
    bench.run(agent)
    hit, miss = (turn.feedback for turn in agent.seen[-1].context.recent)
    assert hit.replace("150", "400") == miss


def test_a_long_run_of_invalid_decisions_ends_the_attempt(bench, kinds):
    events = bench.run(bench.agent([[{"name": "fly"}] for _ in range(9)]))
    assert events[-1].data["ending"] == "invalid_action_limit"
    assert len(kinds(events, "decision")) == 3


def test_one_executed_action_breaks_the_run_of_invalid_decisions(bench, kinds):
    fly = [{"name": "fly"}]
    events = bench.run(bench.agent([fly, fly, [bench.wait(0)], fly, fly, []]))
    assert events[-1].data["ending"] == "invalid_action_limit"
    assert len(kinds(events, "decision")) == 6


def test_no_limit_on_invalid_decisions_leaves_the_clock(bench):
    limits = Limits(time_s=50.0, invalid_decisions_in_a_row=None)
    events = bench.run(bench.agent([[] for _ in range(99)]), limits=limits)
    assert events[-1].data["ending"] == "time_limit"


def test_an_explicit_final_answer_ends(bench, kinds):
    events = bench.run(bench.agent([[bench.click(1), bench.answer], [bench.click(2)]]))
    assert events[-1].data["ending"] == "unverified_claim"
    assert [event.data["index"] for event in kinds(events, "action")] == [0, 1]


@pytest.mark.parametrize("prompts", [1, 2])
def test_each_declared_prompt_answers_one_claim(bench, kinds, prompts):
    agent = bench.agent([[bench.answer]] * 5, continuation_prompts=prompts)
    events = bench.run(agent)
    assert (events[-1].data["ending"], len(kinds(events, "action"))) == ("unverified_claim", prompts + 1)
    assert kinds(events, "episode_start")[0].data["agent"]["continuation_prompts"] == prompts


def test_an_unverified_claim_is_answered_once_and_the_second_ends(bench, kinds):
    agent = bench.agent([[bench.answer], [bench.click(1), bench.answer]], continuation_prompts=1)
    events = bench.run(agent)
    assert events[-1].data["ending"] == "unverified_claim"
    assert "please continue" in agent.seen[1].context.recent[0].feedback
    assert [event.data["index"] for event in kinds(events, "action")] == [0, 1, 2]


def test_a_true_claim_wins(bench):
    won = [bench.click(1), bench.click(4), bench.click(7), bench.answer]
    events = bench.run(bench.agent([won]), stop_conditions=())
    assert events[-1].data == {"ending": "won", "reason": "verified_claim", "failure_kind": None}


def test_without_a_goal_no_claim_is_true(bench):
    won = [bench.click(1), bench.click(4), bench.click(7), bench.answer]
    events = bench.run(bench.agent([won, [bench.answer]]), stop_conditions=(), goal=None)
    assert events[-1].data["ending"] == "unverified_claim"


def test_an_answer_before_the_end_of_a_batch_is_a_violation(bench, kinds):
    events = bench.run(bench.agent([[bench.answer, bench.click(1)]]))
    assert kinds(events, "action")[0].data["valid"] is False


def test_a_wait_counts_as_its_own_settling_time(bench):
    events = bench.run(bench.agent([[bench.wait(5)], [bench.wait(1)]], latency_s=0.0))
    assert events[-1].clock_s == 5 + 2


def test_what_is_no_json_is_described_in_the_record(bench, kinds):
    events = bench.run(bench.agent([[{"name": "click", "x": math.inf, "y": object()}]]))
    assert kinds(events, "action")[0].data["action"]["not_json"].startswith("{'name': 'click', 'x': inf")
