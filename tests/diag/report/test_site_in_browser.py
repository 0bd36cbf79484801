"""The report opened as a reader opens it: from file://, at three widths, by mouse and by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from games.suite.browser import ensure_driver, launch

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    ensure_driver()
    with sync_playwright() as playwright:
        opened = launch(playwright)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page that fails the test on any console error, page error, or request that leaves file://."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else faults.append(request.url)
    )
    yield opened
    opened.close()
    assert faults == []


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_no_page_scrolls_sideways(report: Path, page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 900})
    for name in ("report.html", "continuations/D1-1-B-r1.html", "comparisons/D1-1.html"):
        page.goto((report.parent / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_figures_have_names_and_wide_tables_are_reached_by_the_keyboard(report: Path, page: Page):
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto(report.as_uri())
    names = page.locator("figure.plot > svg").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert names
    assert all(names)
    wide = page.locator(".scroll:has(table.effects)")
    assert wide.evaluate("one => one.scrollWidth > one.clientWidth")
    assert wide.evaluate("one => [one.tabIndex, one.role]") == [0, "region"]
    assert wide.evaluate("one => getComputedStyle(one).backgroundImage.includes('gradient')"), "a shade says so"


def test_without_scripts_nothing_is_shown_that_only_a_script_moves(report: Path, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto((report.parent / "continuations/D1-1-B-r1.html").as_uri())
    assert still.locator("input[type=range]").count() == 1
    assert still.locator("input[type=range]:visible").count() == 0
    assert still.locator("ol.steps > li:visible").count() > 0
    context.close()


def test_the_grid_shows_the_chosen_endpoint(report: Path, page: Page):
    page.goto(report.as_uri())
    before = page.locator(".cell.yes").count()
    page.select_option("#grid-endpoint", label="won")
    cell = page.locator('a.cell[title^="D1-1-C-r1"]')
    assert "won: no" in (cell.get_attribute("title") or "")
    assert "no" in (cell.get_attribute("class") or "").split()
    assert page.locator(".cell.lost").count() == 1
    assert before != page.locator(".cell.yes").count()


def test_the_grid_is_filtered_by_arm_and_ending(report: Path, page: Page):
    page.goto(report.as_uri())
    everything = page.locator("a.cell:visible").count()
    page.select_option("#grid-arm", "C")
    of_c = page.locator("a.cell:visible").count()
    assert 0 < of_c < everything
    assert of_c == page.locator('a.cell[data-arm="C"]').count()
    ending = page.locator("#grid-ending option").nth(1).get_attribute("value")
    page.select_option("#grid-ending", ending)
    both = page.locator(f'a.cell[data-arm="C"][data-ending="{ending}"]').count()
    assert page.locator("a.cell:visible").count() == both
    assert page.locator("#grid-count").inner_text() == f"{both} of {everything} units"
    page.select_option("#grid-arm", "")
    page.select_option("#grid-ending", "")
    assert page.locator("a.cell:visible").count() == everything


def test_links_lead_from_cell_to_continuation_to_block_and_back(report: Path, page: Page):
    page.goto(report.as_uri())
    page.click('a.cell[title^="D1-1-C-r1"]')
    assert page.locator("h1").inner_text() == "D1-1-C-r1"
    page.click('a[rel="prev"]')
    assert page.locator("h1").inner_text() == "D1-1-B-r1"
    page.click("text=block D1-1")
    assert page.locator("h1").inner_text() == "Block D1-1"
    page.click("header a")
    assert page.url == report.as_uri()


def test_scrubbing_by_keyboard_slider_and_step(report: Path, page: Page):
    page.goto((report.parent / "continuations" / "D1-1-B-r1.html").as_uri())
    steps = page.locator("ol.steps > li")
    last = steps.count() - 1
    page.keyboard.press("ArrowRight")
    assert page.locator("ol.steps > li.now").get_attribute("id") == "step-2"
    reason = steps.nth(1).locator(".said p").first.inner_text()
    assert page.locator(".now-says p").first.inner_text() == reason
    wanted = steps.nth(1).locator("img").get_attribute("src")
    assert page.locator(".stage img").get_attribute("src") == wanted
    page.wait_for_function("document.querySelector('.stage img').naturalWidth === 1280")
    mark = page.locator(".stage .mark circle").first
    assert mark.get_attribute("cx") == steps.nth(1).locator(".mark circle").first.get_attribute("cx")
    page.keyboard.press("End")
    assert page.locator("ol.steps > li.now").get_attribute("id") == f"step-{last + 1}"
    page.locator("input[type=range]").fill("0")
    assert page.locator("output").inner_text().startswith(f"1 of {last + 1}")
    steps.nth(2).locator("a.go").click()
    assert page.url.endswith("#step-3")


def test_a_link_to_a_step_opens_it(report: Path, page: Page):
    page.goto((report.parent / "continuations" / "D1-1-B-r1.html").as_uri() + "#step-3")
    assert page.locator("ol.steps > li.now").get_attribute("id") == "step-3"
    page.wait_for_function("Math.abs(document.querySelector('.watch').getBoundingClientRect().top) < 2")


def test_the_decisions_of_all_arms_stand_in_one_row_at_every_width(report: Path, page: Page):
    for width in (390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((report.parent / "comparisons" / "D1-1.html").as_uri())
        tops = page.evaluate(
            "[...document.querySelectorAll('.columns ol.steps')]"
            ".map((list) => [...list.children].map((row) => Math.round(row.getBoundingClientRect().top)))"
        )
        assert len(tops) == 3
        n_common = min(len(arm) for arm in tops)
        assert n_common >= 2
        assert all(len({arm[k] for arm in tops}) == 1 for k in range(n_common)), width


def test_hostile_text_does_not_run(report: Path, page: Page):
    page.goto((report.parent / "continuations" / "D1-1-A-r1.html").as_uri())
    assert "D1-1-A-r1" in page.title()
    assert "<script>" in page.locator(".now-says").inner_text()


def test_a_missing_picture_is_named_not_broken(copy: Path, browser: Browser):
    from diag.report import write_report

    report = write_report(copy, with_verdicts=False)
    for picture in (copy / "pictures").glob("*/*.png"):
        picture.unlink()
    page = browser.new_page()
    page.goto((report.parent / "continuations" / "D1-1-B-r1.html").as_uri())
    page.wait_for_selector(".stage img.lost", state="attached")
    assert page.locator(".stage .nopicture").is_visible()
    page.close()


def test_it_can_be_read_without_script(report: Path, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator(".cell.yes").count() > 0
    page.goto((report.parent / "continuations" / "D1-1-B-r1.html").as_uri())
    assert page.locator("ol.steps > li").first.locator(".said p").first.is_visible()
    context.close()


@pytest.mark.parametrize("name", ["report.html", "comparisons/D1-1.html", "continuations/D1-1-B-r1.html"])
def test_a_script_that_got_into_a_page_does_not_run(report: Path, browser: Browser, name: str):
    whole = (report.parent / name).read_text()
    assert "unsafe-inline" not in whole.partition("script-src")[2].partition('"')[0]
    taken = (report.parent / name).with_name("taken.html")
    assert "<main" in whole
    taken.write_text(whole.replace("<main", "<script>document.title = 'taken'</script><main", 1))
    page = browser.new_page()
    page.goto(taken.as_uri())
    title = page.title()
    page.close()
    taken.unlink()
    assert title != "taken"
