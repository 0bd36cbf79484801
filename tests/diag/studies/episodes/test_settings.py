"""Native actions beside code execution: calls, levels, errors and figures of small episodes, counted by hand."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "grading" / "episodes"))

from episode_logs import CLICK, MAZE, SWIPE, EpisodeWriter, to

from diag.grading.episodes.log import EpisodeLog
from diag.studies.episodes.calls import Slips, calls_of, slips_of, solved_levels
from diag.studies.episodes.settings import Pair, Played, comparison, matched_levels
from diag.studies.episodes.settings_command import read_episodes
from games.contract import LevelId

ONE, TWO, *_ = MAZE
LEFT = {**SWIPE, "x2": 300}
WAIT = {"name": "wait", "seconds": 1.0}
LOOP = "for move in moves:\n    swipe(move)"
LISTED = "gui.swipe(400, 400, 500, 400)\ngui.swipe(400, 400, 300, 400)"


def looks(log: EpisodeWriter, usage=None, **decision):
    log.add("observation", picture=None, settled="settled")
    return log.add("decision", actions=[CLICK], reason="", latency_s=1.0, stop=False, usage=usage or {}, late=False,
                   **decision)  # fmt: skip


def acts(log: EpisodeWriter, clock_s, *transitions, action=SWIPE):
    """Execute one action of the decision before it."""
    log.clock_s = clock_s
    log.add("action", index=log.n_actions, action=action, valid=True, feedback="")
    log.n_actions += 1
    log._snapshot(*transitions)
    return log


def ran(code: str, n_actions: int):
    return {"code": code, "output": "", "n_actions": n_actions, "took_s": 0.1}


def native():
    """Level one in two single swipes; level two by a wait, a batch of two and a single one, at 40 s."""
    log = EpisodeWriter()
    acts(looks(log), 1, to(ONE, "enter", 0, 0.0), action=CLICK)
    acts(looks(log), 5, to(ONE, "move", 1, 0.5))
    acts(looks(log), 10, to(ONE, "move", 2, 1.0, won=True))
    acts(looks(log), 12, to(TWO, "enter", 3, 0.0), action=CLICK)
    acts(looks(log), 14, action=WAIT)
    acts(acts(looks(log), 20, to(TWO, "move", 4, 0.2)), 22)  # the second swipe of the batch meets a wall
    acts(looks(log), 40, to(TWO, "move", 5, 1.0, won=True), action=LEFT)
    return log.end(60, "stopped")


def code():
    """Level one in one listed batch; level two by one run that looks and one that replays, at 25 s."""
    log = EpisodeWriter()
    acts(looks(log), 1, to(ONE, "enter", 0, 0.0), action=CLICK)
    both = looks(log, {"runs": [ran(LISTED, 2)]})
    acts(acts(both, 4, to(ONE, "move", 1, 0.5)), 5, to(ONE, "move", 2, 1.0, won=True), action=LEFT)
    acts(looks(log), 7, to(TWO, "enter", 3, 0.0), action=CLICK)
    run = looks(log, {"runs": [ran("print(screenshot.shape)", 0), ran(LOOP, 3)]})
    for clock_s, board in ((20, (4, 0.2)), (22, (6, 0.4)), (25, (5, 1.0))):
        acts(run, clock_s, to(TWO, "move", *board, won=board[1] == 1.0))
    return log.end(30, "won")


def played(events, **changes) -> Played:
    log = EpisodeLog.read(events)
    facts = {
        "objective": "maze_paint/easy", "n_won": 2, "success": False, "ending": "time_limit", "premature_exit": False,
        "n_restarts": 0,
    }  # fmt: skip
    return Played(
        **{**facts, **changes}, calls=calls_of(events), levels=solved_levels(events, log), slips=slips_of(log)
    )


def test_calls_of_native_actions():
    assert [call.kind for call in calls_of(native())] == [
        "single", "single", "single", "single", "observation", "batch", "single"
    ]  # fmt: skip


def test_calls_of_code_are_runs_and_only_what_does_more_than_list_inputs_computes():
    found = [(call.kind, call.n_inputs) for call in calls_of(code())]
    assert found == [("single", 1), ("batch", 2), ("single", 1), ("computation", 0), ("computation", 3)]


def test_a_level_reaches_from_the_win_before_it_to_its_own():
    first, second = solved_levels(native(), EpisodeLog.read(native()))
    assert (first.time_s, first.n_calls, first.n_screenshots, first.n_inputs, first.largest_call) == (9, 2, 2, 2, 0.5)
    assert (second.place, second.time_s, second.n_calls, second.n_screenshots) == (1, 30, 4, 4)
    assert (second.n_inputs, second.largest_call) == (4, pytest.approx(2 / 3))  # the menu click is none of the board's
    assert second.computes is False


def test_a_call_may_carry_the_whole_level():
    first, second = solved_levels(code(), EpisodeLog.read(code()))
    assert (first.largest_call, first.computes) == (1.0, False)
    assert (second.time_s, second.n_calls, second.n_screenshots, second.n_inputs) == (20, 3, 2, 4)
    assert (second.largest_call, second.computes) == (1.0, True)


def test_a_call_that_goes_on_into_the_next_level_counts_in_both():
    log = EpisodeWriter()
    acts(looks(log), 1, to(ONE, "enter", 0, 0.0), action=CLICK)
    one = acts(looks(log), 3, to(ONE, "move", 2, 1.0, won=True))
    acts(acts(one, 5, to(TWO, "enter", 3, 0.0), action=CLICK), 8, to(TWO, "move", 5, 1.0, won=True))
    events = log.end(9)
    first, second = solved_levels(events, EpisodeLog.read(events))
    assert (first.n_calls, second.n_calls, second.n_inputs, second.largest_call) == (1, 1, 2, 1.0)


def test_figures_of_a_pair():
    pair = Pair("m", played(native(), ending="time_limit", n_restarts=3), played(code(), success=True, ending="won"))
    other = Pair("m", played(native(), premature_exit=True, ending="stopped"), played(code(), n_won=1))
    found = comparison([pair, other])
    assert found["pairs"] == {
        "solved_native": 0, "solved_code": 1, "code_solves_more": 0, "code_solves_fewer": 1,
        "native_timeouts_n": 1, "native_timeouts_code_more": 0, "native_timeouts_code_completes": 1,
        "native_exits_n": 1, "native_exits_code_more": 0, "native_exits_code_completes": 0,
    }  # fmt: skip
    calls = found["code"]["calls"]
    assert (calls["n"], calls["computation_share"], calls["inputs_of_computation_share"]) == (10, 0.4, 6 / 14)
    assert (calls["inputs_per_computation_call"], calls["inputs_per_batch"]) == (3.0, 2.0)
    assert found["native"]["calls"]["observation_share"] == pytest.approx(1 / 7)
    assert (found["native"]["one_call_80%"], found["code"]["one_call_80%"]) == (0.0, 1.0)
    assert found["native"]["one_call_50%"] == 1.0
    assert found["native"]["restarts_per_episode"] == 1.5
    (line, _) = matched_levels([pair, other])
    assert (line["level"], line["time_s_native"], line["time_s_code"], line["computes"]) == (str(TWO), 30, 20, True)
    matched = found["matched"]
    assert [matched[name]["n"] for name in ("all", "computation", "inputs_only")] == [2, 2, 0]
    assert matched["all"]["time_s_ratio"] == pytest.approx(2 / 3)
    assert matched["all"]["inputs_ratio"] == 1.0
    assert matched["inputs_only"]["time_s_ratio"] is None


def test_slips_in_maze_paint_by_hand():
    log = (
        EpisodeWriter()
        .do(1, to(ONE, "enter", 0, 0.0))
        .do(2, to(ONE, "move", 1, 0.2), action=SWIPE)
        .do(3, action=SWIPE)  # invalid, repeated
        .do(4, to(ONE, "move", 2, 0.2), action=LEFT)  # no progress
        .do(5, action={"name": "key", "key": "ArrowLeft"})  # invalid, repeated
        .do(6, to(ONE, "restart", 0, 0.0))
        .do(7, to(ONE, "move", 3, 0.2), action=LEFT)  # after a restart nothing is repeated
        .do(8, action=CLICK)
    )
    found = slips_of(EpisodeLog.read(log.end(9)))
    assert found == Slips(maze_swipes=5, maze_invalid=2, maze_zero_progress=1, maze_repeated=2)


def test_slips_in_color_connect_by_hand():
    level = LevelId("color_connect", "easy", 1)
    log = (
        EpisodeWriter((level,))
        .do(1, to(level, "enter", 0, 0.0))
        .do(2, to(level, "move", 1, 0.2))
        .do(3)  # a click that is refused
        .do(4, action=SWIPE)  # the game takes no drags
        .do(5, action={**CLICK, "x": 5, "y": 5})  # beside the board
    )
    found = slips_of(EpisodeLog.read(log.end(9)))
    assert (found.connect_gestures, found.connect_invalid, found.connect_drags) == (3, 1, 1)


def test_the_command_refuses_studies_in_the_wrong_place(diag, tmp_path, capsys):
    words = ("+experiment=rq1", "agent=optimal", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
             "execution.progress=false", "tracking=none", "mode=run",
             "study.objectives=[truck_escape/default]")  # fmt: skip
    assert diag(*words) == 0
    (study,) = (tmp_path / "rq1").iterdir()
    (played,) = read_episodes(study)[0].values()
    (first, *_), n_won = played.levels, played.n_won
    assert (n_won, len(played.levels), first.place) == (5, 5, 0)
    assert sum(level.n_calls for level in played.levels) <= len(played.calls)
    assert diag("settings", str(study)) != 0
    assert "found 1 folders; wanted pairs" in capsys.readouterr().err
    assert diag("settings", str(study), str(study)) != 0
    assert "is no study with code execution; the order is native, code" in capsys.readouterr().err


def test_no_pair_is_an_error():
    with pytest.raises(ValueError, match="no pair"):
        comparison([])
