"""Levels on their way into a game's `levels.json`: certified, ordered, told apart, written the same way each time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import games
from games.contract import Game, JsonObject
from solvers.certificate import Solvable
from solvers.certificate_json import certificate_to_json


@dataclass(frozen=True)
class Released:
    """One certified level before it has a number."""

    difficulty: str
    layout: JsonObject
    claim: Solvable
    provenance: JsonObject
    """Generator, version, seed, draw, and the exact measures that the order inside the difficulty follows."""


def write_levels(game: Game, levels: Sequence[Released]) -> Path:
    """Write `games/<game>/levels.json`, numbering the levels of each difficulty in the order given; return its path."""
    path = Path(games.__path__[0]) / game.name / "levels.json"
    path.write_text(levels_text(game, levels), encoding="utf-8")
    return path


def levels_text(game: Game, levels: Sequence[Released]) -> str:
    """Return the file's text: one level a line, so that a change of one level is a change of one line."""
    entries = [json.dumps(entry, ensure_ascii=False) for entry in _entries(game, levels)]
    return f'{{"schema_version": 1, "game": "{game.name}", "levels": [\n' + ",\n".join(entries) + "\n]}\n"


def _entries(game: Game, levels: Sequence[Released]) -> Iterable[JsonObject]:
    numbers = dict.fromkeys(game.difficulties, 0)
    for level in sorted(levels, key=lambda level: game.difficulties.index(level.difficulty)):
        numbers[level.difficulty] += 1
        yield {
            "difficulty": level.difficulty,
            "number": numbers[level.difficulty],
            "layout": level.layout,
            "optimum": level.claim.distance,
            "exact": level.claim.exact,
            "certificate": certificate_to_json(game, level.claim),
            "provenance": level.provenance,
        }
