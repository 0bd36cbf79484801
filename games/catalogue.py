"""The levels there are: our own catalogue, or an external level pack in the same JSON schema.

A pack is a folder of `<game>.json` files, or one such file (docs/how-to/level-packs.md, level-pack.schema.json); ours
is the `levels.json` in each game's folder. A fault is a LevelError that names the file, the level and the field.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from games.contract import Game, JsonObject, LevelError, LevelId
from games.digest import sha256_of
from games.levels_real import convert, is_benchmark_file
from games.registry import registered_games

SCHEMA_VERSION = 1
_REQUIRED = ("difficulty", "number", "layout", "optimum", "exact", "provenance")
_OPTIONAL = ("certificate",)


@dataclass(frozen=True)
class Level:
    """One level as it is stored. `optimum` counts moves; `exact` says whether it is proven to be the minimum."""

    id: LevelId
    layout_json: JsonObject
    optimum: int | None
    exact: bool
    certificate: JsonObject | None
    provenance: JsonObject


@dataclass(frozen=True)
class Catalogue:
    """All levels of a catalogue or pack, in menu order."""

    entries: tuple[Level, ...]
    games: Mapping[str, Game]
    """The games that have levels here, in alphabetical order."""
    _layouts: dict[LevelId, Any] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every level's id and layout."""
        return sha256_of([[str(level.id), level.layout_json] for level in self.entries])

    @cached_property
    def _by_id(self) -> Mapping[LevelId, Level]:
        return {level.id: level for level in self.entries}

    def level(self, level: LevelId) -> Level:
        """Return one level. Raises KeyError naming the id and how many levels there are."""
        try:
            return self._by_id[level]
        except KeyError:
            raise KeyError(f"no level {level} among the {len(self.entries)} of this catalogue") from None

    def difficulties(self, game: str) -> tuple[str, ...]:
        """Return the difficulties of a game that have levels, easiest first."""
        found = {level.id.difficulty for level in self.entries if level.id.game == game}
        return tuple(name for name in self.games[game].difficulties if name in found)

    def levels(self, game: str, difficulty: str) -> tuple[Level, ...]:
        """Return the levels of an objective by number; empty if it has none."""
        return tuple(level for level in self.entries if (level.id.game, level.id.difficulty) == (game, difficulty))

    def layout(self, level: LevelId) -> Any:
        """Return a level's layout, parsed by its game, the same object each time. Raises KeyError, LevelError."""
        if level not in self._layouts:
            stored = self.level(level)
            try:
                self._layouts[level] = self.games[level.game].parse_layout(stored.layout_json)
            except LevelError as error:
                raise LevelError(f"{level}: layout: {error}") from error
        return self._layouts[level]


def load_catalogue(path: Path | str | None = None) -> Catalogue:
    """Read our own catalogue, or the pack at `path` (every layout of a pack is parsed at once).

    Raises:
        LevelError: a file, level or field is not as the schema says.
    """
    if path is None:
        return catalogue_of(_own_files())
    catalogue = catalogue_of(_pack_files(Path(path)))
    for level in catalogue.entries:
        catalogue.layout(level.id)
    return catalogue


def catalogue_of(files: Iterable[tuple[str, JsonObject]]) -> Catalogue:
    """Make a catalogue of parsed pack files, each with the name that its errors should carry. Raises LevelError."""
    games = registered_games()
    entries: list[Level] = []
    for name, data in files:
        entries.extend(_read_file(name, data, games))
    seen: set[LevelId] = set()
    for level in entries:
        if level.id in seen:
            raise LevelError(f"{level.id}: the level is defined twice")
        seen.add(level.id)
    if not entries:
        raise LevelError("there is no level in this catalogue")
    present = {name: game for name, game in games.items() if any(level.id.game == name for level in entries)}
    entries.sort(key=lambda level: _menu_place(level.id, present))
    return Catalogue(tuple(entries), present)


def check_pack(path: Path | str) -> tuple[str, ...]:
    """Return every fault of a pack, one sentence each; empty if it can be played. Never raises LevelError."""
    faults: list[str] = []
    try:
        catalogue = catalogue_of(_pack_files(Path(path)))
    except LevelError as error:
        return (str(error),)
    for level in catalogue.entries:
        try:
            layout = catalogue.layout(level.id)
        except LevelError as error:
            faults.append(str(error))
            continue
        game = catalogue.games[level.id.game]
        state = game.initial_state(layout)
        if game.is_won(state):
            faults.append(f"{level.id}: layout: the level is won before the first move")
        elif not game.legal_moves(state):
            faults.append(f"{level.id}: layout: there is no legal move")
    return tuple(faults)


def game_folder(game: Game) -> Path:
    """Return the folder a game lives in (its view and levels), also for a game from an entry point."""
    source = sys.modules[type(game).__module__].__file__
    own = Path(__file__).parent / game.name
    return own if own.is_dir() else Path(str(source)).resolve().parent


def _own_files() -> Iterable[tuple[str, JsonObject]]:
    for game in registered_games().values():
        path = game_folder(game) / "levels.json"
        if path.exists():
            yield f"{game.name}/levels.json", _read_json(path)


def _pack_files(path: Path) -> Iterable[tuple[str, JsonObject]]:
    if not path.exists():
        raise LevelError(f"the level pack {path} does not exist")
    files = [path] if path.is_file() else sorted(path.glob("*.json"))
    if not files:
        raise LevelError(f"the level pack {path} has no <game>.json file")
    for file in files:
        data = _read_json(file)
        yield file.name, convert(file.stem, data) if is_benchmark_file(data) else data


def _read_json(path: Path) -> JsonObject:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:
        raise LevelError(f"{path.name}: not readable as JSON: {error}") from error
    if not isinstance(data, dict):
        raise LevelError(f"{path.name}: wanted an object with schema_version, game, levels; got {type(data).__name__}")
    return data


def _read_file(name: str, data: JsonObject, games: Mapping[str, Game]) -> list[Level]:
    if data.get("schema_version") != SCHEMA_VERSION:
        raise LevelError(f"{name}: schema_version: wanted {SCHEMA_VERSION}, got {data.get('schema_version')!r}")
    game = str(data.get("game"))
    if game not in games:
        raise LevelError(f"{name}: game: wanted one of {', '.join(games)}, got {game!r}")
    levels = data.get("levels")
    if not isinstance(levels, list):
        raise LevelError(f"{name}: levels: wanted a list, got {levels!r:.80}")
    found = [_read_level(f"{name}: levels[{index}]", games[game], item) for index, item in enumerate(levels)]
    _check_numbers(name, found)
    return found


def _read_level(where: str, game: Game, item: Any) -> Level:
    if not isinstance(item, dict):
        raise LevelError(f"{where}: wanted an object, got {item!r:.80}")
    difficulty, number = item.get("difficulty"), item.get("number")
    if difficulty not in game.difficulties:
        raise LevelError(f"{where}: difficulty: wanted one of {', '.join(game.difficulties)}, got {difficulty!r}")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise LevelError(f"{where}: number: wanted an integer from 1, got {number!r}")
    level = LevelId(game.name, str(difficulty), number)
    for name in _REQUIRED:
        if name not in item:
            raise LevelError(f"{level}: {name}: the field is missing")
    for name in item:
        if name not in _REQUIRED + _OPTIONAL:
            raise LevelError(f"{level}: {name}: unknown field; known are {', '.join(_REQUIRED + _OPTIONAL)}")
    for name, wanted in (("layout", dict), ("provenance", dict), ("exact", bool)):
        if not isinstance(item[name], wanted):
            raise LevelError(f"{level}: {name}: wanted {_JSON_NAMES[wanted]}, got {item[name]!r:.80}")
    optimum = item["optimum"]
    if optimum is not None and (isinstance(optimum, bool) or not isinstance(optimum, int) or optimum < 1):
        raise LevelError(f"{level}: optimum: wanted a positive integer or null, got {optimum!r:.80}")
    return Level(level, item["layout"], optimum, item["exact"], item.get("certificate"), item["provenance"])


_JSON_NAMES = {dict: "an object", bool: "true or false"}


def _check_numbers(name: str, levels: Iterable[Level]) -> None:
    """A number names one level of its difficulty; numbers may be missing, the menu shows those there are."""
    seen: set[LevelId] = set()
    for level in levels:
        if level.id in seen:
            raise LevelError(f"{name}: {level.id.difficulty}/{level.id.number}: the level is defined twice")
        seen.add(level.id)


def _menu_place(level: LevelId, games: Mapping[str, Game]) -> tuple[str, int, int]:
    return level.game, games[level.game].difficulties.index(level.difficulty), level.number
