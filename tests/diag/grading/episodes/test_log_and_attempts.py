"""The episode log refuses what it cannot grade; attempts are cut where the source document cuts them."""

from dataclasses import replace

import pytest
from episode_logs import MAZE, EpisodeWriter, to

from diag.grading.episodes.attempts import level_attempts
from diag.grading.episodes.log import EpisodeLog
from diag.grading.walk import IncompleteLog, MalformedLog, PlanMismatch

ONE, TWO, *_ = MAZE


def writer() -> EpisodeWriter:
    return (
        EpisodeWriter()
        .do(1, to(ONE, "enter", 0, 0.0))
        .do(2, to(ONE, "move", 1, 0.5))
        .do(3, to(ONE, "undo", 0, 0.0))
        .do(4, to(ONE, "restart", 0, 0.0))
        .do(5, to(ONE, "move", 2, 1.0, won=True))
        .do(6, to(ONE, "leave", 2, 1.0), to(TWO, "enter", 3, 0.0))
        .do(7, to(TWO, "leave", 3, 0.0))
        .do(8, to(TWO, "enter", 3, 0.0))
    )


def test_attempts_by_hand():
    found = level_attempts(EpisodeLog.read(writer().end(9)).steps)
    assert [(str(a.level), a.exit, a.n_moves, len(a.boards)) for a in found] == [
        (str(ONE), "restart", 1, 3),  # an undo stays inside its attempt
        (str(ONE), "won", 1, 2),
        (str(TWO), "leave", 0, 1),
        (str(TWO), "episode_end", 0, 1),
    ]


def test_inputs_and_decisions_know_the_board_they_met():
    log = EpisodeLog.read(writer().end(9))
    assert [None if one.board is None else one.board.state["n"] for one in log.inputs] == [None, 0, 1, 0, 0, 2, 3, None]
    assert [one.moved for one in log.inputs] == [False, True, False, False, True, False, False, False]
    assert [d.board and d.board.state["n"] for d in log.decisions] == [None, 0, 1, 0, 0, 2, 3, None]


def test_a_log_cut_off_is_no_episode():
    with pytest.raises(IncompleteLog, match="ends with"):
        EpisodeLog.read(writer().events)


def test_a_log_of_another_plan_is_refused():
    with pytest.raises(PlanMismatch, match="wanted 'other'"):
        EpisodeLog.read(writer().end(9), plan_hash="other")


@pytest.mark.parametrize("objective", [None, [], ["maze_paint"]])
def test_an_episode_without_an_objective_is_malformed(objective):
    first, *rest = writer().end(9)
    broken = replace(first, data={**first.data, "objective": objective})
    with pytest.raises(MalformedLog, match="objective"):
        EpisodeLog.read([broken, *rest])
