"""One meaning in both worlds: a list of actions in the browser and on rules only gives the same transitions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import games.maze_paint
from diag.records import InfrastructureFailure
from diag.session.actions import parse_action
from diag.session.environment import BrowserEnvironment, RulesEnvironment, gestures_of
from games.catalogue import catalogue_of, load_catalogue
from games.contract import Drag, KeyPress, LevelId, Tap
from games.suite.session import SuiteSession

MAZE = LevelId("maze_paint", "easy", 3)
TRUCKS = LevelId("truck_escape", "default", 1)


@pytest.mark.parametrize(
    ("action", "gestures"),
    [
        ({"name": "click", "x": 3, "y": 4}, (Tap(3, 4),)),
        ({"name": "double_click", "x": 3, "y": 4}, (Tap(3, 4), Tap(3, 4))),
        ({"name": "long_press", "x": 3, "y": 4}, (Tap(3, 4),)),
        ({"name": "drag", "x": 0, "y": 0, "x2": 8, "y2": 0}, (Drag(0, 0, 8, 0),)),
        ({"name": "drag", "x": 0, "y": 0, "x2": 7, "y2": 0}, (Tap(0, 0),)),
        ({"name": "swipe", "x": 9, "y": 9, "x2": 9, "y2": 90}, (Drag(9, 9, 9, 90),)),
        ({"name": "key", "key": "ArrowUp"}, (KeyPress("ArrowUp"),)),
        ({"name": "type", "text": "aB 1\n"}, tuple(map(KeyPress, ("a", "b", "Space", "Enter")))),
        ({"name": "scroll", "x": 1, "y": 1, "dy": 5}, ()),
        ({"name": "wait", "seconds": 1}, ()),
        ({"name": "answer", "text": "done"}, ()),
    ],
)
def test_what_a_page_sends_for_an_action(action, gestures):
    assert gestures_of(parse_action(action)) == gestures


@pytest.fixture(scope="module")
def maze() -> Any:
    """Only one game, so that no other game's view can break this test."""
    path = Path(games.maze_paint.__file__).with_name("levels.json")
    return catalogue_of([(path.name, json.loads(path.read_text(encoding="utf-8")))])


def script(catalogue: Any) -> list[dict[str, Any]]:
    """Actions that navigate, play, miss, drag too short, press keys, undo nothing, restart and leave."""
    scratch = SuiteSession(catalogue, animate=False)

    def centre(control_id: str) -> tuple[int, int]:
        control = next(item for item in scratch.picture()["controls"] if item["id"] == control_id)
        x, y, width, height = control["rect"]
        return round(x + width / 2), round(y + height / 2)

    actions: list[dict[str, Any]] = []

    def do(**action: Any) -> None:
        actions.append(action)
        for gesture in gestures_of(parse_action(action)):
            scratch.gesture(gesture)

    def press(control_id: str, name: str = "click") -> None:
        x, y = centre(control_id)
        do(name=name, x=x, y=y)

    press("game:maze_paint")
    press("difficulty:easy")
    press("level:3")
    for key in ("ArrowLeft", "ArrowUp", "a", "ArrowRight", "Escape"):
        do(name="key", key=key)
    for x2, y2 in ((460, 280), (640, 470), (463, 472), (300, 640), (200, 470)):
        do(name="swipe", x=460, y=470, x2=x2, y2=y2)
    do(name="drag", x=460, y=470, x2=460, y2=760)
    do(name="type", text="hello wOrld 1?")
    do(name="scroll", x=460, y=470, dy=400)
    do(name="wait", seconds=1)
    press("restart")
    do(name="key", key="ArrowUp")
    press("levels", "long_press")
    do(name="double_click", x=0, y=0)
    do(name="click", x=1279, y=899)
    press("level:3", "double_click")
    return actions


@pytest.mark.browser
@pytest.mark.parametrize("animate", [False, True])
def test_the_same_actions_make_the_same_transitions_in_both_worlds(maze, animate):
    from playwright.sync_api import sync_playwright

    from games.suite.browser import ensure_driver, launch
    from games.suite.page import SuitePage
    from games.suite.server import SuiteServer

    catalogue = maze
    ensure_driver()
    rules_session = SuiteSession(catalogue, animate=animate)
    rules = RulesEnvironment(rules_session, catalogue)
    with sync_playwright() as playwright, SuiteServer(catalogue) as server:
        browser = launch(playwright)
        session = server.open(animate=animate)
        with SuitePage(browser, server, session) as page:
            world = BrowserEnvironment(session, catalogue, page, browser.version)
            assert world.screenshot().startswith(b"\x89PNG")
            for raw in script(catalogue):
                for environment in (rules, world):
                    environment.perform(parse_action(raw))
                assert world.transitions(0) == rules.transitions(0), raw
                assert world.snapshot() == rules.snapshot(), raw
            assert world.settled == "settled"
            assert {change.kind for change in world.transitions(0)} == {"enter", "move", "restart", "leave"}
        browser.close()


@pytest.mark.browser
def test_a_dead_browser_is_a_typed_failure_in_bounded_time(maze):
    from playwright.sync_api import sync_playwright

    from games.suite.browser import ensure_driver, launch
    from games.suite.page import SuitePage
    from games.suite.server import SuiteServer

    catalogue = maze
    ensure_driver()
    with sync_playwright() as playwright, SuiteServer(catalogue) as server:
        browser = launch(playwright)
        session = server.open(animate=False)
        page = SuitePage(browser, server, session, deadline_s=5.0)
        world = BrowserEnvironment(session, catalogue, page)
        browser.close()
        with pytest.raises(InfrastructureFailure, match="browser"):
            world.screenshot()
        assert world.settled == "unknown"


def test_held_input_is_dropped_until_the_first_screenshot_is_taken():
    catalogue = load_catalogue()
    session = SuiteSession(catalogue, animate=False)
    game = catalogue.games[TRUCKS.game]
    session.place(TRUCKS, game.state_to_json(game.initial_state(catalogue.layout(TRUCKS))))
    session.hold()
    environment = RulesEnvironment(session, catalogue)
    restart = parse_action({"name": "click", "x": 414, "y": 52})
    environment.perform(restart)
    assert [change.kind for change in environment.transitions(0)] == ["placed"]
    environment.release()
    environment.perform(restart)
    assert [change.kind for change in environment.transitions(0)] == ["placed", "restart"]


def test_the_layout_is_the_catalogues():
    catalogue = load_catalogue()
    environment = RulesEnvironment(SuiteSession(catalogue), catalogue)
    assert environment.layout(MAZE) == catalogue.level(MAZE).layout_json
