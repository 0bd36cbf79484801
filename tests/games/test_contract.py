"""What every game promises (games/contract.py), over all registered games and their levels.

Adding a game edits nothing here. Its life in the suite is in test_contract_session.py, in a browser in
test_contract_browser.py.
"""

from __future__ import annotations

import json
import os
import string
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest
from contract_boards import GAMES, NAMES, boards, catalogue, perform, played, seeded, solved, some_moves, start_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.contract import BOARD, VIEWPORT, Drag, Game, Gesture, IllegalMove, KeyPress, Table, Tap
from games.digest import canonical_json

every_game = pytest.mark.parametrize("game", GAMES, ids=NAMES)

OUTSIDE_X = (0, BOARD.x - 1, BOARD.x + BOARD.width, VIEWPORT.width - 1, VIEWPORT.width, -1)
OUTSIDE_Y = (0, BOARD.y - 1, BOARD.y + BOARD.height, VIEWPORT.height - 1, VIEWPORT.height, -1)
EDGES = [*zip(OUTSIDE_X, OUTSIDE_Y, strict=True), *((x, 500) for x in OUTSIDE_X), *((500, y) for y in OUTSIDE_Y)]
CORNERS = [(x, y) for x in (BOARD.x, BOARD.x + BOARD.width - 1) for y in (BOARD.y, BOARD.y + BOARD.height - 1)]
KEYS = ("Enter", "Tab", "Escape", "Space", "Backspace", "a", "z", "Q", "0")
PRIVATE_WORDS = ("potential", "progress", "optimum", "distance", "solution", "reference", "certificate", "history")


# --- rules ----------------------------------------------------------------------------------------------------------


@every_game
def test_levels_start_unfinished_with_something_to_do(game: Game) -> None:
    for level in catalogue().entries:
        if level.id.game == game.name:
            state = start_of(game, level.id)
            assert not game.is_won(state), level.id
            assert game.legal_moves(state), level.id
            assert game.parse_layout(level.layout_json) == catalogue().layout(level.id), level.id


@every_game
def test_states_are_frozen_and_step_leaves_its_state_alone(game: Game) -> None:
    for state in boards(game):
        before, name = canonical_json(game.state_to_json(state)), hash(state)
        for move in some_moves(game, state):
            assert game.step(state, move) == game.step(state, move)
        assert (canonical_json(game.state_to_json(state)), hash(state)) == (before, name)
        with pytest.raises(FrozenInstanceError):
            setattr(state, fields(state)[-1].name, None)


@every_game
def test_a_stored_state_reads_back_equal_with_an_equal_hash(game: Game) -> None:
    for level, state in played(game.name):
        data = json.loads(json.dumps(game.state_to_json(state)))
        again = game.state_from_json(catalogue().layout(level), data)
        assert again == state
        assert hash(again) == hash(state)
        assert game.legal_moves(again) == game.legal_moves(state)
        assert canonical_json(game.state_to_json(again)) == canonical_json(data)


@every_game
def test_moves_are_distinct_in_a_fixed_order_and_each_changes_the_state(game: Game) -> None:
    for state in boards(game):
        moves = game.legal_moves(state)
        assert moves == game.legal_moves(state)
        assert len({canonical_json(game.move_to_json(move)) for move in moves}) == len(moves) == len(set(moves))
        for move in some_moves(game, state):
            assert game.step(state, move) != state
            assert game.move_from_json(json.loads(json.dumps(game.move_to_json(move)))) == move


@every_game
def test_a_move_that_is_not_legal_here_is_refused(game: Game) -> None:
    known = {move for state in boards(game) for move in game.legal_moves(state)}
    refused = 0
    for state in boards(game)[:8]:
        illegal = sorted(known - set(game.legal_moves(state)), key=lambda move: canonical_json(game.move_to_json(move)))
        for move in illegal[:40]:
            with pytest.raises(IllegalMove):
                game.step(state, move)
            refused += 1
    assert refused


@every_game
@pytest.mark.parametrize("data", [None, {}, [], "no such move", 1.5, [999, 999], [-1, -1], [0, 0, 0, 0], True], ids=str)
def test_a_malformed_move_is_a_value_error_or_an_illegal_move(game: Game, data: Any) -> None:
    state = boards(game)[0]
    with pytest.raises((ValueError, IllegalMove)):
        game.step(state, game.move_from_json(data))


@every_game
def test_a_malformed_state_is_a_value_error(game: Game) -> None:
    level, state = played(game.name)[0]
    layout, data = catalogue().layout(level), dict(game.state_to_json(state))
    faults: list[dict[str, Any]] = [{}, {**data, "unknown": 1}]
    faults += [{key: value for key, value in data.items() if key != missing} for missing in data]
    faults += [{**data, key: wrong} for key in data for wrong in ("x", -1, [[[-1]]])]
    for fault in faults:
        with pytest.raises(ValueError):  # noqa: PT011 - each game words its own message
            game.state_from_json(layout, fault)


@every_game
def test_potential_is_one_exactly_when_won_and_a_won_board_has_no_moves(game: Game) -> None:
    for state in boards(game):
        assert 0 <= game.potential(state) < 1
    for *on_the_way, won in solved(game.name):
        for state in on_the_way:
            assert not game.is_won(state)
            assert 0 <= game.potential(state) < 1
        assert game.is_won(won)
        assert game.potential(won) == 1.0
        assert game.legal_moves(won) == ()
        for move in game.legal_moves(on_the_way[-1]):
            with pytest.raises(IllegalMove):
                game.step(won, move)


DETERMINISM = """
import sys
sys.path.insert(0, sys.argv[1])
from contract_boards import GAMES, played
from games.contract import Table
from games.digest import sha256_of
for game in GAMES:
    facts = []
    for level, state in played(game.name):
        moves = [game.move_to_json(move) for move in game.legal_moves(state)]
        scene = game.scene(Table(state))
        options = [[option.move, option.appeal, repr(option.gestures)] for option in game.options(scene)]
        facts.append([str(level), game.state_to_json(state), moves, game.potential(state), scene, options])
    print(game.name, sha256_of(facts))
"""


def test_another_process_with_another_hash_seed_sees_the_same() -> None:
    def facts(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DETERMINISM, str(Path(__file__).parent)]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    first = facts("1")
    assert [line.split()[0] for line in first.splitlines()] == list(NAMES)
    assert facts("4321") == first


# --- stage ----------------------------------------------------------------------------------------------------------


@every_game
def test_a_scene_is_json_about_the_board_alone_and_says_nothing_private(game: Game) -> None:
    for level, state in played(game.name):
        scene = game.scene(Table(state))
        again = game.state_from_json(catalogue().layout(level), game.state_to_json(state))
        text = canonical_json(scene)
        assert text == canonical_json(game.scene(Table(again)))
        assert not [word for word in PRIVATE_WORDS if f'"{word}' in text]


@every_game
def test_every_legal_move_has_gestures_that_make_it(game: Game) -> None:
    for state in boards(game):
        for move in some_moves(game, state):
            *before, (table, made) = perform(game, Table(state), game.gestures(Table(state), move))
            assert [other for _, other in before if other is not None] == []
            assert made == move
            assert table.state == game.step(state, move)


@every_game
def test_gestures_cope_with_whatever_is_held(game: Game) -> None:
    for state in boards(game)[::4]:
        for table in held_tables(game, state)[:4]:
            for move in some_moves(game, state, most=8):
                *_, (after, made) = perform(game, table, game.gestures(table, move))
                assert made == move
                assert after.state == game.step(state, move)


@every_game
def test_taps_at_the_edges_and_odd_keys_move_nothing(game: Game) -> None:
    for state in boards(game)[::5]:
        for table in (Table(state), *held_tables(game, state)[:1]):
            for x, y in EDGES:
                assert game.react(table, Tap(x, y)).move is None, (x, y)
            for key in KEYS:
                assert game.react(table, KeyPress(key)).move is None, key
            for x, y in CORNERS:
                check(game, table, Tap(x, y))


@every_game
def test_an_unfinished_drag_never_moves(game: Game) -> None:
    for state in boards(game)[::3]:
        for option in game.options(game.scene(Table(state))):
            for gesture in option.gestures:
                if isinstance(gesture, Drag):
                    preview = Drag(gesture.x0, gesture.y0, gesture.x1, gesture.y1, finished=False)
                    assert check(game, Table(state), preview) is None


COORDINATE = st.one_of(
    st.sampled_from([0.0, 39.0, 40.0, 95.0, 96.0, 879.0, 880.0, 899.0, 900.0, 1279.0, 1280.0, -5.0]),
    st.integers(0, 1280).map(float),
    st.floats(-50, 1400, allow_nan=False),
)
GESTURE: st.SearchStrategy[Gesture] = st.one_of(
    st.builds(Tap, COORDINATE, COORDINATE),
    st.builds(Drag, COORDINATE, COORDINATE, COORDINATE, COORDINATE, st.booleans()),
    st.builds(KeyPress, st.sampled_from([*KEYS, "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"])),
)


@every_game
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_gestures_at_all_leave_a_board_that_the_rules_allow(game: Game, data: st.DataObject) -> None:
    table = Table(data.draw(st.sampled_from(boards(game))))
    for gesture in data.draw(st.lists(GESTURE, max_size=8)):
        reaction = game.react(table, gesture)
        move = check(game, table, gesture)
        state = table.state if move is None else game.step(table.state, move)
        table = Table(state, reaction.held)


@every_game
def test_a_won_board_takes_no_gestures(game: Game) -> None:
    for *_, last, won in solved(game.name):
        for move in some_moves(game, last, most=8):
            for gesture in game.gestures(Table(last), move):
                assert game.react(Table(won), gesture).move is None
        assert game.options(game.scene(Table(won))) == ()


# --- sight ----------------------------------------------------------------------------------------------------------


@every_game
def test_what_is_read_off_the_picture_are_exactly_the_legal_moves(game: Game) -> None:
    for state in boards(game):
        seen = [canonical_json(option.move) for option in game.options(game.scene(Table(state)))]
        assert sorted(seen) == sorted(canonical_json(game.move_to_json(move)) for move in game.legal_moves(state))


@every_game
def test_an_option_read_off_the_picture_performs_its_move(game: Game) -> None:
    for state in boards(game)[::2]:
        scene = json.loads(canonical_json(game.scene(Table(state))))
        options = game.options(scene)
        for option in seeded(len(options)).sample(options, min(20, len(options))):
            *before, (_, made) = perform(game, Table(state), option.gestures)
            assert [other for _, other in before if other is not None] == []
            assert game.move_to_json(made) == option.move
            assert 0 <= option.appeal <= 1


# --- texts ----------------------------------------------------------------------------------------------------------


@every_game
def test_both_languages_say_the_same_things(game: Game) -> None:
    english, chinese = game.texts("en"), game.texts("zh")
    assert shape(english) == shape(chinese)
    for texts in (english, chinese):
        assert texts["title"]
        assert all(texts["instructions"])
        assert set(texts["difficulties"]) == set(game.difficulties)
    assert not any(ord(letter) > 0x2E80 for letter in canonical_json(english))
    assert any(ord(letter) > 0x2E80 for letter in chinese["title"])


def shape(texts: Any) -> Any:
    """Return the keys, list lengths and template fields of a table of texts."""
    if isinstance(texts, str):
        return sorted(name for _, name, _, _ in string.Formatter().parse(texts) if name)
    if isinstance(texts, list):
        return [shape(item) for item in texts]
    return {key: shape(value) for key, value in texts.items()}


# --- help -----------------------------------------------------------------------------------------------------------


def held_tables(game: Game, state: Any) -> list[Table]:
    """Return tables of the state with something held: what is left after the first gestures of some moves."""
    tables: dict[str, Table] = {}
    for move in some_moves(game, state, most=12):
        for table, made in perform(game, Table(state), game.gestures(Table(state), move)):
            if made is None and table.held is not None:
                tables[canonical_json(table.held)] = table
    return list(tables.values())[:6]


def check(game: Game, table: Table, gesture: Gesture) -> Any:
    """Return the move of a gesture, after checking that the reaction is one the suite can show."""
    reaction = game.react(table, gesture)
    assert reaction == game.react(table, gesture)
    canonical_json(reaction.held)
    if reaction.move is not None:
        assert reaction.move in game.legal_moves(table.state)
        assert not (isinstance(gesture, Drag) and not gesture.finished)
    else:
        canonical_json(game.scene(Table(table.state, reaction.held)))
    if reaction.motion is not None:
        canonical_json(reaction.motion)
        assert reaction.motion["duration_ms"] > 0
    if reaction.note is not None:
        for texts in (game.texts("en"), game.texts("zh")):
            words = texts.get("words", {})
            values = {name: words.get(value, value) for name, value in reaction.note.values.items()}
            assert texts["notes"][reaction.note.key].format(**values)
    return reaction.move
