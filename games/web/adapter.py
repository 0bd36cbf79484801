"""An adapter: what the evaluator has to know of a page that is not ours. A YAML file, or a small class.

Each of `state`, `set`, `won`, `progress`, `moves`, `solver`, `ready` and `keep` is JavaScript; a class may have a
method that takes the state in place of `won`, `progress`, `moves`, `solver` and `keep`.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml  # type: ignore[import-untyped]

from games.contract import JsonObject
from games.digest import sha256_of
from games.once import once
from games.registry import registered_games

SCHEMA = 1
"""Version of the form of an adapter."""
Judge = str | Callable[[Any], Any] | None
"""JavaScript in which `state` is bound, or a method of the adapter's class that takes the state."""
_CHOICES = {"world": ("isolated", "page"), "time": ("fixed", "real"), "random": ("seeded", "real")}
_GESTURES = ("click", "double_click", "long_press", "drag", "swipe", "scroll", "key", "type")


class AdapterError(ValueError):
    """An adapter or its page is not as it should be; one line with found and wanted."""


@dataclass(frozen=True)
class Adapter:
    """A page and what the evaluator knows of it. Fields are the keys of the YAML file."""

    schema: int
    name: str
    """Letters, digits and _; the page's name in every record."""
    state: str
    """JavaScript expression: the state as a JSON object. Evaluated by the evaluator, never by the page."""
    title: str = ""
    """What an agent is told that it is looking at; empty: the name."""
    folder: str | None = None
    """Folder to serve, from the adapter's own; or else `address`."""
    address: str | None = None
    """A page that somebody serves on this machine, http://127.0.0.1:PORT/..."""
    start: str = "index.html"
    """The page of `folder` that is opened, as in index.html?level=3."""
    world: str = "isolated"
    """Where the expressions are evaluated: isolated (document and storage, out of the page's reach) or page (beside its
    own variables)."""
    ready: str = "true"
    """Expression that is true once the page can be played."""
    set: str | None = None
    """JavaScript statements that put the page into `state`; without them a state is reached by its gestures."""
    reload: bool = False
    """Whether the page is loaded again after `set`, because it reads its storage when it loads."""
    won: Judge = None
    progress: Judge = None
    """From 0 to 1."""
    moves: Judge = None
    """What can be done, for simulated agents: a list of {name, gestures, appeal}."""
    solver: Judge = None
    """A list of gestures that win from the state, or null. What it says is played out before it is believed."""
    time: str = "fixed"
    """fixed: the page's clock moves with gestures alone; real: as it is."""
    random: str = "seeded"
    """seeded: Math.random gives the same numbers in every session; real: as it is."""
    seed: int = 1
    settle_ms: int = 500
    """How far the clock moves after each gesture, in milliseconds."""
    states: tuple[JsonObject, ...] = ()
    """What is harvested: each {id, gestures: [...]} or {id, state: {...}}."""
    walks: JsonObject = field(default_factory=dict)
    """Harvest by random play of `moves`: {count, length, seed, keep}."""
    keep: Judge = None
    """Which states of a walk are harvested; without it the last of each."""
    home: str = "."
    """Folder of the adapter's file; no key of it."""

    def __post_init__(self) -> None:
        for name, wanted in _CHOICES.items():
            if (found := getattr(self, name)) not in wanted:
                raise AdapterError(f"{name}: found {found!r}, wanted {' or '.join(wanted)}")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", self.name) or self.name in registered_games():
            raise AdapterError(f"name: found {self.name!r}, wanted letters, digits and _, and no game of the suite")
        if not 0 <= self.settle_ms <= 60_000:
            raise AdapterError(f"settle_ms: found {self.settle_ms}, wanted from 0 to 60000")
        if (self.folder is None) == (self.address is None):
            raise AdapterError("folder: wanted either a folder to serve or an address, found both or none")
        self._check_place()
        self._check_starts()

    def _check_place(self) -> None:
        if self.address is not None:
            at = urlsplit(self.address)
            if at.scheme != "http" or at.hostname not in ("127.0.0.1", "localhost") or not at.port:
                raise AdapterError(f"address: found {self.address!r}, wanted http://127.0.0.1:PORT/...")
        elif not (self.root / urlsplit(self.start).path).is_file():
            raise AdapterError(f"folder: found no {self.start} in {self.root}, wanted the page to open")

    def _check_starts(self) -> None:
        for place, one in enumerate(self.states):
            if not isinstance(one, Mapping) or not {"id"} < set(one) <= {"id", "gestures", "state"}:
                raise AdapterError(f"states[{place}]: found {one!r:.80}, wanted id, and gestures or state")
            if "state" in one and self.set is None:
                raise AdapterError(f"states[{place}]: found a state, and no `set` that could put the page into it")
            checked_gestures(one.get("gestures", ()), f"states[{place}]")
        if strange := set(self.walks) - {"count", "length", "seed"}:
            raise AdapterError(f"walks: found {sorted(strange)[0]!r}, wanted count, length, seed")
        if self.walks and self.moves is None:
            raise AdapterError("walks: found no `moves`, wanted what a walk may do")

    @property
    def root(self) -> Path:
        """The folder that is served."""
        return (Path(self.home) / (self.folder or ".")).resolve()

    @property
    def n_starts(self) -> int:
        """How many ways from the page's start into its states are known: named ones, then walks."""
        return len(self.states) + int(self.walks.get("count", 0))

    @cached_property
    def identity(self) -> JsonObject:
        """Everything that can change what a state is or looks like: the expressions and the served files."""
        apart = {"states", "walks", "keep", "folder", "home"}
        said = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in apart}
        kept = {name: _code_of(value) if callable(value) else value for name, value in said.items()}
        return {**kept, "files": None if self.address is not None else _files_digest(self.root)}


def checked_gestures(found: Any, where: str) -> tuple[JsonObject, ...]:
    """Return a list of gestures as it is. Raises AdapterError for anything else."""
    if not isinstance(found, list | tuple):
        raise AdapterError(f"{where}: found {found!r:.80}, wanted a list of gestures")
    for one in found:
        if not isinstance(one, Mapping) or one.get("name") not in _GESTURES:
            raise AdapterError(f"{where}: found {one!r:.80}, wanted a gesture named {', '.join(_GESTURES)}")
    return tuple(found)


@once(maxsize=16)
def adapter_of(source: str) -> Adapter:
    """Read an adapter: the path of a YAML file, or `package.module:Class`. Raises AdapterError."""
    if not source:
        raise AdapterError("found none, wanted env.adapter=FILE.yaml or package.module:Class")
    try:
        return _of_file(Path(source)) if source.endswith((".yaml", ".yml")) else _of_class(source)
    except AdapterError as error:
        raise AdapterError(f"{source}: {error}") from error


def _of_file(path: Path) -> Adapter:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AdapterError(f"found no such file ({error.strerror}), wanted an adapter") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise AdapterError(f"found no YAML: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(data, dict):
        raise AdapterError(f"found {type(data).__name__}, wanted keys, beginning with schema: {SCHEMA}")
    return _checked(data, path.parent)


def _of_class(source: str) -> Adapter:
    module_name, colon, name = source.partition(":")
    if not colon:
        raise AdapterError("found neither a .yaml file nor package.module:Class, wanted one of them")
    try:
        module = importlib.import_module(module_name)
        made = getattr(module, name)()
    except (ImportError, AttributeError) as error:
        raise AdapterError(f"found {error}, wanted a class that can be imported") from error
    data = {one: getattr(made, one) for one in dir(made) if not one.startswith("_")}
    return _checked(data, Path(str(module.__file__)).parent)


def _checked(data: Mapping[str, Any], home: Path) -> Adapter:
    if data.get("schema") != SCHEMA:
        raise AdapterError(f"schema: found {data.get('schema')!r}, wanted {SCHEMA}: an adapter of another version")
    known = {one.name: one for one in fields(Adapter) if one.name != "home"}
    for key, value in data.items():
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            raise AdapterError(f"found key {key!r}, wanted one of {', '.join(near or known)}")
        _check_type(str(key), value)
    if missing := [key for key, one in known.items() if _is_required(one) and key not in data]:
        raise AdapterError(f"{missing[0]}: the key is missing")
    lists = {"states": tuple(data.get("states", ()))}
    return Adapter(**{**data, **lists, "home": str(home.resolve())})


def _is_required(one: Any) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _check_type(key: str, value: Any) -> None:
    wanted: Any = {"schema": int, "seed": int, "settle_ms": int, "reload": bool, "states": (list, tuple), "walks": dict}
    kinds: Any = wanted.get(key, str)
    if key in ("won", "progress", "moves", "solver", "keep") and callable(value):
        return
    nothing = value is None and key in ("folder", "address", "set", "won", "progress", "moves", "solver", "keep")
    if not nothing and (not isinstance(value, kinds) or (kinds is int and isinstance(value, bool))):
        words = {int: "a whole number", bool: "true or false", dict: "keys", str: "text (quote it)"}
        raise AdapterError(f"{key}: found {value!r:.80}, wanted {words.get(kinds, 'a list')}")


def _code_of(judge: Callable[[Any], Any]) -> str:
    """Return a digest of the file that a method is written in."""
    return sha256_of(Path(judge.__code__.co_filename).read_text(encoding="utf-8"))


def _files_digest(root: Path) -> str:
    """Return a digest over names and bytes of a folder's files; what we put there ourselves is no part of the page."""
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        ours = inside.parts[0] == "outputs" or inside.parts[0].endswith("-states") or inside.parts[0].startswith(".")
        if path.is_file() and not ours and path.suffix not in (".yaml", ".yml", ".py", ".pyc"):
            whole.update(f"{inside.as_posix()}\0".encode())
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
