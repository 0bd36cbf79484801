"""Every seeded defect breaks its one criterion on the real page, and the clean build passes them all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from diag.studies.playtest.builds.bundle import GAMES, bundle_digest, write_bundle
from diag.studies.playtest.builds.defect import Defect, PatchError, apply_defects
from diag.studies.playtest.builds.game_defects import defects_of
from diag.studies.playtest.builds.page import BuildPage
from diag.studies.playtest.builds.serving import BuildDoesNotStart, BuildServer
from diag.studies.playtest.judging import Session
from diag.studies.playtest.oracle import Oracle, clean_looks
from diag.studies.playtest.page_judge import PageJudge
from diag.studies.playtest.rubric import DIMENSIONS, Rubric
from diag.studies.playtest.rubrics import rubric_of
from games.catalogue import load_catalogue
from games.suite import browser
from games.suite.server import SuiteServer


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    try:
        browser.ensure_driver()
        browser.find()
    except browser.BrowserMissing as error:
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        found = browser.launch(playwright)
        yield found
        found.close()


def build(game: str, folder: Path, *names: str) -> Path:
    bundle = write_bundle(game, folder / "-".join((game, *names)))
    apply_defects(bundle, [defects_of(game)[name] for name in names])
    return bundle


def test_the_catalogue_has_thirty_patches_over_all_dimensions():
    patches = {(one.file, one.find, one.replace) for game in GAMES for one in defects_of(game).values()}
    broken = {rubric_of(game).criterion(one.criterion).dimension for game in GAMES for one in defects_of(game).values()}
    assert len(patches) >= 30
    assert broken == set(DIMENSIONS)


@pytest.mark.parametrize("game", GAMES)
def test_every_criterion_has_a_defect(game):
    criteria = {criterion.name for criterion in rubric_of(game).criteria}
    assert {defect.criterion for defect in defects_of(game).values()} == criteria


@pytest.mark.parametrize("game", GAMES)
def test_the_defects_of_a_game_fit_one_bundle_in_any_order(game, tmp_path):
    names = [name for name in defects_of(game) if name != "legend_missing"]
    one, other = build(game, tmp_path / "a", *names), build(game, tmp_path / "b", *reversed(names))
    assert bundle_digest(one) == bundle_digest(other)
    assert bundle_digest(one) != bundle_digest(write_bundle(game, tmp_path / "clean"))


@pytest.mark.parametrize("game", GAMES)
def test_every_patch_fits_and_does_what_it_says_to_one_file(game, tmp_path):
    clean = write_bundle(game, tmp_path / "clean") / "games"
    for name, defect in defects_of(game).items():
        broken = build(game, tmp_path, name) / "games"
        assert (broken / defect.file).read_text().count(defect.replace or "") >= 1
        assert (broken / defect.file).read_bytes() != (clean / defect.file).read_bytes()


def test_a_patch_that_does_not_fit_is_refused(tmp_path):
    bundle = write_bundle("maze_paint", tmp_path / "build")
    stray = Defect("stray", "keys", "maze_paint/rules.py", "no such text", "", "")
    with pytest.raises(PatchError, match=r"stray.*maze_paint/rules.py.*0 times"):
        apply_defects(bundle, [stray])


def test_a_build_that_cannot_be_imported_does_not_start(tmp_path):
    bundle = write_bundle("maze_paint", tmp_path / "build")
    (bundle / "games" / "maze_paint" / "rules.py").write_text("def broken(:\n")
    with pytest.raises(BuildDoesNotStart, match="SyntaxError"), BuildServer(bundle):
        pass


def test_a_build_cannot_make_a_socket(tmp_path):
    bundle = write_bundle("maze_paint", tmp_path / "build")
    rules = bundle / "games" / "maze_paint" / "rules.py"
    rules.write_text(rules.read_text() + "\n\nimport socket\n\nsocket.socket()\n")
    with pytest.raises(BuildDoesNotStart, match="Operation not permitted"), BuildServer(bundle):
        pass


def test_a_build_holds_one_game_and_nothing_of_the_study(tmp_path):
    bundle = write_bundle("rush_hour", tmp_path / "build")
    look = "from games.registry import registered_games; print(*registered_games())"
    script = f"import sys; sys.path[:0] = [{str(bundle)!r}]; {look}"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=bundle)
    assert answer.stdout.split() == ["rush_hour"]
    assert not list(bundle.rglob("diag"))


@pytest.mark.browser
def test_a_build_s_page_reaches_no_other_port(chromium, tmp_path):
    with (
        BuildServer(write_bundle("maze_paint", tmp_path / "build")) as server,
        SuiteServer(load_catalogue(), front_door=True) as suite,
        BuildPage(chromium, server) as page,
    ):
        answer = page.page.goto(f"{server.address}suite/page.css")
        assert answer is not None
        assert answer.ok
        with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):  # not by a policy that the build could drop
            page.page.goto(f"http://127.0.0.1:{suite.port}/suite/page.css")


def judged(chromium: Browser, rubric: Rubric, bundle: Path, clean: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the oracle and the judge on the page fail."""
    with BuildServer(clean) as server, BuildPage(chromium, server) as page:
        meant = clean_looks(page, rubric)
    with BuildServer(bundle) as server, BuildPage(chromium, server) as page:
        oracle = Session(Oracle(meant), page).judge(rubric)
        seen = Session(PageJudge(), page).judge(rubric)
    return oracle.failed, seen.failed


@pytest.mark.slow
@pytest.mark.browser
def test_a_sample_both_judges_see(chromium, tmp_path):
    rubric = rubric_of("rush_hour")
    clean = write_bundle("rush_hour", tmp_path / "clean")
    broken = build("rush_hour", tmp_path, "cars_pass", "legend_wrong")
    assert judged(chromium, rubric, clean, clean) == ((), ())
    oracle, seen = judged(chromium, rubric, broken, clean)
    assert set(oracle) == {"block", "legend"}
    assert seen == ("block",), "a judge who cannot read misses the wrong legend"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_every_defect_breaks_its_criterion_and_no_other(chromium, game, tmp_path):
    rubric = rubric_of(game)
    with BuildServer(write_bundle(game, tmp_path / "clean")) as server, BuildPage(chromium, server) as page:
        meant = clean_looks(page, rubric)
        assert Session(Oracle(meant), page).judge(rubric).pass_share == 1.0
    for name, defect in defects_of(game).items():
        with BuildServer(build(game, tmp_path, name)) as server, BuildPage(chromium, server) as page:
            assert Session(Oracle(meant), page).judge(rubric).failed == (defect.criterion,), name


@pytest.mark.browser
@pytest.mark.slow
def test_a_build_whose_page_hangs_fails_where_it_hangs_and_is_judged_on(chromium, tmp_path):
    from games.suite.browser_loop import BrowserLoop

    bundle = write_bundle("maze_paint", tmp_path / "build")
    view = bundle / "games" / "maze_paint" / "view" / "view.js"
    view.write_text(view.read_text() + "\naddEventListener('keydown', () => { for (;;); }, true);\n")
    rubric = rubric_of("maze_paint")
    criteria = [rubric.criterion(name) for name in ("keys", "restart", "legend", "ball")]  # the hang comes first
    loop = BrowserLoop()
    try:
        with BuildServer(bundle) as server, BuildPage(loop.browser, server, deadline_s=3.0) as page:
            session = Session(PageJudge(), page)
            found = [session._verdict("maze_paint", one, float("inf")) for one in criteria]
            assert loop.browser.is_connected()
    finally:
        loop.close()
    assert [one.verdict for one in found] == ["FAIL", "PASS", "PASS", "PASS"], [one.reason for one in found]
