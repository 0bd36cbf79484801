"""A bundle: the sources of one game and of the page around it, in a folder of its own.

The folder holds a `games` package with that game alone and two levels of it. It is what a game agent edits, and all
that the process which serves the build can see.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import games.catalogue
from games.catalogue import Catalogue, catalogue_of, load_catalogue
from games.contract import JsonObject, JsonValue, LevelId

LEVELS: Mapping[str, tuple[str, str]] = {
    "bolt_unscrew": ("bolt_unscrew/easy/3", "bolt_unscrew/easy/4"),
    "color_connect": ("color_connect/easy/1", "color_connect/easy/2"),
    "maze_paint": ("maze_paint/easy/1", "maze_paint/easy/2"),
    "nut_and_bolt": ("nut_and_bolt/easy/1", "nut_and_bolt/easy/2"),
    "rush_hour": ("rush_hour/easy/1", "rush_hour/easy/2"),
    "truck_escape": ("truck_escape/default/1", "truck_escape/default/2"),
}
"""The two levels of each game's bundle; there they are numbers 1 and 2."""
GAMES = tuple(LEVELS)
_PACKAGE = Path(games.catalogue.__file__).parent
_SUITE = (
    "__init__", "connection", "controls", "picture", "pointer", "reducer", "server", "session", "snapshot", "state",
    "texts",
)  # fmt: skip
_GRID = ("__init__", "cells")
_SOURCES = frozenset((".py", ".js", ".json", ".css", ".html"))


def write_bundle(game: str, folder: Path) -> Path:
    """Write the clean bundle of a game into a new folder and return the folder.

    Raises:
        KeyError: there is no bundle of this game.
        FileExistsError: the folder is there already.
    """
    levels = bundle_levels(game)
    package = folder / "games"
    package.mkdir(parents=True)
    for source in sorted(_PACKAGE.glob("*.py")):
        shutil.copy(source, package / source.name)
    (package / "suite").mkdir()
    for name in _SUITE:
        shutil.copy(_PACKAGE / "suite" / f"{name}.py", package / "suite")
    for name in ("view", "texts", "fonts"):
        shutil.copytree(_PACKAGE / "suite" / name, package / "suite" / name)
    (package / "grid").mkdir()
    for name in _GRID:
        shutil.copy(_PACKAGE / "grid" / f"{name}.py", package / "grid")
    shutil.copytree(_PACKAGE / game, package / game, ignore=shutil.ignore_patterns("__pycache__", "grid_port.py"))
    (package / game / "levels.json").write_text(json.dumps(levels), encoding="utf-8")
    return folder


def bundle_levels(game: str) -> JsonObject:
    """Return the pack file of a game's bundle. Raises KeyError naming the games there are."""
    if game not in LEVELS:
        raise KeyError(f"no build of {game!r}; there are builds of {', '.join(GAMES)}")
    shipped = load_catalogue()
    levels = []
    for number, name in enumerate(LEVELS[game], 1):
        level = shipped.level(LevelId.parse(name))
        levels.append(
            {
                "difficulty": level.id.difficulty,
                "number": number,
                "layout": level.layout_json,
                "optimum": level.optimum,
                "exact": level.exact,
                "provenance": {"level": name},
            }
        )
    return {"schema_version": 1, "game": game, "levels": levels}


@cache
def bundle_catalogue(game: str) -> Catalogue:
    """Return the levels of a game's bundle for the evaluator, played by the suite's own rules."""
    return catalogue_of([(f"{game} bundle", bundle_levels(game))])


@cache
def solution(game: str) -> tuple[JsonValue, ...]:
    """Return the moves that win level 1 of the bundle, in JSON form."""
    certificate = load_catalogue().level(LevelId.parse(LEVELS[game][0])).certificate or {}
    return tuple(certificate["solution"])


def source_files(bundle: Path) -> tuple[Path, ...]:
    """Return the files of a bundle that a game agent may edit, in a fixed order."""
    found = (path for path in (bundle / "games").rglob("*") if path.suffix in _SOURCES and path.is_file())
    return tuple(sorted(path for path in found if "__pycache__" not in path.parts))


def bundle_digest(bundle: Path) -> str:
    """Return the SHA-256 over the sources of a bundle and their places."""
    return _digest((str(path.relative_to(bundle)), path.read_bytes()) for path in source_files(bundle))


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    total = hashlib.sha256()
    for name, content in files:
        total.update(f"{name}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()
