"""The capacity table of Bolt Unscrew, worked out by hand, and its measure on real boards."""

from episode_logs import EpisodeWriter, to, tools

from diag.grading.episodes.bolt import Capacity, measure_with
from diag.grading.episodes.grade import grade_episode
from games.bolt_unscrew import rules
from games.catalogue import load_catalogue
from games.contract import LevelId

LEVEL = LevelId("bolt_unscrew", "hard", 1)
CAPACITY = {
    0: Capacity(2, 0, deadlocked=False),
    1: Capacity(1, 0, deadlocked=False),  # filled a hole
    2: Capacity(2, 1, deadlocked=False),  # freed a board
    3: Capacity(0, 1, deadlocked=True),
    4: Capacity(1, 0, deadlocked=False),
    5: Capacity(0, 0, deadlocked=True),
}


def test_moves_by_free_holes():
    log = (
        EpisodeWriter((LEVEL,))
        .do(1, to(LEVEL, "enter", 0, 0.0))
        .do(2, to(LEVEL, "move", 1, 0.0))  # 2 free: fills
        .do(3, to(LEVEL, "move", 2, 0.1))  # 1 free: frees a board
        .do(4, to(LEVEL, "move", 3, 0.1))  # 2 free: fills and deadlocks
        .do(5)  # a decision on a deadlocked board
        .do(6, to(LEVEL, "restart", 4, 0.0))
        .do(7, to(LEVEL, "move", 5, 0.0))  # 1 free, first move of its attempt: fills and deadlocks
    )
    table = grade_episode(log.end(9), tools=tools(capacity=CAPACITY)).details["bolt"]
    assert table["moves"] == {
        "1": {"n": 2, "frees": 1, "fills": 1, "deadlocks": 1, "first": 1, "first_deadlocks": 1},
        "2": {"n": 2, "frees": 0, "fills": 2, "deadlocks": 1, "first": 1, "first_deadlocks": 0},
    }
    # decisions on: menu, 0, 1, 2, 3, 3, 4
    assert table["decisions"] == {"0": [2, 2], "1": [2, 0], "2": [2, 0]}


def test_the_measure_follows_the_rules():
    catalogue = load_catalogue()
    measure = measure_with(catalogue.layout)
    state = rules.initial_state(catalogue.layout(LEVEL))
    found = measure(LEVEL, rules.state_to_json(state))
    assert found == Capacity(len(rules.free_anchors(state)), 0, deadlocked=False)
    assert found.free_holes > 0
