"""The parametric player on real dead ends: what it notices, what it is told, what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diag.agents.simulated import Pace, Parametric, PlayerFactory, Propensities
from diag.agents.simulated.phrases import PHRASES
from diag.grading.rationale import blames_click, names_cause
from diag.session import Limits
from games.contract import LevelId

LEVEL = LevelId("bolt_unscrew", "hard", 2)
TOLD = "No legal relocation of any screw remains on this board."
NAMED = f'{TOLD} The button labelled "Restart" restarts the level.'
SURE = Propensities(
    misclick=0.0, forget=0.0, single_action=0.0, recognise_early=0.0, recognise_dead_end=0.0, restart_when_told=1.0,
    restart_when_named=1.0, heed=1.0, blame_click=1.0, blame_click_when_told=0.0, names_cause=1.0,
)  # fmt: skip


@pytest.fixture(scope="module")
def dead(catalogue):
    """A board without a legal move, reached by always leaving as few moves as possible."""
    game = catalogue.games[LEVEL.game]
    state = game.initial_state(catalogue.layout(LEVEL))
    for _ in range(30):
        moves = game.legal_moves(state)
        if not moves:
            assert not game.is_won(state)
            return state
        state = min((game.step(state, move) for move in moves), key=lambda after: len(game.legal_moves(after)))
    raise AssertionError("no dead end within 30 moves")


def player(seed: int = 0, **changes):
    return PlayerFactory("player", Parametric(replace(SURE, **changes)), Pace(10.0, 0.0)).build(seed)


def kinds(events) -> list[str]:
    changes = [change for event in events if event.kind == "snapshot" for change in event.data["transitions"]]
    return [change["kind"] for change in changes]


def reasons(events) -> list[str]:
    return [event.data["reason"] for event in events if event.kind == "decision"]


def test_untold_it_clicks_on_without_effect_and_blames_the_click(play, dead):
    events = play.takeover(player(), LEVEL, state=dead)
    assert kinds(events) == ["placed"]
    assert events[-1].data["ending"] == "time_limit"
    assert any(blames_click(reason) for reason in reasons(events))
    assert not any(names_cause(reason) for reason in reasons(events))


@pytest.mark.parametrize("told", [TOLD, NAMED])
def test_told_it_restarts_at_once_and_names_the_cause(play, dead, told):
    events = play.takeover(player(), LEVEL, state=dead, told=told)
    assert kinds(events)[:2] == ["placed", "restart"]
    assert names_cause(reasons(events)[0])


def test_a_player_that_heeds_only_named_buttons_tells_the_two_texts_apart(play, dead):
    def restarts(told: str) -> bool:
        return "restart" in kinds(play.takeover(player(restart_when_told=0.0), LEVEL, state=dead, told=told))

    assert not restarts(TOLD)
    assert restarts(NAMED)


def test_it_does_not_restart_again_while_it_sees_moves(play, dead):
    events = play.takeover(player(skill=1.0), LEVEL, state=dead, told=TOLD, limits=Limits(time_s=60))
    assert kinds(events)[:3] == ["placed", "restart", "move"]
    assert kinds(events).count("restart") == 1


def test_a_false_sentence_is_ignored_unless_it_trusts_it_against_its_eyes(play):
    limits = Limits(time_s=30)
    assert "restart" not in kinds(play.takeover(player(), LEVEL, told=TOLD, limits=limits))
    assert "restart" in kinds(play.takeover(player(trust_against_sight=1.0), LEVEL, told=TOLD, limits=limits))


def test_patience_delays_what_it_notices_by_itself(play, dead):
    events = play.takeover(player(patience=5, recognise_dead_end=1.0), LEVEL, state=dead)
    until = [event for event in events if event.kind in ("decision", "snapshot")]
    restart = next(place for place, event in enumerate(until) if "restart" in kinds([event]))
    assert sum(event.kind == "decision" for event in until[:restart]) == 6


def test_overreach_dies_sooner_than_play_without_it(play):
    def died(overreach: float) -> int:
        events = [
            play.takeover(player(seed, overreach=overreach, cramped_holes=9, skill=0.0, patience=99), LEVEL)
            for seed in range(4)
        ]
        return sum(any("full" in r or blames_click(r) for r in reasons(run)) for run in events)

    assert died(1.0) > died(0.0)


def test_stopping_early_is_a_stop_or_a_claim(play, dead):
    quits = play.takeover(player(stop_early=1.0, claim_when_stopping=0.0), LEVEL, state=dead)
    claims = play.takeover(player(stop_early=1.0, claim_when_stopping=1.0), LEVEL, state=dead)
    assert (quits[-1].data["ending"], claims[-1].data["ending"]) == ("stopped", "unverified_claim")


def test_latencies_are_reported_and_move_the_clock(play, dead):
    events = play.takeover(player(), LEVEL, state=dead, limits=Limits(time_s=100))
    assert {event.data["latency_s"] for event in events if event.kind == "decision"} == {10.0}
    assert [event.clock_s for event in events if event.kind == "action"][:3] == [10.0, 22.0, 34.0]


@pytest.mark.parametrize("intention", sorted(PHRASES))
def test_phrases_are_coded_as_their_intention_and_no_other(intention):
    for wording in PHRASES[intention]:
        assert blames_click(wording) == (intention == "blame"), wording
        assert names_cause(wording) == (intention == "cause"), wording


@pytest.mark.parametrize("changes", [{"skill": 1.1}, {"heed": -0.1}, {"patience": -1}, {"patience": 1.5}])
def test_impossible_propensities_are_refused(changes):
    with pytest.raises(ValueError, match="must be"):
        Propensities(**changes)
