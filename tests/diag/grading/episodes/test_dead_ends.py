"""Dead-end visits by hand: where they begin, what ends them, how many moves they last."""

from dataclasses import replace

from episode_logs import EpisodeWriter, to, tools

from diag.grading.episodes.bolt import Capacity
from diag.grading.episodes.grade import grade_episode
from diag.grading.episodes.pools import dead_end_pool
from games.contract import LevelId

LEVEL = LevelId("nut_and_bolt", "easy", 1)
NEXT = LevelId("nut_and_bolt", "easy", 2)
TABLE = {0: 4, 1: 3, 2: "dead", 3: "dead", 4: "open", 5: 5}


def visits(log, end_s=100):
    return grade_episode(log.end(end_s), tools=tools(TABLE))


def with_capacity(known):
    return replace(known, capacity=lambda level, state: Capacity(1, 0, deadlocked=False))


def start() -> EpisodeWriter:
    return EpisodeWriter((LEVEL, NEXT)).do(1, to(LEVEL, "enter", 0, 0.0)).do(2, to(LEVEL, "move", 1, 0.1))


def test_the_delay_counts_the_fatal_move_and_every_move_until_the_restart():
    log = start().do(3, to(LEVEL, "move", 2, 0.1)).do(5, to(LEVEL, "move", 3, 0.1)).do(9, to(LEVEL, "restart", 0, 0.0))
    (visit,) = visits(log).details["dead_ends"]
    assert (visit["after_moves"], visit["delay_moves"], visit["delay_s"], visit["exit"]) == (2, 2, 6, "restart")
    assert visit["first_of_attempt"] is True


def test_an_undo_ends_a_visit_only_when_the_board_can_be_won_again():
    log = (
        start()
        .do(3, to(LEVEL, "move", 2, 0.1))
        .do(4, to(LEVEL, "move", 3, 0.1))
        .do(5, to(LEVEL, "undo", 2, 0.1))  # still dead
        .do(6, to(LEVEL, "undo", 1, 0.1))
        .do(7, to(LEVEL, "move", 2, 0.1))  # a second visit of the same attempt, open at the end
    )
    outcome = visits(log)
    first, second = outcome.details["dead_ends"]
    assert (first["delay_moves"], first["exit"]) == (2, "undo")
    assert (second["delay_moves"], second["delay_s"], second["exit"]) == (1, 93, "episode_end")
    assert [first["first_of_attempt"], second["first_of_attempt"]] == [True, False]
    found = outcome.endpoints
    assert (found["dead_end_attempts"], found["dead_end_visits"], found["dead_end_delay_moves"]) == (1, 2, 2)


def test_an_attempt_has_one_delay_that_of_its_first_unsolvable_board():
    # "Dead-end certification" of document 000: dead, undone, dead, one more move, restart
    log = (
        start()
        .do(3, to(LEVEL, "move", 2, 0.1))
        .do(4, to(LEVEL, "undo", 1, 0.1))
        .do(5, to(LEVEL, "move", 2, 0.1))
        .do(6, to(LEVEL, "move", 3, 0.1))
        .do(7, to(LEVEL, "restart", 0, 0.0))
    )
    outcome = visits(log)
    assert (outcome.endpoints["dead_end_attempts"], outcome.endpoints["dead_end_delay_moves"]) == (1, 1)
    row = {"checkpoint_id": "nut_and_bolt/easy", **outcome.endpoints, "details": outcome.details}
    pool = dead_end_pool([row])["nut_and_bolt"]
    assert (pool["attempts"], pool["attempts_reached"], pool["visits"]) == (2, 1, 2)
    assert (pool["mean_delay_moves"], pool["median_delay_moves"], pool["exits"]) == (1, 1, {"undo": 1})


def test_leaving_for_another_level_ends_a_visit():
    log = start().do(3, to(LEVEL, "move", 2, 0.1)).do(8, to(LEVEL, "leave", 2, 0.1), to(NEXT, "enter", 5, 0.0))
    (visit,) = visits(log).details["dead_ends"]
    assert (visit["exit"], visit["delay_s"]) == ("leave", 5)


def test_a_visit_lasts_until_the_attempt_ends_not_until_the_next_one_begins():
    # left at 8 s; what is played elsewhere until the level is entered again at 40 s is no part of the visit
    other = LevelId("rush_hour", "easy", 1)
    log = (
        start()
        .do(3, to(LEVEL, "move", 2, 0.1))
        .do(8, to(LEVEL, "leave", 2, 0.1), to(other, "enter", 5, 0.0))
        .do(40, to(other, "leave", 5, 0.0), to(LEVEL, "enter", 0, 0.0))
    )
    (visit,) = visits(log).details["dead_ends"]
    assert (visit["exit"], visit["delay_s"]) == ("leave", 5)


def test_an_undecided_board_neither_begins_nor_ends_a_visit():
    outcome = visits(start().do(3, to(LEVEL, "move", 4, 0.1)))
    assert outcome.details["dead_ends"] == []
    assert outcome.endpoints["verdicts_undecided"] == 1


def test_no_dead_end_no_delay():
    found = visits(start()).endpoints
    assert (found["dead_end_attempts"], found["dead_end_visits"], found["dead_end_delay_moves"]) == (0, 0, None)


def test_attempts_with_the_certificate_of_their_game_are_counted_apart():
    # Bolt Unscrew: board 2 has moves and no win, board 3 has no move left; Nut and Bolt is certified by its search
    bolt = LevelId("bolt_unscrew", "hard", 1)
    known = tools({**TABLE, -3: "no move"})

    def certified(level, *boards):
        log = EpisodeWriter((level,)).do(1, to(level, "enter", 0, 0.0))
        for place, n in enumerate(boards):
            log.do(2 + place, to(level, "move", n, 0.1))
        found = grade_episode(log.end(100), tools=with_capacity(known)).endpoints
        return found["dead_end_attempts"], found["dead_end_certified"]

    assert certified(bolt, 1, 2) == (1, 0)
    assert certified(bolt, 1, 2, 3) == (1, 1)
    assert certified(LEVEL, 1, 2) == (1, 1)
    assert certified(LEVEL, 1) == (0, 0)
