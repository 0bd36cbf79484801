"""What people get on top of the page that agents see: menus by keyboard, a role and a label, small windows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from games.catalogue import load_catalogue
from games.picture import decoded_digest
from games.suite.server import SuiteServer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def door() -> Iterator[SuiteServer]:
    with SuiteServer(load_catalogue(), front_door=True) as running:
        yield running


@pytest.fixture
def visitor(chromium, door) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 640, "height": 450})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{door.port}/")
    page.wait_for_selector("#controls button")
    yield page
    context.close()


def _session(door: SuiteServer, page: Page):
    return door._sessions[page.url.rsplit("/", 1)[1]]


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.evaluate("window.suite.settled()")


def _focused(page: Page) -> str | None:
    return page.evaluate("document.activeElement.dataset.id ?? null")


def test_menus_are_walked_by_arrows_and_enter(visitor, door):
    session = _session(door, visitor)
    _press(visitor, "ArrowDown", "ArrowRight", "ArrowDown")
    assert _focused(visitor) == "game:rush_hour"
    _press(visitor, "Enter", "ArrowRight", "Enter")
    assert (session.snapshot().screen, session.picture()["subtitle"][:6]) == ("levels", "Medium")
    _press(visitor, "ArrowRight", "Space", "ArrowRight")  # on a board the arrows are the game's
    assert str(session.snapshot().level) == "rush_hour/medium/2"
    assert visitor.evaluate("document.activeElement.id") == "stage"


def test_menus_are_walked_by_tab(visitor, door):
    _press(visitor, "Tab", "Tab", "Tab")
    assert _focused(visitor) == "game:color_connect"
    _press(visitor, "Shift+Tab", "Enter", "Escape")
    assert _session(door, visitor).snapshot().screen == "home"
    assert visitor.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "4px"


def test_the_canvas_and_its_buttons_say_what_they_are(visitor):
    label = visitor.locator("canvas").get_attribute("aria-label")
    assert label == "Puzzle Workshop. Choose a game"
    assert visitor.get_by_role("button", name="Maze Paint Roll the ball, paint the floor 0/30").count() == 1
    visitor.get_by_role("button", name="Truck Escape").focus()
    _press(visitor, "Enter", "Enter", "Enter")
    assert visitor.locator("canvas").get_attribute("role") == "application"
    assert "Vehicles cannot turn" in visitor.locator("canvas").get_attribute("aria-label")


def test_a_small_window_shows_the_whole_picture_and_takes_clicks(visitor, door):
    assert visitor.locator("canvas").bounding_box() == {"x": 0, "y": 0, "width": 640, "height": 450}
    visitor.mouse.click(586, 28)
    visitor.evaluate("window.suite.settled()")
    assert _session(door, visitor).picture()["language"] == "zh"
    assert visitor.evaluate("document.documentElement.lang") == "zh"


def test_an_agent_sees_and_does_what_it_did(chromium, door):
    """The same pixels, and no key of its own that walks a menu; the accessible page is the visitors' alone."""
    pictures = []
    for url in (f"http://127.0.0.1:{door.port}/", door.url(door.open(animate=False))):
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(url)
        page.evaluate("window.suite.settled()")
        pictures.append(decoded_digest(page.screenshot()))
    _press(page, "Tab", "ArrowDown", "Enter")
    pictures.append(decoded_digest(page.screenshot()))
    assert len(set(pictures)) == 1
    assert page.evaluate("document.querySelectorAll('button, [role], [aria-label], [tabindex]').length") == 0
