import contextlib
import json
import time
from types import SimpleNamespace

import pytest
from playwright.sync_api import Error

from games.contract import LevelId, Table, Tap
from games.digest import canonical_json
from games.suite import browser
from games.suite.page import PageFailure, SuitePage, decoded_digest
from games.suite.server import SuiteServer

from .player import ids, middle, on_page, play_moves, press

pytestmark = pytest.mark.browser

FIRST = LevelId("bolt_unscrew", "easy", 1)
GAMES = ("bolt_unscrew", "color_connect", "maze_paint", "nut_and_bolt", "rush_hour", "truck_escape")
THIRD = LevelId("bolt_unscrew", "easy", 3)
CONTROLS = ("game:bolt_unscrew", "difficulty:easy", "level:3")


def solution(catalogue, level):
    return catalogue.level(level).certificate["solution"]


def first_board(catalogue, level):
    game = catalogue.games[level.game]
    return game.state_to_json(game.initial_state(catalogue.layout(level)))


def test_a_level_can_be_solved_by_clicking_from_the_home_screen(new_page, catalogue):
    page = new_page()
    session, do = page.session, on_page(page)
    press(session, *CONTROLS, do=do)
    assert session.snapshot().level == THIRD
    play_moves(session, solution(catalogue, THIRD), do=do)
    assert session.snapshot().won_levels == (THIRD,)
    press(session, "next_level", do=do)
    assert session.snapshot().level == LevelId("bolt_unscrew", "easy", 4)
    press(session, "levels", do=do)
    assert "level:3" in ids(session)


def test_the_same_level_and_moves_are_the_same_pixels_in_two_contexts(new_page, catalogue):
    digests = []
    for _ in range(2):
        page = new_page()
        press(page.session, *CONTROLS, do=on_page(page))
        seen = [decoded_digest(page.screenshot())]
        for move in solution(catalogue, THIRD)[:2]:
            play_moves(page.session, [move], do=on_page(page))
            seen.append(decoded_digest(page.screenshot()))
        digests.append(seen)
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == 3


@pytest.mark.parametrize("name", GAMES)
def test_a_placed_board_and_a_played_board_are_the_same_pixels(new_page, catalogue, name):
    page, other = new_page(), new_page()
    level = LevelId(name, catalogue.difficulties(name)[0], 2)
    press(page.session, f"game:{name}", f"difficulty:{level.difficulty}", "level:2")
    game = catalogue.games[name]
    option = max(
        game.options(page.session.picture()["board"]), key=lambda item: (item.appeal, canonical_json(item.move))
    )
    for gesture in option.gestures:
        on_page(page)(gesture)
    assert page.session.transitions()[-1].kind == "move"
    other.session.place(level, page.session.snapshot().state, history=[first_board(catalogue, level)])
    other.settle()
    assert decoded_digest(page.screenshot()) == decoded_digest(other.screenshot())


@pytest.mark.parametrize("name", GAMES)
def test_a_board_is_drawn_alike_whether_or_not_a_menu_showed_a_won_level_before(new_page, catalogue, name):
    page, other = new_page(), new_page()
    won, level = (LevelId(name, catalogue.difficulties(name)[0], number) for number in (1, 2))
    page.session.place(level, first_board(catalogue, level), won_levels=[won])
    press(page.session, "levels", "level:2", do=on_page(page))
    other.session.place(level, first_board(catalogue, level), won_levels=[won])
    other.settle()
    assert decoded_digest(page.screenshot()) == decoded_digest(other.screenshot())


def test_the_screenshot_has_the_pixels_of_an_ordinary_one(new_page):
    page = new_page()
    assert decoded_digest(page.screenshot()) == decoded_digest(page.page.screenshot())


def test_a_motion_ends_in_the_settled_scene(chromium, server, catalogue):
    session, plain = server.open(animate=True), server.open(animate=False)
    for one in (session, plain):
        one.place(THIRD, first_board(catalogue, THIRD))
    with SuitePage(chromium, server, session) as page:
        play_moves(session, solution(catalogue, THIRD)[:1], do=on_page(page))
        assert session.picture()["motion"]["duration_ms"] > 0
        moving = decoded_digest(page.screenshot())
        page.page.evaluate("window.suite.freeze(0.5)")
        assert decoded_digest(page.screenshot()) != moving
        play_moves(plain, solution(catalogue, THIRD)[:1])
        page.show(plain)
        assert decoded_digest(page.screenshot()) == moving


def test_input_during_a_motion_counts_against_the_settled_board(chromium, server, catalogue):
    session = server.open(animate=True)
    session.place(THIRD, first_board(catalogue, THIRD))
    with SuitePage(chromium, server, session) as page:
        game = catalogue.games["bolt_unscrew"]
        move, following = solution(catalogue, THIRD)[:2]
        play_moves(session, [move[:]], do=lambda gesture: page.page.mouse.click(gesture.x, gesture.y) or page.settle())
        option = next(item for item in game.options(session.picture()["board"]) if item.move == following)
        for gesture in option.gestures:  # no wait in between: the second click falls into the lifting motion
            page.page.mouse.click(gesture.x, gesture.y)
        page.settle()
        assert [item.move for item in session.transitions()[1:]] == [move, following]


def test_no_hidden_hole_and_nothing_of_a_solver_is_on_the_wire(chromium, server, catalogue):
    level = LevelId("bolt_unscrew", "hard", 8)
    game, layout = catalogue.games["bolt_unscrew"], catalogue.layout(level)
    state = game.initial_state(layout)
    scene = game.scene(Table(state))
    shown = {item["id"] for item in scene["holes"] + scene["screws"]}
    hidden = [index for index in range(len(layout.anchors)) if index not in shown]
    assert hidden, "this level was chosen because it has hidden holes"
    session = server.open(animate=False)
    session.place(level, game.state_to_json(state))
    with SuitePage(chromium, server, server.open(animate=False)) as page:
        frames = []
        page.page.on("websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(str(text))))
        page.show(session)
        for x in range(200, 720, 130):
            page.click(x, 500)
        source = page.page.content() + "".join(map(str, frames))
    assert '"boards"' in source
    for word in ("solution", "certificate", "optimum", "provenance", "potential", "digest", "anchors", "layout"):
        assert word not in source
    pictures = [json.loads(frame)["picture"] for frame in frames]
    sent = [
        item["id"] for picture in pictures if picture for kind in ("holes", "screws") for item in picture["board"][kind]
    ]
    assert sent
    assert not set(sent) & set(hidden)


def test_corners_and_edges_can_be_clicked(new_page, catalogue):
    page = new_page()
    page.session.place(FIRST, first_board(catalogue, FIRST))
    page.settle()
    before = decoded_digest(page.screenshot())
    for x, y in ((0, 0), (1279, 0), (0, 899), (1279, 899), (640, 0), (0, 450)):
        page.click(x, y)
    assert page.session.seq == 7
    assert decoded_digest(page.screenshot()) == before


def test_every_kind_of_action_reaches_the_session(new_page, catalogue):
    page = new_page()
    level = LevelId("maze_paint", "easy", 1)
    page.session.place(level, first_board(catalogue, level))
    page.settle()
    seen = []
    page.session.subscribe(lambda: seen.append(page.session.seq))
    page.double_click(460, 500)
    page.long_press(460, 500, hold_s=0.05)
    page.type_text("ab")
    page.key("Escape")
    assert len(seen) == 6
    page.scroll(460, 500, 200)
    assert len(seen) == 6
    moves = page.session.snapshot().n_transitions
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
        page.key(key)
    for x, y in ((460, 300), (460, 700), (260, 500), (660, 500)):
        page.swipe(460, 500, x, y)
    assert page.session.snapshot().n_transitions >= moves + 4


def test_the_language_switch_is_drawn(new_page):
    page = new_page()
    english = decoded_digest(page.screenshot())
    press(page.session, "language", do=on_page(page))
    assert page.session.picture()["language"] == "zh"
    chinese = decoded_digest(page.screenshot())
    press(page.session, "language", do=on_page(page))
    assert decoded_digest(page.screenshot()) == english != chinese


def test_a_reloaded_page_shows_the_same_board(new_page, catalogue):
    page = new_page()
    page.session.place(THIRD, first_board(catalogue, THIRD))
    play_moves(page.session, solution(catalogue, THIRD)[:1])
    page.settle()
    before = decoded_digest(page.screenshot())
    page.show(page.session)
    assert decoded_digest(page.screenshot()) == before


def test_a_lost_connection_comes_back_by_itself(new_page, server):
    page = new_page()
    lost = server._connections[page.session.id]
    lost.close_soon()
    deadline = time.monotonic() + 10
    while server._connections.get(page.session.id) in (None, lost) and time.monotonic() < deadline:
        page.page.wait_for_timeout(50)
    page.page.wait_for_function("window.suite.status().socket === 1")
    press(page.session, "game:maze_paint", do=on_page(page))
    assert page.session.snapshot().screen == "difficulties"


def test_a_larger_window_keeps_the_coordinates(chromium, server):
    session = server.open(animate=False)
    context = chromium.new_context(viewport={"width": 1920, "height": 1350})
    page = context.new_page()
    page.goto(server.url(session))
    page.evaluate("window.suite.settled()")
    tap = middle(session, "language")
    page.mouse.click(tap.x * 1.5, tap.y * 1.5)
    page.evaluate("window.suite.settled()")
    context.close()
    assert session.picture()["language"] == "zh"


def test_nothing_is_asked_of_the_outside_world(new_page):
    page = new_page()
    asked = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.show(page.session)
    assert asked
    assert all(url.startswith(("http://127.0.0.1:", "data:")) for url in asked)
    failed = page.page.evaluate("fetch('http://192.0.2.1/').then(() => 'came through', () => 'refused')")
    assert failed == "refused"
    with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
        page.page.goto("http://192.0.2.1/")


def test_a_fault_of_the_suite_is_an_infrastructure_failure(new_page, monkeypatch):
    page = new_page()

    def fail(_gesture):
        page.session.fault = RuntimeError("a planted fault")
        raise page.session.fault

    monkeypatch.setattr(page.session, "gesture", fail)
    with pytest.raises(PageFailure, match="a planted fault") as caught:
        page.click(5, 5)
    assert caught.value.kind == "suite_error"


def test_an_ended_session_is_a_lost_connection(new_page, server):
    page = new_page()
    server._connections[page.session.id].replace()
    time.sleep(0.1)
    with pytest.raises(PageFailure) as caught:
        page.click(5, 5)
    assert caught.value.kind == "socket"


def test_a_missing_view_is_a_failure_of_the_page(chromium, catalogue):
    with SuiteServer(catalogue) as server:
        session = server.open()
        page = SuitePage(chromium, server, session, deadline_s=5)
        page.page.evaluate("window.dispatchEvent(new ErrorEvent('error', {message: 'a planted fault'}))")
        with pytest.raises(PageFailure, match="a planted fault") as caught:
            page.click(5, 5)
        page.close()
    assert caught.value.kind == "page_error"


@pytest.fixture
def own_browser(chromium):
    """A browser that may be broken. Only one Playwright may run in a thread, so it is the shared one's."""
    own = browser.launch(SimpleNamespace(chromium=chromium.browser_type))
    yield own
    own.close()


def test_another_browser_process_draws_the_same_pixels(own_browser, new_page, server):
    page = new_page()
    with SuitePage(own_browser, server, server.open(animate=False)) as other:
        assert decoded_digest(other.screenshot()) == decoded_digest(page.screenshot())


def test_a_crashed_page_is_named(own_browser, server):
    page = SuitePage(own_browser, server, server.open(animate=False), deadline_s=5)
    with contextlib.suppress(Error):
        page.page.goto("chrome://crash")
    with pytest.raises(PageFailure) as caught:
        page.screenshot()
    page.close()
    assert caught.value.kind == "crashed", str(caught.value)


def test_a_hung_page_ends_in_bounded_time(own_browser, server):
    page = SuitePage(own_browser, server, server.open(animate=False), deadline_s=1.0)
    page.page.evaluate("setTimeout(() => { for (;;); }, 20)")
    time.sleep(0.1)
    start = time.monotonic()
    with pytest.raises(PageFailure) as caught:
        page.click(5, 5)
    assert caught.value.kind == "hung"
    assert time.monotonic() - start < 8
    page.close()


def test_a_page_that_does_not_settle_times_out(new_page):
    page = new_page()
    page._deadline_s = 0.5
    page.page.evaluate("() => { window.suite.settled = () => new Promise(() => {}); }")
    with pytest.raises(PageFailure, match="not settled after") as caught:
        page.click(5, 5)
    assert caught.value.kind == "timeout"


def test_taps_on_whole_pixels_suffice(catalogue):
    """Agents click whole pixels: rounding a gesture must not change what it means."""
    from games.suite.session import SuiteSession

    session = SuiteSession(catalogue)
    session.place(THIRD, first_board(catalogue, THIRD))
    play_moves(session, solution(catalogue, THIRD), do=lambda tap: session.gesture(Tap(round(tap.x), round(tap.y))))
    assert session.snapshot().won


def test_a_browser_that_is_gone_is_a_page_failure(own_browser, server):
    own_browser.close()
    session = server.open(animate=False)
    with pytest.raises(PageFailure):
        SuitePage(own_browser, server, session)
