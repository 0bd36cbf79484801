"""Controllers: the way in from anywhere, advancement after verified wins only, restart of dead boards, their errors."""

import pytest

from checkpoints.harvest import press
from checkpoints.store import load_library
from diag.records import InfrastructureFailure
from diag.session.controllers import EntryAndAdvance, InTurn, RestartAfterDeadEnd, click_on
from games.catalogue import load_catalogue
from games.contract import LevelId, Tap
from games.registry import game_named
from games.suite.session import SuiteSession

CATALOGUE = load_catalogue()
LEVELS = tuple(entry.id for entry in CATALOGUE.levels("maze_paint", "easy"))


def play(session, controller, limit=12):
    """Let a controller act until it has nothing to do; return for what and where."""
    done = []
    while (chosen := controller.next_action(session.snapshot(), session.picture())) is not None and len(done) < limit:
        what, action = chosen
        session.gesture(Tap(action.x, action.y))
        done.append((what, session.snapshot().screen))
    return done


def win(session):
    """Put the level in play just before its win and let the win be made by a move."""
    level = session.snapshot().level
    game, layout = game_named(level.game), CATALOGUE.layout(level)
    from solvers.registry import solver_for

    state = game.initial_state(layout)
    for move in solver_for(level.game).certify(state, state_limit=200_000).solution:
        state = game.step(state, move)
    session.place(level, game.state_to_json(state), won_levels=(*session.snapshot().won_levels, level))


def test_it_enters_the_first_unsolved_level_and_then_leaves_the_board_to_the_agent():
    session, controller = SuiteSession(CATALOGUE), EntryAndAdvance(LEVELS)
    assert play(session, controller) == [("entry", "difficulties"), ("entry", "levels"), ("entry", "playing")]
    assert session.snapshot().level == LEVELS[0]
    assert controller.next_action(session.snapshot(), session.picture()) is None


ASTRAY = (
    ("game:bolt_unscrew",),
    ("game:maze_paint", "difficulty:hard"),
    ("game:maze_paint", "difficulty:hard", "level:2"),
    ("game:rush_hour", "difficulty:easy", "level:1"),
)


@pytest.mark.parametrize("astray", ASTRAY)
def test_it_finds_back_from_another_game_or_difficulty(astray):
    session = SuiteSession(CATALOGUE)
    for control in astray:
        press(session, control)
    play(session, EntryAndAdvance(LEVELS))
    assert session.snapshot().level == LEVELS[0]


def test_an_unsolved_board_is_never_left():
    session, controller = SuiteSession(CATALOGUE), EntryAndAdvance(LEVELS)
    play(session, controller)
    session.gesture(Tap(400, 400))
    assert play(session, controller) == []


def test_it_advances_after_a_verified_win_to_the_next_unsolved_level():
    session, controller = SuiteSession(CATALOGUE), EntryAndAdvance(LEVELS)
    play(session, controller)
    win(session)
    done = play(session, controller)
    assert done[0][0] == "advance"
    assert session.snapshot().level == LEVELS[1]


def test_it_is_done_when_every_level_is_won():
    session = SuiteSession(CATALOGUE)
    press(session, "game:maze_paint")
    session.place(LEVELS[0], session_state(LEVELS[0]), won_levels=LEVELS)
    assert EntryAndAdvance(LEVELS).next_action(session.snapshot(), session.picture()) is None


def session_state(level):
    game = game_named(level.game)
    return game.state_to_json(game.initial_state(CATALOGUE.layout(level)))


def test_a_click_that_changes_nothing_is_a_controller_failure():
    session, controller = SuiteSession(CATALOGUE), EntryAndAdvance(LEVELS)
    controller.next_action(session.snapshot(), session.picture())
    with pytest.raises(InfrastructureFailure, match="changed nothing") as caught:
        controller.next_action(session.snapshot(), session.picture())
    assert caught.value.kind == "controller"


def test_a_missing_control_is_a_controller_failure():
    picture = SuiteSession(CATALOGUE).picture()
    with pytest.raises(InfrastructureFailure, match="no control 'next_level'"):
        click_on("next_level", picture, "c")


def test_a_dead_board_is_restarted_and_a_live_one_is_not():
    checkpoint = load_library("rq3").checkpoints[0]
    session = SuiteSession(CATALOGUE)
    session.place(checkpoint.level, checkpoint.state)
    controller = RestartAfterDeadEnd(lambda _, state: state == checkpoint.state)
    assert [what for what, _ in play(session, controller)] == ["restart"]
    assert session.snapshot().state == session_state(checkpoint.level)


def test_in_turn_the_first_with_something_to_do_acts():
    levels = (LevelId("bolt_unscrew", "hard", 1),)
    session = SuiteSession(CATALOGUE)
    both = InTurn((EntryAndAdvance(levels), RestartAfterDeadEnd(lambda *_: True)))
    assert [what for what, _ in play(session, both, limit=4)] == ["entry", "entry", "entry", "restart"]
