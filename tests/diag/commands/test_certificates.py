"""`python -m diag certify` of states and trajectories, against distances worked out by brute force or by hand."""

import json
from collections import deque
from itertools import pairwise

import pytest

from games.catalogue import load_catalogue
from games.contract import LevelId

LEVEL = LevelId("maze_paint", "easy", 1)


def _lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def _brute_distance(game, state) -> int:
    queue, seen = deque([(state, 0)]), {state}
    while queue:
        board, n_moves = queue.popleft()
        if game.is_won(board):
            return n_moves
        for move in game.legal_moves(board):
            following = game.step(board, move)
            if following not in seen:
                seen.add(following)
                queue.append((following, n_moves + 1))
    raise AssertionError("no win")


def test_the_curve_of_a_trajectory_has_the_distances_of_a_brute_search(diag, capsys):
    catalogue = load_catalogue()
    game = catalogue.games["maze_paint"]
    state = game.initial_state(catalogue.layout(LEVEL))
    moves, wanted = [], [_brute_distance(game, state)]
    for _ in range(6):  # to and fro: not the shortest way
        moves.append(game.legal_moves(state)[0])
        state = game.step(state, moves[-1])
        wanted.append(_brute_distance(game, state))
    played = json.dumps([game.move_to_json(move) for move in moves])

    assert diag("certify", f"level={LEVEL}", f"trajectory={played}") == 0
    lines = _lines(capsys)
    assert [line["distance"] for line in lines] == wanted
    regrets = [1 + after - before for before, after in pairwise(wanted)]
    assert [line["regret"] for line in lines] == [None, *regrets]
    assert any(regret > 0 for regret in regrets)


def test_a_state_from_a_file_is_certified(diag, tmp_path, capsys):
    catalogue = load_catalogue()
    game = catalogue.games["maze_paint"]
    state = game.initial_state(catalogue.layout(LEVEL))
    later = game.step(state, game.legal_moves(state)[0])
    file = tmp_path / "state.json"
    file.write_text(json.dumps(game.state_to_json(later)))
    assert diag("certify", "game=maze_paint", "level=easy/1", f"state={file}") == 0
    (line,) = _lines(capsys)
    assert line["certificate"]["kind"] == "solvable"
    assert line["distance"] == _brute_distance(game, later)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["state={}"], "level=GAME/DIFFICULTY/NUMBER"),
        (["level=maze_paint/easy/99"], "maze_paint/easy/99"),
        (["level=maze_paint/easy/1", 'trajectory=["sideways"]'], "sideways"),
        (["level=maze_paint/easy/1", "limit=many"], "limit=many"),
        (["level=maze_paint/easy/1", "state=nowhere.json"], "nowhere.json"),
    ],
)
def test_what_cannot_be_certified_is_one_line(diag, capsys, arguments, wanted):
    assert diag("certify", *arguments) == 2
    error = capsys.readouterr().err
    assert wanted in error
    assert error.count("\n") == 1
