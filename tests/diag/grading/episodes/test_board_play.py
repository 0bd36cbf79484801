"""How boards were played, counted by hand, and the tables that lay people and agents side by side."""

from dataclasses import replace

from episode_logs import CLICK, EpisodeWriter, to, tools

from diag.grading.episodes.bolt import Capacity
from diag.grading.episodes.grade import grade_episode
from diag.studies.episodes.command import _bolt_lines, _played
from games.contract import LevelId

NUT = LevelId("nut_and_bolt", "easy", 1)


def stacks(kind: str, *bolts: str):
    return {**to(NUT, kind, 0, 0.0), "state": {"n": 0, "bolts": [list(bolt) for bolt in bolts]}}


def test_stack_changes_revisits_regressions_and_resets():
    log = (
        EpisodeWriter((NUT,))
        .do(1, stacks("enter", "rb", "br", ""))
        .do(2, stacks("move", "r", "br", "b"))  # a change
        .do(3, stacks("move", "rr", "b", "b"))  # a change, red is solved
        .do(4)  # a click without effect
        .do(5, stacks("move", "", "b", "rrb"))  # a change, red is broken
        .do(6, stacks("undo", "rr", "b", "b"))  # a change, back where it was
        .do(7, stacks("move", "b", "rr", "b"))  # the same stacks on other bolts: no change
        .do(8, stacks("restart", "rb", "br", ""))
        .do(9, stacks("move", "r", "br", "b"))  # new in this attempt
    )
    outcome = grade_episode(log.end(10), tools=tools())
    assert outcome.details["play"] == {
        "nut_and_bolt": {"changes": 5, "revisits": 1, "stack_regressions": 1, "resets": 1}
    }


def bolt():
    level = LevelId("bolt_unscrew", "hard", 4)
    board = {
        0: Capacity(2, 0, deadlocked=False),
        1: Capacity(1, 1, deadlocked=False),
        2: Capacity(0, 1, deadlocked=True),
        3: Capacity(3, 4, deadlocked=False),
    }
    log = (
        EpisodeWriter((level,))
        .do(1, to(level, "enter", 0, 0.0))
        .do(2, to(level, "move", 1, 0.1))
        .do(3, to(level, "move", 2, 0.1))
        .do(4, to(level, "restart", 0, 0.0))
        .do(5, to(level, "move", 1, 0.1))
        .do(6, to(level, "restart", 0, 0.0))
        .do(7, to(level, "move", 3, 1.0, won=True))
    )
    return grade_episode(log.end(8, "won"), tools=replace(tools(), capacity=lambda level, state: board[state["n"]]))


def test_every_attempt_at_a_bolt_level():
    found = bolt().details["play"]["bolt_unscrew"]["attempts"]
    shown = [(one["boards_out"], one["fewest_free_holes"], one["moves"], one["ended"]) for one in found]
    assert shown == [(1, 0, 2, "deadlocks"), (1, 1, 1, "restart"), (4, 2, 1, "clears")]


def test_moves_of_completed_levels_alone():
    one, two = (LevelId("rush_hour", "easy", number) for number in (1, 2))
    log = (
        EpisodeWriter((one, two))
        .do(1, to(one, "enter", 0, 0.0))
        .do(2, to(one, "move", 1, 0.1))
        .do(3, to(one, "restart", 0, 0.0))
        .do(4, to(one, "move", 1, 0.1))
        .do(5, to(one, "move", 2, 1.0, won=True))
        .do(6, to(two, "enter", 5, 0.0))
        .do(7, to(two, "move", 6, 0.1))
    )
    found = grade_episode(log.end(9), tools=tools()).details["play"]
    assert found == {"rush_hour": {"completed_levels": 1, "moves_of_completed": 2}}


def test_gestures_are_presses_on_the_board():
    level = LevelId("color_connect", "easy", 1)
    log = (
        EpisodeWriter((level,))
        .do(1, to(level, "enter", 0, 0.0))
        .do(2, to(level, "move", 1, 0.2))
        .do(3)  # refused, a gesture all the same
        .do(4, action={"name": "wait", "seconds": 1.0})
        .do(5, action={**CLICK, "x": 5, "y": 5})  # a button beside the board
    )
    assert grade_episode(log.end(9), tools=tools()).details["play"] == {"color_connect": {"gestures": 2}}


def test_the_side_by_side_tables_hold_them():
    outcome = bolt()
    row = {"checkpoint_id": "bolt_unscrew/hard", "unit_id": "u", **outcome.endpoints, "details": outcome.details}
    line = _played(row)
    assert (line["n_attempts_at_levels"], line["n_restarts"], line["boards_deadlocked"], line["cleared"]) == (
        3,
        2,
        1,
        1,
    )
    assert [one["attempt"] for one in _bolt_lines(row)] == [1, 2, 3]
