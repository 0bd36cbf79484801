"""Boards of every registered game for the contract suite: random play and stored solutions of its own levels."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from games.catalogue import Catalogue, catalogue_of, game_folder
from games.contract import Drag, Game, Gesture, LevelId, Table, Tap
from games.digest import canonical_json
from games.registry import registered_games

GAMES = tuple(registered_games().values())
NAMES = tuple(registered_games())
STEPS = 10


@cache
def catalogue() -> Catalogue:
    """Return the levels of every game, also of one whose levels are a pack outside the published catalogue."""
    files = []
    for game in GAMES:
        own, pack = game_folder(game) / "levels.json", game_folder(game) / "pack" / f"{game.name}.json"
        files.append((game.name, json.loads((own if own.exists() else pack).read_text(encoding="utf-8"))))
    return catalogue_of(files)


def seeded(*key: object) -> random.Random:
    """Return a generator that depends on the key alone, in any process."""
    return random.Random(zlib.crc32(repr(key).encode()))


def sample_levels(game: Game) -> list[LevelId]:
    """Return the first and the last level of each difficulty."""
    chosen = []
    for difficulty in catalogue().difficulties(game.name):
        levels = [level.id for level in catalogue().levels(game.name, difficulty)]
        chosen += [levels[0], levels[-1]] if len(levels) > 1 else levels
    return chosen


def start_of(game: Game, level: LevelId) -> Any:
    return game.initial_state(catalogue().layout(level))


@cache
def played(name: str) -> tuple[tuple[LevelId, Any], ...]:
    """Return unfinished boards of random play, with the level each belongs to."""
    game = registered_games()[name]
    found: list[tuple[LevelId, Any]] = []
    for level in sample_levels(game):
        rng, state = seeded(str(level)), start_of(game, level)
        for step in range(STEPS):
            if step % 3 == 0:
                found.append((level, state))
            moves = game.legal_moves(state)
            if not moves:
                break
            after = game.step(state, rng.choice(moves))
            if game.is_won(after):
                break
            state = after
    return tuple(found)


def boards(game: Game) -> tuple[Any, ...]:
    return tuple(state for _, state in played(game.name))


def solution(level: LevelId) -> list[Any]:
    """Return the level's stored solution as moves."""
    stored = catalogue().level(level).certificate
    assert stored is not None, f"{level} has no certificate"
    return [catalogue().games[level.game].move_from_json(move) for move in stored["solution"]]


@cache
def solved(name: str) -> tuple[tuple[Any, ...], ...]:
    """Return the boards along the stored solution of the first level of each difficulty, the won one last."""
    game = registered_games()[name]
    ways = []
    for level in sample_levels(game)[::2]:
        way = [start_of(game, level)]
        for move in solution(level):
            way.append(game.step(way[-1], move))
        ways.append(tuple(way))
    return tuple(ways)


def some_moves(game: Game, state: Any, most: int = 25) -> list[Any]:
    """Return all legal moves, or a fixed sample of them where there are many."""
    moves = list(game.legal_moves(state))
    return moves if len(moves) <= most else seeded(canonical_json(game.state_to_json(state))).sample(moves, most)


def on_pixels(gesture: Gesture) -> Gesture:
    """Return the gesture as GUI actions make it: whole pixels."""
    if isinstance(gesture, Tap):
        return Tap(round(gesture.x), round(gesture.y))
    if isinstance(gesture, Drag):
        x0, y0, x1, y1 = (round(value) for value in (gesture.x0, gesture.y0, gesture.x1, gesture.y1))
        return Drag(x0, y0, x1, y1, gesture.finished)
    return gesture


def perform(game: Game, table: Table, gestures: tuple[Gesture, ...]) -> Iterator[tuple[Table, Any]]:
    """Yield the table and the move after each gesture, on whole pixels."""
    for gesture in gestures:
        reaction = game.react(table, on_pixels(gesture))
        state = table.state if reaction.move is None else game.step(table.state, reaction.move)
        table = Table(state, reaction.held)
        yield table, reaction.move
