"""Every port plays its game's rules: all moves, all actions, no two tables under one frame."""

from __future__ import annotations

import random
import zlib

import pytest

from games.catalogue import load_catalogue
from games.contract import Table
from games.grid.actions import RESET, UNDO, GridAction
from games.grid.environment import GridEnvironment, level_set
from games.grid.frame import BLACK, checked_frame
from games.grid.ports import registered_ports

GAMES = tuple(load_catalogue().games)


def walk(environment, seed, steps):
    """Return tables met by random legal moves from the start, the start included."""
    rng, game = random.Random(seed), environment.levels.game
    state = environment.rules_state
    yield state
    for _ in range(steps):
        moves = game.legal_moves(state)
        if not moves:
            return
        state = game.step(state, rng.choice(moves))
        yield state


def test_every_game_has_a_port():
    assert set(GAMES) <= set(registered_ports())


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_one_or_two_actions(catalogue, name):
    for level in (entry.id for entry in catalogue.entries if entry.id.game == name):
        environment = GridEnvironment(level_set(catalogue, [level]))
        game, board = environment.levels.game, environment.levels.boards[0]
        for state in walk(environment, zlib.crc32(str(level).encode()), 12):
            for move in game.legal_moves(state):
                actions, table = board.actions_for(Table(state), move), Table(state)
                assert 1 <= len(actions) <= 2
                for action in actions[:-1]:
                    reaction = board.react(table, action)
                    assert reaction.move is None
                    table = Table(state, reaction.held)
                assert board.react(table, actions[-1]).move == move


@pytest.mark.parametrize("name", GAMES)
def test_tables_that_differ_have_frames_that_differ(catalogue, name):
    for level in (entry.id for entry in catalogue.entries if entry.id.game == name):
        environment = GridEnvironment(level_set(catalogue, [level]))
        game, board = environment.levels.game, environment.levels.boards[0]
        shown: dict[bytes, Table] = {}
        for seed in range(3):
            for state in walk(environment, seed, 25):
                tables = [Table(state)]
                for move in game.legal_moves(state)[:6]:
                    tables.append(Table(game.step(state, move)))
                    first = board.actions_for(Table(state), move)[0]
                    reaction = board.react(Table(state), first)
                    if reaction.move is None:
                        tables.append(Table(state, reaction.held))
                for table in tables:
                    frame = checked_frame(board.draw(table))
                    assert (frame[-1] == BLACK).all()
                    assert shown.setdefault(frame.tobytes(), table) == table


@pytest.mark.parametrize("name", GAMES)
def test_no_action_anywhere_raises_and_only_legal_moves_come_of_one(catalogue, name):
    level = next(entry.id for entry in reversed(catalogue.entries) if entry.id.game == name)
    environment = GridEnvironment(level_set(catalogue, [level]))
    game, rng = environment.levels.game, random.Random(5)
    for _ in range(600):
        number = rng.choice(environment.actions)
        action = GridAction(number, rng.randrange(64), rng.randrange(64)) if number == 6 else GridAction(number)
        if number not in (RESET, UNDO):
            move = environment.levels.boards[0].react(environment.table, action).move
            assert move is None or move in game.legal_moves(environment.rules_state)
        if environment.step(action).status != "playing":
            environment.reset()
