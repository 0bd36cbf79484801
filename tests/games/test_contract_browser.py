"""What every game promises in the real browser: equal pixels for equal boards, and levels that real pointer events win.

`pytest -m slow tests/games/test_contract_browser.py` wins all levels of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from contract_boards import GAMES, NAMES, catalogue, played, solution, solved, start_of
from hand import perform
from playwright.sync_api import Browser

from games.contract import Game, LevelId, Table
from games.suite.page import SuitePage, decoded_digest
from games.suite.server import SuiteServer

pytestmark = pytest.mark.browser
every_game = pytest.mark.parametrize("game", GAMES, ids=NAMES)
LEVELS = [level.id for level in catalogue().entries]


@pytest.fixture(scope="module")
def server() -> Iterator[SuiteServer]:
    with SuiteServer(catalogue()) as running:
        yield running


@pytest.fixture(scope="module")
def pages(chromium: Browser, server: SuiteServer) -> Iterator[tuple[SuitePage, SuitePage]]:
    """Two pages in two contexts, on two sessions, drawing settled scenes only."""
    found = tuple(SuitePage(chromium, server, server.open(animate=False), deadline_s=20) for _ in range(2))
    yield found[0], found[1]
    for page in found:
        page.close()


def put(page: SuitePage, game: Game, level: LevelId, state: Any) -> None:
    page.session.place(level, game.state_to_json(state))
    page.settle()


def win(page: SuitePage, game: Game, level: LevelId) -> None:
    """Play the stored solution on the page, and check each board on the way."""
    state = start_of(game, level)
    put(page, game, level, state)
    for move in solution(level):
        for gesture in game.gestures(Table(state, page.session.snapshot().held), move):
            perform(page, gesture)
        state = game.step(state, move)
        assert page.session.snapshot().state == game.state_to_json(state), f"{level}: {move}"
    assert page.session.snapshot().won


@every_game
def test_a_board_has_the_same_pixels_in_another_context(game: Game, pages: tuple[SuitePage, SuitePage]) -> None:
    digests = set()
    won = (played(game.name)[0][0], solved(game.name)[0][-1])
    for level, state in (*played(game.name)[:: max(1, len(played(game.name)) // 4)], won):
        for page in pages:
            put(page, game, level, state)
        first, second = (decoded_digest(page.screenshot()) for page in pages)
        assert first == second
        digests.add(first)
    assert len(digests) > 3, "different boards look different"


@every_game
def test_the_way_to_a_board_leaves_no_trace_in_its_pixels(game: Game, pages: tuple[SuitePage, SuitePage]) -> None:
    level, state = played(game.name)[1]
    came, was_put = pages
    move = game.legal_moves(state)[-1]
    put(came, game, level, state)
    for gesture in game.gestures(Table(state), move):
        perform(came, gesture)
    put(was_put, game, level, game.step(state, move))
    assert came.session.snapshot().state == was_put.session.snapshot().state
    assert decoded_digest(came.screenshot()) == decoded_digest(was_put.screenshot())


@every_game
def test_the_first_level_is_won_by_real_pointer_events(game: Game, pages: tuple[SuitePage, SuitePage]) -> None:
    win(pages[0], game, next(level for level in LEVELS if level.game == game.name))


@every_game
def test_motions_end_in_the_settled_picture(game: Game, chromium: Browser, server: SuiteServer) -> None:
    level, state = played(game.name)[0]
    move = game.legal_moves(state)[0]
    with SuitePage(chromium, server, server.open(animate=True), deadline_s=20) as page:
        put(page, game, level, state)
        for gesture in game.gestures(Table(state), move):
            perform(page, gesture)
        animated = decoded_digest(page.screenshot())
        put(page, game, level, game.step(state, move))
        assert decoded_digest(page.screenshot()) == animated


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_every_level_is_won_by_real_pointer_events(level: LevelId, pages: tuple[SuitePage, SuitePage]) -> None:
    win(pages[0], catalogue().games[level.game], level)
