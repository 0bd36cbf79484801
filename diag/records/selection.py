"""Units chosen by name, as pytest chooses tests: a block (`D01`), an arm in it (`D01-B`), a unit, a pattern (`*-B`)."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from diag.errors import ConfigError
from diag.records import Unit


def select(units: Sequence[Unit], words: Sequence[str]) -> tuple[Unit, ...]:
    """Return the units that any of the words names, in plan order; all of them if there is no word.

    Raises:
        ConfigError: a word names no unit; the message has those that come near.
    """
    for word in words:
        if not any(_names(word, unit) for unit in units):
            raise ConfigError(_unknown(word, units))
    return tuple(unit for unit in units if not words or any(_names(word, unit) for word in words))


def _names(word: str, unit: Unit) -> bool:
    return any(fnmatchcase(name, word) for name in _names_of(unit))


def _names_of(unit: Unit) -> tuple[str, str, str]:
    return unit.block_id, f"{unit.block_id}-{unit.arm}", unit.unit_id


def _unknown(word: str, units: Sequence[Unit]) -> str:
    names = list(dict.fromkeys(name for unit in units for name in _names_of(unit)))
    near = get_close_matches(word, names, n=3, cutoff=0.5) or [unit.unit_id for unit in units[:3]]
    return (
        f"study.only: found {word!r}, which names no unit; wanted such as {', '.join(near)}; --collect-only lists all"
    )
