"""Maze Paint counters of two attempts, worked out by hand."""

import pytest
from episode_logs import CLICK, MAZE, SWIPE, EpisodeWriter, to, tools

from diag.grading.episodes.grade import grade_episode
from diag.grading.episodes.maze import coverage_bin, coverage_with
from games.maze_paint.layout import parse_layout
from games.maze_paint.rules import initial_state, state_to_json, step

ONE = MAZE[0]
ARROW = {"name": "key", "key": "ArrowUp"}


def counters():
    log = (
        EpisodeWriter((ONE,))
        .do(1, to(ONE, "enter", 0, 0.0))
        .do(2, to(ONE, "move", 1, 0.2), action=SWIPE)  # fifth 0, productive
        .do(3, action=SWIPE)  # fifth 1, invalid: the ball did not shift
        .do(4, to(ONE, "move", 2, 0.2), action=ARROW)  # fifth 1, zero progress
        .do(5, to(ONE, "move", 1, 0.2), action=SWIPE)  # fifth 1, zero progress, back in a state seen before
        .do(6, action=CLICK)  # a click on the board asks for no move
        .do(7, to(ONE, "restart", 0, 0.0))
        .do(8, to(ONE, "move", 3, 0.9), action=SWIPE)  # fifth 0, productive
        .do(9, action=ARROW)  # fifth 4, invalid
        .do(10, to(ONE, "move", 4, 1.0, won=True), action=SWIPE)  # fifth 4, productive
        .do(11, action=SWIPE)  # the level is complete: no move is asked for
    )
    return grade_episode(log.end(12, "won"), tools=tools())


def test_counters_by_fifth_and_outcome():
    maze = counters().details["maze"]
    assert maze["unsolved"] == [[1, 0, 0], [0, 2, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert maze["solved"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert (maze["attempts"], maze["won"]) == (2, 1)


def test_the_revisit_rate_counts_initial_states_and_starts_anew_with_each_attempt():
    # attempt 1: 0, 1, 2, 1 -> three unique, one revisit; attempt 2: 0, 3, 4 -> three unique
    found = counters()
    assert (found.details["maze"]["unique"], found.details["maze"]["revisits"]) == (6, 1)
    assert found.endpoints["maze_revisit_rate"] == pytest.approx(1 / 7)


def test_totals_are_the_sums_of_the_bins():
    found = counters().endpoints
    assert (found["maze_productive"], found["maze_zero_progress"], found["maze_invalid"]) == (3, 2, 2)


@pytest.mark.parametrize(
    ("painted", "fifth"), [(1, 0), (4, 0), (5, 1), (9, 1), (10, 2), (15, 3), (19, 3), (20, 4), (25, 4)]
)
def test_fifths_are_of_the_paintable_cells_and_hold_their_lower_edge(painted, fifth):
    assert coverage_bin(painted, 25) == fifth


def test_coverage_counts_the_start_cell_among_the_painted():
    rows = ["S....", ".....", ".....", ".....", "....."]
    layout = parse_layout({"rows": rows})
    state = step(initial_state(layout), "right")  # the first row: 5 of 25
    assert coverage_with(lambda level: layout)(ONE, state_to_json(state)) == (5, 25)


def test_another_game_has_no_counters():
    from games.contract import LevelId

    level = LevelId("truck_escape", "default", 1)
    log = EpisodeWriter((level,)).do(1, to(level, "enter", 0, 0.0)).end(9)
    outcome = grade_episode(log, tools=tools())
    assert outcome.details["maze"] is None
    assert outcome.endpoints["maze_productive"] is None
