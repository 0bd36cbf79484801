"""The shipped library is what the dead-end takeover study asks for, and every checkpoint holds."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack

import pytest

from checkpoints.build import N_DEAD_ENDS, browser_pages
from checkpoints.store import Library, load_library
from checkpoints.verify import verify_by_rules, verify_in_browser
from games.catalogue import load_catalogue


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library("rq2")


def test_it_holds_24_dead_ends_of_seven_levels_and_12_solvable_states(library: Library) -> None:
    assert Counter(one.cohort for one in library.checkpoints) == {"D": 24, "N": 12}
    assert {one.level.number for one in library.checkpoints if one.cohort == "N"} == {1}
    dead = Counter(one.level.number for one in library.checkpoints if one.cohort == "D")
    assert dead == N_DEAD_ENDS
    assert len({one.state_digest for one in library.checkpoints}) == 36


def test_dead_ends_of_a_level_lie_at_several_depths(library: Library) -> None:
    for number in N_DEAD_ENDS:
        depths = {len(one.moves) for one in library.checkpoints if one.cohort == "D" and one.level.number == number}
        assert len(depths) >= 2, number


def test_every_checkpoint_holds_by_the_rules(library: Library) -> None:
    catalogue = load_catalogue()
    for checkpoint in library.checkpoints:
        verify_by_rules(checkpoint, catalogue)


@pytest.mark.slow
def test_every_prefix_keeps_its_last_four_pictures(library: Library) -> None:
    for checkpoint in library.checkpoints:
        kept = [turn.picture is not None for turn in checkpoint.prefix]
        assert kept == [False] * (len(kept) - 4) + [True] * 4, checkpoint.checkpoint_id
    for digest in {turn.picture for one in library.checkpoints for turn in one.prefix if turn.picture}:
        library.picture_png(digest)


def _verify_in_browser(library: Library, checkpoint_ids: tuple[str, ...]) -> None:
    with browser_pages(load_catalogue()) as (open_page, build):
        for checkpoint_id in checkpoint_ids:
            checkpoint = library.checkpoint(checkpoint_id)
            with ExitStack() as stack:
                digest = verify_in_browser(checkpoint, [stack.enter_context(open_page()) for _ in range(3)], build)
            assert checkpoint.pixels.get(build, digest) == digest


@pytest.mark.browser
def test_replay_and_fast_path_show_the_same_pixels(library: Library) -> None:
    _verify_in_browser(library, ("D01", "N12"))


@pytest.mark.browser
@pytest.mark.slow
def test_replay_and_fast_path_show_the_same_pixels_everywhere(library: Library) -> None:
    _verify_in_browser(library, tuple(one.checkpoint_id for one in library.checkpoints))
