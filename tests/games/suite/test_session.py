import json
import threading

import numpy as np
import pytest

from games.contract import Drag, KeyPress, LevelId, Table, Tap
from games.digest import state_digest
from games.suite.session import SuiteSession

from .player import control, ids, play_moves, press

FIRST = LevelId("bolt_unscrew", "easy", 1)
LAST = LevelId("bolt_unscrew", "easy", 8)


def solution(session, level):
    return session.catalogue.level(level).certificate["solution"]


def enter(session, level):
    press(session, f"game:{level.game}", f"difficulty:{level.difficulty}", f"level:{level.number}")


def win(session, level):
    enter(session, level)
    play_moves(session, solution(session, level))


def kinds(session):
    return [transition.kind for transition in session.transitions()]


def test_the_way_from_home_to_a_board(session):
    games = [f"game:{name}" for name in session.catalogue.games]
    assert ids(session) == ["language", *games]
    press(session, "game:bolt_unscrew")
    assert ids(session) == ["home", "difficulty:easy", "difficulty:hard"]
    press(session, "difficulty:easy")
    assert ids(session) == ["home", *(f"level:{number}" for number in range(1, 9))]
    press(session, "level:1")
    assert ids(session) == ["home", "levels", "restart"]
    assert session.snapshot().level == FIRST
    assert kinds(session) == ["enter"]


def test_only_a_game_with_undo_shows_the_button(session):
    enter(session, LevelId("nut_and_bolt", "easy", 1))
    assert "undo" in ids(session)


def test_a_win_opens_the_dialog_and_the_board_takes_no_input(session):
    win(session, FIRST)
    snapshot, count = session.snapshot(), len(session.transitions())
    assert (snapshot.won, snapshot.potential, snapshot.won_levels) == (True, 1.0, (FIRST,))
    assert session.picture()["dialog"]["title"] == "Level complete!"
    assert [item["id"] for item in session.picture()["controls"] if item["enabled"]] == ["next_level", "close_dialog"]
    for place in (Tap(460, 200), Tap(100, 50), Drag(300, 300, 500, 300), KeyPress("a")):
        session.gesture(place)
    assert session.snapshot() == snapshot
    assert len(session.transitions()) == count


def test_next_level_leaves_one_board_and_enters_the_next(session):
    win(session, FIRST)
    press(session, "next_level")
    assert session.snapshot().level == LevelId("bolt_unscrew", "easy", 2)
    assert kinds(session) == ["enter", "move", "leave", "enter"]


def test_the_keyboard_works_in_the_dialog(session):
    win(session, FIRST)
    session.gesture(KeyPress("Enter"))
    assert session.snapshot().level == LevelId("bolt_unscrew", "easy", 2)


def test_a_closed_dialog_leaves_the_way_on_and_a_board_at_rest(session):
    win(session, FIRST)
    press(session, "close_dialog")
    session.gesture(Tap(460, 200))
    assert session.picture()["note"]["text"] == "This level is complete."
    assert session.picture()["dialog"] is None
    assert "next_level" in ids(session)


def test_after_the_last_level_the_way_leads_to_the_menu(session):
    win(session, LAST)
    assert "last level" in session.picture()["dialog"]["text"]
    assert "next_level" not in ids(session)
    press(session, "levels")
    assert session.snapshot().screen == "levels"
    assert control(session, "level:8")["mark"]
    assert not control(session, "level:1")["mark"]


def test_all_levels_done_is_said(session):
    others = [level.id for level in session.catalogue.levels("bolt_unscrew", "easy")][1:]
    game = session.catalogue.games["bolt_unscrew"]
    first = game.initial_state(session.catalogue.layout(FIRST))
    session.place(FIRST, game.state_to_json(first), won_levels=others)
    play_moves(session, solution(session, FIRST))
    assert session.picture()["dialog"]["title"] == "All levels done!"


def test_restart_returns_to_the_first_board_and_drops_the_hand(session):
    level = LevelId("bolt_unscrew", "easy", 3)
    enter(session, level)
    before = session.snapshot()
    play_moves(session, solution(session, level)[:1])
    screw = session.picture()["board"]["screws"][0]
    session.gesture(Tap(screw["x"], screw["y"]))
    assert session.snapshot().held is not None
    press(session, "restart")
    after = session.snapshot()
    assert (after.state, after.held) == (before.state, None)
    assert kinds(session) == ["enter", "move", "restart"]


def test_entering_a_level_again_keeps_its_mark_and_begins_anew(session):
    win(session, FIRST)
    press(session, "close_dialog", "levels", "level:1")
    assert session.snapshot().won_levels == (FIRST,)
    assert not session.snapshot().won
    play_moves(session, solution(session, FIRST))
    assert session.snapshot().won_levels == (FIRST,)


def test_undo_takes_back_one_move_and_says_when_there_is_none(session):
    level = LevelId("nut_and_bolt", "easy", 1)
    enter(session, level)
    first = session.snapshot().state
    play_moves(session, solution(session, level)[:2])
    press(session, "undo", "undo")
    assert session.snapshot().state == first
    count = len(session.transitions())
    press(session, "undo")
    assert session.picture()["note"] == {"text": "There is nothing to undo.", "tone": "mistake"}
    assert len(session.transitions()) == count


def test_a_placed_board_can_be_undone_through_its_history(session):
    level = LevelId("nut_and_bolt", "easy", 1)
    enter(session, level)
    play_moves(session, solution(session, level)[:2])
    states = [transition.state for transition in session.transitions()]
    other = SuiteSession(session.catalogue)
    other.place(level, states[-1], history=states[:-1])
    assert other.snapshot().state_digest == session.snapshot().state_digest
    press(other, "undo")
    press(session, "undo")
    assert other.snapshot().state_digest == session.snapshot().state_digest == state_digest(level, states[1])


def test_a_replayed_and_a_placed_board_look_alike(session):
    level = LevelId("bolt_unscrew", "easy", 3)
    enter(session, level)
    play_moves(session, solution(session, level)[:2])
    other = SuiteSession(session.catalogue)
    other.place(level, session.snapshot().state)
    played, placed = session.picture(), other.picture()
    assert played.pop("motion") is not None
    assert placed.pop("motion") is None
    assert played.pop("seq") != placed.pop("seq")
    assert played == placed


def test_a_held_session_drops_gestures_but_can_be_placed(session):
    session.hold()
    press(session, "game:bolt_unscrew")
    assert session.snapshot().screen == "home"
    game = session.catalogue.games["bolt_unscrew"]
    session.place(FIRST, game.state_to_json(game.initial_state(session.catalogue.layout(FIRST))))
    assert kinds(session) == ["placed"]
    session.release()
    press(session, "home")
    assert session.snapshot().screen == "home"


def test_an_unfinished_state_is_refused_and_changes_nothing(session):
    before = session.snapshot()
    with pytest.raises(ValueError, match="wanted"):
        session.place(FIRST, {"screws": [0]})
    assert session.snapshot() == before


def test_a_drag_off_a_button_does_not_press_it_but_a_shaky_click_does(session):
    session.gesture(Drag(1110, 40, 1110, 300))
    assert session.snapshot().screen == "home"
    assert session.picture()["language"] == "en"
    session.gesture(Drag(1110, 40, 1121, 44))
    assert session.picture()["language"] == "zh"


def test_every_word_changes_with_the_language(session):
    press(session, "game:bolt_unscrew", "difficulty:hard", "level:1")
    english = session.picture()
    press(session, "home", "language")
    assert session.picture()["title"] == "解谜工坊"
    press(session, "game:bolt_unscrew", "difficulty:hard", "level:1")
    chinese = session.picture()
    assert english["board"] == chinese["board"]
    for key in ("title", "subtitle", "instructions", "labels"):
        assert english[key] != chinese[key]


def test_an_unknown_language_is_refused(catalogue):
    with pytest.raises(ValueError, match="wanted one of en, zh"):
        SuiteSession(catalogue, "de")


def test_corners_and_edges_are_harmless(session):
    enter(session, FIRST)
    before = session.snapshot()
    for x in (0, 1279):
        for y in (0, 899):
            session.gesture(Tap(x, y))
    assert session.snapshot() == before


def random_gesture(rng, session):
    """Often something that is really there, otherwise anything anywhere."""
    if rng.random() < 0.25:
        names = [item for item in session.picture()["controls"] if item["id"] != "language"]
        x, y, width, height = names[rng.integers(len(names))]["rect"]
        return Tap(x + width / 2, y + height / 2)
    board = session.picture()["board"]
    if board is not None and rng.random() < 0.6:
        options = session.catalogue.games[session.picture()["game"]].options(board)
        if options:
            gestures = options[rng.integers(len(options))].gestures
            return gestures[rng.integers(len(gestures))]
    x, y, x2, y2 = (float(value) for value in rng.integers((0, 0, 0, 0), (1280, 900, 1280, 900)))
    kind = rng.integers(4)
    if kind == 0:
        return KeyPress(str(rng.choice(["Enter", "Escape", "ArrowLeft", "ArrowDown", "a"])))
    return Tap(x, y) if kind == 1 else Drag(x, y, x2, y2, finished=bool(kind == 2))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_player_does_the_record_follows_the_rules(catalogue, seed):
    rng = np.random.default_rng(seed)
    session = SuiteSession(catalogue)
    press(session, f"game:{list(catalogue.games)[seed % len(catalogue.games)]}")
    for _ in range(150):
        session.gesture(random_gesture(rng, session))
        json.dumps(session.picture(), allow_nan=False)
    board = None
    for index, transition in enumerate(session.transitions()):
        assert transition.index == index
        game, layout = catalogue.games[transition.level.game], catalogue.layout(transition.level)
        if transition.kind in ("enter", "restart"):
            board = game.initial_state(layout)
        elif transition.kind == "move":
            board = game.step(board, game.move_from_json(transition.move))
        elif transition.kind == "undo":
            board = game.state_from_json(layout, transition.state)
        assert transition.state == game.state_to_json(board)
        assert transition.won == game.is_won(board)
        assert (transition.potential == 1.0) == transition.won


def test_pictures_carry_no_word_of_the_solver(catalogue):
    session = SuiteSession(catalogue)
    win(session, FIRST)
    pages = [json.dumps(session.picture())]
    press(session, "close_dialog", "home")
    for name in catalogue.games:
        pages.append(json.dumps(session.picture()))
        press(session, f"game:{name}")
        pages.append(json.dumps(session.picture()))
        press(session, "home")
    for word in ("solution", "certificate", "optimum", "provenance", "potential", "digest"):
        assert not any(word in page for page in pages)


def test_no_two_controls_overlap_on_any_screen(catalogue):
    session = SuiteSession(catalogue)
    screens = [session.picture()["controls"]]
    for name in catalogue.games:
        press(session, f"game:{name}")
        screens.append(session.picture()["controls"])
        for difficulty in catalogue.difficulties(name):
            press(session, f"difficulty:{difficulty}")
            screens.append(session.picture()["controls"])
            press(session, "level:1")
            screens.append(session.picture()["controls"])
            press(session, "home", f"game:{name}")
        press(session, "home")
    for controls in screens:
        names = [item["id"] for item in controls if item["enabled"]]
        assert len(names) == len(set(names))
        rects = [item["rect"] for item in controls]
        for index, (x, y, width, height) in enumerate(rects):
            assert min(x, y) >= 0
            assert x + width <= 1280
            assert y + height <= 900
            for x2, y2, width2, height2 in rects[:index]:
                assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y


def test_two_threads_leave_one_consistent_record(catalogue):
    session = SuiteSession(catalogue)
    enter(session, LevelId("maze_paint", "easy", 1))

    def swipe(key):
        for _ in range(100):
            session.gesture(KeyPress(key))
            session.picture()

    threads = [
        threading.Thread(target=swipe, args=(key,)) for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = session.transitions()
    assert [transition.index for transition in found] == list(range(len(found)))
    assert session.snapshot().n_transitions == len(found)


def test_the_scene_of_a_level_is_the_scene_of_its_first_board(catalogue):
    session = SuiteSession(catalogue)
    enter(session, FIRST)
    game = catalogue.games["bolt_unscrew"]
    assert session.picture()["board"] == game.scene(Table(game.initial_state(catalogue.layout(FIRST))))
