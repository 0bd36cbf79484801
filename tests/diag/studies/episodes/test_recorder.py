"""A person's session in the events of an agent's: played through the controls, graded, harvested, compared."""

import pytest

from checkpoints.harvest import enter, press
from diag.grading.episodes.log import EpisodeLog
from diag.grading.episodes.plays import plays_of_study
from diag.session.clock import WallClock
from diag.studies.episodes.recorder import RecordingServer, recorder_factory
from games.catalogue import load_catalogue
from games.contract import Drag, LevelId, Table
from games.registry import game_named

OBJECTIVE = "nut_and_bolt/easy"
FIRST = LevelId("nut_and_bolt", "easy", 1)


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


@pytest.fixture
def server(catalogue, tmp_path):
    server = RecordingServer(catalogue, make_recorder=recorder_factory(catalogue, OBJECTIVE, tmp_path))
    yield server
    server.end_all()


def solve(catalogue, session):
    """Play the level on the board by the stored solution."""
    game = game_named("nut_and_bolt")
    level = session.snapshot().level
    for written in catalogue.level(level).certificate["solution"]:
        now = session.snapshot()
        state = game.state_from_json(catalogue.layout(level), now.state)
        for gesture in game.gestures(Table(state, now.held), game.move_from_json(written)):
            session.gesture(gesture)


def test_a_session_ends_by_itself_when_the_objective_is_won(server, catalogue):
    session = server.open()
    enter(session, FIRST)
    solve(catalogue, session)
    for _ in (2, 3):
        press(session, "next_level")
        solve(catalogue, session)
    (recorder,) = server.recorders
    outcome = recorder.outcome()
    assert (outcome.ending, outcome.endpoints["lc"], outcome.endpoints["n_won"]) == ("won", 1.0, 3)
    assert outcome.endpoints["regret_costly_moves"] == 0
    press(session, "levels")  # play may go on; nothing more is recorded
    server.end_all()
    assert recorder.outcome() == outcome


def test_a_closed_recording_is_a_stop_and_holds_what_was_played(server, catalogue):
    session = server.open()
    enter(session, FIRST)
    session.gesture(Drag(100, 200, 300, 300, finished=False))  # a preview is no action
    solve(catalogue, session)
    press(session, "next_level")
    server.end_all()
    (recorder,) = server.recorders
    outcome = recorder.outcome()
    assert (outcome.ending, outcome.endpoints["n_won"], outcome.endpoints["premature_exit"]) == ("stopped", 1, True)
    log = EpisodeLog.read(recorder.folder.read_events(recorder.status))
    assert all(one.action["name"] == "click" for one in log.inputs)
    assert outcome.n_actions == len(log.inputs)


def test_a_recording_gives_plays(server, catalogue):
    session = server.open()
    enter(session, FIRST)
    solve(catalogue, session)
    server.end_all()
    (play,) = plays_of_study(server.recorders[0].folder.root, catalogue)
    assert (play.level, list(play.moves)) == (FIRST, catalogue.level(FIRST).certificate["solution"])
    assert (play.provenance["player"], play.provenance["simulated"]) == ("person", False)


def test_the_budget_ends_a_recording(server, catalogue):
    session = server.open()
    recorder = server.recorders[0]
    enter(session, FIRST)
    seconds = iter([0.0, *[4_000.0] * 50])
    recorder.clock = WallClock(monotonic=lambda: next(seconds))
    recorder.clock.start()
    press(session, "restart")
    assert recorder.outcome().ending == "time_limit"
    assert recorder.outcome().n_actions == 3


def test_every_visitor_has_a_folder(server):
    server.open()
    server.open()
    roots = [recorder.folder.root for recorder in server.recorders]
    assert len(set(roots)) == 2


def test_a_person_who_is_recorded_sees_what_an_agent_sees():
    from diag.errors import ConfigError
    from diag.studies.episodes.play_command import _given

    assert _given(["record=true", "objective=maze_paint/easy"])["instructions"] == "brief"
    assert _given([])["instructions"] == "full"
    assert _given(["record=true", "instructions=full"])["instructions"] == "full"
    with pytest.raises(ConfigError, match="found instructions=some, wanted instructions=brief"):
        _given(["instructions=some"])
