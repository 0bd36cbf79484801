"""Equal play gives equal states in any process, whatever was visited before and however Python hashes."""

import json
import math
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np

from bolt_unscrew.boards import REPOSITORY, own_levels
from games.bolt_unscrew.mechanics import BoardAutomaton, automata
from games.bolt_unscrew.rules import initial_state, legal_moves, state_to_json, step

SCRIPT = """
import json, sys
import numpy as np
from games.bolt_unscrew.rules import initial_state, legal_moves, parse_layout, state_to_json, step
layout, warm_up = json.loads(sys.argv[1]), int(sys.argv[2])
layout = parse_layout(layout)
for seed in range(warm_up):
    rng, state = np.random.default_rng(seed), initial_state(layout)
    while (moves := legal_moves(state)) and len(moves) < 200:
        state = step(state, moves[rng.integers(len(moves))])
        if rng.random() < 0.02:
            break
rng, state, states = np.random.default_rng(99), initial_state(layout), []
for _ in range(40):
    states.append(state_to_json(state))
    moves = legal_moves(state)
    if not moves:
        break
    state = step(state, moves[rng.integers(len(moves))])
print(json.dumps(states))
"""


def play(layout_json, warm_up, hash_seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", SCRIPT, json.dumps(layout_json), str(warm_up)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def test_fresh_processes_with_different_pasts_agree():
    levels = json.loads((REPOSITORY / "games" / "bolt_unscrew" / "levels.json").read_text())["levels"]
    layout = next(level["layout"] for level in levels if (level["difficulty"], level["number"]) == ("hard", 8))
    fresh = play(layout, 0, 1)
    assert len(fresh) > 5
    assert play(layout, 40, 2) == fresh


def test_one_place_of_a_board_is_one_pose_whatever_the_way_there():
    """Rounding never splits a place into two poses: all poses play could lead to lie visibly apart."""
    for key, layout in own_levels().items():
        for board, automaton in zip(layout.boards, automata(layout), strict=True):
            automaton.close()
            ends = [(pose.to_world((board.core, 0)), pose.to_world((0, board.rim))) for pose in automaton.poses]
            for one, other in combinations(ends, 2):
                assert max(map(math.dist, one, other)) > 0.1, (key, one, other)


def play_some(layout, seed):
    rng, state = np.random.default_rng(seed), initial_state(layout)
    for _ in range(30):
        moves = legal_moves(state)
        if not moves:
            break
        state = step(state, moves[rng.integers(len(moves))])
    return state_to_json(state)


def test_threads_that_play_one_layout_at_once_agree_with_one(monkeypatch):
    layout = own_levels()["hard", 8]
    alone = [play_some(layout, seed) for seed in range(8)]
    masks = BoardAutomaton._masks

    def slow_masks(self, pose):
        time.sleep(0.0005)  # lets the other threads in while a pose is being compiled
        return masks(self, pose)

    monkeypatch.setattr(BoardAutomaton, "_masks", slow_masks)
    automata.cache_clear()
    together = automata(layout)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(play_some, [layout] * 8, range(8))) == alone
    assert automata(layout) is together
    for automaton in together:
        assert len(set(automaton.poses)) == len(automaton.poses) == len(automaton.holding)


def test_a_state_survives_pickling():
    state = initial_state(own_levels()["hard", 4])
    assert pickle.loads(pickle.dumps(state)) == state
    assert hash(pickle.loads(pickle.dumps(state))) == hash(state)
