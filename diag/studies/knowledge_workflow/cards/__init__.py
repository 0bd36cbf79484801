"""Rule cards: what a game allows and forbids, in sentences; one file a game, with how each sentence is recognised.

A card says legal interactions and constraints and nothing about any level. The same list grades the rule probes: a
card recited in full states every rule. A change of a sentence or an expression changes the file's `version`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

Language = Literal["en", "zh"]
FOLDER = Path(__file__).parent
HEADING = {"en": "Rules card", "zh": "规则卡"}


@dataclass(frozen=True)
class Rule:
    """One rule of a game."""

    id: str
    sentence: dict[str, str]
    """Language -> the sentence of the card."""
    matches: dict[str, tuple[tuple[str, ...], ...]]
    """Language -> alternatives; a sentence states the rule if all expressions of one alternative occur in it."""


@dataclass(frozen=True)
class Card:
    """The rules of one game."""

    game: str
    version: str
    rules: tuple[Rule, ...]

    def text(self, language: Language) -> str:
        """Return the card as it is shown."""
        lines = [f"- {rule.sentence[language]}" for rule in self.rules]
        return "\n".join([f"{HEADING[language]} ({self.version})", *lines])


def carded_games() -> tuple[str, ...]:
    """Return the games that have a card."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@lru_cache(maxsize=32)
def card_of(game: str) -> Card:
    """Return a game's card. Raises ValueError for a game without one."""
    path = FOLDER / f"{game}.json"
    if not path.is_file():
        raise ValueError(f"no rules card of {game!r}; there are {', '.join(carded_games())}")
    data = json.loads(path.read_text(encoding="utf-8"))
    rules = tuple(
        Rule(
            one["id"],
            {language: one[language] for language in get_args(Language)},
            {name: tuple(tuple(parts) for parts in found) for name, found in one["matches"].items()},
        )
        for one in data["rules"]
    )
    return Card(data["game"], data["version"], rules)
