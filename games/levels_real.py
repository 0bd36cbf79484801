"""Reads the published benchmark's layouts, transcribed to plain JSON, into our pack schema, in memory only.

The files name no optimum we have proven, so `exact` is false. They are third-party data and never part of this repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.contract import JsonObject, LevelError


def is_benchmark_file(data: JsonObject) -> bool:
    """Tell whether a file has the transcription's form rather than our pack schema."""
    return "schema_version" not in data and isinstance(data.get("schema"), dict) and "source" in data


def convert(game: str, data: JsonObject) -> JsonObject:
    """Return a benchmark file in our pack schema. Raises LevelError if there is no converter for the game."""
    if game not in CONVERTERS:
        raise LevelError(f"{game}: no converter for this benchmark file; there are {', '.join(CONVERTERS)}")
    return {
        "schema_version": 1,
        "game": game,
        "levels": [_level(game, level, str(data["source"])) for level in data["levels"]],
    }


def _level(game: str, level: Mapping[str, Any], source: str) -> JsonObject:
    return {
        "difficulty": level.get("difficulty", "default"),
        "number": level["number"],
        "layout": CONVERTERS[game](level),
        "optimum": level.get("optimum"),
        "exact": False,
        "provenance": {"source": source},
    }


CONVERTERS: Mapping[str, Callable[[Mapping[str, Any]], JsonObject]] = {}
