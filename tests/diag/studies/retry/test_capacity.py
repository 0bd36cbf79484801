"""The capacity table of Bolt Unscrew retries, counted by hand, and the sentences that predict a release."""

import csv
import io

import pytest
from logs import DEAD, LogWriter, certify, change, measure

from diag.studies.retry.grade import grade_retry
from diag.studies.retry.kind import KIND
from diag.studies.retry.release import predicts_release

YES = (
    "Moving this screw releases the left plank.",
    "This should free the board on the right.",
    "I lift the top screw so that the plate drops.",
    "It will clear the small piece.",
    "Removing it will free up the long beam.",
    "With this screw gone the wooden panel can fall off.",
    "The board will be released by this move.",
    "I put the screw in the last hole, dropping the green plate.",
    "Freeing it opens the way.",
    "Taking this screw out lets the plank fall.",
    "The next step is to release the remaining vertical plank.",
    "That way the piece is freed.",
    "Let go of the plate by moving its last screw.",
    "Clearing the bottom board first makes sense.",
    "This releases another board.",
    "The plank then drops out of the way.",
    "I drop the red piece.",
    "Move the screw to the free hole; this frees the blue plate.",
    "这样可以释放左边的木板。",
    "移动这颗螺丝后木板会掉下来。",
    "先松开下面的木条。",
)
NO = (
    "I move the screw to the only free hole.",
    "This frees a hole for later.",
    "Only one free hole is left.",
    "It frees up space.",
    "I want to clear the level.",
    "This will not release the board.",
    "The plate won't drop yet.",
    "No board is freed by this.",
    "I continue with the second half of the move.",
    "I place it in the hole at the right.",
    "Freeing up the hole matters most.",
    "Moving it does not free the plank.",
    "Without releasing a plate we are stuck.",
    "I restart the level.",
    "The screw goes to the empty hole.",
    "I unscrew the red screw.",
    "I drop the screw into the hole.",
    "Drop it in the free hole.",
    "The board has not moved.",
    "这不会释放木板。",
    "把螺丝放进空孔。",
    "I clear my selection.",
    "Put it into the hole next to the plank.",
)


@pytest.mark.parametrize("reason", YES)
def test_a_reason_that_mentions_a_released_piece_predicts_a_release(reason):
    assert predicts_release(reason)


@pytest.mark.parametrize("reason", NO)
def test_free_holes_screws_and_denials_predict_none(reason):
    assert not predicts_release(reason)


def board(n: int):
    """A board with n % 10 free holes and n // 10 boards out."""
    return {"n": n}


def retry(start: int) -> LogWriter:
    log = LogWriter(cohort="F").start(board(start), 0.0)
    log.events[0].data.update(source={"mechanism": "no_available_hole"}, memory=None)
    return log


def graded(log: LogWriter, clock_s: float, ending: str):
    return grade_retry(log.end(clock_s, ending), certify=certify, measure=measure)


def three_retries():
    # 3 holes -> 2 (fills) -> click without effect -> 12 (frees a board) -> 1 (fills) -> deadlock, for a release
    first = retry(3).say(1).act(2, change("move", board(2))).say(3).act(4).say(5).act(6, change("move", board(12)))
    first.say(7).act(8, change("move", board(11))).say(9, "It frees the plank.").act(10, change("move", DEAD))
    # one hole at the start, dead at the first move, without a prediction
    second = retry(1).say(1, "I fill the last hole.").act(2, change("move", DEAD))
    # one decision with two moves in its batch is one move by decisions; then a board is freed from one hole
    third = retry(3).say(1).act(2, change("move", board(2))).act(3, change("move", board(1)))
    third.say(4, "This drops the plate.").act(5, change("move", board(12))).say(6)
    return (
        graded(first, 10.0, "certified_failure"),
        graded(second, 2.0, "certified_failure"),
        graded(third, 300.0, "time_limit"),
    )


def test_moves_and_decisions_by_free_holes():
    first, second, third = (outcome.details["bolt"] for outcome in three_retries())
    row = {"n": 1, "frees": 0, "fills": 1, "deadlocks": 0, "first": 0, "first_deadlocks": 0, "predicts_release": 0}
    assert first["moves"] == {
        "1": {**row, "deadlocks": 1, "predicts_release": 1},
        "2": {**row, "n": 2, "frees": 1},
        "3": {**row, "first": 1},
    }
    assert first["decisions"] == {"1": [1, 0], "2": [3, 0], "3": [1, 0]}
    assert second["moves"] == {"1": {**row, "deadlocks": 1, "first": 1, "first_deadlocks": 1}}
    assert third["moves"] == {"1": {**row, "frees": 1, "fills": 0}, "3": {**row, "first": 1}}
    assert third["decisions"] == {"1": [1, 0], "2": [1, 0], "3": [1, 0]}


def test_what_is_decided_after_the_end_is_not_counted():
    log = retry(1).say(1).act(2, change("move", DEAD)).say(3).act(4).say(5)
    assert graded(log, 300.0, "time_limit").details["bolt"]["decisions"] == {"1": [1, 0]}


def test_the_table_pools_retries_and_arms_and_the_summary_names_one_hole():
    arms = ("M0", "M1", "M1")
    rows = [
        {"arm": arm, "details": outcome.details, "unit_id": arm, "checkpoint_id": "F01", "block_id": "F01", "repeat": 1}
        for arm, outcome in zip(arms, three_retries(), strict=True)
    ]
    lines = list(csv.DictReader(io.StringIO(KIND.tables(None, rows)["capacity.csv"])))
    (one,) = (line for line in lines if (line["arm"], line["free_holes"]) == ("all", "1"))
    wanted = {"moves": 3, "frees": 1, "fills": 2, "deadlocks": 2, "predicts_release": 1, "first": 1, "decisions": 3}
    assert {name: int(one[name]) for name in wanted} == wanted
    assert [line["arm"] for line in lines] == ["all"] * 3 + ["M0"] * 3 + ["M1"] * 3
    text = "one free hole: 2 of 3 moves deadlock, 1 of 1 first moves; 1 of 2 fatal moves predict a release"
    assert text in "\n".join(KIND.summary(None, rows))


def test_another_game_has_no_capacity_table():
    from games.contract import LevelId

    level = LevelId("nut_and_bolt", "hard", 3)
    log = LogWriter(cohort="F", level=level)
    log.events[0].data.update(source={"mechanism": "exhausted_search"}, memory=None)
    log.snapshot(0.0, change("placed", board(1), level=level), level=level).say(1)
    assert graded(log, 300.0, "time_limit").details["bolt"] is None
