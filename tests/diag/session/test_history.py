"""The history policy: which turns and pictures are still shown."""

from __future__ import annotations

import pytest

from diag.session.contract import PublicContext, Turn
from diag.session.history import (
    CODE_AGENTS,
    GUI_MODELS,
    HistoryPolicy,
    at_takeover,
    history_of,
    pictures_in,
    remember,
    summary_is_due,
)


def turn(name: str) -> Turn:
    return Turn((), "", name, f"p-{name}")


def test_at_takeover_four_pairs_keep_their_picture_and_all_text_stays():
    context = at_takeover(PublicContext("play", tuple(turn(str(n)) for n in range(7))), HistoryPolicy())
    assert [item.picture for item in context.prefix] == [None, None, None, "p-3", "p-4", "p-5", "p-6"]
    assert [item.reason for item in context.prefix] == list("0123456")


def test_newer_pictures_push_out_older_ones_and_the_window_is_twelve_turns():
    context = PublicContext("play", (turn("x"), turn("y")))
    for n in range(14):
        context = remember(context, turn(str(n)), HistoryPolicy())
        assert len(pictures_in(context)) == min(4, n + 3)
    assert [item.reason for item in context.recent] == [str(n) for n in range(2, 14)]
    assert pictures_in(context) == ("p-10", "p-11", "p-12", "p-13")
    assert [item.reason for item in context.prefix] == ["x", "y"]


def test_no_turn_leaves_the_window_before_a_summary_could_cover_it():
    policy = HistoryPolicy()
    summarized = 0
    for n in range(1, 100):
        assert n - policy.recent_turns <= summarized
        summarized = n if summary_is_due(n, policy) else summarized
    assert [n for n in range(25) if summary_is_due(n, policy)] == [8, 16, 24]


@pytest.mark.parametrize("numbers", [{"recent_turns": -1}, {"summary_every_turns": 0}, {"summary_every_turns": 13}])
def test_impossible_policies_are_refused(numbers):
    with pytest.raises(ValueError, match="summary"):
        HistoryPolicy(**numbers)


class Declares:
    episode_history = GUI_MODELS


def test_an_agent_keeps_its_own_history_where_the_study_lets_it():
    own, window = HistoryPolicy(kept="agent"), HistoryPolicy()
    assert history_of(Declares(), own) == GUI_MODELS
    assert history_of(Declares(), window) == window
    assert history_of(object(), own) == own


def test_gui_models_see_all_text_and_two_screenshots_and_code_agents_all_text():
    for policy, earlier in ((GUI_MODELS, 1), (CODE_AGENTS, 4)):
        context = PublicContext("play")
        for n in range(40):
            context = remember(context, turn(str(n)), policy)
        assert len(context.recent) == 40
        assert pictures_in(context) == tuple(f"p-{n}" for n in range(40 - earlier, 40))
        assert not any(summary_is_due(n, policy) for n in range(3_600))


def test_whose_history_it_is_has_two_answers():
    with pytest.raises(ValueError, match="history kept: found 'mine', wanted one of study, agent"):
        HistoryPolicy(kept="mine")
