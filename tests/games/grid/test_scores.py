"""Hand-worked scores, counting of plays, and the package arc-agi on random plays where it can be imported."""

from __future__ import annotations

import random

import pytest

from games.contract import LevelId
from games.grid.actions import RESET, GridAction
from games.grid.card import PlayCounter
from games.grid.contract import Observation
from games.grid.environment import GridEnvironment, level_set
from games.grid.frame import blank
from games.grid.scores import Play, capped_levels, game_score, level_score, play_score, total_score, upper_median


def test_hand_worked():
    assert level_score(3, 4) == 56.25
    assert level_score(4, 5) == pytest.approx(64)
    assert play_score([3, 4], Play((4, 5))) == pytest.approx((56.25 + 2 * 64) / 3)
    assert level_score(146, 24) == level_score(132, 45) == 115
    assert (level_score(10, 0), level_score(10000, 9325), level_score(10000, 9326) < 115) == (0, 115, True)


def test_a_fast_level_repairs_a_slow_one_but_no_game_exceeds_its_completed_share():
    assert play_score([10, 10], Play((20, 5))) == pytest.approx((25 + 2 * 115) / 3)
    assert play_score([10, 10], Play((5, 5))) == 100
    assert play_score([10, 10, 10], Play((5,), 7)) == pytest.approx(100 / 6)
    assert capped_levels([10, 10, 10], Play((5, 10))) == 1


def test_a_game_is_its_best_play_and_the_sum_of_its_actions():
    found = game_score([10, 10], [Play((10,), 3), Play((20, 10), 0), Play((), 4)])
    assert (found.levels_completed, found.n_levels, found.actions) == (2, 2, 47)
    assert found.score == pytest.approx((25 + 200) / 3)
    assert game_score([10], []).score == 0


def test_an_unplayed_game_counts_zero():
    assert total_score({"a": 60.0}, ["a", "b", "c"]) == 20
    with pytest.raises(ValueError, match="a score of d"):
        total_score({"d": 1.0}, ["a"])


def test_upper_median():
    assert [upper_median(counts) for counts in ([7], [1, 9], [1, 5, 9], [4, 1, 3, 2], [5, 4, 1, 3, 2])] == [
        7,
        9,
        5,
        3,
        3,
    ]


@pytest.mark.parametrize("play", [Play((1, 2, 3)), Play((-1,))])
def test_plays_that_cannot_be_scored_are_refused(play):
    with pytest.raises(ValueError, match="wanted"):
        play_score([3, 3], play)


def test_resets_cost_an_action_and_the_opening_one_none(catalogue):
    env, counter = GridEnvironment(level_set(catalogue, [LevelId("truck_escape", "default", 1)])), PlayCounter()
    counter.add(GridAction(RESET), env.reset())
    first = env.plan(env.levels.game.legal_moves(env.rules_state)[0])[0]
    for action in (first, GridAction(RESET)):
        counter.add(action, env.step(action))
    while env.observation.status == "playing":
        action = env.plan(env.levels.game.legal_moves(env.rules_state)[0])[0]
        counter.add(action, env.step(action))
    counter.add(first, env.step(first))
    assert counter.plays == (Play((12,), 0),)
    counter.add(GridAction(RESET), env.reset())
    assert counter.plays == (Play((12,), 0), Play((), 0))


def test_a_thousand_random_plays_score_as_in_the_package():
    scorecard = pytest.importorskip("arc_agi.scorecard")
    rng = random.Random(0)
    for _ in range(1000):
        baselines = [rng.randint(1, 60) for _ in range(rng.randint(1, 9))]
        done = rng.randint(0, len(baselines))
        play = Play(tuple(rng.randint(1, 90) for _ in range(done)), rng.randint(0, 40))
        theirs = scorecard.EnvironmentScoreCalculator()
        for number, baseline in enumerate(baselines, 1):
            actions = play.level_actions[number - 1] if number <= done else play.unfinished_actions
            theirs.add_level(number, number <= done, actions, baseline)
        assert play_score(baselines, play) == pytest.approx(theirs.to_score().score, abs=1e-12)


def random_answers(rng, n_levels):
    """Answers of an engine to random actions: losses, RESETs, completions, wins and full resets, as (number, seen)."""
    frame, completed, status = (blank(0),), 0, "playing"
    yield 0, Observation(frame, "playing", 0, n_levels, (1,), True)
    for _ in range(rng.randint(1, 60)):
        if status != "playing" or rng.random() < 0.15:
            full = status == "won" or rng.random() < 0.2
            completed, status = (0 if full else completed), "playing"
            yield 0, Observation(frame, status, completed, n_levels, (1,), full)
            continue
        happens = rng.random()
        completed += happens < 0.2
        status = "won" if completed == n_levels else "lost" if happens > 0.9 else "playing"
        yield 1, Observation(frame, status, completed, n_levels, (1,))
        if status != "playing" and rng.random() < 0.3:
            yield 1, Observation((), status, completed, n_levels, (1,))


def test_the_cards_of_a_thousand_random_games_are_those_of_the_package():
    scorecard = pytest.importorskip("arc_agi.scorecard")
    arcengine = pytest.importorskip("arcengine")
    models = pytest.importorskip("arc_agi.models")
    rng, states = random.Random(1), {"playing": "NOT_FINISHED", "won": "WIN", "lost": "GAME_OVER"}
    for _ in range(1000):
        n_levels = rng.randint(1, 5)
        baselines = [rng.randint(1, 30) for _ in range(n_levels)]
        counter, theirs = PlayCounter(), scorecard.Scorecard(card_id="c")
        for number, seen in random_answers(rng, n_levels):
            counter.add(GridAction(number), seen)
            if seen.is_refused:
                continue  # the wrapper of the package leaves answers without a frame out
            data = arcengine.FrameDataRaw(
                game_id="g",
                state=arcengine.GameState[states[seen.status]],
                levels_completed=seen.levels_completed,
                action_input=arcengine.ActionInput(id=arcengine.GameAction.from_id(number)),
            )
            theirs.update_scorecard("guid", data, seen.full_reset)
        info = models.EnvironmentInfo(game_id="g", baseline_actions=baselines)
        (card,) = scorecard.EnvironmentScorecard.from_scorecard(theirs, [info]).environments
        ours = game_score(baselines, counter.plays)
        assert (ours.score, ours.actions, ours.levels_completed) == (
            pytest.approx(card.score, abs=1e-9), card.actions, card.levels_completed,
        )  # fmt: skip
        assert sum(counter.resets) == card.resets
