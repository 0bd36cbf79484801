"""A checkpoint is restored whatever words the screen shows; stored pixels are compared with the same words alone."""

from dataclasses import replace

import pytest

from checkpoints.build import browser_pages
from checkpoints.controller import PICTURED_LOOK, RestorationFailure, known_pixels, pictures_along, restore
from checkpoints.repaint import unpictured
from checkpoints.store import load_library
from games.catalogue import load_catalogue
from games.picture import decoded_digest
from games.suite.page import SuitePage
from games.suite.session import SuiteSession

CATALOGUE = load_catalogue()
D01 = load_library("rq2").checkpoint("D01")


def test_pixels_are_known_for_the_look_that_was_pictured():
    pixels = {"build": "digest"}
    assert SuiteSession(CATALOGUE).look == PICTURED_LOOK
    assert known_pixels(pixels, SuiteSession(CATALOGUE), "build") == "digest"
    assert known_pixels(pixels, SuiteSession(CATALOGUE), "another") is None
    assert known_pixels(pixels, SuiteSession(CATALOGUE, "zh"), "build") is None
    assert known_pixels(pixels, SuiteSession(CATALOGUE, instructions="full"), "build") is None


def test_repainting_begins_from_what_the_rules_alone_say():
    for name in ("rq2", "rq3"):
        one = load_library(name).checkpoints[0]
        bare = unpictured(one)
        assert bare.pixels == {}
        assert "pixels" not in bare.provenance.get("restart", {})
        assert {turn.picture for turn in bare.prefix} == {None}
        assert (bare.state, bare.moves, bare.certificate) == (one.state, one.moves, one.certificate)
        assert [turn.action for turn in bare.prefix] == [turn.action for turn in one.prefix]


def test_in_a_browser_another_look_restores_the_state_and_draws_its_own_pictures():
    with browser_pages(CATALOGUE) as (open_page, build), open_page() as (session, page):
        stored = pictures_along(session, page, D01)
        assert [decoded_digest(png) for png in stored.values()] == list(stored)
        server, browser = page._server, page._browser
        other = server.open("zh", animate=False, instructions="none")
        with SuitePage(browser, server, other) as drawn:
            again = pictures_along(other, drawn, D01)
            assert set(again) == set(stored)
            assert not {decoded_digest(png) for png in again.values()} & set(stored)
        fresh = server.open("zh", animate=False)
        with SuitePage(browser, server, fresh) as drawn:
            assert not restore(fresh, D01, drawn, browser_build=build).pixels_known
        wrong = replace(D01, pixels={build: "0" * 64})
        plain = server.open(animate=False)
        with SuitePage(browser, server, plain) as drawn, pytest.raises(RestorationFailure, match="pixels"):
            restore(plain, wrong, drawn, browser_build=build)
