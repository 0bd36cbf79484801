"""Reads the published benchmark's layouts, transcribed to plain JSON, into our pack schema, in memory only.

Most games' layouts have the very fields of the transcription; one whose layout differs has a `published.py` with
`from_published(level)`. An optimum in the files is stated, not proven by us, so `exact` is false. The files are
third-party data and never part of this repository.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

from games.contract import JsonObject, LevelError


def is_benchmark_file(data: JsonObject) -> bool:
    """Tell whether a file has the transcription's form rather than our pack schema."""
    return "schema_version" not in data and isinstance(data.get("schema"), dict) and "source" in data


def convert(game: str, data: JsonObject) -> JsonObject:
    """Return a benchmark file, named after its game, in our pack schema.

    Raises:
        LevelError: there is no such game, or the file has no levels.
    """
    if not isinstance(data.get("levels"), list):
        raise LevelError(f"{game}.json: levels: wanted a list, got {data.get('levels')!r:.80}")
    levels = [_level(game, item, str(data["source"])) for item in data["levels"]]
    return {"schema_version": 1, "game": game, "levels": levels}


def _level(game: str, level: Mapping[str, Any], source: str) -> JsonObject:
    return {
        "difficulty": level.get("difficulty", "default"),
        "number": level.get("number"),
        "layout": _layout(game, level),
        "optimum": level.get("optimum"),
        "exact": False,
        "provenance": {"source": source},
    }


def _layout(game: str, level: Mapping[str, Any]) -> JsonObject:
    name = f"games.{game}.published"
    if importlib.util.find_spec(f"games.{game}") is None:
        raise LevelError(f"{game}.json: there is no game of that name")
    if importlib.util.find_spec(name) is not None:
        layout: JsonObject = importlib.import_module(name).from_published(level)
        return layout
    return {field: value for field, value in level.items() if field not in ("difficulty", "number", "optimum")}
