"""What every game promises inside the suite: gestures, restart, undo and the win, on the session without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from contract_boards import (
    GAMES,
    NAMES,
    boards,
    catalogue,
    on_pixels,
    played,
    sample_levels,
    seeded,
    solution,
    solved,
    some_moves,
    start_of,
)

from games.contract import BOARD, VIEWPORT, Drag, Game, LevelId, Table, Tap
from games.suite.session import SuiteSession

every_game = pytest.mark.parametrize("game", GAMES, ids=NAMES)


def placed(game: Game, level: LevelId, state: Any) -> SuiteSession:
    session = SuiteSession(catalogue())
    session.place(level, game.state_to_json(state))
    return session


def control(session: SuiteSession, control_id: str) -> Tap | None:
    """Return a tap on a control, or None if it is not there."""
    for item in session.picture()["controls"]:
        if item["id"] == control_id:
            x, y, width, height = item["rect"]
            return Tap(round(x + width / 2), round(y + height / 2))
    return None


def press(session: SuiteSession, control_id: str) -> None:
    tap = control(session, control_id)
    assert tap is not None, control_id
    session.gesture(tap)


def make(session: SuiteSession, game: Game, state: Any, move: Any) -> None:
    for gesture in game.gestures(Table(state, session.snapshot().held), move):
        session.gesture(on_pixels(gesture))


@every_game
def test_the_page_accepts_every_legal_move(game: Game) -> None:
    for level, state in played(game.name):
        for move in some_moves(game, state, most=10):
            session = placed(game, level, state)
            make(session, game, state, move)
            after = game.step(state, move)
            assert session.snapshot().state == game.state_to_json(after)
            assert [one.move for one in session.transitions() if one.kind == "move"] == [game.move_to_json(move)]


@every_game
def test_the_picture_is_a_function_of_the_board_and_not_of_the_way_to_it(game: Game) -> None:
    for level, state in played(game.name)[::3]:
        move = seeded(str(level)).choice(game.legal_moves(state))
        came, was_put = placed(game, level, state), placed(game, level, game.step(state, move))
        make(came, game, state, move)
        pictures = [session.picture() for session in (came, was_put)]
        for picture in pictures:
            picture.pop("seq")
            picture.pop("motion")
        assert pictures[0] == pictures[1]


@every_game
def test_restart_gives_back_the_first_board(game: Game) -> None:
    for level, state in played(game.name)[1::3]:
        session = placed(game, level, state)
        press(session, "restart")
        assert session.snapshot().state == game.state_to_json(start_of(game, level))
        assert session.snapshot().held is None
        assert session.snapshot().level == level
        assert session.transitions()[-1].kind == "restart"


@every_game
def test_undo_takes_back_one_move_at_a_time_where_the_game_has_it(game: Game) -> None:
    for level in sample_levels(game):
        rng, state, passed = seeded("undo", str(level)), start_of(game, level), []
        session = placed(game, level, state)
        assert (control(session, "undo") is not None) == game.has_undo
        if not game.has_undo:
            continue
        for _ in range(6):
            move = rng.choice(game.legal_moves(state))
            make(session, game, state, move)
            passed.append(state)
            state = game.step(state, move)
            if game.is_won(state) or not game.legal_moves(state):
                break
        while passed and not game.is_won(state):
            press(session, "undo")
            assert session.snapshot().state == game.state_to_json(passed.pop())
        before = session.snapshot().state
        press(session, "undo")
        assert session.snapshot().state == before


@every_game
def test_a_solution_wins_once_and_the_won_board_stays(game: Game) -> None:
    for level in sample_levels(game)[::2]:
        session, state = placed(game, level, start_of(game, level)), start_of(game, level)
        for move in solution(level):
            make(session, game, state, move)
            state = game.step(state, move)
        snapshot = session.snapshot()
        assert snapshot.won
        assert snapshot.potential == 1.0
        assert level in snapshot.won_levels
        assert session.picture()["dialog"]
        moves = [one for one in session.transitions() if one.kind == "move"]
        assert [one.won for one in moves] == [False] * (len(moves) - 1) + [True]
        press(session, "close_dialog")
        *_, last, _won = next(way for way in solved(game.name) if way[-1] == state)
        for move in some_moves(game, last, most=5):
            for gesture in game.gestures(Table(last), move):
                session.gesture(on_pixels(gesture))
        assert session.snapshot().state == game.state_to_json(state)
        press(session, "restart")
        assert not session.snapshot().won
        assert level in session.snapshot().won_levels


@every_game
def test_the_edges_of_the_viewport_are_harmless(game: Game) -> None:
    level, state = played(game.name)[0]
    session = placed(game, level, state)
    before = session.snapshot()
    right, bottom = VIEWPORT.width - 1, VIEWPORT.height - 1
    for x, y in ((0, 0), (right, 0), (0, bottom), (right, bottom), (BOARD.x - 1, BOARD.y), (right, BOARD.y + 300)):
        session.gesture(Tap(x, y))
        session.gesture(Drag(x, y, BOARD.x + 300, BOARD.y + 300))
        session.gesture(Drag(x, y, x, y, finished=False))
    after = session.snapshot()
    assert (after.state, after.level, after.n_transitions) == (before.state, before.level, before.n_transitions)


@every_game
def test_every_difficulty_has_its_levels_and_no_other_has_any(game: Game) -> None:
    assert catalogue().difficulties(game.name) == game.difficulties
    assert boards(game)
