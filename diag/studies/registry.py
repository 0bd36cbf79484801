"""Which kinds of study there are: the rooms of this package, and those of other distributions.

A room is a folder below `diag/studies/` whose package exports `KIND`. A distribution of your own names its kind in the
entry point group `diag.studies` (`NAME = "your_package:KIND"`). Nothing here names one.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from diag.config import store, words
from diag.config.text_keys import text_keys
from diag.errors import ConfigError
from diag.studies.contract import StudyKind

GROUP = "diag.studies"


def room_names() -> tuple[str, ...]:
    """Return the names of this package's rooms, in alphabetical order."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return tuple(sorted(module.name for module in found if module.ispkg))


def kinds() -> Mapping[str, StudyKind]:
    """Return every kind of study by its name. Raises ConfigError if two have one name or an entry point has none."""
    found: dict[str, StudyKind] = {}
    for kind in (*map(_room, room_names()), *_from_elsewhere()):
        if kind.name in found:
            raise ConfigError(f"two kinds of study are called {kind.name!r}; wanted different names")
        found[kind.name] = kind
    return found


def kind_named(name: str) -> StudyKind:
    """Return a kind of study by its name, or by `package.module:KIND` for one that is not installed.

    Raises:
        ConfigError: there is none; the message names those there are.
    """
    if name in room_names():
        return _room(name)
    if ":" in name:
        return _importable(name)
    found = kinds()
    if name not in found:
        known = ", ".join(sorted(found))
        raise ConfigError(f"study.kind: found {name!r}, wanted one of {known}, or package.module:KIND")
    return found[name]


def kind_of_record(name: str) -> StudyKind | None:
    """Return the kind that a record names; None if it is not at hand.

    A record is data: nothing is imported because it says so. Rooms and installed kinds are known; one of the form
    `package.module:KIND` is, if this process has imported it already, which the user's own configuration does.
    """
    module, _, attribute = name.partition(":")
    if attribute:
        kind = getattr(sys.modules.get(module), attribute, None)
        return kind if isinstance(kind, StudyKind) else None
    return _room(name) if name in room_names() else kinds().get(name)


def _room(name: str) -> StudyKind:
    kind: StudyKind = importlib.import_module(f"diag.studies.{name}.kind").KIND
    return kind


def _importable(name: str) -> StudyKind:
    module, _, attribute = name.partition(":")
    try:
        kind = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"study.kind: found {name!r}, wanted an importable package.module:KIND: {error}") from error
    if not isinstance(kind, StudyKind):
        raise ConfigError(f"study.kind: {name} is a {type(kind).__name__}, wanted a StudyKind")
    return kind


def _from_elsewhere() -> list[StudyKind]:
    found = []
    for entry in entry_points(group=GROUP):
        kind = entry.load()
        if not isinstance(kind, StudyKind):
            raise ConfigError(f"entry point {entry.name!r} of {GROUP}: found {type(kind).__name__}, wanted a StudyKind")
        found.append(kind)
    return found


def register() -> None:
    """Make every schema known to Hydra (the core's, those of the kinds of study and of their arms), and their words."""
    schemas = _schemas()
    store.register(*schemas)
    words.install(text_keys(*schemas))


def known_text_keys() -> Mapping[str, bool]:
    """Return the keys that hold text, in the core and in every kind of study -> whether null is a value of each."""
    return text_keys(*_schemas())


def _schemas() -> tuple[dict[str, type[Any]], dict[str, type[Any]]]:
    found = kinds().values()
    arms = {name: keys for kind in found for name, keys in kind.arm_configs.items()}
    return {kind.name: kind.config for kind in found}, arms
